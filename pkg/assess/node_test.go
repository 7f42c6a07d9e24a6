package assess_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// The MachineConfigs of the tests. rendered-worker-tuned is of the old release.
var versions = map[string]string{
	"rendered-worker-old": before, "rendered-worker-tuned": before, "rendered-worker-new": target,
	"rendered-worker-newer": target, "00-worker": "",
}

func node(options ...builders.NodeOption) *corev1.Node {
	return builders.Node("node-a", options...)
}

func pool(options ...builders.MachineConfigPoolOption) *machineconfigv1.MachineConfigPool {
	return builders.MachineConfigPool("worker", append([]builders.MachineConfigPoolOption{builders.Configuration("rendered-worker-new")}, options...)...)
}

func nodeInsight(t *testing.T, node *corev1.Node, pool *machineconfigv1.MachineConfigPool, release assess.Target) *updatev1alpha1.NodeInsight {
	t.Helper()
	report := assess.Node(assess.NodeInput{Node: node, Pool: pool, Target: release, VersionOf: func(name string) string {
		if name == "" {
			t.Error("asked for the version of the MachineConfig \"\"")
		}
		return versions[name]
	}}, changed).Report
	if report.Subject != assess.NodeSubject(node.Name) || len(report.Insights) == 0 {
		t.Fatalf("report %v", report)
	}
	return report.Insights[0].Insight.Node
}

// line writes what the client shows of a node: assessment, phase, version, estimate, message.
func line(node *updatev1alpha1.NodeInsight) string {
	state := insight.StateOf(node)
	version, estimate := node.Version, "?"
	if version == "" {
		version = "?"
	}
	if node.EstToComplete != nil {
		estimate = node.EstToComplete.Duration.String()
	}
	return strings.TrimSpace(strings.Join([]string{string(state.Assessment()), string(state.Phase), version, estimate, node.Message}, " "))
}

func TestNode(t *testing.T) {
	toTarget := assess.Target{Known: true, Version: target}
	old := builders.Configs("rendered-worker-old", "rendered-worker-old")
	begun := builders.Configs("rendered-worker-old", "rendered-worker-new")
	done := builders.Configs("rendered-worker-new", "rendered-worker-new")
	working := builders.State("Working")
	drained := builders.Drain("drain-new", "drain-new")
	for _, test := range []struct {
		name string
		node *corev1.Node
		pool *machineconfigv1.MachineConfigPool
		want string
	}{
		{"pending", node(old), pool(), "Outdated Pending 4.20.1 ?"},
		{"paused", node(old), pool(builders.Paused()), "Excluded Paused 4.20.1 0s"},
		{"daemon not begun yet", node(begun, builders.Drain("uncordon-old", "uncordon-old")), pool(), "Progressing Draining 4.20.1 10m0s"},
		{"draining", node(begun, working, builders.Drain("drain-new", "uncordon-old"), builders.Unschedulable()), pool(), "Progressing Draining 4.20.1 10m0s"},
		{"drained", node(begun, working, drained, builders.Unschedulable()), pool(), "Progressing Updating 4.20.1 5m0s"},
		{"no drain annotations", node(begun, working), pool(), "Progressing Updating 4.20.1 5m0s"},
		{"uncordon asked for", node(begun, working, builders.Drain("uncordon-new", "drain-new")), pool(), "Progressing Updating 4.20.1 5m0s"},
		{"rebooting", node(begun, builders.State("Rebooting"), drained, builders.NotReady(changed)), pool(), "Progressing Rebooting 4.20.1 5m0s"},
		{"updating in a paused pool", node(begun, working, drained), pool(builders.Paused()), "Progressing Updating 4.20.1 5m0s"},
		{"completed", node(done), pool(), "Completed Completed 4.20.2 0s"},
		{"completed in a paused pool", node(done), pool(builders.Paused()), "Completed Completed 4.20.2 0s"},
		{
			"rollout without a release", node(builders.Configs("rendered-worker-new", "rendered-worker-newer"), working),
			pool(builders.Configuration("rendered-worker-newer")), "Unavailable Completed 4.20.2 0s Machine Config Daemon is processing the node",
		},
		{
			"rollout of the old release", node(builders.Configs("rendered-worker-old", "rendered-worker-tuned"), working),
			pool(builders.Configuration("rendered-worker-tuned")), "Unavailable Pending 4.20.1 ? Machine Config Daemon is processing the node",
		},
		{
			"to what the pool does not want any more", node(begun, working), pool(builders.Configuration("rendered-worker-newer")),
			"Unavailable Pending 4.20.1 ? Machine Config Daemon is processing the node",
		},
		{
			"current config empty", node(builders.Configs("", "rendered-worker-new"), working), pool(),
			"Unavailable Pending ? ? Machine Config Daemon is processing the node",
		},
		{"no annotations", node(), pool(), "Unavailable Pending ? ? Machine Config Daemon is processing the node"},
		{"MachineConfig of no release", node(builders.Configs("00-worker", "00-worker")), pool(), "Outdated Pending ? ?"},
		{"not ready", node(old, builders.NotReady(changed)), pool(), "Unavailable Pending 4.20.1 ? Not ready"},
		{"not ready, done", node(done, builders.NotReady(changed)), pool(), "Unavailable Completed 4.20.2 0s Not ready"},
		{
			"several reasons", node(done, builders.NotReady(changed),
				builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionTrue, changed, "", ""),
				builders.NodeCondition(corev1.NodeNetworkUnavailable, corev1.ConditionUnknown, changed, "", ""),
				builders.NodeCondition(corev1.NodeMemoryPressure, corev1.ConditionTrue, changed, "", ""), builders.Unschedulable()), pool(),
			"Unavailable Completed 4.20.2 0s Not ready | Disk pressure | Network unavailable | Node is marked unschedulable",
		},
		{
			"unreachable", node(old, builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionUnknown, changed, "", ""),
				builders.NodeCondition(corev1.NodeReady, corev1.ConditionUnknown, changed, "", "")), pool(),
			"Unavailable Pending 4.20.1 ? Not ready",
		},
		{
			"unreachable, disk full", node(old, builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionTrue, changed, "", ""),
				builders.NodeCondition(corev1.NodeReady, corev1.ConditionUnknown, changed, "", "")), pool(),
			"Unavailable Pending 4.20.1 ? Not ready | Disk pressure",
		},
		{
			"disk not known", node(old, builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionUnknown, changed, "", "")), pool(),
			"Unavailable Pending 4.20.1 ? Disk pressure",
		},
		{
			"degraded while draining", node(begun, builders.DegradedBecause("failed to drain\n  node:   node-a"), builders.Drain("drain-new", "uncordon-old"), builders.Unschedulable()),
			pool(), "Degraded Draining 4.20.1 ? failed to drain node: node-a",
		},
		{"degraded, not begun", node(old, builders.DegradedBecause("disk is full")), pool(), "Degraded Pending 4.20.1 ? disk is full"},
		{"degraded, done", node(done, builders.DegradedBecause("late")), pool(), "Degraded Completed 4.20.2 0s late"},
		{"unreconcilable", node(begun, builders.State("Unreconcilable"), builders.Annotation(assess.ReasonAnnotation, "no way")), pool(), "Degraded Updating 4.20.1 ? no way"},
		{"degraded without a desired config", node(builders.Configs("rendered-worker-old", ""), builders.State("Degraded")), pool(), "Outdated Pending 4.20.1 ?"},
		{"image mode, images equal", node(done, builders.Images("a", "a")), pool(), "Completed Completed 4.20.2 0s"},
		{"image mode, image to come", node(done, builders.Images("a", "b")), pool(), "Unavailable Completed 4.20.2 0s Machine Config Daemon is processing the node"},
		{"image mode, first image", node(done, builders.Images("", "b")), pool(), "Unavailable Completed 4.20.2 0s Machine Config Daemon is processing the node"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := line(nodeInsight(t, test.node, test.pool, toTarget)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestNodeInMigration(t *testing.T) {
	migration := assess.Target{Known: true, Version: target, Migrating: true}
	for _, test := range []struct {
		name             string
		current, desired string
		want             string
	}{
		{"not begun", "rendered-worker-new", "rendered-worker-new", "Outdated Pending 4.20.2 ?"},
		{"begun", "rendered-worker-new", "rendered-worker-newer", "Progressing Updating 4.20.2 5m0s"},
		{"done", "rendered-worker-newer", "rendered-worker-newer", "Completed Completed 4.20.2 0s"},
	} {
		t.Run(test.name, func(t *testing.T) {
			state := builders.State("Done")
			if test.current != test.desired {
				state = builders.State("Working")
			}
			wants := pool(builders.Configuration("rendered-worker-newer"))
			if got := line(nodeInsight(t, node(builders.Configs(test.current, test.desired), state), wants, migration)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
	// A node that nobody tells what to run does not wait for anything.
	untold := node(builders.Annotation(assess.CurrentConfigAnnotation, "rendered-worker-new"), builders.State("Done"))
	if got := nodeInsight(t, untold, pool(builders.Configuration("rendered-worker-newer")), migration).Conditions[0]; got.Reason != updatev1alpha1.ReasonCompleted || got.Status != metav1.ConditionFalse {
		t.Errorf("without a desired config: Updating is %s %s", got.Status, got.Reason)
	}
	over := assess.Target{Known: true, Version: target}
	wants := pool(builders.Configuration("rendered-worker-newer"))
	if got := line(nodeInsight(t, node(builders.Configs("rendered-worker-new", "rendered-worker-new")), wants, over)); got != "Completed Completed 4.20.2 0s" {
		t.Errorf("after the migration: %s", got)
	}
}

func TestTargetOf(t *testing.T) {
	migration := []builders.ClusterVersionOption{
		builders.Completed(target, installed, start), builders.Partial(target, start), builders.ReleaseImage("quay.io/multi"),
	}
	for _, test := range []struct {
		name    string
		options []builders.ClusterVersionOption
		want    assess.Target
	}{
		{"no history", nil, assess.Target{}},
		{"by image, not loaded yet", []builders.ClusterVersionOption{builders.Completed(before, installed, start), builders.Partial("", start)}, assess.Target{}},
		{"update", []builders.ClusterVersionOption{builders.Completed(before, installed, start), builders.Partial(target, start), progressing("True")}, assess.Target{Known: true, Version: target}},
		{"migration", append(migration, progressing("True")), assess.Target{Known: true, Version: target, Migrating: true}},
		{"migration over", append(migration, progressing("False")), assess.Target{Known: true, Version: target}},
	} {
		if got := assess.TargetOf(builders.ClusterVersion(test.options...)); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	if got := assess.TargetOf(nil); got.Known {
		t.Errorf("a target without a ClusterVersion: %+v", got)
	}
}

func TestNodeWithoutHistory(t *testing.T) {
	got := nodeInsight(t, node(builders.Configs("rendered-worker-old", "rendered-worker-new")), pool(), assess.Target{})
	if got.Conditions[0].Status != metav1.ConditionUnknown || got.Conditions[0].Reason != updatev1alpha1.ReasonCannotDetermine {
		t.Errorf("Updating is %s %s", got.Conditions[0].Status, got.Conditions[0].Reason)
	}
}

func TestNodeConditions(t *testing.T) {
	earlier := changed.Add(-time.Minute)
	got := nodeInsight(t, node(builders.Configs("rendered-worker-old", "rendered-worker-old"), builders.NotReady(changed),
		builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionTrue, earlier, "", "")), pool(), assess.Target{Known: true, Version: target})
	want := []string{"Updating False Pending", "Available False MultipleReasons Not ready | Disk pressure @08:06", "Degraded False AsExpected"}
	if diff := cmp.Diff(want, describe(got.Conditions)); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	got = nodeInsight(t, node(builders.Configs("rendered-worker-old", "rendered-worker-old"), builders.DegradedBecause("bad"), builders.Unschedulable()),
		pool(), assess.Target{Known: true, Version: target})
	want = []string{"Updating False Pending", "Available False Unschedulable Node is marked unschedulable", "Degraded True NodeDegraded bad"}
	if diff := cmp.Diff(want, describe(got.Conditions)); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	got = nodeInsight(t, node(builders.Configs("rendered-worker-old", "rendered-worker-old"), builders.DegradedBecause("no way"), builders.State("Unreconcilable")),
		pool(), assess.Target{Known: true, Version: target})
	if diff := cmp.Diff([]string{"Degraded True NodeUnreconcilable no way"}, describe(got.Conditions[2:])); diff != "" {
		t.Errorf("conditions of one that can't be reconciled (-want +got):\n%s", diff)
	}
}

// TestCordonedNode: a node that is cordoned, and reboots meanwhile, has been unavailable since the cordon, all the time.
func TestCordonedNode(t *testing.T) {
	cordoned := changed.Add(-10 * time.Minute)
	for name, options := range map[string][]builders.NodeOption{
		"before": {builders.CordonedSince(cordoned)},
		"while":  {builders.CordonedSince(cordoned), builders.NotReady(changed)},
	} {
		options = append(options, builders.Configs("rendered-worker-old", "rendered-worker-old"))
		got := nodeInsight(t, node(options...), pool(), assess.Target{Known: true, Version: target})
		if available := got.Conditions[1]; available.Status != metav1.ConditionFalse || !available.LastTransitionTime.Time.Equal(cordoned) {
			t.Errorf("%s it reboots: %+v", name, available)
		}
	}
}

func TestNodeMessageIsShortened(t *testing.T) {
	reason := strings.Repeat("日本語\n\t ", 100<<10)
	got := nodeInsight(t, node(builders.Configs("rendered-worker-old", "rendered-worker-new"), builders.DegradedBecause(reason)), pool(), assess.Target{Known: true, Version: target})
	if n := utf8.RuneCountInString(got.Message); n != updatev1alpha1.NodeMessageMaxLength || strings.ContainsAny(got.Message, "\n\t") {
		t.Errorf("a message of %d characters: %.40q", n, got.Message)
	}
}

// TestTargetNames: what is assessed for different targets must not be seen together.
func TestTargetNames(t *testing.T) {
	named := map[string]assess.Target{}
	for _, target := range []assess.Target{
		{}, {Known: true, Version: "4.20.1"}, {Known: true, Version: "4.20.2"}, {Known: true, Version: "4.20.2", Migrating: true},
	} {
		name := target.String()
		if other, known := named[name]; known || name == "" {
			t.Errorf("%+v and %+v are both %q", target, other, name)
		}
		named[name] = target
	}
}
