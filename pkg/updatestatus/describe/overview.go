package describe

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// Overview is what a text says of an update before it comes to its parts, for other forms than text. All of its texts are clean.
type Overview struct {
	// Notices are why it may not be trusted, and what is missing. They come first.
	Notices []string
	// Title is what the cluster is doing, in one line or two.
	Title []string
	Rows  []Row
	// Health says how the update goes, or why that is not known, if there are no causes. It is empty if no update is in progress.
	Health string
	// Causes are the health insights, the worst first.
	Causes []Cause
}

// Row is a value with its label.
type Row struct {
	Label, Value string
}

// Cause is a health insight, or several that are one problem, with what it causes.
type Cause struct {
	Level, Impact, Summary string
	// Suffix is the number of consequences, and for how long it has been: " (+2 consequences, for 22m)", or empty.
	Suffix       string
	Descriptions []string
	// Commands are what to do, at most three.
	Commands []string
	// Reference is the address of a page about it, empty if there is none that may be a link.
	Reference string
	// Resources are the objects that it is about, such as "nodes: worker-1".
	Resources    []string
	Consequences []Cause
	// AlsoCausedBy are its other causes, and Above is how many of its consequences are listed below other causes.
	AlsoCausedBy []string
	Above        int
}

// OverviewOf returns the overview of an update. Options.Head must be set.
func OverviewOf(u *update.Update, options Options) *Overview {
	p := &page{Options: options}
	u = u.Sorted()
	o := &Overview{Notices: options.Notices(u), Causes: p.clock().causes(causes.Once(u.Problems))}
	for _, line := range p.title() {
		o.Title = append(o.Title, OneLine(line))
	}
	if isUnderway(options.Head) && len(u.Problems) == 0 {
		o.Health = p.noHealth(u).summary
	}
	for _, row := range p.headRows() {
		if value := OneLine(row.Value); value != "" {
			o.Rows = append(o.Rows, Row{row.Label, value})
		}
	}
	return o
}

func (c clock) causes(groups []causes.Group) []Cause {
	all := make([]Cause, 0, len(groups))
	for _, group := range groups {
		first := group.Members[0]
		cause := Cause{
			Level: OneLine(string(group.Level())), Impact: OneLine(insight.Words(first.Health.Impact.Type)), Summary: OneLine(group.Summary()),
			Suffix:   c.suffix(group.CountConsequences(), startOfGroup(group)),
			Commands: commandLines(first.Health.Remediation.Commands), Consequences: c.causes(group.Consequences),
			Above: group.Above,
		}
		if reference := first.Health.Remediation.Reference; assess.IsReference(reference) {
			cause.Reference = reference
		}
		for _, summary := range group.AlsoCausedBy {
			cause.AlsoCausedBy = append(cause.AlsoCausedBy, OneLine(summary))
		}
		for _, description := range group.Descriptions() {
			if description != "" {
				cause.Descriptions = append(cause.Descriptions, clean(description))
			}
		}
		for _, ref := range group.Resources() {
			cause.Resources = append(cause.Resources, OneLine(resourceText(ref.ResourceRef)))
		}
		all = append(all, cause)
	}
	return all
}

// noHealth is the row of an update without health insights.
type noHealth struct {
	since   *metav1.Time
	level   updatev1alpha1.HealthLevel
	impact  updatev1alpha1.ImpactType
	summary string
}

// noHealth returns that an update is proceeding well, unless other sections contradict it. The classic text disregards assessments.
func (p *page) noHealth(u *update.Update) noHealth {
	if !isKnown(u) {
		return noHealth{nil, updatev1alpha1.LevelUnknown, updatev1alpha1.ImpactUnknown, "The progress of the update is unknown"}
	}
	row := noHealth{nil, updatev1alpha1.LevelInfo, updatev1alpha1.ImpactNone, "Update is proceeding well"}
	if u.ControlPlane.Version != nil {
		row.since = u.ControlPlane.Version.StartedAt
	}
	if p.isIncomplete() {
		row.level, row.impact, row.summary = updatev1alpha1.LevelUnknown, updatev1alpha1.ImpactUnknown, "No problem is known, but the files are incomplete"
	} else if p.Outdated != "" || meta.IsStatusConditionFalse(u.Conditions, updatev1alpha1.ConditionAvailable) {
		row.level, row.impact, row.summary = updatev1alpha1.LevelUnknown, updatev1alpha1.ImpactUnknown, "No problem is reported, but the status may be outdated"
	} else if problem := unexplainedProblem(u); problem != "" && !p.isClassic() {
		row.level, row.impact, row.summary = updatev1alpha1.LevelUnknown, updatev1alpha1.ImpactUpdateSpeed, "No problem is reported, but "+problem
	}
	return row
}

// resourceText returns a resource as "poddisruptionbudgets.policy: shop/cart".
func resourceText(ref updatev1alpha1.ResourceRef) string {
	resource, name := ref.Resource, ref.Name
	if ref.Group != "" {
		resource += "." + ref.Group
	}
	if ref.Namespace != "" {
		name = ref.Namespace + "/" + name
	}
	return resource + ": " + name
}
