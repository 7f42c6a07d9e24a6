package describe

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// WriteFleet writes clusters with a name below each other. A row is that of FleetRow, nil for a cluster of which nothing is known.
func WriteFleet(w io.Writer, names []string, rows [][]string) error {
	return writeFleet(w, []string{"CONTEXT", "UPDATING", "FROM", "TO", "CONTROL PLANE", "NODES", "ATTENTION", "FINISH"}, names, rows)
}

// WriteHostedFleet does the same with hosted clusters, whose rows are those of HostedFleetRow.
func WriteHostedFleet(w io.Writer, names []string, rows [][]string) error {
	headers := []string{"HOSTED CLUSTER", "UPDATING", "FROM", "TO", "CONTROL PLANE", "MANAGEMENT", "DATA PLANE", "NODES", "ATTENTION", "FINISH"}
	return writeFleet(w, headers, names, rows)
}

func writeFleet(w io.Writer, headers, names []string, rows [][]string) error {
	t := newTable(headers...)
	for at, row := range rows {
		if row == nil {
			row = slices.Repeat([]string{unknownCell}, len(t.rows[0])-1)
		}
		t.add(append([]string{names[at]}, row...)...)
	}
	p := &page{}
	p.table(t, 0)
	return p.flush(w)
}

// FleetRow returns the update of a cluster in one line, for many clusters below each other.
func FleetRow(s *updatev1alpha1.UpdateStatusSummaryStatus, now time.Time) []string {
	c := clock{now: now, days: true}
	controlPlane, nodes, attention := unknownCell, "-", "-"
	if s.ControlPlane != nil {
		controlPlane = fmt.Sprintf("%s, %d%%", insight.AssessmentText(s.ControlPlane.Assessment), s.ControlPlane.Completion)
	}
	if s.Nodes != nil {
		nodes = fmt.Sprintf("%d/%d", s.Nodes.Completed, s.Nodes.Total)
	}
	if len(s.Attention) > 0 {
		attention = fmt.Sprintf("%s (%s)", s.Attention[0].Level, atLeast(len(s.Attention), s))
	}
	cells := []string{
		string(updatingOf(s).Status), cmp.Or(s.Versions.Previous, "-"), cmp.Or(s.Versions.Target, unknownCell),
		controlPlane, nodes, attention, cmp.Or(c.expected(s), "-"),
	}
	for at := range cells {
		cells[at] = OneLine(cells[at])
	}
	return cells
}

// HostedFleetRow returns the update of a hosted cluster in one line: that of FleetRow, with the two tracks after the control plane.
func HostedFleetRow(s *updatev1alpha1.UpdateStatusSummaryStatus, now time.Time) []string {
	cp := cmp.Or(s.ControlPlane, &updatev1alpha1.ControlPlaneSummary{})
	const afterControlPlane = 4
	return slices.Insert(FleetRow(s, now), afterControlPlane, trackCell(cp.Management, s.Versions), trackCell(cp.DataPlane, s.Versions))
}

// trackCell returns the state of a track, with its version unless that is the one of the newest update.
func trackCell(track *updatev1alpha1.ControlPlaneTrack, versions updatev1alpha1.SummaryVersions) string {
	switch {
	case track == nil:
		return "-"
	case track.Version == versions.Target:
		return OneLine(string(track.State))
	default:
		return OneLine(insight.TrackProgress(track))
	}
}
