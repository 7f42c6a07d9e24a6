package standalone_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

func allPools() []*machineconfigv1.MachineConfigPool {
	var pools []*machineconfigv1.MachineConfigPool
	for _, name := range []string{"worker", "master", "zebra", "arbiter", "infra"} {
		pools = append(pools, builders.MachineConfigPool(name))
	}
	return append(pools,
		builders.MachineConfigPool("nil", builders.Selector(nil)),
		builders.MachineConfigPool("empty", builders.Selector(&metav1.LabelSelector{})),
		builders.MachineConfigPool("broken", builders.Selector(&metav1.LabelSelector{
			MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}},
		})))
}

func TestPoolOfNode(t *testing.T) {
	for _, test := range []struct {
		name   string
		roles  []string
		label  string
		pool   string
		custom []string
	}{
		{name: "worker", roles: []string{"worker"}, pool: "worker"},
		{name: "master", roles: []string{"master"}, pool: "master"},
		{name: "master that runs workloads", roles: []string{"worker", "master"}, pool: "master"},
		{
			name:   "master wins over custom",
			roles:  []string{"infra", "master", "worker"},
			pool:   "master",
			custom: []string{"infra"},
		},
		{name: "arbiter", roles: []string{"arbiter", "worker"}, pool: "arbiter", custom: []string{"arbiter"}},
		{name: "master wins over arbiter", roles: []string{"arbiter", "master"}, pool: "master", custom: []string{"arbiter"}},
		{name: "arbiter and custom", roles: []string{"arbiter", "zebra"}, pool: "arbiter", custom: []string{"arbiter", "zebra"}},
		{name: "custom wins over worker", roles: []string{"worker", "infra"}, pool: "infra", custom: []string{"infra"}},
		{
			name:   "several custom",
			roles:  []string{"zebra", "worker", "infra"},
			pool:   "infra",
			custom: []string{"infra", "zebra"},
		},
		{name: "none", roles: []string{"edge"}},
		{name: "windows", roles: []string{"worker"}, label: "windows"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var options []builders.NodeOption
			for _, role := range test.roles {
				options = append(options, builders.Role(role))
			}
			if test.label != "" {
				options = append(options, builders.NodeLabel(corev1.LabelOSStable, test.label))
			}
			node := builders.Node("node-a", options...)
			rapid.Check(t, func(rt *rapid.T) {
				got := standalone.NewPools(rapid.Permutation(allPools()).Draw(rt, "pools")).Of(node)
				name := ""
				if got.Pool != nil {
					name = got.Pool.Name
				}
				if name != test.pool {
					rt.Errorf("pool %q, want %q", name, test.pool)
				}
				if diff := cmp.Diff(test.custom, got.Custom); diff != "" {
					rt.Errorf("custom pools (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestUnparsableSelector(t *testing.T) {
	pools := standalone.NewPools(allPools())
	if len(pools.Unparsable) != 1 || pools.Unparsable["broken"] == "" {
		t.Errorf("unparsable: %v", pools.Unparsable)
	}
}

func TestPartOf(t *testing.T) {
	for pool, want := range map[string]insight.Part{
		"master": insight.ControlPlane, "arbiter": insight.ControlPlane,
		"worker": {WorkerPool: "worker"}, "infra": {WorkerPool: "infra"},
	} {
		if got := standalone.PartOf(pool); got != want {
			t.Errorf("%s: %v", pool, got)
		}
	}
}
