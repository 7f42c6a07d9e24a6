package hosted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// TestAtATime: of ten nodes, how many are updated at a time.
func TestAtATime(t *testing.T) {
	value := func(text string) *intstr.IntOrString {
		if text == "" {
			return nil
		}
		return ptr(intstr.Parse(text))
	}
	replace := func(surge, unavailable string) hypershiftv1beta1.NodePoolManagement {
		return hypershiftv1beta1.NodePoolManagement{UpgradeType: "Replace", Replace: &hypershiftv1beta1.ReplaceUpgrade{
			RollingUpdate: &hypershiftv1beta1.RollingUpdate{MaxSurge: value(surge), MaxUnavailable: value(unavailable)},
		}}
	}
	inPlace := func(unavailable string) hypershiftv1beta1.NodePoolManagement {
		return hypershiftv1beta1.NodePoolManagement{UpgradeType: "InPlace", InPlace: &hypershiftv1beta1.InPlaceUpgrade{MaxUnavailable: value(unavailable)}}
	}
	for _, tc := range []struct {
		name       string
		management hypershiftv1beta1.NodePoolManagement
		want       int32
	}{
		{"replaced, by default", hypershiftv1beta1.NodePoolManagement{UpgradeType: "Replace"}, 1},
		{"on delete", hypershiftv1beta1.NodePoolManagement{UpgradeType: "Replace", Replace: &hypershiftv1beta1.ReplaceUpgrade{Strategy: "OnDelete"}}, 1},
		{"nothing set", replace("", ""), 1},
		{"both", replace("2", "3"), 5},
		{"added ones are rounded up, unavailable ones down", replace("15%", "15%"), 3},
		{"of the nodes that there should be", replace("20%", "0"), 2},
		{"none are added", replace("0", "1"), 1},
		{"neither, which HyperShift refuses", replace("0", "0"), 1},
		{"not valid", replace("many", "-2"), 1},
		{"in place, by default", hypershiftv1beta1.NodePoolManagement{UpgradeType: "InPlace"}, 1},
		{"in place, two", inPlace("2"), 2},
		{"in place, rounded down", inPlace("29%"), 2},
		{"in place, at least one", inPlace("1%"), 1},
		{"in place, none, of which HyperShift makes one", inPlace("0"), 1},
	} {
		w := newHostedWorld("surge", tc.management.UpgradeType)
		w.np.Spec.Management = tc.management
		w.np.Spec.Replicas = ptr(int32(10))
		states := make([]insight.NodeState, 12) // two of them are replaced
		result := hosted.NodePool(hosted.NodePoolInput{PoolObjects: hosted.PoolObjects{NodePool: w.np}, Nodes: insight.CountNodes(states...)}, start)
		if got := result.Report.Insights[0].Insight.NodePool.MaxUnavailable; got != tc.want {
			t.Errorf("%s: %d at a time, want %d", tc.name, got, tc.want)
		}
	}
}

// TestAtATimeInPlace: the MachineSet says how many nodes are updated at a time. Without it, a percentage is of the replicas of the pool.
func TestAtATimeInPlace(t *testing.T) {
	for _, tc := range []struct {
		name, annotation string
		replicas         *int32
		without          bool
		want             int32
	}{
		{"as the MachineSet says", "7", ptr(int32(10)), false, 7},
		{"the MachineSet says nothing yet", "", ptr(int32(10)), false, 5},
		{"nor what can be read", "some", ptr(int32(10)), false, 5},
		{"no MachineSet", "", ptr(int32(10)), true, 5},
		{"with autoscaling", "", nil, false, 1},
		{"with autoscaling, as the MachineSet says", "2", nil, false, 2},
		{"more than there can be", "99999999999", ptr(int32(10)), false, 2147483647},
	} {
		w := newHostedWorld("metal", "InPlace")
		w.np.Spec.Management.InPlace = &hypershiftv1beta1.InPlaceUpgrade{MaxUnavailable: ptr(intstr.FromString("50%"))}
		w.np.Spec.Replicas, w.MachineSets[0].Spec.Replicas = tc.replicas, ptr(int32(10))
		w.MachineSets[0].Annotations[hosted.MaxUnavailableAnnotation] = tc.annotation
		objects := hosted.PoolObjects{NodePool: w.np, MachineSet: w.MachineSets[0]}
		if tc.without {
			objects.MachineSet = nil
		}
		result := hosted.NodePool(hosted.NodePoolInput{PoolObjects: objects, Nodes: insight.CountNodes(make([]insight.NodeState, 10)...)}, start)
		if got := result.Report.Insights[0].Insight.NodePool.MaxUnavailable; got != tc.want {
			t.Errorf("%s: %d at a time, want %d", tc.name, got, tc.want)
		}
	}
}

// TestNodePoolInsight: what a pool says of itself beside its progress.
func TestNodePoolInsight(t *testing.T) {
	w := newHostedWorld("surge", "Replace")
	w.poolAsks(versionB)
	var in hosted.NodePoolInput
	for name, tc := range map[string]struct {
		change     func()
		versions   updatev1alpha1.SummaryVersions
		unfinished bool
	}{
		"asked for, known by its message": {func() {}, updatev1alpha1.SummaryVersions{Previous: versionA, Target: versionB}, true},
		"asked for, known by its image": {func() {
			in.HostedCluster = w.hc.DeepCopy()
			in.HostedCluster.Status.Version.History = append(in.HostedCluster.Status.Version.History, entry(versionB, 0, 1))
			in.NodePool.Status.Conditions[0].Message = "in progress"
		}, updatev1alpha1.SummaryVersions{Previous: versionA, Target: versionB}, true},
		"with a node that is updated, and an unknown number of others": {func() {
			in.NodePool.Spec.Replicas, in.Nodes = nil, insight.CountNodes(insight.NodeState{Phase: insight.PhaseCompleted, VersionKnown: true})
		}, updatev1alpha1.SummaryVersions{Previous: versionA, Target: versionB}, true},
		"being installed":  {func() { in.NodePool.Status.Version = "" }, updatev1alpha1.SummaryVersions{Target: versionB}, false},
		"without replicas": {func() { in.NodePool.Spec.Replicas = new(int32) }, updatev1alpha1.SummaryVersions{Previous: versionA, Target: versionB}, false},
	} {
		t.Run(name, func(t *testing.T) {
			in = hosted.NodePoolInput{PoolObjects: hosted.PoolObjects{NodePool: w.np.DeepCopy()}}
			tc.change()
			scoped := hosted.NodePool(in, start).Report.Insights[0]
			pool := scoped.Insight.NodePool
			if diff := cmp.Diff(tc.versions, pool.Versions); diff != "" || pool.UpgradeType != updatev1alpha1.UpgradeReplace || scoped.Unfinished != tc.unfinished {
				t.Errorf("%s, %s, unfinished %t", diff, pool.UpgradeType, scoped.Unfinished)
			}
			want := updatev1alpha1.ResourceRef{
				Group: "hypershift.openshift.io", Resource: "nodepools", Namespace: "clusters", Name: "surge", Cluster: updatev1alpha1.ClusterManagement,
			}
			if diff := cmp.Diff(want, pool.Resource); diff != "" || scoped.Part != (insight.Part{WorkerPool: "surge"}) {
				t.Errorf("%s, %v", diff, scoped.Part)
			}
		})
	}
}

// TestTargetInMessage: the texts in which HyperShift names the version that a pool is updated to.
func TestTargetInMessage(t *testing.T) {
	for _, tc := range []struct{ message, want string }{
		{"Updating version in progress. Target version: 4.22.4", "4.22.4"},
		{"Updating version in progress. Target version: 4.22.0-0.nightly-2026-03-01-101010", "4.22.0-0.nightly-2026-03-01-101010"},
		{"Updating version in progress. Target version: 4.22.4. Total Nodes: 3. Upgraded: 1", "4.22.4"},
		{`Updating version in progress. Target version: "4.22.4". Total Nodes: 3. Upgraded: 1`, "4.22.4"},
		{"Nodepool update in progress. Target Config version: ed87300a. Total Nodes: 3. Upgraded: 1", ""},
	} {
		w := newHostedWorld("metal", "InPlace")
		w.condition(&w.np.Status.Conditions, "UpdatingVersion", "True", "AsExpected", tc.message)
		pool := hosted.NodePool(hosted.NodePoolInput{PoolObjects: hosted.PoolObjects{NodePool: w.np}}, start).Report.Insights[0].Insight.NodePool
		if pool.Versions.Target != tc.want {
			t.Errorf("%s: %q, want %q", tc.message, pool.Versions.Target, tc.want)
		}
	}
}

// TestHostedNode: what a node says of itself beside its phase.
func TestHostedNode(t *testing.T) {
	type facts struct {
		Subject, Resource, Version, Available, Message string
		Drain                                          time.Duration
	}
	for name, tc := range map[string]struct {
		upgradeType string
		change      func(*hostedWorld)
		observed    time.Time
		want        facts
	}{
		"complete":          {"Replace", func(*hostedWorld) {}, time.Time{}, facts{"Machine m-a", "nodes Hosted", versionA, "AsExpected", "", 0}},
		"without a Machine": {"Replace", func(w *hostedWorld) { w.Machines = nil }, time.Time{}, facts{"Node a", "nodes Hosted", versionA, "AsExpected", "", 0}},
		"without a node": {
			"Replace", func(w *hostedWorld) { w.Nodes = nil },
			time.Time{},
			facts{"Machine m-a", "nodes Hosted", versionA, "AsExpected", "", 0},
		},
		"without a node, which was not healthy": {
			"Replace", func(w *hostedWorld) {
				w.Nodes = nil
				w.condition(&w.machine("a").Status.Conditions, "NodeHealthy", "False", "NodeConditionsFailed", "")
			}, time.Time{}, facts{"Machine m-a", "nodes Hosted", versionA, "NotReady", "Not ready", 0},
		},
		"its Machine has the release in an annotation": {
			"Replace", func(w *hostedWorld) {
				w.machine("a").Spec.Version, w.machine("a").Annotations[hosted.MachineReleaseAnnotation] = nil, "4.22.2"
			}, time.Time{}, facts{"Machine m-a", "nodes Hosted", "4.22.2", "AsExpected", "", 0},
		},
		"drained before it is replaced": {
			"Replace", func(w *hostedWorld) {
				w.poolAsks(versionB)
				w.now = start.Add(time.Minute)
				w.leaves("a")
			}, time.Time{}, facts{"Machine m-a", "nodes Hosted", versionA, "Unschedulable", "", time.Minute},
		},
		"drained, and its Machine is still deleted": {
			"Replace", func(w *hostedWorld) {
				w.poolAsks(versionB)
				w.now = start.Add(time.Minute)
				w.leaves("a")
				w.condition(&w.machine("a").Status.Conditions, "DrainingSucceeded", "True", "Drained", "")
			}, time.Time{}, facts{"Machine m-a", "nodes Hosted", versionA, "Unschedulable", "", 0},
		},
		"drained, not known whether that is done": {
			"Replace", func(w *hostedWorld) {
				w.poolAsks(versionB)
				w.now = start.Add(time.Minute)
				w.leaves("a")
				w.condition(&w.machine("a").Status.Conditions, "DrainingSucceeded", "Unknown", "", "")
			}, time.Time{}, facts{"Machine m-a", "nodes Hosted", versionA, "Unschedulable", "", time.Minute},
		},
		"drained in place, and cordoned by an administrator before the update": {
			"InPlace", func(w *hostedWorld) {
				w.cordon("a")
				w.now = start.Add(2 * time.Minute)
				drainsInPlace(w)
			}, time.Time{}, facts{"Machine m-a", "nodes Hosted", versionA, "Unschedulable", "", 2 * time.Minute},
		},
		"drained in place, from when is not known": {
			"InPlace", drainsInPlace, time.Time{}, facts{"Machine m-a", "nodes Hosted", versionA, "AsExpected", "", 0},
		},
		"drained in place, as observed": {
			"InPlace", drainsInPlace, start.Add(3 * time.Minute), facts{"Machine m-a", "nodes Hosted", versionA, "AsExpected", "", 3 * time.Minute},
		},
		"drained in place, as cordoned": {
			"InPlace", func(w *hostedWorld) {
				drainsInPlace(w)
				w.now = start.Add(4 * time.Minute)
				w.cordon("a")
			}, start.Add(3 * time.Minute), facts{"Machine m-a", "nodes Hosted", versionA, "Unschedulable", "", 4 * time.Minute},
		},
		"updated in place, by its Machine": {
			"InPlace", func(w *hostedWorld) {
				w.poolAsks(versionB)
				w.machine("a").Annotations[hosted.MachineReleaseAnnotation] = versionB
			}, time.Time{}, facts{"Machine m-a", "nodes Hosted", versionB, "AsExpected", "", 0},
		},
		"not ready": {
			"Replace", func(w *hostedWorld) { w.ready("a", corev1.ConditionFalse) },
			time.Time{},
			facts{"Machine m-a", "nodes Hosted", versionA, "NotReady", "Not ready", 0},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newHostedWorld("surge", tc.upgradeType)
			tc.change(w)
			in := hosted.NodeInput{PoolObjects: hosted.PoolObjects{NodePool: w.np}, DrainObserved: tc.observed}
			if len(w.MachineSets) > 0 {
				in.MachineSet = w.MachineSets[0]
			}
			if len(w.Machines) > 0 {
				in.Machine = w.Machines[0]
			}
			if len(w.Nodes) > 0 {
				in.Node = w.Nodes[0]
			}
			report := hosted.Node(in, start.Add(5*time.Minute)).Report
			one := report.Insights[0].Insight.Node
			got := facts{
				Subject: report.Subject.Kind + " " + report.Subject.Name, Resource: words(one.Resource.Resource, string(one.Resource.Cluster)), Version: one.Version,
				Available: one.Conditions[1].Reason, Message: one.Message,
			}
			if one.DrainStartedAt != nil {
				got.Drain = one.DrainStartedAt.Sub(start)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func drainsInPlace(w *hostedWorld) {
	w.poolAsks(versionB)
	w.group().Template.Spec.Version = ptr(versionB)
	w.MachineSets[0].Annotations[hosted.TargetConfigAnnotation] = configH
	w.annotate("a", "currentConfig", configG, "desiredConfig", configH, "desiredDrain", "drain-"+configH)
}

// TestRebootInPlace: a node that an administrator cordoned and rebooted before the update has not been rebooted for it.
func TestRebootInPlace(t *testing.T) {
	for _, tc := range []struct {
		name string
		// cordoned, asked and ready are minutes.
		cordoned, asked, ready int
		want                   insight.NodePhase
	}{
		{"ready before it was cordoned", 3, 1, 2, insight.PhaseUpdating},
		{"ready after it was cordoned", 3, 1, 4, insight.PhaseRebooting},
		{"cordoned and ready before the update", 1, 3, 2, insight.PhaseUpdating},
		{"cordoned before the update, and ready in it", 1, 3, 4, insight.PhaseRebooting},
	} {
		w := newHostedWorld("metal", "InPlace")
		at := func(minutes int) { w.now = start.Add(time.Duration(minutes) * time.Minute) }
		at(tc.asked)
		drainsInPlace(w)
		at(tc.cordoned)
		w.cordon("a")
		w.annotate("a", "lastAppliedDrain", "drain-"+configH)
		at(tc.ready)
		w.ready("a", corev1.ConditionTrue)
		in := hosted.NodeInput{PoolObjects: hosted.PoolObjects{NodePool: w.np, MachineSet: w.MachineSets[0]}, Node: w.node("a")}
		one := hosted.Node(in, start.Add(time.Hour)).Report.Insights[0].Insight.Node
		if got := insight.StateOf(one).Phase; got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestJoiningNodes: a Machine whose node has not joined its pool has health insights only.
func TestJoiningNodes(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*hostedWorld)
		want   string
	}{
		{"a Machine", func(*hostedWorld) {}, "joining"},
		{"a Machine that failed", func(w *hostedWorld) { w.machine("c").Status.Phase = "Failed" }, "machine-failed joining"},
		{"a Machine that is deleted", func(w *hostedWorld) { w.machine("c").DeletionTimestamp = ptrTime(w.now) }, ""},
		{"a Machine of the version before", func(w *hostedWorld) { w.machine("c").Spec.Version = ptr(versionA) }, ""},
		{"a node that has been not ready", func(w *hostedWorld) { w.joins("c") }, "node-not-ready joining"},
		{"a node that is ready", func(w *hostedWorld) {
			w.joins("c")
			w.labels("c")
		}, "c"},
	} {
		w := newHostedWorld("surge", "Replace")
		w.poolAsks(versionB)
		w.addMachine("c", versionB)
		tc.change(w)
		var got []string
		for _, report := range hosted.Assess(w.Input, start.Add(time.Hour))[1].Reports {
			for _, one := range report.Insights {
				switch updating := one.Insight.NodePool; {
				case report.Subject == (insight.Subject{Kind: "Machine", Name: "m-c"}) && one.Insight.Node != nil:
					got = append(got, one.Insight.Node.Name)
				case report.Subject == (insight.Subject{Kind: "Machine", Name: "m-c"}):
					got = append(got, checks.Of(one.Insight.UID).Name)
				case updating != nil && strings.Contains(updating.Conditions[0].Message, "The nodes of 1 Machine with 4.22.4 have not joined yet"):
					got = append(got, "joining")
				}
			}
		}
		if diff := cmp.Diff(tc.want, words(got...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// TestOddStatesInPlace: states between those that a node should have.
func TestOddStatesInPlace(t *testing.T) {
	for _, tc := range []struct {
		name        string
		annotations []string
		without     bool
		want        string
	}{
		{"has its configuration, and the daemon is at work", []string{
			"currentConfig", configH, "desiredConfig", configH, "state", "Working", "desiredDrain", "drain-" + configH, "lastAppliedDrain", "drain-" + configH,
		}, false, "Rebooting " + versionA},
		{"is done", []string{"currentConfig", configH, "desiredConfig", configH, "state", "Done"}, false, "Completed " + versionB},
		{"was updated before, and the MachineSet is not known", []string{"currentConfig", configG, "desiredConfig", configG, "state", "Done"}, true, "Pending " + versionA},
		{"was never updated, and the MachineSet is not known", nil, true, "Pending 4.22.1"},
	} {
		w := newHostedWorld("metal", "InPlace")
		w.poolAsks(versionB)
		w.group().Template.Spec.Version = ptr(versionB)
		w.MachineSets[0].Annotations[hosted.TargetConfigAnnotation] = configH
		w.machine("a").Spec.Version = ptr("4.22.1")
		w.annotate("a", tc.annotations...)
		in := hosted.NodeInput{PoolObjects: hosted.PoolObjects{NodePool: w.np, MachineSet: w.MachineSets[0]}, Node: w.node("a"), Machine: w.machine("a")}
		if tc.without {
			in.MachineSet = nil
		}
		one := hosted.Node(in, start).Report.Insights[0].Insight.Node
		if got := words(string(insight.StateOf(one).Phase), one.Version); got != tc.want {
			t.Errorf("a node that %s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestMachinesOfOtherPools: a Machine without the annotation of a pool belongs to none.
func TestMachinesOfOtherPools(t *testing.T) {
	w := newHostedWorld("surge", "Replace")
	if got := hosted.PoolOfMachine(w.machine("a")); got != "surge" {
		t.Errorf("the pool is %q", got)
	}
	w.machine("a").Annotations = nil
	if got := hosted.PoolOfMachine(w.machine("a")); got != "" {
		t.Errorf("the pool is %q", got)
	}
}
