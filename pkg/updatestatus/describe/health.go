package describe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// writeHealth writes the health insights, which are sorted, as the classic text has them.
func writeHealth(p *page, u *update.Update) {
	p.blank()
	p.line("= Update Health =")
	if len(u.Health) == 0 {
		writeNoHealth(p, u)
		return
	}
	if p.Details.include(DetailsHealth) {
		writeHealthBlocks(p, u.Health)
		return
	}
	rows := newTable("SINCE", "LEVEL", "IMPACT", "MESSAGE")
	for _, health := range u.Health {
		rows.add(p.clock().since(health.Health.StartedAt), string(health.Health.Impact.Level), insight.Words(health.Health.Impact.Type), OneLine(checks.Of(health.UID).Unquoted(health.Health)))
	}
	p.table(rows, p.Width)
	p.blank()
	p.line("Run with --details=health for additional description and links to related online documentation")
}

// writeNoHealth writes a row about an update without health insights.
func writeNoHealth(p *page, u *update.Update) {
	row := p.noHealth(u)
	rows := newTable("SINCE", "LEVEL", "IMPACT", "MESSAGE")
	rows.add(p.clock().since(row.since), string(row.level), string(row.impact), row.summary)
	p.table(rows, p.widthToWrap())
}

// isKnown returns whether the controller is available and the control plane is known to be updating or not.
func isKnown(u *update.Update) bool {
	return !meta.IsStatusConditionFalse(u.Conditions, updatev1alpha1.ConditionAvailable) && u.ControlPlane.IsKnown()
}

// unexplainedProblem returns a problem that an assessment shows but no health insight explains, "" if there is none.
func unexplainedProblem(u *update.Update) string {
	if version := u.ControlPlane.Version; version != nil && !u.ControlPlane.HasCompleted() && isProblem(version.Assessment) {
		return fmt.Sprintf("the assessment of the control plane is %s", insight.AssessmentText(version.Assessment))
	}
	for _, pool := range u.Pools {
		switch {
		case pool.Insight == nil || pool.IsComplete():
		case isProblem(pool.Insight.Assessment):
			return fmt.Sprintf("the assessment of %s %s is %s", strings.ToLower(poolNoun(u)), pool.Name, insight.AssessmentText(pool.Insight.Assessment))
		case pool.Insight.NoEstimate != nil && pool.Insight.Reported == nil:
			return fmt.Sprintf("there is no estimate of when %s %s will be complete", strings.ToLower(poolNoun(u)), pool.Name)
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
func writeHealthBlocks(p *page, insights []causes.Insight) {
	for i, health := range insights {
		if i > 0 {
			p.blank()
		}
		writeHealthBlock(p, healthBlock{
			checks.Of(health.UID).Unquoted(health.Health), p.clock().since(health.Health.StartedAt), health.Health, classicResources(health.Health),
			[]string{health.Health.Impact.Description},
			reference.Classic(health.Health.Remediation.Reference),
		})
	}
}

// classicResources returns the resources that the classic text has: of a ClusterVersion that fails not the objects at fault.
func classicResources(health *updatev1alpha1.HealthInsight) []updatev1alpha1.HealthResource {
	if health.Reason != insight.ReasonClusterVersionFailing {
		return health.Scope.Resources
	}
	return slices.DeleteFunc(slices.Clone(health.Scope.Resources), func(one updatev1alpha1.HealthResource) bool { return one.Role == updatev1alpha1.RoleBlocker })
}

// healthBlock is a health insight, or a group of them, with its details.
type healthBlock struct {
	// since is for how long it has been.
	summary, since string
	// first is the insight, or the first of the group.
	first        *updatev1alpha1.HealthInsight
	resources    []updatev1alpha1.HealthResource
	descriptions []string
	// reference is the link to a page about it.
	reference string
}

func writeHealthBlock(p *page, block healthBlock) {
	p.line("Message: %s", block.summary)
	p.item("Since", block.since)
	p.item("Level", string(block.first.Impact.Level))
	p.item("Impact", insight.Words(block.first.Impact.Type))
	p.item("Reference", cmp.Or(block.reference, "-"))
	writeResources(p, block.resources)
	for _, description := range block.descriptions {
		if description != "" {
			p.item("Description", description)
		}
	}
}

func writeResources(p *page, resources []updatev1alpha1.HealthResource) {
	if len(resources) == 0 {
		return
	}
	p.line("  Resources:")
	for _, ref := range resources {
		p.line("    %s", resourceText(ref.ResourceRef))
	}
}
