package informers

import (
	"slices"
	"strings"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// Resource is the resource of UpdateInformers. The first resource of a health insight that one contributed is that UpdateInformer.
const Resource = "updateinformers"

// Reason is the reason of a health insight whose author uses one of the controller's.
const Reason = "UpdateInformer"

// checked is an insight of an informer, and how it is reported.
type checked struct {
	*updatev1alpha1.InformerInsight

	name      string
	renewal   renewal
	resources []updatev1alpha1.ResourceRef
	isTrusted bool
	now       time.Time
}

// checks are those of an insight of an informer.
var checks = []assess.Check[checked]{
	{Find: informerReports, HealthCheck: assess.HealthCheck{
		Name: "update-informer", Then: assess.ThenGone,
		Texts:  assess.Texts{assess.NoCase: {Sentence: "{summary}", Description: "{description}"}},
		Impact: updatev1alpha1.ImpactUnknown, Causality: assess.Cause,
		Appears: "an UpdateInformer has an insight, and was renewed in the last fifteen minutes ([more](informers.md)); while the cluster, " +
			"including its workers, is being updated, or an update was requested",
		Response:  "Its summary starts with the namespace and the name of the UpdateInformer; its owner documents the remedy.",
		NextSteps: []updatev1alpha1.Command{}, // none for what others wrote
	}},
}

// HealthChecks returns the health checks of UpdateInformers.
func HealthChecks() []assess.HealthCheck {
	return assess.RowsOf(checks)
}

// levels are the levels that an informer may have, and the highest is that of one that is not trusted.
var levels = map[updatev1alpha1.InformerLevel]updatev1alpha1.HealthLevel{
	updatev1alpha1.InformerInfo:     updatev1alpha1.LevelInfo,
	updatev1alpha1.InformerWarning:  updatev1alpha1.LevelWarning,
	updatev1alpha1.InformerError:    updatev1alpha1.LevelError,
	updatev1alpha1.InformerCritical: updatev1alpha1.LevelCritical,
}

func informerReports(one checked) *assess.Finding {
	level, isKnown := levels[one.Level]
	if !isKnown || !one.isTrusted && insight.LevelRank(level) > insight.LevelRank(updatev1alpha1.LevelWarning) {
		level = updatev1alpha1.LevelWarning
	}
	page := reference.Updating
	if one.isTrusted && assess.IsReference(one.Reference) {
		page = one.Reference
	}
	description := "Reported by the UpdateInformer " + one.name + "."
	summary := one.name + ": " + insight.OneLine(one.Summary)
	if one.renewal.isOutdated {
		description = "Reported by the UpdateInformer " + one.name + " at " + timeOf(one.renewal.at) + ", and not renewed since."
		asOf := " (as of " + timeOf(one.renewal.at) + ")"
		summary = insight.Shorten(summary, updatev1alpha1.SummaryMaxLength-len(asOf)) + asOf
	}
	if one.Description != "" {
		description = one.Description + "\n" + description
	}
	since, origin := assess.WholeSecond(insight.KnownTime(assess.TimeOf(one.StartedAt), one.now)), updatev1alpha1.HealthOrigin("")
	if !one.isTrusted {
		// What anybody claims to be old would come first: it starts when it is first observed.
		since, origin = time.Time{}, updatev1alpha1.OriginTenant
	}
	return &assess.Finding{
		Since:     since,
		Origin:    origin,
		Level:     level,
		Impact:    impactOf(one),
		Words:     assess.Words{"summary": summary, "description": description},
		Reported:  &updatev1alpha1.ComponentReport{Component: one.name, Reason: one.Reason, Message: strings.TrimSpace(one.Summary + "\n" + one.Description)},
		Reference: page,
		Affected:  one.resources,
	}
}

// impactOf returns the impact of an insight, empty if it is one of another version.
func impactOf(one checked) updatev1alpha1.ImpactType {
	if !slices.Contains(insight.Impacts(), one.Impact) {
		return ""
	}
	return one.Impact
}

// timeOf writes a time for people.
func timeOf(at time.Time) string {
	return at.UTC().Format(time.RFC3339)
}

// resourcesOf returns the resources that an insight names, without what the API does not have.
func (in Input) resourcesOf(one *updatev1alpha1.InformerInsight) []updatev1alpha1.ResourceRef {
	var resources []updatev1alpha1.ResourceRef
	for _, ref := range one.Resources[:min(len(one.Resources), updatev1alpha1.InformerMaxResources)] {
		ref = in.inCluster(updatev1alpha1.ResourceRef{
			Group: insight.Clean(ref.Group), Resource: insight.Clean(ref.Resource), Namespace: insight.Clean(ref.Namespace), Name: insight.Clean(ref.Name),
		})
		if ref.Resource != "" && ref.Name != "" && !slices.Contains(resources, ref) {
			resources = append(resources, ref)
		}
	}
	return resources
}

// inCluster returns a reference with the cluster that has the resource: of a hosted cluster, what is reported of it is in the hosted
// cluster, and all else is in its management cluster.
func (in Input) inCluster(ref updatev1alpha1.ResourceRef) updatev1alpha1.ResourceRef {
	switch {
	case !in.IsHosted:
	case isProvable(ref):
		ref.Cluster = updatev1alpha1.ClusterHosted
	default:
		ref.Cluster = updatev1alpha1.ClusterManagement
	}
	return ref
}

// isNode returns whether a reference names a node.
func isNode(ref updatev1alpha1.ResourceRef) bool {
	node := assess.NodeRef(ref.Name)
	node.Cluster = ref.Cluster
	return ref == node
}

// isProvable returns whether an insight that names an object can be the cause of something about it.
func isProvable(ref updatev1alpha1.ResourceRef) bool {
	isBudget := ref.Group == policyv1.GroupName && len(validation.IsDNS1123Label(ref.Namespace)) == 0
	return isNode(ref) || ref.Group == configv1.GroupName || isBudget
}

// provable are the objects that an insight can be the cause of something about.
func provable(resources []updatev1alpha1.ResourceRef) []updatev1alpha1.ResourceRef {
	return slices.DeleteFunc(slices.Clone(resources), func(ref updatev1alpha1.ResourceRef) bool { return !isProvable(ref) })
}
