package snapshot

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// Snapshot has the objects of a cluster from files, sorted by name. Objects that are not in the files are nil.
type Snapshot struct {
	// UpdateStatus is the object that the controller wrote, if it was collected.
	UpdateStatus *updatev1alpha1.UpdateStatus
	// UpdateStatusFile is the file that has it.
	UpdateStatusFile string
	// Summary is the object that the controller wrote beside it, if it was collected.
	Summary *updatev1alpha1.UpdateStatusSummary
	// Records are the UpdateRecords that the controller wrote, if they were collected.
	Records []*updatev1alpha1.UpdateRecord
	// UpdateInformers are those of all namespaces, by namespace and name.
	UpdateInformers []*updatev1alpha1.UpdateInformer

	// HostedStatuses are those of the hosted clusters of a management cluster, HostedSummaries and HostedRecords what is beside them.
	HostedStatuses  []*updatev1alpha1.HostedClusterUpdateStatus
	HostedSummaries []*updatev1alpha1.HostedClusterUpdateStatusSummary
	HostedRecords   []*updatev1alpha1.HostedClusterUpdateRecord
	// HostedClusters are those of a management cluster, and HostedObjects what it has of all of them.
	HostedClusters []*hypershiftv1beta1.HostedCluster
	HostedObjects  hosted.Input

	ClusterVersion *configv1.ClusterVersion
	// Infrastructure has the address of the API server, nil if there is none.
	Infrastructure   *configv1.Infrastructure
	ClusterOperators []*configv1.ClusterOperator
	// MachineConfigOperator is the operator's Deployment.
	MachineConfigOperator *appsv1.Deployment
	// Lease is that of the Cluster Version Operator, as it was at LeaseReadAt or later: the start of gathering, zero if that is unknown.
	Lease       *coordinationv1.Lease
	LeaseReadAt time.Time
	// MachineConfigPools are in the order of the file that lists them, or by name.
	MachineConfigPools []*machineconfigv1.MachineConfigPool
	MachineConfigs     []*metav1.PartialObjectMetadata
	Nodes              []*corev1.Node
	// Pods, which are trimmed, PodDisruptionBudgets and MachineConfigNodes explain why a drain is blocked.
	Pods                 []*corev1.Pod
	PodDisruptionBudgets []*policyv1.PodDisruptionBudget
	MachineConfigNodes   []*machineconfigv1.MachineConfigNode
	// CertificateRequests are those of kubelets, which explain why a node is not ready.
	CertificateRequests []*certificatesv1.CertificateSigningRequest
	// OperatorPods are the worst pods of operators that fail, nil if Pods have them.
	OperatorPods map[string]*assess.Pods
	// Alerts are the alerts of a response of Prometheus, nil if there is none.
	Alerts []assess.Alert

	// Gathered is the end of gathering, zero if it is not known.
	Gathered time.Time
	// Problems are what was skipped, in the order of the files.
	Problems []Problem
	// Wholes are the objects of kinds with fields that this version does not know.
	Wholes []Whole
}

// Whole is an object, also with the fields that this version does not know.
type Whole struct {
	Object kinds.Object
	Fields *unstructured.Unstructured
}

// Objects are the objects of a cluster, by kind.
type Objects map[*kinds.Kind][]kinds.Object

// New returns a snapshot of objects, those of a kind in the same order.
func New(objects Objects) *Snapshot {
	s := &Snapshot{}
	setOne(&s.UpdateStatus, objects[kinds.UpdateStatuses])
	setOne(&s.Summary, objects[kinds.UpdateStatusSummaries])
	setOne(&s.ClusterVersion, objects[kinds.ClusterVersions])
	setOne(&s.Infrastructure, objects[kinds.Infrastructures])
	setOne(&s.MachineConfigOperator, objects[kinds.MachineConfigOperator])
	setOne(&s.Lease, objects[kinds.VersionOperatorLease])
	setAll(&s.Records, objects[kinds.UpdateRecords])
	setAll(&s.UpdateInformers, objects[kinds.UpdateInformers])
	setAll(&s.HostedStatuses, objects[kinds.HostedClusterUpdateStatuses])
	setAll(&s.HostedSummaries, objects[kinds.HostedClusterUpdateStatusSummaries])
	setAll(&s.HostedRecords, objects[kinds.HostedClusterUpdateRecords])
	setAll(&s.HostedClusters, objects[kinds.HostedClusters])
	setAll(&s.HostedObjects.Components, objects[kinds.ControlPlaneComponents])
	setAll(&s.HostedObjects.NodePools, objects[kinds.NodePools])
	setAll(&s.HostedObjects.Machines, objects[kinds.Machines])
	setAll(&s.HostedObjects.MachineDeployments, objects[kinds.MachineDeployments])
	setAll(&s.HostedObjects.MachineSets, objects[kinds.MachineSets])
	setAll(&s.ClusterOperators, objects[kinds.ClusterOperators])
	setAll(&s.MachineConfigPools, objects[kinds.MachineConfigPools])
	setAll(&s.MachineConfigs, objects[kinds.MachineConfigs])
	setAll(&s.MachineConfigNodes, objects[kinds.MachineConfigNodes])
	setAll(&s.Nodes, objects[kinds.Nodes])
	setAll(&s.Pods, objects[kinds.Pods])
	setAll(&s.PodDisruptionBudgets, objects[kinds.PodDisruptionBudgets])
	setAll(&s.CertificateRequests, objects[kinds.CertificateSigningRequests])
	return s
}

func setOne[T kinds.Object](field *T, objects []kinds.Object) {
	for _, object := range objects {
		*field = object.(T)
	}
}

func setAll[T kinds.Object](field *[]T, objects []kinds.Object) {
	for _, object := range objects {
		*field = append(*field, object.(T))
	}
}

// Whole returns an object with the fields that this version does not know, nil if there is none.
func (s *Snapshot) Whole(object kinds.Object) *unstructured.Unstructured {
	for _, whole := range s.Wholes {
		if whole.Object == object {
			return whole.Fields
		}
	}
	return nil
}

// Problem is a file, or a part of one, that was skipped.
type Problem struct {
	// File is the path of the file, after the name of its archive if it has one.
	File string
	// Line in the file, counted from one, zero if it is not known.
	Line int
	// Err is why it was skipped.
	Err error
}

// String returns the file, the line and the error.
func (p Problem) String() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %v", p.File, p.Err)
	}
	return fmt.Sprintf("%s:%d: %v", p.File, p.Line, p.Err)
}

// NewestTransition returns the time of the last change of the control plane, an estimate of when the files were collected:
// the last transition time of the ClusterVersion and the ClusterOperators, and of the UpdateStatus and its insights. It is
// zero if there is none. now is when the files are read, as they may have times that cannot be true.
func (s *Snapshot) NewestTransition(now time.Time) time.Time {
	newest := newestTime{now: now}
	if s.ClusterVersion != nil {
		newest.addTransitions(s.ClusterVersion.Status.Conditions)
	}
	for _, operator := range s.ClusterOperators {
		newest.addTransitions(operator.Status.Conditions)
	}
	if s.UpdateStatus != nil {
		newest.addUpdateStatus(&s.UpdateStatus.Status)
	}
	return newest.Time
}

// LastReport returns when a node or a pool reported last, zero if none did. Nodes report every few minutes even if nothing
// changes, as in an update that is stuck. now is when the files are read.
func (s *Snapshot) LastReport(now time.Time) time.Time {
	newest := newestTime{now: now}
	for _, node := range s.Nodes {
		for _, condition := range node.Status.Conditions {
			newest.add(condition.LastHeartbeatTime)
			newest.add(condition.LastTransitionTime)
		}
	}
	for _, pool := range s.MachineConfigPools {
		for _, condition := range pool.Status.Conditions {
			newest.add(condition.LastTransitionTime)
		}
	}
	return newest.Time
}

// newestTime is the newest of the times that were added and are known, zero if there are none.
type newestTime struct {
	time.Time

	now time.Time
}

func (n *newestTime) add(t metav1.Time) {
	if insight.IsKnown(t.Time, n.now) && t.After(n.Time) {
		n.Time = t.Time
	}
}

func (n *newestTime) addTransitions(conditions []configv1.ClusterOperatorStatusCondition) {
	for _, condition := range conditions {
		n.add(condition.LastTransitionTime)
	}
}

func (n *newestTime) addUpdateStatus(status *updatev1alpha1.UpdateStatusStatus) {
	for _, condition := range status.Conditions {
		n.add(condition.LastTransitionTime)
	}
	var informers []updatev1alpha1.Informer
	if status.ControlPlane != nil {
		informers = append(informers, status.ControlPlane.Informers...)
	}
	for _, pool := range status.WorkerPools {
		informers = append(informers, pool.Informers...)
	}
	for _, informer := range informers {
		for _, one := range informer.Insights {
			n.add(one.AcquiredAt)
		}
	}
}
