package standalone_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

func taint(key string, added time.Time) builders.NodeOption {
	return func(node *corev1.Node) {
		at := metav1.NewTime(added)
		node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: key, TimeAdded: &at})
	}
}

// TestRebootStart: a reboot has started, at the latest, when it was requested, or else when the node was no longer ready after its cordon.
func TestRebootStart(t *testing.T) {
	requested := []builders.NodeOption{
		assigned("rendered-worker-new"), builders.State("Working"), builders.Drain("drain-new", "drain-new"), builders.PostConfigAction("Rebooting"),
	}
	with := func(options ...builders.NodeOption) *corev1.Node { return notStarted(append(requested, options...)...) }
	reported := func(status metav1.ConditionStatus) *machineconfigv1.MachineConfigNode {
		return builders.MachineConfigNode("node-a", "rendered-worker-new", builders.Step(machineconfigv1.MachineConfigNodeUpdateRebooted, status, changed, ""))
	}
	earlier, later := changed.Add(-time.Minute), changed.Add(time.Minute)
	for name, test := range map[string]struct {
		node              *corev1.Node
		machineConfigNode *machineconfigv1.MachineConfigNode
		want              time.Time
	}{
		"requested":                    {node: with(builders.NotReady(later)), machineConfigNode: reported(metav1.ConditionUnknown), want: changed},
		"back":                         {node: with(builders.NotReady(later)), machineConfigNode: reported(metav1.ConditionTrue)},
		"not ready":                    {node: with(builders.NotReady(changed), builders.CordonedSince(earlier)), want: changed},
		"not ready, and then cordoned": {node: with(builders.NotReady(changed), builders.CordonedSince(later)), want: later},
		"unreachable since the taint":  {node: with(builders.NotReady(time.Time{}), taint(corev1.TaintNodeUnreachable, changed)), want: changed},
		"not ready since the taint":    {node: with(builders.NotReady(time.Time{}), taint(corev1.TaintNodeNotReady, changed)), want: changed},
		"another taint":                {node: with(builders.NotReady(time.Time{}), taint("example.com/a", changed))},
		"ready":                        {node: with()},
		"not ready, and not rebooting": {node: notStarted(builders.NotReady(changed))},
	} {
		var got time.Time
		if at := insightOf(t, standalone.NodeInput{Node: trimmed(test.node), MachineConfigNode: test.machineConfigNode}).RebootStartedAt; at != nil {
			got = at.Time
		}
		if !got.Equal(test.want) {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// TestNotBegun: a daemon that has not begun has left the state and the drain of the update before as they were.
func TestNotBegun(t *testing.T) {
	before := []builders.NodeOption{assigned("rendered-worker-new"), builders.State("Done"), builders.Drain("uncordon-rendered-worker-old", "uncordon-rendered-worker-old")}
	for name, test := range map[string]struct {
		options []builders.NodeOption
		want    bool
	}{
		"not begun":                     {nil, true},
		"never drained before":          {[]builders.NodeOption{builders.Drain("", "")}, true},
		"begun":                         {[]builders.NodeOption{builders.State("Working")}, false},
		"failed":                        {[]builders.NodeOption{builders.State("Degraded")}, false},
		"drained":                       {[]builders.NodeOption{builders.Drain("drain-rendered-worker-new", "drain-rendered-worker-new")}, false},
		"uncordoned":                    {[]builders.NodeOption{builders.Drain("uncordon-rendered-worker-new", "drain-rendered-worker-new")}, false},
		"not uncordoned since the last": {[]builders.NodeOption{builders.Drain("uncordon-rendered-worker-old", "drain-rendered-worker-old")}, false},
		"assigned nothing else":         {[]builders.NodeOption{assigned("rendered-worker-old")}, false},
		"assigned the same version":     {[]builders.NodeOption{assigned("rendered-worker-old-2")}, false},
	} {
		result := nodeResult(nil, append(slices.Clone(before), test.options...)...)(changed)
		node := result.Report.Insights[0]
		if node.NotBegun != test.want {
			t.Errorf("%s: not begun %t", name, node.NotBegun)
		}
		if updating := meta.FindStatusCondition(node.Insight.Node.Conditions, "Updating"); test.want && updating.Reason != "Updating" {
			t.Errorf("%s: its phase is %s", name, updating.Reason)
		}
	}
}

// TestLeaving: a node that is deleted need not return.
func TestLeaving(t *testing.T) {
	deleted := func(node *corev1.Node) { node.DeletionTimestamp = ptrTime(changed) }
	for name, test := range map[string]struct {
		option builders.NodeOption
		want   bool
	}{
		"stays":            {builders.NotReady(changed), false},
		"deleted":          {deleted, true},
		"to be deleted":    {taint("ToBeDeletedByClusterAutoscaler", changed), true},
		"might be deleted": {taint("DeletionCandidateOfClusterAutoscaler", changed), false},
	} {
		result := nodeResult(nil, test.option)(changed)
		if got := result.Report.Insights[0].Leaving; got != test.want {
			t.Errorf("%s: leaving %t", name, got)
		}
	}
}
