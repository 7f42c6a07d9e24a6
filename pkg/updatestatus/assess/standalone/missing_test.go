package standalone_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// wholeCluster is a cluster whose update is complete by all objects but the ClusterVersion, from files.
func wholeCluster() standalone.Input {
	in := standalone.Input{
		Partial:        true,
		ClusterVersion: builders.ClusterVersion(builders.Completed("4.20.1", builders.Noon.Add(-48*time.Hour), builders.Noon.Add(-47*time.Hour)), builders.Partial("4.20.2", builders.Noon.Add(-time.Hour/2))),
	}
	for _, name := range standalone.PayloadOperators() {
		in.ClusterOperators = append(in.ClusterOperators, builders.ClusterOperator(name, builders.OperatorVersion("4.20.2"), builders.Healthy(builders.Noon.Add(-time.Hour))))
	}
	for _, name := range []string{"master", "worker"} {
		config := "rendered-" + name + "-2"
		pool := builders.MachineConfigPool(name, builders.Configuration(config))
		pool.Status.MachineCount = 2
		in.MachineConfigPools = append(in.MachineConfigPools, pool)
		in.MachineConfigs = append(in.MachineConfigs, &metav1.PartialObjectMetadata{ObjectMeta: builders.MachineConfig(config, "4.20.2").ObjectMeta})
		for at := range 2 {
			in.Nodes = append(in.Nodes, builders.Node(fmt.Sprintf("%s-%d", name, at), builders.Role(name), builders.Configs(config, config)))
		}
	}
	return in
}

// TestMissing checks what files lack.
func TestMissing(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(in *standalone.Input)
		want   []string
		nodes  []string
	}{
		"nothing":            {change: func(*standalone.Input) {}},
		"the ClusterVersion": {change: func(in *standalone.Input) { in.ClusterVersion = nil }, want: []string{"no ClusterVersion found: unable to tell whether the cluster is updating"}},
		"all operators":      {change: func(in *standalone.Input) { in.ClusterOperators = nil }, want: []string{"no ClusterOperators found: the progress of the control plane is unknown"}},
		"an operator": {
			change: func(in *standalone.Input) { in.ClusterOperators = in.ClusterOperators[1:] },
			want:   []string{"ClusterOperator authentication is missing"},
		},
		"many operators": {
			change: func(in *standalone.Input) { in.ClusterOperators = in.ClusterOperators[12:] },
			want: []string{"ClusterOperators authentication, baremetal, cloud-controller-manager, cloud-credential, cluster-autoscaler, " +
				"config-operator, console, control-plane-machine-set, csi-snapshot-controller, dns and 2 more are missing"},
		},
		"an operator of a capability that is not enabled": {
			change: func(in *standalone.Input) {
				in.ClusterOperators = slices.DeleteFunc(in.ClusterOperators, func(o *configv1.ClusterOperator) bool { return o.Name == "console" })
				in.ClusterVersion.Status.Capabilities.KnownCapabilities = []configv1.ClusterVersionCapability{configv1.ClusterVersionCapabilityConsole}
			},
		},
		"an operator of a capability that is enabled": {
			change: func(in *standalone.Input) {
				in.ClusterOperators = slices.DeleteFunc(in.ClusterOperators, func(o *configv1.ClusterOperator) bool { return o.Name == "console" })
				in.ClusterVersion.Status.Capabilities.KnownCapabilities = []configv1.ClusterVersionCapability{configv1.ClusterVersionCapabilityConsole}
				in.ClusterVersion.Status.Capabilities.EnabledCapabilities = in.ClusterVersion.Status.Capabilities.KnownCapabilities
			},
			want: []string{"ClusterOperator console is missing"},
		},
		"all pools": {change: func(in *standalone.Input) { in.MachineConfigPools = nil }, want: []string{"no MachineConfigPools found: the progress of nodes is unknown (that of a hosted cluster is shown in its management cluster, with --hosted-cluster)"}},
		"the worker pool": {
			change: func(in *standalone.Input) { in.MachineConfigPools = in.MachineConfigPools[:1] },
			want:   []string{"MachineConfigPool worker is missing"},
		},
		"a pool that a node is configured for": {
			change: func(in *standalone.Input) {
				builders.Configs("rendered-worker-2", "rendered-infra-a1")(in.Nodes[3])
				in.MachineConfigs = append(in.MachineConfigs, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "rendered-gpu-a1"}})
			},
			want: []string{"MachineConfigPools gpu, infra are missing", "MachineConfig rendered-infra-a1 is missing: the versions of nodes with them are unknown"},
		},
		"nodes": {
			change: func(in *standalone.Input) { in.Nodes = in.Nodes[:3] },
			nodes:  []string{"1 of the 2 Nodes of pool worker are missing"},
		},
		"the status of a pool": {
			change: func(in *standalone.Input) {
				in.MachineConfigPools[1].Status = machineconfigv1.MachineConfigPoolStatus{}
			},
			want: []string{"MachineConfigPool worker has no status, which should count its nodes"},
		},
		"the count and conditions of a pool": {
			change: func(in *standalone.Input) {
				in.MachineConfigPools[1].Status = machineconfigv1.MachineConfigPoolStatus{ObservedGeneration: 1}
			},
		},
		"the generation and conditions of a pool": {
			change: func(in *standalone.Input) {
				in.MachineConfigPools[1].Status = machineconfigv1.MachineConfigPoolStatus{MachineCount: 1}
			},
		},
		"the generation and the count of a pool": {
			change: func(in *standalone.Input) {
				in.MachineConfigPools[1].Status = machineconfigv1.MachineConfigPoolStatus{Conditions: make([]machineconfigv1.MachineConfigPoolCondition, 1)}
			},
		},
		"the status of a pool without nodes": {
			change: func(in *standalone.Input) {
				empty := builders.MachineConfigPool("infra")
				empty.Status = machineconfigv1.MachineConfigPoolStatus{}
				in.MachineConfigPools = append(in.MachineConfigPools, empty)
			},
		},
		"MachineConfigs": {
			change: func(in *standalone.Input) { in.MachineConfigs = nil },
			want:   []string{"MachineConfigs rendered-master-2, rendered-worker-2 are missing: the versions of nodes with them are unknown"},
		},
	} {
		in := wholeCluster()
		tc.change(&in)
		if diff := cmp.Diff(tc.want, standalone.Missing(in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(tc.nodes, standalone.MissingNodes(in)); diff != "" {
			t.Errorf("%s: nodes (-want +got):\n%s", name, diff)
		}
	}
}

// insightsOf returns the insights about the control plane and about a pool.
func insightsOf(in standalone.Input, pool string) (version *updatev1alpha1.ClusterVersionInsight, mcp *updatev1alpha1.MachineConfigPoolInsight) {
	for _, message := range standalone.Assess(in, builders.Noon) {
		for _, report := range message.Reports {
			for _, one := range report.Insights {
				if one.Insight.ClusterVersion != nil {
					version = one.Insight.ClusterVersion
				}
				if one.Insight.MachineConfigPool != nil && one.Insight.MachineConfigPool.Name == pool {
					mcp = one.Insight.MachineConfigPool
				}
			}
		}
	}
	return version, mcp
}

// TestNeverBetterThanTheEvidence: the control plane is complete only if the ClusterVersion says so, whatever its operators say; of a
// cluster in files some of them may be missing.
func TestNeverBetterThanTheEvidence(t *testing.T) {
	complete := func(in *standalone.Input) {
		in.ClusterVersion = builders.ClusterVersion(builders.Completed("4.20.2", builders.Noon.Add(-time.Hour), builders.Noon))
	}
	for name, tc := range map[string]struct {
		change     func(in *standalone.Input)
		assessment updatev1alpha1.Assessment
		completion int32
	}{
		"all operators, in files":        {func(*standalone.Input) {}, updatev1alpha1.AssessmentProgressing, 99},
		"all operators, live":            {func(in *standalone.Input) { in.Partial = false }, updatev1alpha1.AssessmentProgressing, 99},
		"two operators missing":          {func(in *standalone.Input) { in.ClusterOperators = in.ClusterOperators[2:] }, updatev1alpha1.AssessmentProgressing, 94},
		"two operators missing, live":    {func(in *standalone.Input) { in.ClusterOperators, in.Partial = in.ClusterOperators[2:], false }, updatev1alpha1.AssessmentProgressing, 99},
		"the ClusterVersion is complete": {complete, updatev1alpha1.AssessmentCompleted, 100},
		"reconciling": {func(in *standalone.Input) {
			complete(in)
			in.ClusterVersion.Status.Conditions = []configv1.ClusterOperatorStatusCondition{{Type: configv1.OperatorProgressing, Status: configv1.ConditionTrue}}
		}, updatev1alpha1.AssessmentCompleted, 100},
	} {
		in := wholeCluster()
		tc.change(&in)
		version, _ := insightsOf(in, "worker")
		if version.Assessment != tc.assessment || version.Completion != tc.completion {
			t.Errorf("%s: %s, %d %%", name, version.Assessment, version.Completion)
		}
	}
}

// TestMissingNodesOfPools: a pool is not complete while nodes are missing by its own count; with others that are not complete its
// counts are those of what is known.
func TestMissingNodesOfPools(t *testing.T) {
	outdated := func(in *standalone.Input) {
		in.MachineConfigs = append(in.MachineConfigs, &metav1.PartialObjectMetadata{ObjectMeta: builders.MachineConfig("rendered-worker-1", "4.20.1").ObjectMeta})
		builders.Configs("rendered-worker-1", "rendered-worker-1")(in.Nodes[2])
	}
	withoutOne := func(in *standalone.Input) { in.Nodes = in.Nodes[:3] }
	for name, tc := range map[string]struct {
		changes    []func(in *standalone.Input)
		assessment updatev1alpha1.Assessment
		completion int32
		total      int32
	}{
		"all nodes":                             {nil, updatev1alpha1.AssessmentCompleted, 100, 2},
		"one is missing":                        {[]func(in *standalone.Input){withoutOne}, updatev1alpha1.AssessmentUnknown, 50, 2},
		"one is missing, the other is outdated": {[]func(in *standalone.Input){withoutOne, outdated}, updatev1alpha1.AssessmentPending, 0, 1},
		"all are missing":                       {[]func(in *standalone.Input){func(in *standalone.Input) { in.Nodes = in.Nodes[:2] }}, updatev1alpha1.AssessmentUnknown, 0, 2},
		"one is missing, live":                  {[]func(in *standalone.Input){withoutOne, func(in *standalone.Input) { in.Partial = false }}, updatev1alpha1.AssessmentCompleted, 100, 1},
		"more than the pool counts": {[]func(in *standalone.Input){func(in *standalone.Input) {
			in.Nodes = append(in.Nodes, builders.Node("worker-2", builders.Role("worker"), builders.Configs("rendered-worker-2", "rendered-worker-2")))
		}}, updatev1alpha1.AssessmentCompleted, 100, 3},
	} {
		in := wholeCluster()
		for _, change := range tc.changes {
			change(&in)
		}
		_, pool := insightsOf(in, "worker")
		total := pool.Summaries[slices.IndexFunc(pool.Summaries, func(s updatev1alpha1.NodeSummary) bool { return s.Type == updatev1alpha1.NodesTotal })].Count
		if pool.Assessment != tc.assessment || pool.Completion != tc.completion || total != tc.total {
			t.Errorf("%s: %s, %d %%, %d nodes", name, pool.Assessment, pool.Completion, total)
		}
		if isUnknown := pool.Conditions[0].Status == metav1.ConditionUnknown; isUnknown != (tc.assessment == updatev1alpha1.AssessmentUnknown) ||
			isUnknown && !strings.HasSuffix(pool.Conditions[0].Message, "nodes are not in the files") {
			t.Errorf("%s: Updating is %+v", name, pool.Conditions[0])
		}
	}
}
