package ledger

import (
	"reflect"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Ledger holds the last report of each source about each subject. It is not safe for concurrent use.
type Ledger struct {
	entries map[insight.Source]*entry
}

// entry is what a source reported.
type entry struct {
	reports map[insight.Subject][]insight.ScopedInsight
	// insights is how many the reports have together.
	insights int
	state    *insight.State
	// complete stays once the source has been complete: from then on its reports alone decide.
	complete bool
}

// New returns an empty ledger.
func New() *Ledger {
	return &Ledger{entries: map[insight.Source]*entry{}}
}

// Apply applies a message, and returns whether it changed anything. The insights of the message must not be changed afterwards.
func (l *Ledger) Apply(message insight.Message) bool {
	source, found := l.entries[message.Source]
	if !found {
		source = &entry{reports: map[insight.Subject][]insight.ScopedInsight{}}
		l.entries[message.Source] = source
	}
	changed := source.applyState(message.State)
	for _, report := range message.Reports {
		changed = source.applyReport(report) || changed
	}
	return changed
}

func (e *entry) applyState(state *insight.State) bool {
	if state == nil || e.state != nil && *e.state == *state {
		return false
	}
	next := *state
	e.state = &next
	e.complete = e.complete || next.Complete
	return true
}

func (e *entry) applyReport(report insight.Report) bool {
	before, known := e.reports[report.Subject]
	if len(report.Insights) == 0 {
		e.insights -= len(before)
		delete(e.reports, report.Subject)
		return known
	}
	// The same objects give the same insights, down to the representation of times: what is equal in another way only costs a
	// sync. The semantic comparison costs many times as much, for each change of a node (BenchmarkApplyAll).
	if reflect.DeepEqual(before, report.Insights) {
		return false
	}
	e.insights += len(report.Insights) - len(before)
	e.reports[report.Subject] = report.Insights
	return true
}

// View is the content of a ledger at a moment. It shares the insights with the ledger: they must not be changed.
type View map[insight.Source]SourceView

// SourceView is what a source reported.
type SourceView struct {
	// State is the last state of the source, nil before the first.
	State *insight.State
	// Complete is whether the source has ever been complete.
	Complete bool
	// Insights are all insights of the source, in no order. A pointer stands for a content: it stays the same for as long as the
	// subject has no other report.
	Insights []*insight.ScopedInsight
}

// View returns the content of the ledger, without health insights while no update is in progress.
func (l *Ledger) View() View {
	view := make(View, len(l.entries))
	for name, source := range l.entries {
		insights := make([]*insight.ScopedInsight, 0, source.insights)
		for _, report := range source.reports {
			for at := range report {
				insights = append(insights, &report[at])
			}
		}
		view[name] = SourceView{State: source.state, Complete: source.complete, Insights: insights}
	}
	if !view.Update().Unfinished {
		view.dropHealth()
	}
	return view
}

// AllReported is whether every source that watches the cluster has reported its state.
func (v View) AllReported() bool {
	for _, source := range insight.Watching() {
		if v[source].State == nil {
			return false
		}
	}
	return true
}
