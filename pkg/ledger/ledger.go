package ledger

import (
	"reflect"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Ledger holds the last report of each source about each subject. It is not safe for concurrent use.
type Ledger struct {
	accounts map[insight.Source]*account
	// updating are the subjects that are updating, and started is the start of the control plane's update: see Update.
	updating map[insight.Subject]bool
	started  time.Time
}

type account struct {
	reports map[insight.Subject][]insight.ScopedInsight
	// insights is how many the reports have together.
	insights int
	state    *insight.State
	// complete stays once the source has been complete: from then on its reports alone decide.
	complete bool
}

// New returns an empty ledger.
func New() *Ledger {
	return &Ledger{accounts: map[insight.Source]*account{}, updating: map[insight.Subject]bool{}}
}

// Apply enters a message, and returns whether it said anything new. The insights of the message must not be changed
// afterwards.
func (l *Ledger) Apply(message insight.Message) bool {
	entry, found := l.accounts[message.Source]
	if !found {
		entry = &account{reports: map[insight.Subject][]insight.ScopedInsight{}}
		l.accounts[message.Source] = entry
	}
	changed := entry.applyState(message.State)
	for _, report := range message.Reports {
		changed = entry.applyReport(report) || changed
		l.trackUpdate(report)
	}
	return changed
}

func (a *account) applyState(state *insight.State) bool {
	if state == nil || a.state != nil && *a.state == *state {
		return false
	}
	said := *state
	a.state = &said
	a.complete = a.complete || said.Complete
	return true
}

func (a *account) applyReport(report insight.Report) bool {
	before, known := a.reports[report.Subject]
	if len(report.Insights) == 0 {
		a.insights -= len(before)
		delete(a.reports, report.Subject)
		return known
	}
	// Of the same objects an assessment makes the same, down to the representation of times: what is equal in another way
	// costs a look and no write. The semantic comparison costs many times as much, for each change of a node (BenchmarkApplyAll).
	if reflect.DeepEqual(before, report.Insights) {
		return false
	}
	a.insights += len(report.Insights) - len(before)
	a.reports[report.Subject] = report.Insights
	return true
}

// View is the content of a ledger at a moment. It shares the insights with the ledger: they must not be changed.
type View map[insight.Source]SourceView

// SourceView is what a source has said.
type SourceView struct {
	// State is what the source said of itself last, nil if nothing yet.
	State *insight.State
	// Complete is whether the source has ever been complete.
	Complete bool
	// Insights are all that it has to say, in no order. A pointer stands for a content: it stays the same for as long as
	// nothing else is said.
	Insights []*insight.ScopedInsight
}

// View returns the content of the ledger, but for what one source says of what another one explains.
func (l *Ledger) View() View {
	view := make(View, len(l.accounts))
	for source, entry := range l.accounts {
		insights := make([]*insight.ScopedInsight, 0, entry.insights)
		for _, placed := range entry.reports {
			for at := range placed {
				insights = append(insights, &placed[at])
			}
		}
		view[source] = SourceView{State: entry.state, Complete: entry.complete, Insights: insights}
	}
	view.withoutRepeated()
	return view
}

// Heard is whether every source that watches the cluster has said something of itself.
func (v View) Heard() bool {
	for _, source := range insight.Watching() {
		if v[source].State == nil {
			return false
		}
	}
	return true
}
