package rehearsal_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/rehearsal"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

var now = time.Date(2026, 3, 2, 22, 0, 0, 0, time.UTC)

// cluster returns one with three master, four worker and two infra nodes, before the update of a script, to which two versions are offered.
func cluster(script simulator.Update) standalone.Input {
	script.Start = now
	in := played.New(script).Input()
	in.ClusterVersion = in.ClusterVersion.DeepCopy()
	in.ClusterVersion.Status.AvailableUpdates = []configv1.Release{{Version: "4.20.2"}, {Version: "4.21.0"}, {Version: "4.20.10"}}
	return in
}

func rehearse(in standalone.Input, to string) *rehearsal.Rehearsal {
	return rehearsal.Of(rehearsal.Input{Cluster: in, To: to, Now: now})
}

// upgradeable adds the condition Upgradeable=False.
func upgradeable(in *standalone.Input) {
	in.ClusterVersion.Status.Conditions = append(in.ClusterVersion.Status.Conditions, configv1.ClusterOperatorStatusCondition{
		Type: configv1.OperatorUpgradeable, Status: configv1.ConditionFalse, Reason: "AdminAckRequired", Message: "APIs are removed in 4.21.",
	})
}

// changePool changes the pool worker.
func changePool(in *standalone.Input, change func(*machineconfigv1.MachineConfigPool)) {
	in.MachineConfigPools = slices.Clone(in.MachineConfigPools)
	for at, pool := range in.MachineConfigPools {
		if pool.Name == "worker" {
			in.MachineConfigPools[at] = pool.DeepCopy()
			change(in.MachineConfigPools[at])
		}
	}
}

// disrupted adds a pod with a budget of which one pod is missing: it allows none now, and one later.
func disrupted(in *standalone.Input) {
	in.Pods = []*corev1.Pod{builders.Pod("shop", "web-1", builders.OnNode("worker-1"), builders.PodLabel("app", "web"), builders.PodReady(corev1.ConditionTrue))}
	in.PodDisruptionBudgets = []*policyv1.PodDisruptionBudget{
		builders.Budget("shop", "web", map[string]string{"app": "web"}, builders.MinAvailablePods(intstr.FromInt32(2)), builders.Disruptions(0, 2, 2, 3)),
	}
}

// TestFaults rehearses clusters with a fault each, and its harmless twin.
func TestFaults(t *testing.T) {
	worker := simulator.NodeName("worker", 1)
	for name, test := range map[string]struct {
		script simulator.Update
		change func(*standalone.Input)
		to     string
		// want are the starts of what is told, with the level.
		want []string
	}{
		"healthy": {},
		"paused": {
			change: func(in *standalone.Input) {
				changePool(in, func(pool *machineconfigv1.MachineConfigPool) { pool.Spec.Paused = true })
			},
			want: []string{"Warning: Outdated nodes in a paused pool 'worker' will not be updated"},
		},
		"a cordoned node takes the only place": {
			script: simulator.Update{Cordoned: map[string]bool{worker: true}},
			want:   []string{"Warning: Pool worker has not started to update: node " + worker + " is cordoned"},
		},
		"a cordoned node takes one of two places": {
			script: simulator.Update{Cordoned: map[string]bool{worker: true}, Pools: twoAtATime()},
			want:   []string{"Info: Pool worker is updated more slowly: node " + worker + " is cordoned"},
		},
		"a node is not ready": {
			script: simulator.Update{Unready: map[string]bool{worker: true}},
			want:   []string{"Error: Node " + worker + " is not ready"},
		},
		"a drain that is never allowed": {
			change: func(in *standalone.Input) { played.BlockDrain(in, worker); never(in) },
			want:   []string{"Warning: 1 of 4 nodes in pool 'worker' that wait will not drain: PodDisruptionBudget shop/cart never allows a disruption"},
		},
		"a drain that is not allowed now": {
			change: func(in *standalone.Input) { disrupted(in); in.Pods[0].Spec.NodeName = worker },
			want:   []string{"Warning: 1 of 4 nodes in pool 'worker' would not drain now: PodDisruptionBudget shop/web allows 0 disruptions"},
		},
		"a drain that is allowed": {
			change: func(in *standalone.Input) {
				disrupted(in)
				in.Pods[0].Spec.NodeName, in.PodDisruptionBudgets[0].Status.DisruptionsAllowed = worker, 1
			},
		},
		"a single replica": {
			change: func(in *standalone.Input) {
				in.Replicas = map[drain.Workload]int32{{Namespace: "shop", Kind: "Deployment", Name: "db"}: 1, {Namespace: "shop", Kind: "Deployment", Name: "web"}: 2, {Namespace: "openshift-dns", Kind: "Deployment", Name: "dns"}: 1}
			},
			want: []string{"Info: 1 workload with a single replica would be interrupted while a node drains: Deployment shop/db"},
		},
		"a degraded operator": {
			change: func(in *standalone.Input) { played.FailOperator(in, now.Add(-2*time.Hour), now) },
			want:   []string{"Error: Cluster Operator image-registry is degraded"},
		},
		"not upgradeable":            {change: upgradeable, to: "4.21.0", want: []string{"Error: The update from 4.20.1 to 4.21.0 would be refused (AdminAckRequired): APIs are removed in 4.21"}},
		"not upgradeable, a patch":   {change: upgradeable},
		"overrides":                  {change: override, want: []string{"Info: The Cluster Version Operator does not update Deployment openshift-dns-operator/dns-operator"}},
		"none of those offered":      {to: "4.20.5", want: []string{"Info: The update to 4.20.5 is not among the updates that are offered"}},
		"with a risk":                {change: conditional(metav1.ConditionFalse), to: "4.20.7", want: []string{"Warning: The update to 4.20.7 is not recommended: SlowDisks"}},
		"with a risk of others only": {change: conditional(metav1.ConditionTrue), to: "4.20.7"},
	} {
		t.Run(name, func(t *testing.T) {
			in := cluster(test.script)
			if test.change != nil {
				test.change(&in)
			}
			to := test.to
			if to == "" {
				to = "4.20.2"
			}
			r := rehearse(in, to)
			var got []string
			for _, group := range r.Problems {
				got = append(got, fmt.Sprintf("%s: %s", group.Level(), group.Summary()))
			}
			if len(got) != len(test.want) {
				t.Fatalf("got %d problems, want %d: %s", len(got), len(test.want), strings.Join(got, "\n"))
			}
			for at := range got {
				if !strings.HasPrefix(got[at], test.want[at]) {
					t.Errorf("got %q, want %q", got[at], test.want[at])
				}
			}
		})
	}
}

func never(in *standalone.Input) {
	zero := intstr.FromInt32(0)
	in.PodDisruptionBudgets[0].Spec.MinAvailable, in.PodDisruptionBudgets[0].Spec.MaxUnavailable = nil, &zero
}

func override(in *standalone.Input) {
	in.ClusterVersion.Spec.Overrides = []configv1.ComponentOverride{{Kind: "Deployment", Group: "apps", Namespace: "openshift-dns-operator", Name: "dns-operator", Unmanaged: true}}
}

func conditional(status metav1.ConditionStatus) func(*standalone.Input) {
	return func(in *standalone.Input) {
		in.ClusterVersion.Status.ConditionalUpdates = []configv1.ConditionalUpdate{{
			Release: configv1.Release{Version: "4.20.7"}, Risks: []configv1.ConditionalUpdateRisk{{Name: "SlowDisks"}},
			Conditions: []metav1.Condition{{Type: "Recommended", Status: status, Reason: "SlowDisks", Message: "Slow disks are slower."}},
		}}
	}
}

func twoAtATime() []simulator.Pool {
	return []simulator.Pool{{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 4, MaxUnavailable: 2}}
}

// TestPools rehearses what becomes of pools.
func TestPools(t *testing.T) {
	worker := simulator.NodeName("worker", 1)
	in := cluster(simulator.Update{Cordoned: map[string]bool{worker: true}, Pools: append(twoAtATime(), simulator.Pool{Name: "infra", Nodes: 2, Paused: true})})
	r := rehearse(in, "4.20.2")
	if len(r.Pools) != 2 || !slices.Equal(r.NotUpdated, []string{"infra"}) {
		t.Fatalf("got %d pools, not updated %v", len(r.Pools), r.NotUpdated)
	}
	pool := r.Pools[0]
	if pool.Name != "worker" || pool.AtATime != 2 || pool.Places != 1 || len(pool.Order) != 3 || !slices.Equal(pool.Skipped, []string{worker}) || pool.Takes == nil {
		t.Errorf("got %+v", pool)
	}
	if quicker := rehearse(cluster(simulator.Update{Pools: twoAtATime()}), "4.20.2").Pools[0]; quicker.Takes.MostSeconds >= pool.Takes.MostSeconds {
		t.Errorf("with two places it takes %+v, with one %+v", quicker.Takes, pool.Takes)
	}
	if infra := r.Pools[1]; !infra.IsPaused || infra.Takes != nil {
		t.Errorf("got %+v", infra)
	}
	if r.ControlPlane.Basis != updatev1alpha1.BasisDefault || r.Records != 0 || r.Takes.Least() < r.ControlPlane.Least() || r.Takes.Most() <= r.ControlPlane.Least() {
		t.Errorf("got %+v of %+v", r.Takes, r.ControlPlane)
	}
}

// TestOrder compares the order of nodes with that in which the simulated host takes them.
func TestOrder(t *testing.T) {
	script := simulator.Update{Start: now, Seed: 3, Pools: []simulator.Pool{{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 6}}}
	want := rehearse(cluster(script), "4.20.2").Pools[0].Order
	playing := played.New(script)
	var got []string
	for _, more := playing.Next(); more; _, more = playing.Next() {
		for _, node := range playing.Input().Nodes {
			annotations := node.Annotations
			isTaken := annotations[builders.AnnotationDesiredConfig] != annotations[builders.AnnotationCurrentConfig]
			if isTaken && slices.Contains(want, node.Name) && !slices.Contains(got, node.Name) {
				got = append(got, node.Name)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestVersion checks which version is rehearsed, and what can't be.
func TestVersion(t *testing.T) {
	updating := played.New(simulator.Update{Start: now})
	updating.To(now.Add(10 * time.Minute))
	none := cluster(simulator.Update{})
	none.ClusterVersion.Status.AvailableUpdates = nil
	noNodes := cluster(simulator.Update{})
	noNodes.Nodes = nil
	for name, test := range map[string]struct {
		in        standalone.Input
		to        string
		want, err string
	}{
		"the newest":  {in: cluster(simulator.Update{}), want: "4.21.0"},
		"any":         {in: cluster(simulator.Update{}), to: "4.20.9", want: "4.20.9"},
		"earlier":     {in: cluster(simulator.Update{}), to: "4.20.0", err: "the cluster runs 4.20.1: an update to 4.20.0 would be one to an earlier version, which is not supported"},
		"the same":    {in: cluster(simulator.Update{}), to: "4.20.1", err: "the cluster runs 4.20.1 already"},
		"no version":  {in: cluster(simulator.Update{}), to: "next", err: `invalid --to "next": must be a version such as 4.20.3`},
		"none":        {in: none, err: "no update is recommended for the cluster: name a version with --to"},
		"no nodes":    {in: noNodes, err: "there are no Nodes: how long they would take is not known"},
		"in progress": {in: updating.Input(), err: "an update is in progress or requested, to 4.20.2: it can't be rehearsed"},
	} {
		got, err := rehearsal.Version(test.in, test.to)
		if got != test.want || fmt.Sprint(err) != test.err && (err != nil || test.err != "") {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
		if name == "in progress" && !errors.Is(err, rehearsal.ErrInProgress) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
