package updatestatus

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// sight is how a source sends. While it is blind its gate alone says what state it is in, and what it said before stays as it
// was: it would go on to judge by what it saw last. It reports everything when it sees again; what it has taken back meanwhile
// is all that is kept for then.
type sight struct {
	send insight.Send

	mu sync.Mutex
	// said is what the gate says of the source, nil while it sees.
	said *insight.State
	// gone are the subjects that were taken back while the source was blind.
	gone map[insight.Subject]bool
}

func newSight(send insight.Send) *sight {
	return &sight{send: send, gone: map[insight.Subject]bool{}}
}

// Send is an insight.Send.
func (s *sight) Send(ctx context.Context, message insight.Message) error {
	if s.hold(&message) {
		return nil
	}
	return s.send(ctx, message)
}

// hold takes from a message what a blind source must not say, and returns whether that is all of it. A source without what a
// cluster is complete without has lost nothing, and reports go on.
func (s *sight) hold(message *insight.Message) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.said == nil {
		return false
	}
	message.State = nil
	if s.said.Complete {
		return false
	}
	for _, report := range message.Reports {
		if len(report.Insights) == 0 {
			s.gone[report.Subject] = true
		} else {
			delete(s.gone, report.Subject)
		}
	}
	return true
}

// lose makes a source blind, of which a state is said, and returns whether that is another than was said before.
func (s *sight) lose(state *insight.State) (isNews bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	isNews = s.said == nil || *s.said != *state
	s.said = state
	return isNews
}

// isComplete is whether a source lacks only what a cluster is complete without.
func (s *sight) isComplete() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said != nil && s.said.Complete
}

// regain lets a source see again, and returns the reports that take back what has gone, and whether it was blind.
func (s *sight) regain() (reports []insight.Report, wasBlind bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wasBlind = s.said != nil
	s.said = nil
	for subject := range s.gone {
		reports = append(reports, insight.Report{Subject: subject})
	}
	clear(s.gone)
	slices.SortFunc(reports, func(a, b insight.Report) int {
		return cmp.Or(strings.Compare(a.Subject.Kind, b.Subject.Kind), strings.Compare(a.Subject.Name, b.Subject.Name))
	})
	return reports, wasBlind
}
