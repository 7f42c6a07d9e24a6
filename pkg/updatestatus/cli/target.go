package cli

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// target is the object that has the status: UpdateStatus/cluster, or the one of a hosted cluster in its management cluster.
type target struct {
	// hosted is the hosted cluster, empty for the cluster itself.
	hosted types.NamespacedName
}

// hostedTarget returns the target of a hosted cluster, given as NAMESPACE/NAME.
func hostedTarget(name string) (target, error) {
	namespace, own, found := strings.Cut(name, "/")
	if !found || namespace == "" || own == "" || strings.Contains(own, "/") {
		return target{}, fmt.Errorf("invalid --hosted-cluster %q: must be NAMESPACE/NAME, those of a HostedCluster", name)
	}
	return target{types.NamespacedName{Namespace: namespace, Name: own}}, nil
}

func (t target) isHosted() bool {
	return t.hosted.Name != ""
}

func (t target) resource() schema.GroupVersionResource {
	if t.isHosted() {
		return hostedStatuses
	}
	return updateStatuses
}

func (t target) summaryResource() schema.GroupVersionResource {
	if t.isHosted() {
		return hostedSummaries
	}
	return summaries
}

// name returns the name of the object.
func (t target) name() string {
	if t.isHosted() {
		return t.hosted.Name
	}
	return updatev1alpha1.SingletonName
}

// String returns the object as messages name it.
func (t target) String() string {
	if t.isHosted() {
		return fmt.Sprintf("HostedClusterUpdateStatus %s", t.hosted)
	}
	return "UpdateStatus/" + updatev1alpha1.SingletonName
}

// summaryKind returns the kind of its summary.
func (t target) summaryKind() string {
	if t.isHosted() {
		return "HostedClusterUpdateStatusSummary"
	}
	return "UpdateStatusSummary"
}

// recordKind returns the kind of its records.
func (t target) recordKind() string {
	if t.isHosted() {
		return "HostedClusterUpdateRecord"
	}
	return "UpdateRecord"
}

// controllerNamespace returns where the controller runs: that of a hosted cluster beside its control plane.
func (t target) controllerNamespace() string {
	if t.isHosted() {
		return insight.ControlPlaneNamespace(t.hosted)
	}
	return "openshift-update-status-controller"
}
