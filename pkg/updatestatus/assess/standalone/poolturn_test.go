package standalone_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestTurnBeforeRendering: a pool whose configuration is not rendered is stuck since the Machine Config Operator is being updated, if
// that is available.
func TestTurnBeforeRendering(t *testing.T) {
	condition := func(kind configv1.ClusterStatusConditionType, status configv1.ConditionStatus, since time.Time) builders.ClusterOperatorOption {
		return builders.OperatorCondition(builders.Condition(kind, status, since, "", ""))
	}
	progressing := condition(configv1.OperatorProgressing, configv1.ConditionTrue, start)
	for name, test := range map[string]struct {
		operator *configv1.ClusterOperator
		stands   bool
	}{
		"it is being updated":          {operator: builders.ClusterOperator("machine-config", progressing), stands: true},
		"and it is available":          {operator: builders.ClusterOperator("machine-config", progressing, condition(configv1.OperatorAvailable, configv1.ConditionTrue, start)), stands: true},
		"it is down":                   {operator: builders.ClusterOperator("machine-config", progressing, condition(configv1.OperatorAvailable, configv1.ConditionFalse, start))},
		"it is not updated yet":        {operator: builders.ClusterOperator("machine-config", condition(configv1.OperatorProgressing, configv1.ConditionFalse, start))},
		"that was before the update":   {operator: builders.ClusterOperator("machine-config", condition(configv1.OperatorProgressing, configv1.ConditionTrue, start.Add(-time.Hour)))},
		"nothing is known about it":    {},
		"its conditions are not known": {operator: builders.ClusterOperator("machine-config")},
	} {
		in := standalone.NodesInput{
			ClusterVersion: updating(), MachineConfigOperator: test.operator,
			MachineConfigPools: []*machineconfigv1.MachineConfigPool{builders.MachineConfigPool("worker", builders.Configuration("rendered-old"))},
			MachineConfigs:     []*metav1.PartialObjectMetadata{config("rendered-old", before)},
			Nodes:              []*corev1.Node{builders.Node("a", builders.Role("worker"), builders.Configs("rendered-old", "rendered-old"))},
		}
		nodes := standalone.NewNodes(assess.Observed{})
		nodes.Assess(in, start)
		stands := false
		for _, report := range nodes.Assess(in, start.Add(16*time.Minute)).Message.Reports {
			for _, one := range report.Insights {
				stands = stands || one.Insight.Health != nil && one.Insight.Health.Reason == "PoolNotStarting"
			}
		}
		if stands != test.stands {
			t.Errorf("%s: the pool is stuck: %t, want %t", name, stands, test.stands)
		}
	}
}

// TestNotRenderedNextSteps: a KubeletConfig that is not accepted is among what is looked at, since the pool does not tell it.
func TestNotRenderedNextSteps(t *testing.T) {
	in := stalledPool(pool(), member("a"))
	in.IsRendered = false
	for _, one := range standalone.MachineConfigPool(in, start.Add(time.Hour)).Report.Insights {
		if one.Insight.Health == nil {
			continue
		}
		if !slices.ContainsFunc(one.Insight.Health.Remediation.Commands, func(step updatev1alpha1.Command) bool {
			return slices.Contains(step.Argv, "kubeletconfig,containerruntimeconfig")
		}) {
			t.Errorf("no KubeletConfig is looked at: %v", one.Insight.Health.Remediation.Commands)
		}
		return
	}
	t.Error("it is not told")
}
