package describe

import (
	"cmp"
	"fmt"
	"io"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// WriteHistory writes the records of updates, one in a line, in their order.
func WriteHistory(w io.Writer, records []updatev1alpha1.UpdateRecord, options Options) error {
	p := &page{Options: options, isNew: true}
	if len(records) == 0 {
		p.line("No update of the cluster has been recorded.")
		return p.flush(w)
	}
	t := newTable("NAME", "FROM", "TO", "RESULT", "STARTED", "CONTROL PLANE", "TOTAL", "HEALTH")
	c := p.clock()
	for at := range records {
		one, r := &records[at], &records[at].Status
		started := "-"
		if r.StartedAt != nil {
			started = r.StartedAt.UTC().Format(time.RFC3339)
		}
		t.add(one.Name, cmp.Or(r.Versions.Previous, "-"), cmp.Or(r.Versions.Target, unknownCell), cmp.Or(string(r.Result), unknownCell),
			started, c.took(r.Took.ControlPlane), c.took(r.Took.Total)+expectedIn(r), worstEpisode(r.Episodes))
	}
	p.table(t, options.Width)
	return p.flush(w)
}

// took returns how long something took, "-" if that is not known.
func (c clock) took(duration *metav1.Duration) string {
	if duration == nil {
		return "-"
	}
	return c.rounded(duration.Duration)
}

// expectedIn returns how long an update was expected to take when it started, empty if that is not known.
func expectedIn(r *updatev1alpha1.UpdateRecordStatus) string {
	if r.Expected == nil || r.StartedAt == nil {
		return ""
	}
	return fmt.Sprintf(" (expected %s to %s)", roundedTo(r.Expected.Earliest.Sub(r.StartedAt.Time)), roundedTo(r.Expected.Latest.Sub(r.StartedAt.Time)))
}

// worstEpisode returns the worst level of the health insights during an update, and how many had that level, "-" if there
// were none that need attention.
func worstEpisode(episodes []updatev1alpha1.EpisodeRecord) string {
	worst, number := updatev1alpha1.LevelInfo, 0
	for _, one := range episodes {
		switch order := cmp.Compare(insight.LevelRank(worst), insight.LevelRank(one.Level)); {
		case order < 0:
			worst, number = one.Level, 1
		case order == 0:
			number++
		}
	}
	if worst == updatev1alpha1.LevelInfo {
		return "-"
	}
	return fmt.Sprintf("%d %s", number, worst)
}

// RecordTitle returns what a record is about, and how the update went, in one line or two.
func RecordTitle(record *updatev1alpha1.UpdateRecordStatus, now time.Time) []string {
	c := clock{now: now, days: true}
	title := fmt.Sprintf("Update %sto %s: %s", from(record.Versions.Previous), cmp.Or(record.Versions.Target, "an unknown version"), resultOf(record.Result))
	if record.StartedAt == nil {
		return []string{OneLine(title)}
	}
	line := "Started at " + record.StartedAt.UTC().Format(time.RFC3339)
	if record.Result == updatev1alpha1.ResultInProgress && now.Sub(record.StartedAt.Time) >= time.Second {
		line += fmt.Sprintf(", %s ago", c.since(record.StartedAt))
	}
	if record.Took.ControlPlane != nil {
		line += ", the control plane took " + c.took(record.Took.ControlPlane)
	}
	switch {
	case record.Took.Total != nil:
		line += ", the whole cluster " + c.took(record.Took.Total) + expectedIn(record)
	case record.CompletedBy != nil:
		line += fmt.Sprintf(", the whole cluster at most %s", c.rounded(record.CompletedBy.Sub(record.StartedAt.Time)))
	case record.CompletedAt != nil:
		line += ", the next update started at " + record.CompletedAt.UTC().Format(time.RFC3339)
	}
	return []string{OneLine(title), line + "."}
}

// resultOf returns how an update ended, in words.
func resultOf(result updatev1alpha1.UpdateResult) string {
	switch result {
	case updatev1alpha1.ResultInProgress:
		return "in progress"
	case updatev1alpha1.ResultCompleted:
		return "completed"
	case updatev1alpha1.ResultPartial:
		return "completed in the control plane only"
	case updatev1alpha1.ResultSuperseded:
		return "superseded by the next update"
	default:
		return string(result)
	}
}
