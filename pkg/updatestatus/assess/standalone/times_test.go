package standalone_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestNextCheckOfHostileTimes: the next check of an object is due within a day whatever its times, and not in the past.
func TestNextCheckOfHostileTimes(t *testing.T) {
	now := start.Add(time.Hour)
	for _, test := range []struct {
		name   string
		object func() any
		result func(any) assess.Result
	}{
		{
			name:   "ClusterVersion",
			object: func() any { return updating() },
			result: func(version any) assess.Result {
				return standalone.ClusterVersion(standalone.ClusterVersionInput{
					ClusterVersion: version.(*configv1.ClusterVersion), ClusterOperators: fleet(33, 4),
				}, now)
			},
		},
		{
			name: "ClusterOperators",
			object: func() any {
				operators := fleet(33, 4)
				return &operators
			},
			result: func(operators any) assess.Result {
				return standalone.ClusterVersion(standalone.ClusterVersionInput{
					ClusterVersion: updating(), ClusterOperators: *operators.(*[]*configv1.ClusterOperator),
				}, now)
			},
		},
		{
			name: "ClusterOperator",
			object: func() any {
				return builders.ClusterOperator("etcd", builders.Healthy(installed), is(configv1.OperatorDegraded, configv1.ConditionTrue, "", ""))
			},
			result: func(operator any) assess.Result {
				return controlplane.Operator(controlplane.OperatorInput{Operator: operator.(*configv1.ClusterOperator), Target: target}, now)
			},
		},
		{
			name: "drain",
			object: func() any {
				return &drain.Blockers{Pods: []*corev1.Pod{builders.Pod("shop", "db-0", builders.Deleted(now, time.Minute))}}
			},
			result: func(blockers any) assess.Result {
				return drainResult(drainingNode(), standalone.DrainInput{Observed: start, Blockers: blockers.(*drain.Blockers)})(now)
			},
		},
		{
			name: "MachineConfigNode",
			object: func() any {
				return builders.MachineConfigNode("node-a", "rendered-worker-new",
					builders.Step(machineconfigv1.MachineConfigNodeUpdateCordoned, metav1.ConditionTrue, now, ""),
					builders.Step(machineconfigv1.MachineConfigNodeUpdateRebooted, metav1.ConditionUnknown, now, ""))
			},
			result: func(machineConfigNode any) assess.Result {
				return drainResult(drainingNode(), standalone.DrainInput{}, machineConfigNode.(*machineconfigv1.MachineConfigNode))(now)
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for path := range builders.Times(test.object()) {
				for _, hostile := range builders.HostileTimes(now) {
					object := test.object()
					*builders.Times(object)[path] = hostile
					next := test.result(object).NextCheck
					if !next.IsZero() && (next.Before(now) || next.After(now.Add(24*time.Hour))) {
						t.Errorf("%s is %s: the next check is at %s", path, hostile, next)
					}
					if at := builders.Times(object)[path]; !at.Equal(hostile) {
						t.Errorf("%s of an object in a cache was changed to %s", path, at)
					}
				}
			}
		})
	}
}
