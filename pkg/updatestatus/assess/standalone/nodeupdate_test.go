package standalone_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

const (
	rebooted     = machineconfigv1.MachineConfigNodeUpdateRebooted
	filesApplied = machineconfigv1.MachineConfigNodeUpdateFilesAndOS
	imagePulled  = machineconfigv1.MachineConfigNodeImagePulledFromRegistry
)

// write is what a host writes next.
type write struct {
	name string
	node builders.NodeOption
	// step is a condition of the MachineConfigNode.
	step builders.MachineConfigNodeOption
	want string
}

func (w write) on(node *corev1.Node, machineConfigNode *machineconfigv1.MachineConfigNode) {
	if w.node != nil {
		w.node(node)
	}
	if w.step != nil && machineConfigNode != nil {
		w.step(machineConfigNode)
	}
}

func step(kind machineconfigv1.StateProgress, status metav1.ConditionStatus, message string) builders.MachineConfigNodeOption {
	return builders.Step(kind, status, changed, message)
}

// wholeUpdate is the update of a node in the order in which the node controller, the daemon and the drain controller write
// (openshift/machine-config-operator: pkg/controller/node/node_controller.go, pkg/daemon/daemon.go, pkg/daemon/update.go,
// pkg/controller/drain/drain_controller.go).
func wholeUpdate() []write {
	ready := func(node *corev1.Node) { node.Status.Conditions[0].Status = corev1.ConditionTrue }
	schedulable := func(node *corev1.Node) { node.Spec.Unschedulable = false }
	const applying = "Applying files and new OS config to node. OS will need an update. SSH Keys will not need an update"
	return []write{
		{name: "before", want: "Pending"},
		{name: "assigned", node: assigned("rendered-worker-new"), want: "Updating"},
		{name: "the daemon starts", node: builders.State("Working"), want: "Updating"},
		{name: "asks for a drain", node: builders.Drain("drain-new", "uncordon-old"), want: "Draining"},
		{name: "cordoned", node: builders.Unschedulable(), step: step(machineconfigv1.MachineConfigNodeUpdateCordoned, "True", "Cordoned node."), want: "Draining"},
		{name: "an attempt", step: step(machineconfigv1.MachineConfigNodeUpdateDrained, "Unknown", evicting), want: "Draining"},
		{name: "drained", step: step(machineconfigv1.MachineConfigNodeUpdateDrained, "True", "Drained node."), want: "Draining"},
		{name: "drain applied", node: builders.Drain("drain-new", "drain-new"), want: "Updating"},
		{name: "files", step: step(filesApplied, "Unknown", applying), want: "Updating " + applying},
		{name: "image", step: step(imagePulled, "Unknown", "Pulling\nimage"), want: "Updating Pulling image"},
		{name: "image pulled", step: step(imagePulled, "True", "Pulled image"), want: "Updating " + applying},
		{name: "files applied", step: step(filesApplied, "True", "Applied files"), want: "Updating"},
		{name: "about to reboot", step: step(rebooted, "Unknown", "Upgrade requires a reboot."), want: "Rebooting"},
		{name: "requests the reboot", node: builders.PostConfigAction("Rebooting"), want: "Rebooting"},
		{name: "shuts down", node: builders.NotReady(changed), want: "Rebooting"},
		{name: "is back", node: ready, want: "Rebooting"},
		{name: "the daemon runs again", step: step(rebooted, "True", "Node has rebooted"), want: "Rebooting"},
		{name: "and says so", node: builders.PostConfigAction(""), want: "Rebooting"},
		{name: "asks to be uncordoned", node: builders.Drain("uncordon-new", "drain-new"), want: "Rebooting"},
		{name: "uncordoned", node: schedulable, want: "Rebooting"},
		{name: "uncordon applied", node: builders.Drain("uncordon-new", "uncordon-new"), want: "Rebooting"},
		{name: "done", node: builders.Configs("rendered-worker-new", "rendered-worker-new"), want: "Completed"},
		{name: "updated", step: step(rebooted, "False", "Action during update to rendered-worker-new: Node has rebooted"), want: "Completed"},
	}
}

// assigned sets what a node should run.
func assigned(config string) builders.NodeOption {
	return func(node *corev1.Node) {
		node.Annotations[nodestate.DesiredConfigAnnotation] = config
	}
}

// notStarted is a node before its update: a daemon since 4.15 has written the annotation of an update before.
func notStarted(options ...builders.NodeOption) *corev1.Node {
	return node(append([]builders.NodeOption{
		builders.Configs("rendered-worker-old", "rendered-worker-old"), builders.Drain("uncordon-old", "uncordon-old"), builders.PostConfigAction(""),
	}, options...)...)
}

func insightOf(t *testing.T, in standalone.NodeInput) *updatev1alpha1.NodeInsight {
	t.Helper()
	in.Pool, in.VersionOf = pool(), func(name string) string { return versions[name] }
	if !in.Target.Known {
		in.Target = standalone.Target{Known: true, Version: target}
	}
	return standalone.Node(in, start.Add(time.Hour)).Report.Insights[0].Insight.Node
}

// phaseOf returns the reason of Updating, and its message.
func phaseOf(one *updatev1alpha1.NodeInsight) string {
	updating := meta.FindStatusCondition(one.Conditions, updatev1alpha1.ConditionUpdating)
	return strings.TrimSpace(updating.Reason + " " + updating.Message)
}

func TestNodeUpdateAsWritten(t *testing.T) {
	play := func(t *testing.T, current *corev1.Node, machineConfigNode *machineconfigv1.MachineConfigNode, differs map[string]string) {
		t.Helper()
		for _, next := range wholeUpdate() {
			next.on(current, machineConfigNode)
			want, isOther := differs[next.name]
			if !isOther {
				want = next.want
			}
			if got := phaseOf(insightOf(t, standalone.NodeInput{Node: current, MachineConfigNode: machineConfigNode})); got != want {
				t.Errorf("%s: %s, want %s", next.name, got, want)
			}
		}
	}
	// The node controller changes the MachineConfigNode together with the node.
	t.Run("with a MachineConfigNode", func(t *testing.T) {
		play(t, notStarted(), builders.MachineConfigNode("node-a", "rendered-worker-new"), nil)
	})
	withoutSteps := map[string]string{
		"files": "Updating", "image": "Updating", "image pulled": "Updating", "about to reboot": "Updating",
		"and says so": "Updating", "asks to be uncordoned": "Updating", "uncordoned": "Updating", "uncordon applied": "Updating",
	}
	t.Run("before 4.19", func(t *testing.T) { play(t, notStarted(), nil, withoutSteps) })
	t.Run("MachineConfigNode of an update before", func(t *testing.T) {
		play(t, notStarted(), builders.MachineConfigNode("node-a", "rendered-worker-old"), withoutSteps)
	})
	t.Run("before 4.15", func(t *testing.T) {
		current := notStarted()
		delete(current.Annotations, builders.AnnotationPostConfigAction)
		var phases []string
		for _, next := range wholeUpdate() {
			if next.name == "requests the reboot" || next.name == "and says so" {
				continue
			}
			next.on(current, nil)
			if phase := phaseOf(insightOf(t, standalone.NodeInput{Node: current})); len(phases) == 0 || phases[len(phases)-1] != phase {
				phases = append(phases, phase)
			}
		}
		want := []string{"Pending", "Updating", "Draining", "Updating", "Rebooting", "Updating", "Completed"}
		if diff := cmp.Diff(want, phases); diff != "" {
			t.Errorf("phases (-want +got):\n%s", diff)
		}
	})
}

// TestRebooting has what looks like a reboot.
func TestRebooting(t *testing.T) {
	updating := []builders.NodeOption{assigned("rendered-worker-new"), builders.State("Working"), builders.Drain("drain-new", "drain-new"), builders.Unschedulable()}
	with := func(options ...builders.NodeOption) *corev1.Node { return notStarted(append(updating, options...)...) }
	noAnnotation := func(node *corev1.Node) { delete(node.Annotations, builders.AnnotationPostConfigAction) }
	of := func(config string, options ...builders.MachineConfigNodeOption) *machineconfigv1.MachineConfigNode {
		return builders.MachineConfigNode("node-a", config, options...)
	}
	for _, test := range []struct {
		name              string
		node              *corev1.Node
		machineConfigNode *machineconfigv1.MachineConfigNode
		want              string
	}{
		{name: "another value", node: with(builders.PostConfigAction("Reloading")), want: "Updating"},
		{name: "not ready, and no reboot requested", node: with(builders.NotReady(changed)), want: "Updating"},
		{name: "not ready, and nothing known of reboots", node: with(builders.NotReady(changed), noAnnotation), want: "Rebooting"},
		{name: "ready, and nothing known of reboots", node: with(noAnnotation), want: "Updating"},
		{
			name: "not ready before the drain was applied", want: "Draining",
			node: with(builders.NotReady(changed), noAnnotation, builders.Drain("drain-new", "uncordon-old")),
		},
		{name: "not ready, without a drain", node: with(builders.NotReady(changed), noAnnotation, builders.Drain("uncordon-old", "uncordon-old")), want: "Updating"},
		{
			name: "not ready, and the MachineConfigNode knows of no reboot", want: "Updating",
			node: with(builders.NotReady(changed), noAnnotation), machineConfigNode: of("rendered-worker-new", step(rebooted, "False", "")),
		},
		{name: "the MachineConfigNode could not be written", node: with(builders.PostConfigAction("Rebooting")), machineConfigNode: of("rendered-worker-new", step(rebooted, "False", "")), want: "Rebooting"},
		{name: "the reboot of another update", node: with(), machineConfigNode: of("rendered-worker-old", step(rebooted, "Unknown", "")), want: "Updating"},
		{
			name: "the reboot of an attempt before", node: with(), want: "Updating",
			machineConfigNode: of("rendered-worker-new", step(rebooted, "Unknown", ""),
				builders.Step(machineconfigv1.MachineConfigNodeUpdateCordoned, "True", changed.Add(time.Second), "")),
		},
		{name: "state of unknown origin", node: with(builders.State("Rebooting")), want: "Rebooting"},
		{name: "left over, and done", node: notStarted(builders.Configs("rendered-worker-new", "rendered-worker-new"), builders.PostConfigAction("Rebooting")), want: "Completed"},
		{name: "left over, and not assigned", node: notStarted(builders.PostConfigAction("Rebooting")), want: "Pending"},
	} {
		if got := phaseOf(insightOf(t, standalone.NodeInput{Node: test.node, MachineConfigNode: test.machineConfigNode})); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestSecondUpdate has nodes while the next update has started.
func TestSecondUpdate(t *testing.T) {
	const next = "4.20.3"
	to := standalone.Target{Known: true, Version: next}
	draining := func(current, desired string) *corev1.Node {
		return notStarted(builders.Configs(current, desired), builders.State("Working"), builders.Drain("drain-new", "uncordon-old"), builders.Unschedulable())
	}
	const onItsWay = "The node is on its way to 4.20.2, and to be updated to 4.20.3 afterwards"
	for _, test := range []struct {
		name   string
		node   *corev1.Node
		target standalone.Target
		want   string
		drains bool
	}{
		{name: "drains for the update before", node: draining("rendered-worker-old", "rendered-worker-new"), target: to, want: "Draining " + onItsWay, drains: true},
		{name: "is done with the update before", node: notStarted(builders.Configs("rendered-worker-new", "rendered-worker-new")), target: to, want: "Pending"},
		{name: "has not begun with the update before", node: notStarted(), target: to, want: "Pending"},
		{
			name: "reboots for the update before", target: to, want: "Rebooting " + onItsWay,
			node: notStarted(assigned("rendered-worker-new"), builders.State("Working"), builders.Drain("drain-new", "drain-new"), builders.PostConfigAction("Rebooting")),
		},
		// A rollout that changes no version holds up the update, and is none.
		{name: "drains for a MachineConfig", node: draining("rendered-worker-old", "rendered-worker-tuned"), target: to, want: "Pending", drains: true},
		{name: "drains for a MachineConfig, without an update", node: draining("rendered-worker-new", "rendered-worker-newer"), target: standalone.Target{Known: true, Version: target}, want: "Completed"},
		{
			name: "on its way back is the version that it runs", target: standalone.Target{Known: true, Version: before},
			node: draining("rendered-worker-old", "rendered-worker-new"), drains: true,
			want: "Draining The node is on its way to 4.20.2, and to be updated to 4.20.1 afterwards",
		},
		{name: "to a version that is not known", node: draining("rendered-worker-old", "00-worker"), target: to, want: "Pending", drains: true},
		{
			name: "image mode, on its way to another image", target: to, want: "Draining " + onItsWay, drains: true,
			node: func() *corev1.Node {
				one := draining("rendered-worker-old", "rendered-worker-new")
				builders.Images("a", "b")(one)
				return one
			}(),
		},
		{
			name: "image mode, an image of the same release", target: to, want: "Pending", drains: true,
			node: func() *corev1.Node {
				one := draining("rendered-worker-old", "rendered-worker-old")
				builders.Images("a", "b")(one)
				return one
			}(),
		},
		{name: "drains for what it runs", node: draining("rendered-worker-old", "rendered-worker-old"), target: to, want: "Pending"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := standalone.NodeInput{Node: test.node, Target: test.target}
			if got := phaseOf(insightOf(t, in)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			in.Pool, in.VersionOf = pool(), func(name string) string { return versions[name] }
			in.Drain.Observed = start
			if got := !standalone.Node(in, start).DrainObserved.IsZero(); got != test.drains {
				t.Errorf("drains: %t", got)
			}
		})
	}
}

// TestRecovering has degraded nodes whose daemon goes on, and others that look like them.
func TestRecovering(t *testing.T) {
	const (
		ofDrain    = "failed to drain node: node-a after 1 hour. Please see machine-config-controller logs for more information"
		ofUncordon = "failed to uncordon node: node-a after 10 minutes. Please see machine-config-controller logs for more information"
		ofPull     = "failed to update OS to quay.io/os: error running rpm-ostree: No space left on device"
		ofReboot   = "reboot command failed, something is seriously wrong"
	)
	degraded := func(reason string, options ...builders.NodeOption) *corev1.Node {
		return notStarted(append([]builders.NodeOption{assigned("rendered-worker-new"), builders.DegradedBecause(reason), builders.Unschedulable()}, options...)...)
	}
	requested, drained := builders.Drain("drain-new", "uncordon-old"), builders.Drain("drain-new", "drain-new")
	uncordoning := builders.Drain("uncordon-rendered-worker-new", "drain-new")
	reboots := builders.PostConfigAction("Rebooting")
	of := func(status metav1.ConditionStatus) *machineconfigv1.MachineConfigNode {
		return builders.MachineConfigNode("node-a", "rendered-worker-new", step(rebooted, status, ""))
	}
	// failed is of a node that has rebooted, and failed some time after that.
	failed := func(after time.Duration) *machineconfigv1.MachineConfigNode {
		one := of("True")
		builders.Step(machineconfigv1.MachineConfigNodeNodeDegraded, "True", changed.Add(after), "Node node-a upgrade failure. error")(one)
		return one
	}
	for _, test := range []struct {
		name              string
		node              *corev1.Node
		machineConfigNode *machineconfigv1.MachineConfigNode
		isRecovering      bool
	}{
		{name: "a drain that goes on", node: degraded(ofDrain, requested)},
		{name: "a drain that was applied", node: degraded(ofDrain, drained), isRecovering: true},
		{name: "the reboot after it", node: degraded(ofDrain, drained, reboots), isRecovering: true},
		{name: "the end after a failed drain", node: degraded(ofDrain, uncordoning), isRecovering: true},
		{name: "the same step again", node: degraded(ofPull, drained)},
		{name: "the same step again, a message of a drain long ago", node: degraded(ofPull, drained), machineConfigNode: of("False")},
		{name: "reboots", node: degraded(ofPull, drained, reboots), isRecovering: true},
		{name: "reboots by its MachineConfigNode", node: degraded(ofPull, drained), machineConfigNode: of("Unknown"), isRecovering: true},
		{name: "its reboot command failed", node: degraded(ofReboot, drained, reboots), machineConfigNode: of("Unknown")},
		{name: "its reboot command failed, before 4.19", node: degraded(ofReboot, drained, reboots)},
		{name: "somebody has rebooted it since", node: degraded(ofReboot, drained), machineConfigNode: failed(-time.Second), isRecovering: true},
		{name: "somebody has rebooted it, the end", node: degraded(ofReboot, uncordoning), isRecovering: true},
		{name: "has rebooted, and its disk is not as it should be", node: degraded("unexpected on-disk state", drained), machineConfigNode: failed(time.Second)},
		{name: "has rebooted, and it is not known when it failed", node: degraded(ofPull, drained), machineConfigNode: of("True")},
		{name: "has rebooted since it failed", node: degraded(ofPull, drained), machineConfigNode: failed(-time.Second), isRecovering: true},
		{name: "failed in the second of its reboot", node: degraded(ofPull, drained), machineConfigNode: failed(0)},
		{name: "has rebooted, and its disk is not as it should be, before 4.19", node: degraded("unexpected on-disk state", drained)},
		{name: "asks to be uncordoned", node: degraded(ofPull, uncordoning), isRecovering: true},
		{name: "can't be uncordoned", node: degraded(ofUncordon, uncordoning)},
		{name: "can't be uncordoned, and was rebooted", node: degraded(ofUncordon, drained, reboots)},
		{name: "runs what it should", node: degraded(ofPull, reboots, builders.Configs("rendered-worker-new", "rendered-worker-new"), builders.State("Degraded"))},
		{name: "can't be reconciled, and reboots", node: degraded(ofPull, builders.State("Unreconcilable"), drained, reboots), isRecovering: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := standalone.Node(standalone.NodeInput{
				Node: test.node, Pool: pool(), Target: standalone.Target{Known: true, Version: target}, MachineConfigNode: test.machineConfigNode,
				VersionOf: func(name string) string { return versions[name] },
			}, start.Add(time.Hour))
			var got []string
			for _, one := range healthcases.Health(result) {
				if checks.Of(one.UID).Name == "node-degraded" {
					got = append(got, string(one.Health.Impact.Level)+" "+string(one.Health.Impact.Type)+" "+one.Health.Case)
				}
			}
			want := "Error UpdateStalled Failed"
			if test.isRecovering {
				want = "Warning UpdateSpeed Recovering"
			}
			if diff := cmp.Diff([]string{want}, got); diff != "" {
				t.Errorf("health (-want +got):\n%s", diff)
			}
			if !meta.IsStatusConditionTrue(result.Report.Insights[0].Insight.Node.Conditions, updatev1alpha1.ConditionDegraded) {
				t.Error("the node is not degraded")
			}
		})
	}
}
