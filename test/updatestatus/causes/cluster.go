package causes

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// cluster is what the objects say at a moment.
type cluster struct {
	*standalone.Input

	now time.Time
}

func (c *cluster) node(name string) *corev1.Node {
	return c.Nodes[slices.IndexFunc(c.Nodes, func(node *corev1.Node) bool { return node.Name == name })]
}

func (c *cluster) cordonedSince(node string) time.Time {
	for _, taint := range c.node(node).Spec.Taints {
		if taint.TimeAdded != nil {
			return taint.TimeAdded.Time
		}
	}
	return time.Time{}
}

// degrade, unavailable and fail set a condition that holds from a moment on.
func (c *cluster) degrade(operator string, since time.Time, reason string, message builders.Text) {
	c.setOperator(operator, configv1.ClusterOperatorStatusCondition{Type: configv1.OperatorDegraded, Status: configv1.ConditionTrue, LastTransitionTime: metav1.NewTime(since), Reason: reason, Message: message.String()})
}

func (c *cluster) unavailable(operator string, since time.Time, reason string, message builders.Text) {
	c.setOperator(operator, configv1.ClusterOperatorStatusCondition{Type: configv1.OperatorAvailable, Status: configv1.ConditionFalse, LastTransitionTime: metav1.NewTime(since), Reason: reason, Message: message.String()})
}

func (c *cluster) setOperator(name string, condition configv1.ClusterOperatorStatusCondition) {
	if c.now.Before(condition.LastTransitionTime.Time) {
		return
	}
	set(&c.operator(name).Status.Conditions, condition)
}

func (c *cluster) operator(name string) *configv1.ClusterOperator {
	at := slices.IndexFunc(c.ClusterOperators, func(operator *configv1.ClusterOperator) bool { return operator.Name == name })
	if at < 0 {
		panic(fmt.Sprintf("there is no operator %s", name))
	}
	return c.ClusterOperators[at]
}

// fail is what the Cluster Version Operator says at the end of its attempts, which are three minutes apart. Until the next one is at what fails,
// it reports no failure (openshift/cluster-version-operator, pkg/cvo/sync_worker.go).
func (c *cluster) fail(since time.Time, reason string, message builders.Text) {
	if !c.now.Before(since) && c.now.Sub(since)%minutes(3) < 135*time.Second {
		set(&c.ClusterVersion.Status.Conditions, configv1.ClusterOperatorStatusCondition{Type: "Failing", Status: configv1.ConditionTrue, LastTransitionTime: metav1.NewTime(since), Reason: reason, Message: message.String()})
	}
}

// degradedOperator and unavailableOperator are what the Cluster Version Operator says of operators.
func degradedOperator(name string) builders.Text {
	return builders.CVOOperatorStatus.Says("Cluster operator %s is degraded", name)
}

func unavailableOperator(name string) builders.Text {
	return builders.CVOOperatorStatus.Says("Cluster operator %s is not available", name)
}

// noPods and fewPods are what an operator says of a Deployment with no pod that is available, and with too few.
func noPods(operator string) builders.Text {
	return builders.Workload.Says("APIServerDeploymentAvailable: no apiserver.openshift-%s pods available on any node.", operator)
}

func fewPods(operator string) builders.Text {
	return builders.Workload.Says("APIServerDeploymentDegraded: 2 of 3 requested instances are unavailable for apiserver.openshift-%s ()", operator)
}

// unhealthyMember is what the etcd operator says of one that is on a node which is not ready.
func unhealthyMember(node string) builders.Text {
	return builders.EtcdMembers.Says("EtcdMembersDegraded: 2 of 3 members are available, %s is unhealthy", node)
}

// hangNetwork is what the network operator says of a node that is not ready from a moment on, and the Cluster Version Operator of that: see
// simulator/network.go.
func (c *cluster) hangNetwork(since time.Time) {
	const daemonSet = `DaemonSet "/openshift-ovn-kubernetes/ovnkube-node" `
	builders.Progressing(since, "Deploying", builders.NetworkPodStatus.Says(daemonSet+"is not available (awaiting 1 nodes)").String())(c.operator("network"))
	c.degrade("network", since.Add(minutes(10)), "RolloutHung", builders.NetworkPodStatus.Says(daemonSet+"rollout is not making progress - last change %s", since.Format(time.RFC3339)))
	c.fail(since.Add(minutes(14)), "ClusterOperatorDegraded", degradedOperator("network"))
}

// says returns whether the Cluster Version Operator reports a condition, with some text.
func (c *cluster) says(kind configv1.ClusterStatusConditionType, status configv1.ConditionStatus, text string) bool {
	return slices.ContainsFunc(c.ClusterVersion.Status.Conditions, func(one configv1.ClusterOperatorStatusCondition) bool {
		return one.Type == kind && one.Status == status && strings.Contains(one.Message, text)
	})
}

func set(conditions *[]configv1.ClusterOperatorStatusCondition, condition configv1.ClusterOperatorStatusCondition) {
	*conditions = slices.DeleteFunc(*conditions, func(one configv1.ClusterOperatorStatusCondition) bool { return one.Type == condition.Type })
	*conditions = append(*conditions, condition)
}

func (c *cluster) alert(name, severity string, since time.Time, labels map[string]string) {
	if c.now.Before(since) {
		return
	}
	all := map[string]string{"alertname": name, "severity": severity, "namespace": "openshift-monitoring"}
	maps.Copy(all, labels)
	c.Alerts = append(c.Alerts, assess.Alert{Labels: all, Annotations: map[string]string{"summary": name}, State: "firing", ActiveAt: since})
}
