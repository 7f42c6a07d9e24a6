package snapshot

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
)

// identity tells objects apart.
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

// kept is an object and where it was found.
type kept struct {
	metav1.Object
	file string
	line int
}

// keep keeps the newest of the objects with the same identity, as a must-gather of several images has some of them twice.
// The first one found stays where their resource versions don't tell which is newer.
func (c *collector) keep(id identity, found kept) {
	before, again := c.objects[id]
	if !again {
		c.objects[id] = found
		return
	}
	if id.kind == "ClusterVersion" && isOther(before, found) {
		c.problem(found.file, found.line, fmt.Errorf("%w: the one of %s is another", errSeveralClusters, before.file))
		return
	}
	newer, err := resourceversion.CompareResourceVersion(found.GetResourceVersion(), before.GetResourceVersion())
	switch {
	case err == nil && newer > 0:
		c.objects[id] = found
	case err == nil && newer < 0, equality.Semantic.DeepEqual(before.Object, found.Object):
		return
	default:
		c.problem(found.file, found.line, fmt.Errorf("%s %s passed over: %s has it too, and it can't be told which is newer",
			id.kind, id.name, before.file))
	}
}

var errSeveralClusters = errors.New("the files are of several clusters")

func isOther(a, b metav1.Object) bool {
	return a.GetUID() != "" && b.GetUID() != "" && a.GetUID() != b.GetUID()
}

// snapshot returns what was kept. Objects of several clusters can't be told apart, so that nothing can be said of them.
func (c *collector) snapshot() (*Snapshot, error) {
	for _, problem := range c.problems {
		if errors.Is(problem.Err, errSeveralClusters) {
			return nil, fmt.Errorf("%s: %w", problem.File, problem.Err)
		}
	}
	s := &Snapshot{Problems: c.problems, Alerts: c.alerts}
	for _, id := range slices.SortedFunc(maps.Keys(c.objects), identity.compare) {
		switch object := c.objects[id].Object.(type) {
		case *wholeUpdateStatus:
			s.UpdateStatus, s.Whole = &object.UpdateStatus, &object.whole
		case *configv1.ClusterVersion:
			s.ClusterVersion = object
		case *configv1.ClusterOperator:
			s.ClusterOperators = append(s.ClusterOperators, object)
		case *appsv1.Deployment:
			s.MachineConfigOperator = object
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
		}
	}
	return s, nil
}
