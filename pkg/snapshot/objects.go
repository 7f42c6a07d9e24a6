package snapshot

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/apimachinery/pkg/util/sets"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

const poolKind = "MachineConfigPool"

// identity identifies an object.
type identity struct {
	kind, namespace, name string
}

func (i identity) compare(other identity) int {
	return cmp.Or(
		cmp.Compare(i.kind, other.kind),
		cmp.Compare(i.namespace, other.namespace),
		cmp.Compare(i.name, other.name),
	)
}

// located is an object and its place in the files.
type located struct {
	metav1.Object
	file string
	line int
}

var errSeveralClusters = errors.New("the files are of several clusters")

// add adds an object. A must-gather of several images has some objects twice: the newest counts, or the first if their
// resource versions can't be compared.
func (c *collector) add(id identity, object located) {
	other, exists := c.objects[id]
	if !exists {
		c.objects[id] = object
		if id.kind == poolKind {
			c.poolOrder = append(c.poolOrder, id.name)
		}
		return
	}
	if id.kind == "ClusterVersion" && object.GetUID() != "" && other.GetUID() != "" && object.GetUID() != other.GetUID() {
		c.problem(object.file, object.line, fmt.Errorf("%w: %s has another ClusterVersion", errSeveralClusters, other.file))
		return
	}
	order, err := resourceversion.CompareResourceVersion(object.GetResourceVersion(), other.GetResourceVersion())
	switch {
	case err == nil && order > 0:
		c.objects[id] = object
	case err == nil && order < 0, hasSameContent(object, other):
		return
	case isSameVersion(object, other):
		c.problem(object.file, object.line, fmt.Errorf("skipped %s %s: %s also has it, with the same resourceVersion and other content",
			id.kind, id.name, other.file))
	default:
		c.problem(object.file, object.line, fmt.Errorf("skipped %s %s: %s also has it, and it is not known which is newer",
			id.kind, id.name, other.file))
	}
}

// isSameVersion returns whether two objects are the same one as it was at the same time.
func isSameVersion(a, b metav1.Object) bool {
	return a.GetUID() != "" && a.GetUID() == b.GetUID() &&
		a.GetResourceVersion() != "" && a.GetResourceVersion() == b.GetResourceVersion()
}

// hasSameContent returns whether two objects of a kind differ in no more than the apiVersion and kind, which the elements of lists lack.
func hasSameContent(a, b located) bool {
	return equality.Semantic.DeepEqual(withoutType(a), withoutType(b))
}

// withoutType returns a copy of an object without its apiVersion and kind, and without fields that this version does not know.
func withoutType(object located) runtime.Object {
	known := object.Object.(runtime.Object).DeepCopyObject()
	known.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return known
}

// snapshot returns the objects, or an error if they are of several clusters.
func (c *collector) snapshot() (*Snapshot, error) {
	for _, problem := range c.problems {
		if errors.Is(problem.Err, errSeveralClusters) {
			return nil, fmt.Errorf("%s: %w", problem.File, problem.Err)
		}
	}
	s := &Snapshot{Problems: c.problems, Alerts: c.alerts, Gathered: c.gathered, LeaseReadAt: c.gatheredFrom}
	for _, id := range slices.SortedFunc(maps.Keys(c.objects), identity.compare) {
		switch object := c.objects[id].Object.(type) {
		case *wholeUpdateStatus:
			s.UpdateStatus, s.Whole, s.UpdateStatusFile = &object.UpdateStatus, &object.whole, c.objects[id].file
		case *wholeSummary:
			s.Summary, s.WholeSummary = &object.UpdateStatusSummary, &object.whole
		case *updatev1alpha1.UpdateRecord:
			s.Records = append(s.Records, object)
		case *updatev1alpha1.UpdateInformer:
			s.UpdateInformers = append(s.UpdateInformers, object)
		case *configv1.ClusterVersion:
			s.ClusterVersion = object
		case *configv1.Infrastructure:
			s.Infrastructure = object
		case *configv1.ClusterOperator:
			s.ClusterOperators = append(s.ClusterOperators, object)
		case *appsv1.Deployment:
			s.MachineConfigOperator = object
		case *coordinationv1.Lease:
			s.Lease = object
		case *machineconfigv1.MachineConfigPool:
			s.MachineConfigPools = append(s.MachineConfigPools, object)
		case *metav1.PartialObjectMetadata:
			s.MachineConfigs = append(s.MachineConfigs, object)
		case *corev1.Node:
			s.Nodes = append(s.Nodes, object)
		case *corev1.Pod:
			s.Pods = append(s.Pods, object)
		case *policyv1.PodDisruptionBudget:
			s.PodDisruptionBudgets = append(s.PodDisruptionBudgets, object)
		case *machineconfigv1.MachineConfigNode:
			s.MachineConfigNodes = append(s.MachineConfigNodes, object)
		case *certificatesv1.CertificateSigningRequest:
			s.CertificateRequests = append(s.CertificateRequests, object)
		default:
			s.addHosted(object)
		}
	}
	c.sortPools(s.MachineConfigPools)
	return s, nil
}

// sortPools orders pools as the file that lists all of them. Several files, as those of a must-gather, have no order.
func (c *collector) sortPools(pools []*machineconfigv1.MachineConfigPool) {
	files := sets.New[string]()
	for _, pool := range pools {
		files.Insert(c.objects[identity{kind: poolKind, name: pool.Name}].file)
	}
	if len(files) > 1 {
		return
	}
	slices.SortFunc(pools, func(a, b *machineconfigv1.MachineConfigPool) int {
		return cmp.Compare(slices.Index(c.poolOrder, a.Name), slices.Index(c.poolOrder, b.Name))
	})
}

// addHosted adds an object of a management cluster.
func (s *Snapshot) addHosted(object metav1.Object) {
	switch object := object.(type) {
	case *hypershiftv1beta1.HostedCluster:
		s.HostedClusters = append(s.HostedClusters, object)
	case *hypershiftv1beta1.ControlPlaneComponent:
		s.HostedObjects.Components = append(s.HostedObjects.Components, object)
	case *hypershiftv1beta1.NodePool:
		s.HostedObjects.NodePools = append(s.HostedObjects.NodePools, object)
	case *clusterapiv1beta1.Machine:
		s.HostedObjects.Machines = append(s.HostedObjects.Machines, object)
	case *clusterapiv1beta1.MachineDeployment:
		s.HostedObjects.MachineDeployments = append(s.HostedObjects.MachineDeployments, object)
	case *clusterapiv1beta1.MachineSet:
		s.HostedObjects.MachineSets = append(s.HostedObjects.MachineSets, object)
	case *HostedStatus:
		s.HostedStatuses = append(s.HostedStatuses, object)
	case *HostedSummary:
		s.HostedSummaries = append(s.HostedSummaries, object)
	case *updatev1alpha1.HostedClusterUpdateRecord:
		s.HostedRecords = append(s.HostedRecords, object)
	}
}
