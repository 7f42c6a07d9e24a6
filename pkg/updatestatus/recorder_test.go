package updatestatus

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

// recorder records what a source sends, and when it starts and ends.
type recorder struct {
	mu     sync.Mutex
	events []string
	// state is the last state of the node informer.
	state insight.State
	// reasons are the last reasons of each source.
	reasons map[insight.Source]string
}

func (r *recorder) add(event string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, event)
}

func (r *recorder) addReason(source insight.Source, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reasons == nil {
		r.reasons = map[insight.Source]string{}
	}
	r.reasons[source] = reason
}

// takeReasons returns the last reasons of each source that has sent its state since it was called last.
func (r *recorder) takeReasons() map[insight.Source]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.reasons
	r.reasons = map[insight.Source]string{}
	return taken
}

// take returns the events since it was called last.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.events
	r.events = nil
	return taken
}

// send records the state of a message of the node informer and the names of what it reports, with a minus for what was deleted. A
// message that changes nothing is not recorded.
func (r *recorder) send(_ context.Context, message insight.Message) error {
	if message.State != nil {
		r.addReason(message.Source, message.State.Reason)
	}
	if message.Source != insight.NodeInformer || len(message.Reports) == 0 && (message.State == nil || *message.State == r.state) {
		return nil
	}
	if message.State != nil {
		r.state = *message.State
	}
	var words []string
	for _, report := range message.Reports {
		if len(report.Insights) == 0 {
			words = append(words, "-"+report.Subject.Name)
		} else {
			words = append(words, report.Subject.Name)
		}
	}
	slices.Sort(words)
	switch {
	case message.State == nil:
	case message.State.Reason != "":
		words = append(words, message.State.Reason)
	case message.State.Complete:
		words = append(words, "Complete")
	}
	r.add(strings.Join(words, " "))
	return nil
}

// Run is part of sourceLoop.
func (r *recorder) Run(ctx context.Context, _ int) {
	r.add("started")
	<-ctx.Done()
	r.add("ended")
}

// Resync is part of sourceLoop.
func (r *recorder) Resync() {}

// withPrimary returns the input of sources with a primary controller that records what it gets.
func (r *recorder) withPrimary(in sourceInput) sourceInput {
	in.send, in.view = r.send, nothing{}
	return in
}

// nothing is the view of a primary controller that knows nothing.
type nothing struct{}

func (nothing) Update() ledger.Update                         { return ledger.Update{} }
func (nothing) Settings() updatev1alpha1.UpdateStatusSpec     { return updatev1alpha1.UpdateStatusSpec{} }
func (nothing) Reported(context.Context) (ledger.View, error) { return nil, nil }
func (nothing) PreviouslyObserved(context.Context) (assess.Observed, error) {
	return assess.Observed{Starts: map[string]time.Time{}}, nil
}
