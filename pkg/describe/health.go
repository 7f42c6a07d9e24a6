package describe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// writeHealth writes what needs attention. The insights are in their order already.
func writeHealth(p *page, c *cluster) {
	p.blank()
	p.line("= Update Health =")
	if len(c.health) == 0 {
		writeNothingWrong(p, c)
		return
	}
	if p.Details.include(DetailsHealth) {
		writeHealthBlocks(p, c.health)
		return
	}
	rows := newTable("SINCE", "LEVEL", "IMPACT", "MESSAGE")
	for _, health := range c.health {
		rows.add(since(health.StartedAt, p.Now), string(health.Impact.Level), string(health.Impact.Type), oneLine(health.Impact.Summary))
	}
	p.table(rows, cutToWidth)
	p.blank()
	p.line("Run with --details=health for additional description and links to related online documentation")
}

// writeNothingWrong says that all is well where nothing on the page speaks against it.
func writeNothingWrong(p *page, c *cluster) {
	level, impact, message := updatev1alpha1.LevelInfo, updatev1alpha1.ImpactNone, "Update is proceeding well"
	var started *metav1.Time
	if c.controlPlane.version != nil {
		started = c.controlPlane.version.StartedAt
	}
	if !c.isKnown() {
		started = nil
		level, impact, message = updatev1alpha1.LevelUnknown, updatev1alpha1.ImpactUnknown, "It is not known how the update is proceeding"
	} else if but := c.unexplained(); but != "" {
		level, impact, message = updatev1alpha1.LevelUnknown, updatev1alpha1.ImpactUpdateSpeed, "No problem is known, but "+but
	}
	rows := newTable("SINCE", "LEVEL", "IMPACT", "MESSAGE")
	rows.add(since(started, p.Now), string(level), string(impact), message)
	p.table(rows, whole)
}

// isKnown is whether the controller sees the cluster, and the control plane says whether it is being updated.
func (c *cluster) isKnown() bool {
	return !meta.IsStatusConditionFalse(c.conditions, updatev1alpha1.ConditionAvailable) && c.controlPlane.isKnown()
}

// unexplained is what does not go well although no insight tells of a problem, empty if all goes well: a page that says
// that something is stuck must not end with the word that all is well.
func (c *cluster) unexplained() string {
	if version := c.controlPlane.version; version != nil && !c.controlPlane.complete() && isTrouble(version.Assessment) {
		return fmt.Sprintf("the assessment of the control plane is %s", version.Assessment)
	}
	for _, pool := range c.workerPools {
		switch {
		case pool.pool == nil || !pool.unfinished():
		case isTrouble(pool.pool.Assessment):
			return fmt.Sprintf("the assessment of worker pool %s is %s", pool.name, pool.pool.Assessment)
		case pool.isUnpredictable():
			return fmt.Sprintf("it can't be told when worker pool %s will be complete", pool.name)
		}
	}
	return ""
}

// isTrouble is whether people worry about an assessment. One that is not known here is none.
func isTrouble(assessment updatev1alpha1.Assessment) bool {
	return slices.Contains([]updatev1alpha1.Assessment{
		updatev1alpha1.AssessmentProgressingSlow, updatev1alpha1.AssessmentStalled, updatev1alpha1.AssessmentDegraded,
	}, assessment)
}

func writeHealthBlocks(p *page, insights []*updatev1alpha1.HealthInsight) {
	for at, health := range insights {
		if at > 0 {
			p.blank()
		}
		p.line("Message: %s", health.Impact.Summary)
		p.item("Since", since(health.StartedAt, p.Now))
		p.verdictItem("Level", string(health.Impact.Level))
		p.item("Impact", string(health.Impact.Type))
		p.item("Reference", orDash(health.Remediation.Reference))
		writeResources(p, health.Scope.Resources)
		if health.Impact.Description != "" {
			p.item("Description", health.Impact.Description)
		}
	}
}

func writeResources(p *page, resources []updatev1alpha1.ResourceRef) {
	if len(resources) == 0 {
		return
	}
	p.line("  Resources:")
	for _, ref := range resources {
		resource, name := ref.Resource, ref.Name
		if ref.Group != "" {
			resource += "." + ref.Group
		}
		if ref.Namespace != "" {
			name = ref.Namespace + "/" + name
		}
		p.line("    %s", fmt.Sprintf("%s: %s", resource, name))
	}
}

// compareHealth orders health insights as people want to see them: the worst first, then the newest, those of unknown
// age last, then by summary.
func compareHealth(a, b *updatev1alpha1.HealthInsight) int {
	return cmp.Or(
		cmp.Compare(levelRank(a.Impact.Level), levelRank(b.Impact.Level)),
		compareAge(a.StartedAt, b.StartedAt),
		strings.Compare(a.Impact.Summary, b.Impact.Summary),
	)
}

// levelRank puts a level that can't be told, or that is not known here, among those that may become a problem.
func levelRank(level updatev1alpha1.HealthLevel) int {
	switch level {
	case updatev1alpha1.LevelCritical:
		return 0
	case updatev1alpha1.LevelError:
		return 1
	case updatev1alpha1.LevelWarning:
		return 2
	case updatev1alpha1.LevelInfo:
		return 4
	default:
		return 3
	}
}

func compareAge(a, b *metav1.Time) int {
	switch {
	case a.IsZero() && b.IsZero():
		return 0
	case a.IsZero():
		return 1
	case b.IsZero():
		return -1
	default:
		return b.Compare(a.Time)
	}
}
