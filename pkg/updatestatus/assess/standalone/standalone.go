package standalone

import (
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
)

// Input is a whole cluster.
type Input struct {
	ClusterVersion        *configv1.ClusterVersion
	ClusterOperators      []*configv1.ClusterOperator
	MachineConfigOperator *appsv1.Deployment
	Lease                 *coordinationv1.Lease
	LeaseReadAt           time.Time
	MachineConfigPools    []*machineconfigv1.MachineConfigPool
	MachineConfigs        []*metav1.PartialObjectMetadata
	Nodes                 []*corev1.Node
	// MachineConfigNodes are those of the nodes, as far as there are some.
	MachineConfigNodes []*machineconfigv1.MachineConfigNode
	// Pods and PodDisruptionBudgets explain drains. They may be incomplete.
	Pods                 []*corev1.Pod
	PodDisruptionBudgets []*policyv1.PodDisruptionBudget
	// Replicas are the desired replicas of workloads, as far as they were read.
	Replicas map[drain.Workload]int32
	// CertificateRequests are those of kubelets, which explain why a node is not ready.
	CertificateRequests []*certificatesv1.CertificateSigningRequest
	// OperatorPods are what the pods of operators that fail say (ClusterVersionInput.Pods), nil if Pods have them.
	OperatorPods map[string]*assess.Pods
	// Alerts are the active ones, nil if they are unknown.
	Alerts []assess.Alert
	// Partial is whether some objects may be missing (Missing): they come from files, or were read once with the permissions of a user.
	Partial bool
}

// Assess assesses a whole cluster at a moment, of which nothing was observed before. It returns the messages that the sources would send,
// each complete.
func Assess(in Input, now time.Time) []insight.Message {
	cluster := NewCluster(assess.Observed{})
	cluster.isSnapshot = true
	return cluster.Assess(in, now)
}

// Cluster assesses a whole cluster again and again, as the sources do, and remembers what was observed of it.
type Cluster struct {
	nodes      *Nodes
	version    VersionObserved
	isSnapshot bool
	// ahead is how long after now nodes and pools are assessed, as if nothing happened until then: zero but in a rehearsal.
	ahead time.Duration
}

// NewCluster returns a Cluster that starts with what was observed before.
func NewCluster(observed assess.Observed) *Cluster {
	return &Cluster{nodes: NewNodes(observed), version: NewVersionObserved(observed)}
}

// Assess returns the messages that the sources would send, each complete.
func (c *Cluster) Assess(in Input, now time.Time) []insight.Message {
	controlPlane, nodes := c.watched(in, now)
	messages := []insight.Message{controlPlane, nodes}
	reported := ledger.New()
	for _, message := range messages {
		reported.Apply(message)
	}
	ahead := drain.Ahead(in.drainsAhead(reported.View()))
	messages = append(messages, insight.Message{
		Source: insight.DrainInformer, Reports: DrainsAhead(DrainsAheadInput{Predictions: ahead, Update: reported.View().Update()}), State: &insight.State{Complete: true},
	})
	if in.Alerts == nil {
		return messages
	}
	alerts := assess.Alerts(assess.AlertsInput{Alerts: in.Alerts, Update: reported.View().Update(), Now: now})
	return append(messages, insight.Message{
		Source: insight.AlertInformer, Reports: alerts, State: &insight.State{Complete: true},
	})
}

func (in Input) drainsAhead(view ledger.View) drain.AheadInput {
	return drain.AheadInput{Budgets: in.PodDisruptionBudgets, Pods: in.Pods, Replicas: in.Replicas, Waiting: view.WaitingNodes()}
}

// watched returns the messages of the sources that watch the objects of the update.
func (c *Cluster) watched(in Input, now time.Time) (controlPlane, nodes insight.Message) {
	ofControlPlane := ClusterVersionInput{
		ClusterVersion: in.ClusterVersion, ClusterOperators: in.ClusterOperators, MachineConfigOperator: in.MachineConfigOperator,
		Lease: in.Lease, LeaseReadAt: in.LeaseReadAt, Observed: c.version, Pods: in.OperatorPods, Partial: in.Partial, Snapshot: c.isSnapshot,
	}
	controlPlane, c.version, _ = ControlPlane(ofControlPlane, now)
	nodes = c.nodes.Assess(NodesInput{
		ClusterVersion: in.ClusterVersion, MachineConfigPools: in.MachineConfigPools, MachineConfigs: in.MachineConfigs,
		Nodes: in.Nodes, MachineConfigNodes: in.MachineConfigNodes, Blockers: blockersOf(in), CertificateRequests: in.CertificateRequests, Snapshot: c.isSnapshot, Partial: in.Partial,
		MachineConfigOperator: operatorNamed(controlplane.MachineConfigOperator, in.ClusterOperators), IsAhead: c.ahead > 0,
	}, now.Add(c.ahead)).Message
	if in.OperatorPods != nil {
		return controlPlane, nodes
	}
	if wanted, view := podsToRead(in, controlPlane, nodes, now); len(wanted) > 0 {
		ofControlPlane.Pods = podsOf(in.Pods, wanted, podstate.AwayOf(view[insight.NodeInformer].Insights), now)
		controlPlane, _, _ = ControlPlane(ofControlPlane, now)
	}
	return controlPlane, nodes
}

// HealthChecks returns the health checks of everything in a cluster, in the order in which they are documented.
func HealthChecks() []assess.HealthCheck {
	return slices.Concat(
		assess.RowsOf(versionChecks), assess.RowsOf(controlplane.OperatorChecks), assess.RowsOf(controlplane.UpdateChecks), assess.RowsOf(controlplane.SlowChecks),
		assess.RowsOf(controlplane.StandstillChecks), assess.RowsOf(nodestate.Checks),
		assess.RowsOf(nodestate.LateChecks), assess.RowsOf(nodeChecks),
		assess.RowsOf(poolChecks), assess.RowsOf(aheadChecks), assess.HealthChecks(),
	)
}

// ControlPlane assesses the control plane. It returns the message of its source, which is complete, what was observed, for the next
// time, and when the message changes without an event, zero if it does not.
func ControlPlane(in ClusterVersionInput, now time.Time) (message insight.Message, observed VersionObserved, nextCheck time.Time) {
	message = insight.Message{
		Source: insight.ControlPlaneInformer, State: &insight.State{Complete: true, Target: TargetOf(in.ClusterVersion).String()},
	}
	add := func(result assess.Result) {
		message.Reports, nextCheck = append(message.Reports, result.Report), assess.Earliest(nextCheck, result.NextCheck)
	}
	result, observed := clusterVersion(in, now)
	add(result)
	for _, operator := range in.ClusterOperators {
		add(controlplane.Operator(in.operatorInput(operator), now))
	}
	return message, observed, nextCheck
}

// operatorNamed returns the cluster operator of a name, nil if there is none.
func operatorNamed(name string, operators []*configv1.ClusterOperator) *configv1.ClusterOperator {
	at := slices.IndexFunc(operators, func(one *configv1.ClusterOperator) bool { return one.Name == name })
	if at < 0 {
		return nil
	}
	return operators[at]
}

// blockersOf returns what files contain about the drains of nodes. Pods may be missing in the files, so a node without pods is one
// whose pods are unknown.
func blockersOf(in Input) map[string]*drain.Blockers {
	blockers := make(map[string]*drain.Blockers, len(in.Nodes))
	for _, node := range in.Nodes {
		blockers[node.Name] = &drain.Blockers{Budgets: in.PodDisruptionBudgets, Unread: "none that a drain waits for was collected"}
	}
	for _, pod := range in.Pods {
		if ofNode := blockers[pod.Spec.NodeName]; ofNode != nil && drain.WaitsFor(pod) {
			ofNode.Pods, ofNode.Unread = append(ofNode.Pods, pod), ""
		}
	}
	return blockers
}

// NoMachineConfigPools returns the state of the node informer in a cluster without the MachineConfigPool resource. It has no
// target.
func NoMachineConfigPools() *insight.State {
	return &insight.State{
		Complete: true,
		Reason:   updatev1alpha1.ReasonNoMachineConfigPools,
		Message:  "The cluster has no MachineConfigPools: the control plane is reported, nodes are not",
	}
}
