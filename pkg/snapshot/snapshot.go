package snapshot

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// Snapshot is what files hold of a cluster. Lists are in the order of names; what the files don't hold is nil.
type Snapshot struct {
	// UpdateStatus is the object that a controller had written, if it was collected as well.
	UpdateStatus *updatev1alpha1.UpdateStatus
	// Whole is the UpdateStatus with the fields that this version does not know, too.
	Whole *unstructured.Unstructured

	ClusterVersion   *configv1.ClusterVersion
	ClusterOperators []*configv1.ClusterOperator
	// MachineConfigOperator is the operator's Deployment.
	MachineConfigOperator *appsv1.Deployment
	MachineConfigPools    []*machineconfigv1.MachineConfigPool
	MachineConfigs        []*metav1.PartialObjectMetadata
	Nodes                 []*corev1.Node
	// Pods (trimmed), PodDisruptionBudgets and MachineConfigNodes explain drains; of most nodes none is needed.
	Pods                 []*corev1.Pod
	PodDisruptionBudgets []*policyv1.PodDisruptionBudget
	MachineConfigNodes   []*machineconfigv1.MachineConfigNode
	// Alerts are those of an answer of Prometheus, nil if there is none.
	Alerts []assess.Alert

	// Problems are what was passed over, in the order of files.
	Problems []Problem
}

// Problem is something in a file that was passed over.
type Problem struct {
	// File is the path of the file, below the name of its archive if it is in one.
	File string
	// Line is where in the file, counted from one; zero if that is not known.
	Line int
	// Err is what is wrong.
	Err error
}

// String names the file and the line.
func (p Problem) String() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %v", p.File, p.Err)
	}
	return fmt.Sprintf("%s:%d: %v", p.File, p.Line, p.Err)
}

// NewestTransition is the newest sign of life in the files, which is as near as can be told to the moment when they were
// collected: the newest transition time in the conditions of the ClusterVersion and the ClusterOperators, and of an
// UpdateStatus the newest time at which an insight was acquired or a condition of the controller changed. It is zero if
// there is none.
func (s *Snapshot) NewestTransition() time.Time {
	var newest newest
	if s.ClusterVersion != nil {
		seeTransitions(newest.see, s.ClusterVersion.Status.Conditions)
	}
	for _, operator := range s.ClusterOperators {
		seeTransitions(newest.see, operator.Status.Conditions)
	}
	if s.UpdateStatus != nil {
		seeAcquired(newest.see, &s.UpdateStatus.Status)
	}
	return newest.Time
}

// LastReport is when a node, or the Machine Config Operator about a pool, reported last. Nodes report every few minutes,
// so that a cluster was collected hardly later; but some report still when nothing changes any more, as in an update that
// is stuck. It is zero if none has.
func (s *Snapshot) LastReport() time.Time {
	var newest newest
	for _, node := range s.Nodes {
		for _, condition := range node.Status.Conditions {
			newest.see(condition.LastHeartbeatTime)
			newest.see(condition.LastTransitionTime)
		}
	}
	for _, pool := range s.MachineConfigPools {
		for _, condition := range pool.Status.Conditions {
			newest.see(condition.LastTransitionTime)
		}
	}
	return newest.Time
}

// newest is the newest moment that was seen, zero if none was.
type newest struct{ time.Time }

func (n *newest) see(moment metav1.Time) {
	if moment.After(n.Time) {
		n.Time = moment.Time
	}
}

func seeTransitions(see func(metav1.Time), conditions []configv1.ClusterOperatorStatusCondition) {
	for _, condition := range conditions {
		see(condition.LastTransitionTime)
	}
}

func seeAcquired(see func(metav1.Time), status *updatev1alpha1.UpdateStatusStatus) {
	for _, condition := range status.Conditions {
		see(condition.LastTransitionTime)
	}
	var informers []updatev1alpha1.Informer
	if status.ControlPlane != nil {
		informers = append(informers, status.ControlPlane.Informers...)
	}
	for _, pool := range status.WorkerPools {
		informers = append(informers, pool.Informers...)
	}
	for _, informer := range informers {
		for _, insight := range informer.Insights {
			see(insight.AcquiredAt)
		}
	}
}
