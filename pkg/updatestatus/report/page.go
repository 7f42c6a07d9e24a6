package report

import (
	"cmp"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/timeline"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// Input is what a report is made from: a status, a record, or both of the same update.
type Input struct {
	// Status is the present state of the update, nil for a record of an earlier one.
	Status *update.Update
	// Options are those of the text; Head must be set if there is a status. Details, Width and Color don't matter.
	Options describe.Options
	// Record is what happened when, nil if there is none.
	Record *updatev1alpha1.UpdateRecordStatus
	// RecordName is the name of the record, empty for one that is made from the status: it has the times of the objects of the cluster, and
	// nothing of what happened before.
	RecordName string
	// About is the cluster, and the report itself.
	About About
	// ConfirmedAt is when the controller last confirmed what it knows; see timeline.Input.
	ConfirmedAt *metav1.Time
}

// About is what a reader of a report has to know of its origin. What is not known is empty.
type About struct {
	// ClusterID is that of the ClusterVersion, and APIAddress that of the API server by the Infrastructure.
	ClusterID, APIAddress string
	// Client is the name and the version of the command that made the report.
	Client string
	// MadeAt is when it did.
	MadeAt time.Time
}

// Page is what a report says. All of its texts are clean.
type Page struct {
	*describe.Overview

	// Cluster has what identifies the cluster, as far as that is known.
	Cluster []describe.Row
	// Chart is the timeline, nil if there is none. NoChart says why then.
	Chart   *Chart
	NoChart string
	// Top are the causes at the top of the report. The table of health has more of them, and more about them.
	Top    []Finding
	Tables []Table
	// Footer says what the report was made from.
	Footer string
}

// New returns a report.
func New(in Input) *Page {
	p := &Page{Footer: footer(in), Cluster: clusterRows(in.About)}
	status := cmp.Or(in.Status, &update.Update{})
	var shownTimeline *timeline.Timeline
	p.NoChart = "There is no timeline, since there is no record of this update. The Update Status Controller keeps one, and a must-gather collects it."
	isStored := in.RecordName != ""
	if in.Record != nil {
		var err error
		shownTimeline, err = timeline.New(timeline.Input{Record: in.Record, Now: in.Options.Now, ConfirmedAt: in.ConfirmedAt, Health: status.Health})
		if err != nil {
			p.NoChart = "There is no timeline: " + err.Error() + "."
		}
	}
	switch {
	case shownTimeline != nil && isStored:
		p.Chart, p.NoChart = newChart(shownTimeline), ""
	case shownTimeline != nil:
		p.NoChart += " The times that the objects of the cluster have are in the tables."
	}
	if in.Status == nil {
		p.Overview = recordOverview(in)
	} else {
		p.Overview = describe.OverviewOf(in.Status, in.Options)
	}
	p.Top = findings(p.Causes, 10, 20)
	p.fitTables(describe.TablesOf(status, in.Options), shownTimeline, p.Causes)
	return p
}

// recordOverview returns what a record says, without a status.
func recordOverview(in Input) *describe.Overview {
	title := []string{"No update is known."}
	if in.Record != nil {
		title = describe.RecordTitle(in.Record, in.Options.Now)
	}
	return &describe.Overview{Notices: in.Options.Notices(&update.Update{}), Title: title}
}

// clusterRows returns what identifies the cluster.
func clusterRows(about About) []describe.Row {
	var rows []describe.Row
	for _, one := range []describe.Row{{Label: "Cluster ID", Value: about.ClusterID}, {Label: "API", Value: about.APIAddress}} {
		if one.Value = insight.OneLine(one.Value); one.Value != "" {
			rows = append(rows, one)
		}
	}
	return rows
}

func footer(in Input) string {
	text := "As of " + in.Options.Now.UTC().Format(time.RFC3339)
	if in.Options.AsOf != "" {
		text += ", " + in.Options.AsOf
	}
	if in.RecordName != "" {
		text += "; the timeline is from UpdateRecord " + in.RecordName
	}
	if !in.About.MadeAt.IsZero() {
		text += ". Made at " + in.About.MadeAt.UTC().Format(time.RFC3339)
		if in.About.Client != "" {
			text += " by " + in.About.Client
		}
	}
	return insight.OneLine(text + ".")
}
