package standalone

import (
	"strings"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// overridesCheck is that of objects of the release that an administrator has taken from the Cluster Version Operator. It skips their manifests
// (openshift/cluster-version-operator, pkg/cvo/sync_worker.go, apply), so that it waits for an operator whose Deployment is one of them.
var overridesCheck = assess.Check[checkedVersion]{Find: overridden, HealthCheck: assess.HealthCheck{
	Name: "cluster-version-overrides", Then: assess.ThenUnpaused,
	Texts: assess.Texts{assess.NoCase: {
		Sentence:    "The Cluster Version Operator does not update {objects}, by spec.overrides of the ClusterVersion",
		Description: "An administrator has made unmanaged: {which}. What it belongs to stays at the release of before.",
	}},
	Impact: updatev1alpha1.ImpactNone, Causality: assess.Cause,
	Appears:   "an update is in progress, and `spec.overrides` of the ClusterVersion has objects that are not managed",
	Response:  "Remove the overrides: `oc edit clusterversion version`.",
	NextSteps: assess.ReadOnly("oc get clusterversion version -o jsonpath='{.spec.overrides}'"),
}}

// maxOverrides bounds the overrides that are named.
const maxOverrides = 8

// overridden returns which objects of the release are not updated.
func overridden(version checkedVersion) *assess.Finding {
	objects := unmanaged(version.Spec.Overrides)
	if len(objects) == 0 || !version.isProgressing() {
		return nil
	}
	found := &assess.Finding{
		Since: version.Status.History[0].StartedTime.Time, Level: updatev1alpha1.LevelInfo, Reference: reference.Updating,
		Words: assess.Words{"objects": insight.Count(len(objects), "object")},
	}
	var names []string
	for _, one := range objects[:min(len(objects), maxOverrides)] {
		names = append(names, one.Kind+" "+strings.TrimPrefix(one.Namespace+"/"+one.Name, "/"))
		found.Blockers = append(found.Blockers, updatev1alpha1.ResourceRef{Group: one.Group, Resource: controlplane.ResourceOf(one.Kind), Namespace: one.Namespace, Name: one.Name})
	}
	if more := len(objects) - len(names); more > 0 {
		names = append(names, insight.Count(more, "more object"))
	}
	found.Words["which"] = strings.Join(names, ", ")
	if len(objects) == 1 {
		found.Words["objects"] = names[0]
	}
	return found
}

// unmanaged returns the overrides that are in effect.
func unmanaged(overrides []configv1.ComponentOverride) []configv1.ComponentOverride {
	var effective []configv1.ComponentOverride
	for _, one := range overrides {
		if one.Unmanaged {
			effective = append(effective, one)
		}
	}
	return effective
}
