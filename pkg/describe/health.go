package describe

import (
	"cmp"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// writeHealth writes what needs attention. The insights are in their order already.
func writeHealth(p *page, c *cluster) {
	p.blank()
	p.line("= Update Health =")
	if len(c.health) == 0 {
		writeNothingWrong(p, c.controlPlane)
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

// writeNothingWrong says that all is well, which can be said only of an update of which something is known.
func writeNothingWrong(p *page, cp *controlPlane) {
	rows := newTable("SINCE", "LEVEL", "IMPACT", "MESSAGE")
	var started *metav1.Time
	if cp.version != nil {
		started = cp.version.StartedAt
	}
	if cp.isKnown() {
		rows.add(since(started, p.Now), string(updatev1alpha1.LevelInfo), string(updatev1alpha1.ImpactNone), "Update is proceeding well")
	} else {
		rows.add("-", string(updatev1alpha1.LevelUnknown), string(updatev1alpha1.ImpactUnknown), "It is not known how the update is proceeding")
	}
	p.table(rows, whole)
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
