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

// writeHealth writes the health insights, which are sorted.
func writeHealth(p *page, c *cluster) {
	p.blank()
	p.line("= Update Health =")
	if len(c.health) == 0 {
		writeNoHealth(p, c)
		return
	}
	switch {
	case p.Head != nil:
		writeCauses(p, c.causes)
	case p.Details.include(DetailsHealth):
		writeHealthBlocks(p, c.health)
		return
	default:
		rows := newTable("SINCE", "LEVEL", "IMPACT", "MESSAGE")
		for _, health := range c.health {
			rows.add(p.clock().since(health.StartedAt), string(health.Impact.Level), string(health.Impact.Type), OneLine(health.Impact.Summary))
		}
		p.table(rows, p.Width)
	}
	if p.Details.include(DetailsHealth) {
		return
	}
	p.blank()
	p.line("Run with --details=health for additional description and links to related online documentation")
}

// commands writes commands, which are never wrapped: they are copied.
func (p *page) commands(indentation string, commands []string) {
	for _, command := range commands {
		p.write(indentation + command)
	}
}

// writeNoHealth writes a row about an update without health insights.
func writeNoHealth(p *page, c *cluster) {
	said := p.noHealth(c)
	rows := newTable("SINCE", "LEVEL", "IMPACT", "MESSAGE")
	rows.add(p.clock().since(said.since), string(said.level), string(said.impact), said.summary)
	p.table(rows, p.widthToWrap())
}

// isKnown returns whether the controller is available and the control plane is known to be updating or not.
func (c *cluster) isKnown() bool {
	return !meta.IsStatusConditionFalse(c.conditions, updatev1alpha1.ConditionAvailable) && c.controlPlane.isKnown()
}

// unexplainedProblem returns a problem that an assessment shows but no health insight explains, "" if there is none.
func (c *cluster) unexplainedProblem() string {
	if version := c.controlPlane.version; version != nil && !c.controlPlane.complete() && isProblem(version.Assessment) {
		return fmt.Sprintf("the assessment of the control plane is %s", version.Assessment)
	}
	for _, pool := range c.workerPools {
		switch {
		case pool.pool == nil || !pool.unfinished():
		case isProblem(pool.pool.Assessment):
			return fmt.Sprintf("the assessment of %s %s is %s", strings.ToLower(c.poolNoun()), pool.name, pool.pool.Assessment)
		case pool.isUnpredictable():
			return fmt.Sprintf("there is no estimate of when %s %s will be complete", strings.ToLower(c.poolNoun()), pool.name)
		}
	}
	return ""
}

// isProblem returns whether an assessment is a problem. An unknown one is none.
func isProblem(assessment updatev1alpha1.Assessment) bool {
	return slices.Contains([]updatev1alpha1.Assessment{
		updatev1alpha1.AssessmentProgressingSlow, updatev1alpha1.AssessmentStalled, updatev1alpha1.AssessmentDegraded,
	}, assessment)
}

// writeHealthBlocks writes the details of health insights, one below the other, as the classic text has them.
func writeHealthBlocks(p *page, insights []healthInsight) {
	for i, health := range insights {
		if i > 0 {
			p.blank()
		}
		writeHealthBlock(p, healthBlock{
			health.Impact.Summary, health.StartedAt, health.HealthInsight, health.Scope.Resources, []string{health.Impact.Description},
		})
	}
}

// healthBlock is a health insight, or a group of them, with its details.
type healthBlock struct {
	summary string
	since   *metav1.Time
	// first is the insight, or the first of the group.
	first        *updatev1alpha1.HealthInsight
	resources    []updatev1alpha1.ResourceRef
	descriptions []string
}

func writeHealthBlock(p *page, block healthBlock) {
	p.line("Message: %s", block.summary)
	p.item("Since", p.clock().since(block.since))
	p.item("Level", string(block.first.Impact.Level))
	p.item("Impact", string(block.first.Impact.Type))
	p.item("Reference", cmp.Or(block.first.Remediation.Reference, "-"))
	writeResources(p, block.resources)
	for _, description := range block.descriptions {
		if description != "" {
			p.item("Description", description)
		}
	}
}

func writeResources(p *page, resources []updatev1alpha1.ResourceRef) {
	if len(resources) == 0 {
		return
	}
	p.line("  Resources:")
	for _, ref := range resources {
		p.line("    %s", resourceText(ref))
	}
}

// compareHealth orders health insights by level, the most severe first, then by age, the newest first and those of unknown
// age last, then by summary.
func compareHealth(a, b healthInsight) int {
	return cmp.Or(
		cmp.Compare(levelRank(a.Impact.Level), levelRank(b.Impact.Level)),
		compareAge(a.StartedAt, b.StartedAt),
		strings.Compare(a.Impact.Summary, b.Impact.Summary),
	)
}

// levelRank puts unknown levels above Warning: nothing shows that what a newer controller reports may be overlooked.
func levelRank(level updatev1alpha1.HealthLevel) int {
	switch level {
	case updatev1alpha1.LevelCritical:
		return 0
	case updatev1alpha1.LevelError:
		return 1
	case updatev1alpha1.LevelWarning:
		return 3
	case updatev1alpha1.LevelInfo:
		return 4
	default:
		return 2
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
