package report

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/causes"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/timeline"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

// Input is what a report is made from: a status, a record, or both of the same update.
type Input struct {
	// Status is the present state of the update, nil for a record of an earlier one.
	Status *updatev1alpha1.UpdateStatus
	// Options are those of the text; Head must be set if there is a status. Details, Width and Color don't matter.
	Options describe.Options
	// Record is what happened when, nil if there is none.
	Record *updatev1alpha1.UpdateRecordStatus
	// RecordName is the name of the record.
	RecordName string
	// ConfirmedAt is when the controller last confirmed what it knows; see timeline.Input.
	ConfirmedAt *metav1.Time
}

// Page is what a report says. All of its texts are clean.
type Page struct {
	*describe.Overview

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
	p := &Page{Footer: footer(in)}
	var shownTimeline *timeline.Timeline
	p.NoChart = "There is no timeline, since there is no record of this update. The Update Status Controller keeps one, and a must-gather collects it."
	if in.Record != nil {
		var err error
		shownTimeline, err = timeline.New(timeline.Input{Record: in.Record, Now: in.Options.Now, ConfirmedAt: in.ConfirmedAt, Health: healthOf(in.Status)})
		if err != nil {
			p.NoChart = "There is no timeline: " + err.Error() + "."
		}
	}
	if shownTimeline != nil {
		p.Chart, p.NoChart = newChart(shownTimeline), ""
	}
	tables := describe.TablesOf(&updatev1alpha1.UpdateStatus{}, in.Options)
	if in.Status == nil {
		p.Overview = recordOverview(in)
	} else {
		p.Overview = describe.OverviewOf(in.Status, in.Options)
		tables = describe.TablesOf(in.Status, in.Options)
	}
	p.Top = findings(p.Causes, 10, 20)
	p.addTables(tables, shownTimeline, p.Causes)
	return p
}

// healthOf returns the present health insights, none without a status.
func healthOf(us *updatev1alpha1.UpdateStatus) []causes.Insight {
	if us == nil {
		return nil
	}
	return update.Read(&us.Status).Health
}

// recordOverview returns what a record says, without a status.
func recordOverview(in Input) *describe.Overview {
	title := []string{"No update is known."}
	if in.Record != nil {
		title = describe.RecordTitle(in.Record, in.Options.Now)
	}
	return &describe.Overview{Notices: describe.Notices(nil, in.Options), Title: title}
}

func footer(in Input) string {
	text := "As of " + in.Options.Now.UTC().Format(time.RFC3339)
	if in.Options.AsOf != "" {
		text += ", " + in.Options.AsOf
	}
	if in.RecordName != "" {
		text += "; the timeline is from UpdateRecord " + in.RecordName
	}
	return insight.OneLine(text + ".")
}
