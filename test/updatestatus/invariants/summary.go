package invariants

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// cluster is what the objects of a simulated cluster say, counted without the rules of the controller.
type cluster struct {
	target string
	// versions are those of MachineConfigs by name.
	versions            map[string]string
	nodes               map[string]*corev1.Node
	operators           []*configv1.ClusterOperator
	completed, updating int32
	// updated counts operators.
	updated int32
}

// CheckSummary returns what is wrong with the summary of a simulated cluster: its counts, what it waits for, and its conditions for kstatus. operators is the
// number of operators of the payload.
func CheckSummary(summary *updatev1alpha1.UpdateStatusSummaryStatus, objects []simulator.Object, operators int32) []string {
	var problems []string
	expect := func(what string, got, want any) {
		if got != want {
			problems = append(problems, fmt.Sprintf("%s: %v, want %v", what, got, want))
		}
	}
	c := readObjects(objects)
	if summary.Nodes == nil || summary.ControlPlane == nil {
		return []string{"the summary has no counts"}
	}
	expect("target", summary.Versions.Target, c.target)
	expect("nodes", summary.Nodes.Total, int32(len(c.nodes)))
	expect("completed nodes", summary.Nodes.Completed, c.completed)
	expect("nodes that are being updated", summary.Nodes.Updating, c.updating)
	expect("progress", summary.Nodes.Progress, fmt.Sprintf("%d/%d", c.completed, len(c.nodes)))
	expect("sum of nodes", summary.Nodes.Completed+summary.Nodes.Updating+summary.Nodes.Pending+summary.Nodes.Excluded, summary.Nodes.Total)
	expect("operators", summary.ControlPlane.Operators.Total, operators)
	expect("updated operators", summary.ControlPlane.Operators.Updated, c.updated)
	return slices.Concat(problems, c.checkWaitingFor(summary), CheckKstatus(summary))
}

// CheckKstatus returns what is wrong with the conditions for tools that know kstatus: both are always there, never both are True, and
// nothing waits for an update that is complete.
func CheckKstatus(summary *updatev1alpha1.UpdateStatusSummaryStatus) []string {
	var problems []string
	areTrue := 0
	for _, kind := range []string{updatev1alpha1.ConditionReconciling, updatev1alpha1.ConditionStalled} {
		switch found := meta.FindStatusCondition(summary.Conditions, kind); {
		case found == nil:
			problems = append(problems, kind+" is absent")
		case found.Status == metav1.ConditionTrue:
			areTrue++
		case found.Status != metav1.ConditionFalse:
			problems = append(problems, fmt.Sprintf("%s is %s", kind, found.Status))
		}
	}
	if areTrue > 1 {
		problems = append(problems, "Reconciling and Stalled are both True")
	}
	updating := meta.FindStatusCondition(summary.Conditions, updatev1alpha1.ConditionUpdating)
	if updating != nil && updating.Reason == updatev1alpha1.ReasonCompleted && meta.IsStatusConditionTrue(summary.Conditions, updatev1alpha1.ConditionReconciling) {
		problems = append(problems, "Reconciling is True although the update is complete")
	}
	return problems
}

func readObjects(objects []simulator.Object) cluster {
	c := cluster{versions: map[string]string{}, nodes: map[string]*corev1.Node{}}
	for _, object := range objects {
		switch object := object.(type) {
		case *configv1.ClusterVersion:
			c.target = object.Status.History[0].Version
		case *machineconfigv1.MachineConfig:
			c.versions[object.Name] = object.Annotations[builders.AnnotationReleaseVersion]
		case *corev1.Node:
			c.nodes[object.Name] = object
		case *configv1.ClusterOperator:
			c.operators = append(c.operators, object)
		}
	}
	for _, node := range c.nodes {
		current, desired := node.Annotations[builders.AnnotationCurrentConfig], node.Annotations[builders.AnnotationDesiredConfig]
		switch {
		case c.versions[current] == c.target:
			c.completed++
		case c.versions[desired] == c.target:
			c.updating++
		}
	}
	for _, operator := range c.operators {
		if slices.ContainsFunc(operator.Status.Versions, func(one configv1.OperandVersion) bool {
			return one.Name == "operator" && one.Version == c.target
		}) {
			c.updated++
		}
	}
	return c
}

// checkWaitingFor returns what is wrong with the sentence about what the update waits for: each operator that it names has not the
// target version or is not healthy, and each node is being updated.
func (c cluster) checkWaitingFor(summary *updatev1alpha1.UpdateStatusSummaryStatus) []string {
	var problems []string
	updating := meta.IsStatusConditionTrue(summary.Conditions, updatev1alpha1.ConditionUpdating)
	if summary.WaitingFor != "" && !updating && summary.Requested == nil {
		problems = append(problems, "waits without an update: "+summary.WaitingFor)
	}
	if summary.WaitingFor == "" && updating && summary.Nodes.Updating > 0 {
		problems = append(problems, "waits for nothing while nodes are being updated")
	}
	for _, operator := range c.operators {
		isUpdated := slices.ContainsFunc(operator.Status.Versions, func(one configv1.OperandVersion) bool { return one.Version == c.target })
		if isUpdated && controlplane.IsHealthy(operator) && strings.Contains(summary.WaitingFor, "ClusterOperator "+operator.Name+",") {
			problems = append(problems, "waits for an operator that is updated: "+summary.WaitingFor)
		}
	}
	for name, node := range c.nodes {
		if strings.Contains(summary.WaitingFor, "node "+name) && c.versions[node.Annotations[builders.AnnotationCurrentConfig]] == c.target {
			problems = append(problems, "waits for a node that is updated: "+summary.WaitingFor)
		}
	}
	return problems
}
