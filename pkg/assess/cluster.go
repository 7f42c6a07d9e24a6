package assess

import (
	"maps"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// ClusterInput is a whole cluster.
type ClusterInput struct {
	ClusterVersion        *configv1.ClusterVersion
	ClusterOperators      []*configv1.ClusterOperator
	MachineConfigOperator *appsv1.Deployment
	MachineConfigPools    []*machineconfigv1.MachineConfigPool
	MachineConfigs        []*metav1.PartialObjectMetadata
	Nodes                 []*corev1.Node
	// MachineConfigNodes are those of the nodes, as far as there are some.
	MachineConfigNodes []*machineconfigv1.MachineConfigNode
	// Pods and PodDisruptionBudgets explain drains. They may be incomplete.
	Pods                 []*corev1.Pod
	PodDisruptionBudgets []*policyv1.PodDisruptionBudget
	// Alerts are the active ones, nil if they are unknown.
	Alerts []Alert
	// Files is set if the objects come from files, which may lack some (Missing).
	Files bool
}

// Cluster assesses a whole cluster. It returns the messages that the sources would send, each complete.
func Cluster(in ClusterInput, now time.Time) []insight.Message {
	messages := []insight.Message{controlPlane(in, now), nodes(in, now)}
	reported := ledger.New()
	for _, message := range messages {
		reported.Apply(message)
	}
	// The replicas of workloads are not known.
	ahead := drain.Ahead(drain.AheadInput{Budgets: in.PodDisruptionBudgets, Pods: in.Pods, Waiting: reported.View().WaitingNodes()})
	messages = append(messages, insight.Message{
		Source: insight.DrainInformer, Reports: DrainsAhead(DrainsAheadInput{Predictions: ahead, Update: reported.View().Update()}), State: &insight.State{Complete: true},
	})
	if in.Alerts == nil {
		return messages
	}
	alerts := Alerts(AlertsInput{Alerts: in.Alerts, Update: reported.View().Update(), Now: now})
	return append(messages, insight.Message{
		Source: insight.AlertInformer, Reports: alerts, State: &insight.State{Complete: true},
	})
}

func controlPlane(in ClusterInput, now time.Time) insight.Message {
	whole := ClusterVersion(ClusterVersionInput{in.ClusterVersion, in.ClusterOperators, in.MachineConfigOperator, in.Files}, now)
	reports := []insight.Report{whole.Report}
	for _, operator := range in.ClusterOperators {
		result := ClusterOperator(ClusterOperatorInput{Operator: operator, ClusterVersion: in.ClusterVersion, MachineConfigOperator: in.MachineConfigOperator}, now)
		reports = append(reports, result.Report)
	}
	return insight.Message{
		Source: insight.ControlPlaneInformer, Reports: reports,
		State: &insight.State{Complete: true, Target: TargetOf(in.ClusterVersion).String()},
	}
}

func nodes(in ClusterInput, now time.Time) insight.Message {
	pools, target := NewPools(in.MachineConfigPools), TargetOf(in.ClusterVersion)
	versions := make(map[string]string, len(in.MachineConfigs))
	for _, config := range in.MachineConfigs {
		versions[config.Name] = config.Annotations[ReleaseVersionAnnotation]
	}
	message := insight.Message{Source: insight.NodeInformer, State: &insight.State{
		Complete: true, Target: NodesTarget(in.ClusterVersion, maps.Values(versions)),
	}}
	if len(in.MachineConfigPools) == 0 {
		message.State = NoMachineConfigPools()
	}
	counts := map[string]NodeCounts{}
	drains, machineConfigNodes := drainsOf(in), map[string]*machineconfigv1.MachineConfigNode{}
	for _, one := range in.MachineConfigNodes {
		machineConfigNodes[one.Name] = one
	}
	for _, node := range in.Nodes {
		membership := pools.Of(node)
		pool := membership.Pool
		if pool == nil {
			continue
		}
		result := Node(NodeInput{
			Node: node, Pool: pool, Custom: membership.Custom, Target: target,
			VersionOf:         func(name string) string { return versions[name] },
			MachineConfigNode: machineConfigNodes[node.Name],
			Drain:             drains(node.Name),
		}, now)
		message.Reports = append(message.Reports, result.Report)
		ofPool := counts[pool.Name]
		ofPool.Add(insight.StateOf(result.Report.Insights[0].Insight.Node))
		counts[pool.Name] = ofPool
	}
	for _, pool := range in.MachineConfigPools {
		if in.Files {
			counts[pool.Name] = counts[pool.Name].withMissing(pool)
		}
		result := MachineConfigPool(MachineConfigPoolInput{
			Pool: pool, Nodes: counts[pool.Name], Target: target, SelectorError: pools.Unparsable[pool.Name],
		})
		message.Reports = append(message.Reports, result.Report)
	}
	return message
}

// drainsOf returns a function that returns what files contain about the drain of a node. Pods may be missing in the files, so
// a node without pods is one whose pods are unknown.
func drainsOf(in ClusterInput) func(node string) DrainInput {
	var started time.Time
	if in.ClusterVersion != nil && len(in.ClusterVersion.Status.History) > 0 {
		started = in.ClusterVersion.Status.History[0].StartedTime.Time
	}
	pods := map[string][]*corev1.Pod{}
	for _, pod := range in.Pods {
		if drain.WaitsFor(pod) {
			pods[pod.Spec.NodeName] = append(pods[pod.Spec.NodeName], pod)
		}
	}
	return func(node string) DrainInput {
		blockers := &drain.Blockers{Pods: pods[node], Budgets: in.PodDisruptionBudgets}
		if len(blockers.Pods) == 0 {
			blockers.Unread = "none that a drain waits for was collected"
		}
		return DrainInput{UpdateStarted: started, Blockers: blockers}
	}
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
