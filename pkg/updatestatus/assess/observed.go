package assess

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
)

// ComponentResource is the resource of the components of a hosted control plane, which have insights as cluster operators.
const ComponentResource = "controlplanecomponents"

// Observed is what the sources have observed, and a controller that has just started can't know from the cluster.
type Observed struct {
	// Starts is since when nodes drain, and components of a hosted control plane are rolled out, by name, and since when nodes have not begun
	// to be updated, by UpdateKey.
	Starts map[string]time.Time
	// DrainFailures is what the last attempts of drains failed with (DrainInput.FailedWith), by the name of the node.
	DrainFailures map[string]string
	// PoolProgress is when a node of a pool was last updated, by the name of the pool.
	PoolProgress map[string]time.Time
	// Pods are the worst pods of operators that fail, and of the retrieval of a release (podstate.Wanted).
	Pods map[string]*Pods
	// Requested is the update that was asked for, nil if none was.
	Requested *updatev1alpha1.RequestedUpdate
	// Version is the control plane as a whole, and Failing the failure that the Cluster Version Operator reported, nil if there was none.
	Version *updatev1alpha1.ClusterVersionInsight
	Failing *updatev1alpha1.HealthInsight
}

// UpdateKey is the key in Starts of a node that is being updated, and not drained.
func UpdateKey(node string) string { return "Update/" + node }

// ObservedBefore returns what was observed according to a status: failures are read back from the insights that were made of them.
func ObservedBefore(status *updatev1alpha1.UpdateStatusStatus) Observed {
	all := readReported(status)
	observed := Observed{Starts: map[string]time.Time{}, DrainFailures: map[string]string{}, PoolProgress: map[string]time.Time{}, Pods: map[string]*Pods{}}
	for _, operator := range all.Operators {
		if state := insight.OperatorStateOf(operator); operator.Resource.Resource == ComponentResource && state.Progress == insight.OperatorUpdating {
			observed.Starts[operator.Name] = state.Since.Time
		}
	}
	if all.Version != nil {
		observed.Version, observed.Requested = all.Version, all.Version.Requested
	}
	for _, node := range all.Nodes {
		if node.DrainStartedAt != nil {
			observed.Starts[node.Name] = node.DrainStartedAt.Time
		}
		updating := meta.FindStatusCondition(node.Conditions, updatev1alpha1.ConditionUpdating)
		if pool := node.Pool; updating != nil && updating.Reason == updatev1alpha1.ReasonCompleted {
			observed.PoolProgress[pool] = Later(observed.PoolProgress[pool], updating.LastTransitionTime.Time)
		}
	}
	for _, one := range all.Health {
		if node := insight.StalledNode(one.Insight); one.Health.Reason == insight.ReasonHostedNodeNotBegun && node != "" && one.Health.StartedAt != nil {
			observed.Starts[UpdateKey(node)] = one.Health.StartedAt.Time
		}
		if one.Health.Reason == insight.ReasonClusterVersionFailing {
			observed.Failing = one.Health
		}
		if operator, found := failingOperator(one.Health); found {
			observed.Pods[operator] = &Pods{Worst: one.Health.Pod}
		}
		reported := one.Health.Reported
		if node := insight.StalledNode(one.Insight); node != "" && reported != nil && reported.Component == updatev1alpha1.ComponentMachineConfigOperator {
			observed.DrainFailures[node] = reported.Message
		}
	}
	return observed
}

// failingOperator returns the operator whose pod a health insight names, podstate.ReleaseRetrieval for the ClusterVersion.
func failingOperator(health *updatev1alpha1.HealthInsight) (operator string, found bool) {
	if health.Pod == nil || len(health.Scope.Resources) == 0 {
		return "", false
	}
	switch ref := health.Scope.Resources[0].ResourceRef; {
	case ref == OperatorRef(ref.Name):
		return ref.Name, true
	case ref.Resource == "clusterversions":
		return podstate.ReleaseRetrieval, true
	default:
		return "", false
	}
}

// readReported returns what the sources that watch the cluster have reported by a status.
func readReported(status *updatev1alpha1.UpdateStatusStatus) insight.Contents {
	var informers []updatev1alpha1.Informer
	if status.ControlPlane != nil {
		informers = append(informers, status.ControlPlane.Informers...)
	}
	for _, pool := range status.WorkerPools {
		informers = append(informers, pool.Informers...)
	}
	return insight.Read(slices.DeleteFunc(informers, func(one updatev1alpha1.Informer) bool {
		return one.Name != string(insight.NodeInformer) && one.Name != string(insight.ControlPlaneInformer)
	}))
}
