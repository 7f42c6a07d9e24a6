package causes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// healthy is an update in which nothing is wrong, though it may be slow.
type healthy struct {
	script simulator.Update
	// change changes what is read of the cluster, nil if it does not.
	change func(in *standalone.Input, now time.Time)
	// steps are what an administrator does meanwhile, one after the other.
	steps []step
	// tells are health insights that say what an administrator has done, and that it stops something. Each is told, and is no Error.
	tells []about
	// took is what its operators took in earlier updates, nil if there are no records.
	took operatorsTook
	// large is whether one seed is enough, and that in the long test.
	large bool
}

// takes returns the times of nodes, give or take a tenth.
func takes(drain, pull, reboot time.Duration) func(*rand.Rand) (time.Duration, time.Duration, time.Duration) {
	return func(random *rand.Rand) (time.Duration, time.Duration, time.Duration) {
		about := func(d time.Duration) time.Duration { return time.Duration((0.9 + 0.2*random.Float64()) * float64(d)) }
		return about(drain), about(pull), about(reboot)
	}
}

// operatorsTook is how long the updates of operators took.
type operatorsTook map[string]time.Duration

// records are those of two updates.
func (o operatorsTook) records() estimate.History {
	if o == nil {
		return nil
	}
	var one updatev1alpha1.UpdateRecordStatus
	for name, took := range o {
		began, ended := metav1.NewTime(start), metav1.NewTime(start.Add(took))
		one.Operators = append(one.Operators, updatev1alpha1.OperatorRecord{Name: name, RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &began, CompletedAt: &ended}})
	}
	return estimate.History{one, one}
}

func poolsOf(masters, workers, maxConcurrent int) []simulator.Pool {
	return []simulator.Pool{{Name: "master", Nodes: masters}, {Name: "worker", Nodes: workers, MaxUnavailable: maxConcurrent}}
}

// cordonedFor is what an administrator does with a node for a while, in a pool that may spare one.
func cordonedFor(from, to time.Duration) func(*standalone.Input, time.Time) {
	return func(in *standalone.Input, now time.Time) {
		if now.Before(start.Add(from)) || now.After(start.Add(to)) {
			return
		}
		for _, node := range in.Nodes {
			if node.Name == simulator.NodeName("worker", 2) && node.Annotations[builders.AnnotationState] == builders.StateDone {
				builders.CordonedSince(start.Add(from))(node)
			}
		}
	}
}

// degradedByReboots is what operators with a pod on each master say of one that is not ready: openshift/cluster-etcd-operator,
// pkg/operator/etcdmemberscontroller/etcdmemberscontroller.go, at once; openshift/library-go, pkg/operator/staticpod/controller/node/node_controller.go, by
// the inertia of openshift/cluster-kube-apiserver-operator, pkg/operator/starter.go, after ten minutes.
func degradedByReboots(in *standalone.Input, now time.Time) {
	c := &cluster{Input: in, now: now}
	for _, node := range in.Nodes {
		ready := slices.IndexFunc(node.Status.Conditions, func(one corev1.NodeCondition) bool { return one.Type == corev1.NodeReady })
		since := node.Status.Conditions[ready].LastTransitionTime.Time
		if _, isMaster := node.Labels["node-role.kubernetes.io/master"]; !isMaster || node.Status.Conditions[ready].Status == corev1.ConditionTrue {
			continue
		}
		c.degrade("etcd", since, "EtcdMembers_UnhealthyMembers", unhealthyMember(node.Name))
		c.degrade("kube-apiserver", since.Add(minutes(10)), "NodeController_MasterNodesReady", builders.StaticPodNodes.Says(
			"NodeControllerDegraded: The master nodes not ready: node %q not ready since %s because NodeStatusUnknown (Kubelet stopped posting node status.)", node.Name, since))
	}
}

// autoscaled adds a node every twenty minutes that needs some to be ready, and goes after an hour.
func autoscaled(in *standalone.Input, now time.Time) {
	for at := range 20 {
		joined := start.Add(time.Duration(at) * 20 * time.Minute)
		age := now.Sub(joined)
		if age < 0 || age > time.Hour {
			continue
		}
		config := in.MachineConfigPools[1].Spec.Configuration.Name
		node := builders.Node(fmt.Sprintf("autoscaled-%d", at), builders.Role("worker"), builders.Configs(config, config))
		node.CreationTimestamp = metav1.NewTime(joined)
		switch {
		case age < 4*time.Minute:
			node.Annotations = nil
			builders.NotReady(joined)(node)
		case age > 55*time.Minute:
			node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: "ToBeDeletedByClusterAutoscaler"})
			builders.CordonedSince(joined.Add(55 * time.Minute))(node)
		}
		in.Nodes = append(in.Nodes, node)
	}
}

var healthyKinds = map[string]healthy{
	"an update":                {},
	"virtual machines":         {script: simulator.Update{NodeTimes: takes(time.Minute, 2*time.Minute, 2*time.Minute)}},
	"bare metal":               {script: simulator.Update{NodeTimes: takes(4*time.Minute, 5*time.Minute, 25*time.Minute)}},
	"a slow registry":          {script: simulator.Update{NodeTimes: takes(2*time.Minute, 40*time.Minute, 5*time.Minute)}},
	"one node":                 {script: simulator.Update{Pools: []simulator.Pool{{Name: "master", Nodes: 1}}}},
	"three nodes":              {script: simulator.Update{Pools: []simulator.Pool{{Name: "master", Nodes: 3}}}},
	"two nodes and an arbiter": {script: simulator.Update{From: "4.23.1", To: "4.23.2", Pools: []simulator.Pool{{Name: "master", Nodes: 2}, {Name: "arbiter", Nodes: 1}}}},
	"an arbiter of before":     {script: simulator.Update{From: "4.21.1", To: "4.21.2", Pools: []simulator.Pool{{Name: "master", Nodes: 2}, {Name: "arbiter", Nodes: 1}}}},
	"a release accepted late":  {script: simulator.Update{Acceptance: 10 * time.Minute}},
	"images that are built":    {script: simulator.Update{Pools: []simulator.Pool{{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 3, ImageBuild: 30 * time.Minute}}}},
	"images that nodes wait for": {
		script: simulator.Update{From: "4.23.1", To: "4.23.2", Pools: []simulator.Pool{{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 4, ImageBuild: 10 * time.Minute}}, NodeTimes: takes(4*time.Minute, 5*time.Minute, 25*time.Minute)},
	},
	"no reboots":                 {script: simulator.Update{Pools: []simulator.Pool{{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 3, Disruption: simulator.NoDisruption}}}},
	"without MachineConfigNodes": {script: simulator.Update{From: "4.16.1", To: "4.16.2", NoMachineConfigNodes: true}},
	"a cordon for a while":       {script: simulator.Update{Pools: poolsOf(3, 6, 3)}, change: cordonedFor(40*time.Minute, 60*time.Minute)},
	"autoscaled nodes":           {script: simulator.Update{Pools: poolsOf(3, 4, 2)}, change: autoscaled},
	"a minor update":             {script: simulator.Update{From: "4.19.9", To: "4.20.2", OperatorScale: 1.5}},
	"masters that reboot": {
		script: simulator.Update{NodeTimes: takes(3*time.Minute, 4*time.Minute, 22*time.Minute)}, change: degradedByReboots,
	},
	"bare metal of 22 minutes": {script: simulator.Update{NodeTimes: takes(3*time.Minute, 4*time.Minute, 22*time.Minute)}},
	"an operator slow as ever": {
		script: simulator.Update{SlowOperators: map[string]time.Duration{"monitoring": 70 * time.Minute}}, took: operatorsTook{"monitoring": 65 * time.Minute},
	},
	"40 workers of 25 minutes": {script: simulator.Update{Pools: poolsOf(3, 40, 3), NodeTimes: takes(3*time.Minute, 4*time.Minute, 18*time.Minute)}, large: true},
	"a cordoned node until it is left": {
		script: simulator.Update{Pools: poolsOf(3, 12, 2), Cordoned: map[string]bool{simulator.NodeName("worker", 2): true}},
		steps:  []step{{at: 5 * time.Hour, do: func(s *simulator.Simulation) { s.Uncordon(simulator.NodeName("worker", 2)) }}},
		tells:  []about{{"pool-slowed", "worker"}, {"pool-not-starting", "worker"}},
	},
	"nodes of Windows": {script: simulator.Update{Pools: poolsOf(3, 4, 1)}, change: windowsNodes},
	"an EUS pair": {
		script: simulator.Update{From: "4.18.9", To: "4.19.5", Pools: []simulator.Pool{{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 4, Paused: true}}},
		steps: []step{
			{reached: "4.19.5", do: asks("4.20.2")},
			{reached: "4.20.2", do: func(s *simulator.Simulation) { s.Resume("worker") }},
		},
		tells: []about{{"pool-paused", "worker"}},
	},
	"a forced update":            {script: simulator.Update{Forced: true}},
	"another target on the way":  {steps: []step{{at: 40 * time.Minute, do: asks("4.20.3")}}, tells: abandoned},
	"another target among nodes": {script: simulator.Update{Pools: poolsOf(3, 8, 1)}, steps: []step{{reached: "4.20.2", do: asks("4.20.3")}}},
	"a rollback":                 {script: simulator.Update{From: "4.20.2", To: "4.20.1"}},
	"a rollback on the way":      {steps: []step{{at: 20 * time.Minute, do: asks("4.20.1")}}, tells: abandoned},
	"a rollback among nodes":     {script: simulator.Update{Pools: poolsOf(3, 8, 1)}, steps: []step{{reached: "4.20.2", do: asks("4.20.1")}}},
	"several architectures":      {script: simulator.Update{From: "4.20.1", To: "4.20.1", MultiArch: true}},
	"an enabled capability":      {change: capabilityEnabled},
	"degraded in each revision":  {script: simulator.Update{Revisions: map[string]int{"kube-apiserver": 2, "etcd": 2}}},
	"500 nodes":                  {script: simulator.Update{Pools: poolsOf(3, 497, 50)}, large: true},
}

// abandoned are the insights on an update that another one replaces before it is complete. They require no action.
var abandoned = []about{{"previous-update-incomplete", "version"}}

// TestHealthyUpdates: of an update in which nothing is wrong there is no health insight, at whichever moment, until it is complete.
func TestHealthyUpdates(t *testing.T) {
	for name, of := range healthyKinds {
		if of.large {
			continue
		}
		if problem := unhealthy(of, 0, 5*time.Minute); problem != "" {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

// TestLongHealthyUpdates is TestHealthyUpdates for each minute of one update of each kind, for many others, and for large ones.
func TestLongHealthyUpdates(t *testing.T) {
	t.Parallel()
	for name, of := range healthyKinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if problem := unhealthy(of, 0, time.Minute); problem != "" {
				t.Fatal(problem)
			}
			for seed := uint64(1); seed < *seeds && !of.large; seed++ {
				if problem := unhealthy(of, seed, 5*time.Minute); problem != "" {
					t.Fatalf("seed %d: %s", seed, problem)
				}
			}
		})
	}
}

// passes returns whether an insight is about an operator that is degraded for as long as nodes reboot, or about the Cluster Version Operator that waits
// for that one: Info, which nobody needs to act on. machine-config says that it is degraded when its required pools take longer than ten minutes a
// machine, and network when a node takes longer than ten.
func passes(one *updatev1alpha1.Insight) bool {
	return slices.Contains([]string{"ClusterOperatorDegraded", "ClusterVersionFailing"}, one.Health.Reason) && one.Health.Impact.Level == updatev1alpha1.LevelInfo
}

// unhealthy returns what is wrong in a healthy update by its statuses, empty if nothing is.
func unhealthy(of healthy, seed uint64, every time.Duration) string {
	script := of.script
	script.Seed = seed
	if script.Acceptance == 0 {
		script.Acceptance = acceptance
	}
	script.Start = start.Add(-script.Acceptance)
	playing := played.New(script)
	playing.SetHistory(of.took.records())
	playing.Change = func(in *standalone.Input, now time.Time) {
		in.Lease = leaseRenewed(now.Add(-30 * time.Second))
		if of.change != nil {
			*in = copyOf(*in)
			of.change(in, now)
		}
	}
	told := map[about]bool{}
	for after := -script.Acceptance; after < 24*time.Hour; after += every {
		now := start.Add(after)
		playing.To(now)
		read := update.Read(playing.Status(now))
		for _, one := range read.Health {
			is := about{checks.Of(one.UID).Name, one.Health.Scope.Resources[0].Name}
			told[is] = true
			if passes(one.Insight) || slices.Contains(of.tells, is) && one.Health.Impact.Level != updatev1alpha1.LevelError {
				continue
			}
			return fmt.Sprintf("%s: %s: %s", after, one.UID, one.Health.Impact.Summary)
		}
		switch {
		case len(of.steps) > 0 && of.steps[0].isDue(playing.Input(), after):
			of.steps[0].do(playing.Simulation)
			of.steps = of.steps[1:]
		case after > 0 && len(of.steps) == 0 && read.State == update.Completed:
			return untold(of.tells, told)
		}
	}
	return "it is not complete after a day"
}

// untold returns what should have been told, empty if it was.
func untold(tells []about, told map[about]bool) string {
	for _, one := range tells {
		if !told[one] {
			return fmt.Sprintf("%v is not told", one)
		}
	}
	return ""
}
