package standalone_test

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
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
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

func nodeInsight(t *testing.T, node *corev1.Node, pool *machineconfigv1.MachineConfigPool, release standalone.Target) *updatev1alpha1.NodeInsight {
	t.Helper()
	report := standalone.Node(standalone.NodeInput{Node: node, Pool: pool, Target: release, VersionOf: func(name string) string {
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

// line formats a node as in the client: assessment, phase, version, estimate, message.
func line(node *updatev1alpha1.NodeInsight) string {
	state := insight.StateOf(node)
	version, estimate := node.Version, "?"
	if version == "" {
		version = "?"
	}
	if known, isKnown := insight.EstimateOf(node); isKnown {
		estimate = known.String()
	}
	return strings.TrimSpace(strings.Join([]string{string(state.Assessment()), string(state.Phase), version, estimate, node.Message}, " "))
}

func TestNode(t *testing.T) {
	toTarget := standalone.Target{Known: true, Version: target}
	old := builders.Configs("rendered-worker-old", "rendered-worker-old")
	updating := builders.Configs("rendered-worker-old", "rendered-worker-new")
	done := builders.Configs("rendered-worker-new", "rendered-worker-new")
	working := builders.State("Working")
	drained := builders.Drain("drain-new", "drain-new")
	for _, test := range []struct {
		name string
		node *corev1.Node
		pool *machineconfigv1.MachineConfigPool
		want string
	}{
		{name: "pending", node: node(old), pool: pool(), want: "Outdated Pending 4.20.1 ?"},
		{name: "paused", node: node(old), pool: pool(builders.Paused()), want: "Excluded Paused 4.20.1 0s"},
		{
			name: "daemon not started yet",
			node: node(updating, builders.Drain("uncordon-old", "uncordon-old")),
			pool: pool(),
			want: "Progressing Updating 4.20.1 5m0s",
		},
		{
			name: "draining",
			node: node(updating, working, builders.Drain("drain-new", "uncordon-old"), builders.Unschedulable()),
			pool: pool(),
			want: "Progressing Draining 4.20.1 10m0s",
		},
		{
			name: "drained",
			node: node(updating, working, drained, builders.Unschedulable()),
			pool: pool(),
			want: "Progressing Updating 4.20.1 5m0s",
		},
		{name: "no drain annotations", node: node(updating, working), pool: pool(), want: "Progressing Updating 4.20.1 5m0s"},
		{
			name: "uncordon requested",
			node: node(updating, working, builders.Drain("uncordon-new", "drain-new")),
			pool: pool(),
			want: "Progressing Updating 4.20.1 5m0s",
		},
		{
			name: "rebooting",
			node: node(updating, builders.State("Rebooting"), drained, builders.NotReady(changed)),
			pool: pool(),
			want: "Progressing Rebooting 4.20.1 5m0s",
		},
		{
			name: "updating in a paused pool",
			node: node(updating, working, drained),
			pool: pool(builders.Paused()),
			want: "Progressing Updating 4.20.1 5m0s",
		},
		{name: "completed", node: node(done), pool: pool(), want: "Completed Completed 4.20.2 0s"},
		{
			name: "completed in a paused pool",
			node: node(done),
			pool: pool(builders.Paused()),
			want: "Completed Completed 4.20.2 0s",
		},
		{
			name: "rollout without a release",
			node: node(builders.Configs("rendered-worker-new", "rendered-worker-newer"), working),
			pool: pool(builders.Configuration("rendered-worker-newer")),
			want: "Unavailable Completed 4.20.2 0s Machine Config Daemon is processing the node",
		},
		{
			name: "rollout of the old release",
			node: node(builders.Configs("rendered-worker-old", "rendered-worker-tuned"), working),
			pool: pool(builders.Configuration("rendered-worker-tuned")),
			want: "Unavailable Pending 4.20.1 ? Machine Config Daemon is processing the node",
		},
		{
			name: "to a configuration that the pool no longer has",
			node: node(updating, working),
			pool: pool(builders.Configuration("rendered-worker-newer")),
			want: "Progressing Updating 4.20.1 5m0s",
		},
		{
			name: "current config empty",
			node: node(builders.Configs("", "rendered-worker-new"), working),
			pool: pool(),
			want: "Unavailable Pending ? ? Machine Config Daemon is processing the node",
		},
		{
			name: "no annotations",
			node: node(),
			pool: pool(),
			want: "Unavailable Pending ? ? Machine Config Daemon is processing the node",
		},
		{
			name: "MachineConfig of no release",
			node: node(builders.Configs("00-worker", "00-worker")),
			pool: pool(),
			want: "Outdated Pending ? ?",
		},
		{
			name: "not ready",
			node: node(old, builders.NotReady(changed)),
			pool: pool(),
			want: "Unavailable Pending 4.20.1 ? Not ready",
		},
		{
			name: "not ready, done",
			node: node(done, builders.NotReady(changed)),
			pool: pool(),
			want: "Unavailable Completed 4.20.2 0s Not ready",
		},
		{
			name: "several reasons",
			node: node(done, builders.NotReady(changed),
				builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionTrue, changed, "", ""),
				builders.NodeCondition(corev1.NodeNetworkUnavailable, corev1.ConditionUnknown, changed, "", ""),
				builders.NodeCondition(corev1.NodeMemoryPressure, corev1.ConditionTrue, changed, "", ""), builders.Unschedulable()),
			pool: pool(),
			want: "Unavailable Completed 4.20.2 0s Not ready | Disk pressure | Network unavailable | Node is marked unschedulable",
		},
		{
			name: "unreachable",
			node: node(old, builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionUnknown, changed, "", ""),
				builders.NodeCondition(corev1.NodeReady, corev1.ConditionUnknown, changed, "", "")),
			pool: pool(),
			want: "Unavailable Pending 4.20.1 ? Not ready",
		},
		{
			name: "unreachable, disk full",
			node: node(old, builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionTrue, changed, "", ""),
				builders.NodeCondition(corev1.NodeReady, corev1.ConditionUnknown, changed, "", "")),
			pool: pool(),
			want: "Unavailable Pending 4.20.1 ? Not ready | Disk pressure",
		},
		{
			name: "disk pressure unknown",
			node: node(old, builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionUnknown, changed, "", "")),
			pool: pool(),
			want: "Unavailable Pending 4.20.1 ? Disk pressure",
		},
		{
			name: "degraded while draining",
			node: node(updating, builders.DegradedBecause("failed to drain\n  node:   node-a"), builders.Drain("drain-new", "uncordon-old"), builders.Unschedulable()),
			pool: pool(),
			want: "Degraded Draining 4.20.1 ? failed to drain node: node-a",
		},
		{
			name: "degraded, not started",
			node: node(old, builders.DegradedBecause("disk is full")),
			pool: pool(),
			want: "Degraded Pending 4.20.1 ? disk is full",
		},
		{
			name: "degraded, done",
			node: node(done, builders.DegradedBecause("late")),
			pool: pool(),
			want: "Degraded Completed 4.20.2 0s late",
		},
		{
			name: "unreconcilable",
			node: node(updating, builders.State("Unreconcilable"), builders.Annotation(nodestate.ReasonAnnotation, "no way")),
			pool: pool(),
			want: "Degraded Updating 4.20.1 ? no way",
		},
		{
			name: "degraded without a desired config",
			node: node(builders.Configs("rendered-worker-old", ""), builders.State("Degraded")),
			pool: pool(),
			want: "Outdated Pending 4.20.1 ?",
		},
		{
			name: "image mode, images equal",
			node: node(done, builders.Images("a", "a")),
			pool: pool(),
			want: "Completed Completed 4.20.2 0s",
		},
		{
			name: "image mode, image pending",
			node: node(done, builders.Images("a", "b")),
			pool: pool(),
			want: "Unavailable Completed 4.20.2 0s Machine Config Daemon is processing the node",
		},
		{
			name: "image mode, first image",
			node: node(done, builders.Images("", "b")),
			pool: pool(),
			want: "Unavailable Completed 4.20.2 0s Machine Config Daemon is processing the node",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := line(nodeInsight(t, test.node, test.pool, toTarget)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestNodeInMigration(t *testing.T) {
	migration := standalone.Target{Known: true, Version: target, Migrating: true}
	for _, test := range []struct {
		name             string
		current, desired string
		want             string
	}{
		{
			name:    "not started",
			current: "rendered-worker-new",
			desired: "rendered-worker-new",
			want:    "Outdated Pending 4.20.2 ?",
		},
		{
			name:    "started",
			current: "rendered-worker-new",
			desired: "rendered-worker-newer",
			want:    "Progressing Updating 4.20.2 5m0s",
		},
		{
			name:    "done",
			current: "rendered-worker-newer",
			desired: "rendered-worker-newer",
			want:    "Completed Completed 4.20.2 0s",
		},
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
	// A node without a desired config is not outdated.
	withoutDesired := node(builders.Annotation(nodestate.CurrentConfigAnnotation, "rendered-worker-new"), builders.State("Done"))
	if got := nodeInsight(t, withoutDesired, pool(builders.Configuration("rendered-worker-newer")), migration).Conditions[0]; got.Reason != updatev1alpha1.ReasonCompleted || got.Status != metav1.ConditionFalse {
		t.Errorf("without a desired config: Updating is %s %s", got.Status, got.Reason)
	}
	over := standalone.Target{Known: true, Version: target}
	wants := pool(builders.Configuration("rendered-worker-newer"))
	if got := line(nodeInsight(t, node(builders.Configs("rendered-worker-new", "rendered-worker-new")), wants, over)); got != "Completed Completed 4.20.2 0s" {
		t.Errorf("after the migration: %s", got)
	}
}

// TestMigrationOfWorkers: they go on when the control plane is complete, and what is rolled out later is no part of the migration.
func TestMigrationOfWorkers(t *testing.T) {
	const old, multi, later = "rendered-worker-old", "rendered-worker-multi", "rendered-worker-later"
	rendered := map[string]time.Time{old: installed, multi: start.Add(time.Minute), later: start.Add(24 * time.Hour)}
	var configs []*metav1.PartialObjectMetadata
	for name, at := range rendered {
		config := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(at)}}
		config.Annotations = map[string]string{standalone.ReleaseVersionAnnotation: target}
		configs = append(configs, config)
	}
	version := builders.ClusterVersion(
		builders.Completed(target, installed, installed.Add(time.Hour)), builders.Completed(target, start, start.Add(time.Hour)), builders.ReleaseImage("quay.io/multi"),
		progressing("False"))
	for _, test := range []struct{ name, pool, current, desired, want string }{
		{"waits", multi, old, old, "Pending"},
		{"is being migrated", multi, old, multi, "Updating"},
		{"is done", multi, multi, multi, "Completed"},
		{"a later rollout begins", later, multi, multi, "Completed"},
		{"gets a later configuration", later, multi, later, "Completed"},
		{"has a later configuration", later, later, later, "Completed"},
		{"waits, and its pool has a later configuration", later, old, old, "Pending"},
	} {
		result := standalone.NewNodes(assess.Observed{}).Assess(standalone.NodesInput{
			ClusterVersion: version, MachineConfigs: configs, MachineConfigPools: []*machineconfigv1.MachineConfigPool{pool(builders.Configuration(test.pool))},
			Nodes: []*corev1.Node{builders.Node("node-a", builders.Role("worker"), builders.Configs(test.current, test.desired), builders.State("Working"))},
		}, start.Add(25*time.Hour))
		if got := result.Message.Reports[0].Insights[0].Insight.Node.Conditions[0].Reason; got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestTargetOf(t *testing.T) {
	migration := []builders.ClusterVersionOption{
		builders.Completed(target, installed, start), builders.Partial(target, start), builders.ReleaseImage("quay.io/multi"),
	}
	for _, test := range []struct {
		name    string
		options []builders.ClusterVersionOption
		want    standalone.Target
	}{
		{name: "no history", want: standalone.Target{}},
		{
			name:    "by image, not loaded yet",
			options: []builders.ClusterVersionOption{builders.Completed(before, installed, start), builders.Partial("", start)},
			want:    standalone.Target{},
		},
		{
			name:    "update",
			options: []builders.ClusterVersionOption{builders.Completed(before, installed, start), builders.Partial(target, start), progressing("True")},
			want:    standalone.Target{Known: true, Version: target},
		},
		{
			name:    "migration",
			options: append(migration, progressing("True")),
			want:    standalone.Target{Known: true, Version: target, Migrating: true},
		},
		{
			name:    "migration of which the control plane is complete",
			options: append(migration, progressing("False")),
			want:    standalone.Target{Known: true, Version: target, Migrating: true},
		},
	} {
		if got := standalone.TargetOf(builders.ClusterVersion(test.options...)); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	if got := standalone.TargetOf(nil); got.Known {
		t.Errorf("a target without a ClusterVersion: %+v", got)
	}
}

func TestNodeWithoutHistory(t *testing.T) {
	got := nodeInsight(t, node(builders.Configs("rendered-worker-old", "rendered-worker-new")), pool(), standalone.Target{})
	if got.Conditions[0].Status != metav1.ConditionUnknown || got.Conditions[0].Reason != updatev1alpha1.ReasonCannotDetermine {
		t.Errorf("Updating is %s %s", got.Conditions[0].Status, got.Conditions[0].Reason)
	}
}

func TestNodeConditions(t *testing.T) {
	earlier := changed.Add(-time.Minute)
	got := nodeInsight(t, node(builders.Configs("rendered-worker-old", "rendered-worker-old"), builders.NotReady(changed),
		builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionTrue, earlier, "", "")), pool(), standalone.Target{Known: true, Version: target})
	want := []string{"Updating False Pending", "Available False MultipleReasons Not ready | Disk pressure @08:06", "Degraded False AsExpected"}
	if diff := cmp.Diff(want, describe(got.Conditions)); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	got = nodeInsight(t, node(builders.Configs("rendered-worker-old", "rendered-worker-old"), builders.DegradedBecause("bad"), builders.Unschedulable()),
		pool(), standalone.Target{Known: true, Version: target})
	want = []string{"Updating False Pending", "Available False Unschedulable Node is marked unschedulable", "Degraded True NodeDegraded bad"}
	if diff := cmp.Diff(want, describe(got.Conditions)); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	got = nodeInsight(t, node(builders.Configs("rendered-worker-old", "rendered-worker-old"), builders.DegradedBecause("no way"), builders.State("Unreconcilable")),
		pool(), standalone.Target{Known: true, Version: target})
	if diff := cmp.Diff([]string{"Degraded True NodeUnreconcilable no way"}, describe(got.Conditions[2:])); diff != "" {
		t.Errorf("conditions of one that can't be reconciled (-want +got):\n%s", diff)
	}
}

// TestCordonedNode expects a node to be unavailable since its cordon, also while it reboots.
func TestCordonedNode(t *testing.T) {
	cordoned := changed.Add(-10 * time.Minute)
	for name, options := range map[string][]builders.NodeOption{
		"before": {builders.CordonedSince(cordoned)},
		"while":  {builders.CordonedSince(cordoned), builders.NotReady(changed)},
	} {
		options = append(options, builders.Configs("rendered-worker-old", "rendered-worker-old"))
		got := nodeInsight(t, node(options...), pool(), standalone.Target{Known: true, Version: target})
		if available := got.Conditions[1]; available.Status != metav1.ConditionFalse || !available.LastTransitionTime.Time.Equal(cordoned) {
			t.Errorf("%s it reboots: %+v", name, available)
		}
	}
}

func TestNodeMessageIsShortened(t *testing.T) {
	reason := strings.Repeat("日本語\n\t ", 10<<10)
	got := nodeInsight(t, node(builders.Configs("rendered-worker-old", "rendered-worker-new"), builders.DegradedBecause(reason)), pool(), standalone.Target{Known: true, Version: target})
	if n := utf8.RuneCountInString(got.Message); n != updatev1alpha1.NodeMessageMaxLength || strings.ContainsAny(got.Message, "\n\t") {
		t.Errorf("a message of %d characters: %.40q", n, got.Message)
	}
}

// TestTargetNames expects different names for different targets.
func TestTargetNames(t *testing.T) {
	targets := map[string]standalone.Target{}
	for _, target := range []standalone.Target{
		{}, {Known: true, Version: "4.20.1"}, {Known: true, Version: "4.20.2"}, {Known: true, Version: "4.20.2", Migrating: true},
	} {
		name := target.String()
		if other, known := targets[name]; known || name == "" {
			t.Errorf("%+v and %+v are both %q", target, other, name)
		}
		targets[name] = target
	}
}
