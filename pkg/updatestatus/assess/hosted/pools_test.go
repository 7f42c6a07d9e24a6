package hosted_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
)

func TestReplace(t *testing.T) {
	updatedControlPlane(t, "Replace").play(poolText, []playedStep{
		{"NP spec.release; UpdatingVersion", func(w *hostedWorld) { w.poolAsks(versionB) }, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"MD template version B", func(w *hostedWorld) { w.group().Template.Spec.Version = ptr(versionB) }, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"Mc new", func(w *hostedWorld) { w.addMachine("c", versionB) }, "True Progressing 0%: a Pending b Pending | Workers 4.22.3"},
		{"Nc not Ready, unlabelled; Mc nodeRef, Running", func(w *hostedWorld) { w.joins("c") }, "True Progressing 0%: a Pending b Pending | Workers 4.22.3"},
		{"Nc label, Ready", func(w *hostedWorld) { w.labels("c") }, "True Progressing 50%: a Pending b Pending c Completed | Workers 4.22.3"},
		{"Ma deletionTimestamp; Na cordoned", func(w *hostedWorld) { w.leaves("a") }, "True Progressing 50%: a Draining b Pending c Completed | Workers 4.22.3"},
		{"Na deleted", func(w *hostedWorld) { w.nodeGone("a") }, "True Progressing 50%: a Draining b Pending c Completed | Workers 4.22.3"},
		{"Ma deleted", func(w *hostedWorld) { w.isGone("a") }, "True Progressing 50%: b Pending c Completed | Workers 4.22.3"},
		{"Md new", func(w *hostedWorld) { w.addMachine("d", versionB) }, "True Progressing 50%: b Pending c Completed | Workers 4.22.3"},
		{"Nd joins", func(w *hostedWorld) { w.joins("d") }, "True Progressing 50%: b Pending c Completed | Workers 4.22.3"},
		{"Nd label, Ready", func(w *hostedWorld) { w.labels("d") }, "True Progressing 99%: b Pending c Completed d Completed | Workers 4.22.3"},
		{"Mb deletionTimestamp; Nb cordoned", func(w *hostedWorld) { w.leaves("b") }, "True Progressing 99%: b Draining c Completed d Completed | Workers 4.22.3"},
		{"Nb, Mb deleted", func(w *hostedWorld) { w.isGone("b") }, "True Progressing 99%: c Completed d Completed | Workers 4.22.3"},
		{"NP status.version B, annotations; still Updating", func(w *hostedWorld) { w.np.Status.Version = versionB }, "False Completed 100%: c Completed d Completed | Completed 4.22.4"},
		{"NP Updating=False", func(w *hostedWorld) { w.poolDone() }, "False Completed 100%: c Completed d Completed | Completed 4.22.4"},
	})
}

// TestReplaceWithoutSurge: an old node goes before a new one comes. The update is not complete in between.
func TestReplaceWithoutSurge(t *testing.T) {
	updatedControlPlane(t, "Replace").play(poolText, []playedStep{
		{"asked", func(w *hostedWorld) {
			w.poolAsks(versionB)
			w.group().Template.Spec.Version = ptr(versionB)
			w.isGone("b")
			*w.np.Spec.Replicas = 1
		}, "False Pending 0%: a Pending | Workers 4.22.3"},
		{"the node leaves", func(w *hostedWorld) { w.leaves("a") }, "True Progressing 0%: a Draining | Workers 4.22.3"},
		{"and is gone", func(w *hostedWorld) { w.isGone("a") }, "True Progressing 0%: | Workers 4.22.3"},
		{"Machine", func(w *hostedWorld) { w.addMachine("c", versionB) }, "True Progressing 0%: | Workers 4.22.3"},
		{"joined", func(w *hostedWorld) {
			w.joins("c")
			w.labels("c")
		}, "True Progressing 99%: c Completed | Workers 4.22.3"},
		{"done", func(w *hostedWorld) {
			w.np.Status.Version = versionB
			w.poolDone()
		}, "False Completed 100%: c Completed | Completed 4.22.4"},
	})
}

const configG, configH = "gggg", "hhhh"

// inPlace returns a player whose nodes have been updated in place before: the annotations of that stay.
func inPlace(t *testing.T) *player {
	t.Helper()
	p := updatedControlPlane(t, "InPlace")
	for _, name := range []string{"a", "b"} {
		p.world.annotate(name, "desiredConfig", configG, "currentConfig", configG, "state", "Done", "desiredDrain", "uncordon-"+configG,
			"lastAppliedDrain", "uncordon-"+configG, "post-config-action", "Rebooting")
	}
	p.world.MachineSets[0].Annotations[hosted.TargetConfigAnnotation] = configG
	return p
}

// updateInPlace are the steps of a node.
func updateInPlace(name string, wants ...string) []playedStep {
	steps := []playedStep{
		{"desiredConfig H", func(w *hostedWorld) { w.annotate(name, "desiredConfig", configH) }, ""},
		{"Working, desiredDrain drain-H", func(w *hostedWorld) {
			w.annotate(name, "state", "Working", "desiredDrain", "drain-"+configH)
		}, ""},
		{"unschedulable; lastAppliedDrain drain-H", func(w *hostedWorld) {
			w.cordon(name)
			w.annotate(name, "lastAppliedDrain", "drain-"+configH)
		}, ""},
		{"post-config-action Rebooting", func(w *hostedWorld) { w.annotate(name, "post-config-action", "Rebooting") }, ""},
		{"Ready=Unknown", func(w *hostedWorld) { w.ready(name, corev1.ConditionUnknown) }, ""},
		{"Ready=True", func(w *hostedWorld) { w.ready(name, corev1.ConditionTrue) }, ""},
		{"currentConfig H, Done, desiredDrain uncordon-H", func(w *hostedWorld) {
			w.annotate(name, "currentConfig", configH, "state", "Done", "desiredDrain", "uncordon-"+configH)
		}, ""},
		{"schedulable; lastAppliedDrain uncordon-H", func(w *hostedWorld) {
			w.uncordon(name)
			w.annotate(name, "lastAppliedDrain", "uncordon-"+configH)
		}, ""},
	}
	for at := range steps {
		steps[at].name = "N" + name + " " + steps[at].name
		if at < len(wants) {
			steps[at].want = wants[at]
		}
	}
	return steps
}

func TestInPlace(t *testing.T) {
	p := inPlace(t)
	p.play(poolText, []playedStep{
		{"NP spec.release; UpdatingVersion=True", func(w *hostedWorld) { w.poolAsks(versionB) }, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"MS template version B, TargetConfigVersion H", func(w *hostedWorld) {
			w.group().Template.Spec.Version = ptr(versionB)
			w.MachineSets[0].Annotations[hosted.TargetConfigAnnotation] = configH
		}, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"MS UpgradeInProgressTrue", func(w *hostedWorld) {
			w.MachineSets[0].Annotations[hosted.InProgressAnnotation] = "Nodepool update in progress"
		}, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
	})
	p.play(poolText, []playedStep{
		{"a new Machine without a node is none that is updated", func(w *hostedWorld) { w.addMachine("c", versionB) }, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"nor is one whose node has not joined", func(w *hostedWorld) { w.joins("c") }, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"and goes", func(w *hostedWorld) { w.isGone("c") }, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
	})
	p.play(poolText, updateInPlace("a",
		"True Progressing 0%: a Updating b Pending | Workers 4.22.3",
		"True Progressing 0%: a Draining b Pending | Workers 4.22.3",
		"True Progressing 0%: a Updating b Pending | Workers 4.22.3",
		"True Progressing 0%: a Updating b Pending | Workers 4.22.3",
		"True Progressing 0%: a Rebooting b Pending | Workers 4.22.3",
		"True Progressing 0%: a Rebooting b Pending | Workers 4.22.3",
		"True Progressing 0%: a Rebooting b Pending | Workers 4.22.3",
		"True Progressing 50%: a Completed b Pending | Workers 4.22.3",
	))
	p.play(poolText, updateInPlace("b",
		"True Progressing 50%: a Completed b Updating | Workers 4.22.3",
		"True Progressing 50%: a Completed b Draining | Workers 4.22.3",
		"True Progressing 50%: a Completed b Updating | Workers 4.22.3",
		"True Progressing 50%: a Completed b Updating | Workers 4.22.3",
		"True Progressing 50%: a Completed b Rebooting | Workers 4.22.3",
		"True Progressing 50%: a Completed b Rebooting | Workers 4.22.3",
		"True Progressing 50%: a Completed b Rebooting | Workers 4.22.3",
		"True Progressing 99%: a Completed b Completed | Workers 4.22.3",
	))
	p.play(poolText, []playedStep{
		{"MS CurrentConfigVersion H, InProgress removed", func(w *hostedWorld) { delete(w.MachineSets[0].Annotations, hosted.InProgressAnnotation) }, "True Progressing 99%: a Completed b Completed | Workers 4.22.3"},
		{"NP status.version B", func(w *hostedWorld) { w.np.Status.Version = versionB }, "False Completed 100%: a Completed b Completed | Completed 4.22.4"},
		{"NP Updating=False", func(w *hostedWorld) { w.poolDone() }, "False Completed 100%: a Completed b Completed | Completed 4.22.4"},
		{"Machines keep an older version, and the hosted cluster can't be read", func(w *hostedWorld) { w.Nodes, w.ClusterOperators = nil, nil }, "False Completed 100%: a Completed b Completed | Completed 4.22.4"},
	})
}

// TestInPlaceFails: the pool stops at a node that can't be updated.
func TestInPlaceFails(t *testing.T) {
	p := inPlace(t)
	p.play(poolText, []playedStep{
		{"started", func(w *hostedWorld) {
			w.poolAsks(versionB)
			w.group().Template.Spec.Version = ptr(versionB)
			w.MachineSets[0].Annotations[hosted.TargetConfigAnnotation] = configH
			w.annotate("a", "desiredConfig", configH)
		}, "True Progressing 0%: a Updating b Pending | Workers 4.22.3"},
		{"the daemon fails", func(w *hostedWorld) {
			w.annotate("a", "state", "Degraded", "reason", "disk full", "desiredDrain", "drain-"+configH, "lastAppliedDrain", "drain-"+configH)
		}, "True Degraded 0%: a Updating degraded b Pending | Workers 4.22.3 | node-degraded"},
		{"the pool stops", func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "UpdatingVersion", "False", "InplaceUpgradeFailed", "Node a failed: disk full")
		}, "True Degraded 0%: a Updating degraded b Pending | Workers 4.22.3 | node-degraded | node-pool-in-place-failed"},
	})
}

// TestConfigRollouts: new configurations of the same version are no updates.
func TestConfigRollouts(t *testing.T) {
	updatedControlPlane(t, "Replace").play(poolText, []playedStep{
		{"UpdatingConfig", func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "UpdatingConfig", "True", "AsExpected", "Updating config in progress. Target config: x")
		}, "False Completed 100%: a Completed b Completed | Completed 4.22.3"},
		{"a new Machine", func(w *hostedWorld) { w.addMachine("c", versionA) }, "False Completed 100%: a Completed b Completed | Completed 4.22.3"},
		{"its node joins", func(w *hostedWorld) { w.joins("c") }, "False Completed 100%: a Completed b Completed | Completed 4.22.3"},
		{"its node is ready", func(w *hostedWorld) { w.labels("c") }, "False Completed 100%: a Completed b Completed c Completed | Completed 4.22.3"},
		{"an old one leaves", func(w *hostedWorld) { w.leaves("a") }, "False Completed 100%: a Completed unavailable b Completed c Completed | Completed 4.22.3"},
	})
	inPlace(t).play(poolText, []playedStep{
		{"TargetConfigVersion H", func(w *hostedWorld) { w.MachineSets[0].Annotations[hosted.TargetConfigAnnotation] = configH }, "False Completed 100%: a Completed b Completed | Completed 4.22.3"},
		{"the daemon is at work", func(w *hostedWorld) {
			w.annotate("a", "desiredConfig", configH, "state", "Working", "desiredDrain", "drain-"+configH)
			w.cordon("a")
		}, "False Completed 100%: a Completed unavailable b Completed | Completed 4.22.3"},
	})
}

// TestPausedPool: a pool that is paused until a time waits, and goes on by itself.
func TestPausedPool(t *testing.T) {
	p := updatedControlPlane(t, "Replace")
	p.play(poolText, []playedStep{
		{"paused", func(w *hostedWorld) {
			w.np.Spec.PausedUntil = ptr(w.now.Add(3 * time.Minute).Format(time.RFC3339))
			w.poolAsks(versionB)
		}, "False Excluded 0%: a Paused b Paused | Paused 4.22.3 | node-pool-paused"},
	})
	result := hosted.NodePool(hosted.NodePoolInput{PoolObjects: hosted.PoolObjects{NodePool: p.world.np}}, p.world.now)
	if want := p.world.now.Add(3 * time.Minute); !result.NextCheck.Equal(want) {
		t.Errorf("next check at %s, want %s", result.NextCheck, want)
	}
	p.play(poolText, []playedStep{
		{"still", func(*hostedWorld) {}, "False Excluded 0%: a Paused b Paused | Paused 4.22.3 | node-pool-paused"},
		{"the time has not passed", func(*hostedWorld) {}, "False Excluded 0%: a Paused b Paused | Paused 4.22.3 | node-pool-paused"},
		{"it has", func(*hostedWorld) {}, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"the hosted cluster is paused", func(w *hostedWorld) { w.hc.Spec.PausedUntil = ptr("true") }, "False Excluded 0%: a Paused b Paused | Paused 4.22.3 | node-pool-paused"},
		{"and no time", func(w *hostedWorld) { w.hc.Spec.PausedUntil = ptr("tomorrow") }, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"in another spelling", func(w *hostedWorld) { w.hc.Spec.PausedUntil = ptr("T") }, "False Excluded 0%: a Paused b Paused | Paused 4.22.3 | node-pool-paused"},
		{"and not, in another one", func(w *hostedWorld) { w.hc.Spec.PausedUntil = ptr("0") }, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
	})
}

// TestPausedHalfWay: what has been replaced stays, and the rest waits.
func TestPausedHalfWay(t *testing.T) {
	updatedControlPlane(t, "Replace").play(poolText, []playedStep{
		{"half-way", func(w *hostedWorld) {
			w.poolAsks(versionB)
			w.addMachine("c", versionB)
			w.joins("c")
			w.labels("c")
			w.isGone("a")
		}, "True Progressing 50%: b Pending c Completed | Workers 4.22.3"},
		{"paused", func(w *hostedWorld) { w.np.Spec.PausedUntil = ptr("true") }, "False Excluded 50%: b Paused c Completed | Paused 4.22.3 | node-pool-paused"},
		{"a Machine that starts goes on", func(w *hostedWorld) { w.addMachine("d", versionB) }, "True Excluded 50%: b Paused c Completed | Paused 4.22.3 | node-pool-paused"},
		{"a Machine that leaves goes on", func(w *hostedWorld) { w.leaves("b") }, "True Progressing 50%: b Draining c Completed | Workers 4.22.3"},
	})
	updatedControlPlane(t, "Replace").play(poolText, []playedStep{
		{"a node leaves", func(w *hostedWorld) {
			w.poolAsks(versionB)
			w.leaves("a")
		}, "True Progressing 0%: a Draining b Pending | Workers 4.22.3"},
		{"the hosted cluster is paused, and so are its Machines", func(w *hostedWorld) { w.hc.Spec.PausedUntil = ptr("true") }, "False Excluded 0%: a Paused unavailable b Paused | Paused 4.22.3 | node-pool-paused"},
	})
}

// TestPausedInPlace: what has started in a pool goes on while it is paused. The pause of its hosted cluster is none of the pool.
func TestPausedInPlace(t *testing.T) {
	started := func(w *hostedWorld) {
		w.group().Template.Spec.Version = ptr(versionB)
		w.MachineSets[0].Annotations[hosted.TargetConfigAnnotation] = configH
		w.MachineSets[0].Annotations[hosted.InProgressAnnotation] = "Updating version in progress"
	}
	inPlace(t).play(poolText, []playedStep{
		{"paused", func(w *hostedWorld) {
			w.np.Spec.PausedUntil = ptr("1")
			w.poolAsks(versionB)
		}, "False Excluded 0%: a Paused b Paused | Paused 4.22.3 | node-pool-paused"},
		{"started before", started, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
	})
	p := inPlace(t)
	p.play(poolText, []playedStep{
		{"the hosted cluster is paused", func(w *hostedWorld) { w.hc.Spec.PausedUntil = ptr("true") }, "False Completed 100%: a Completed b Completed | Completed 4.22.3"},
		{"and the pool asked", func(w *hostedWorld) { w.poolAsks(versionB) }, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"which starts", started, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
	})
	p.play(poolText, updateInPlace("a",
		"True Progressing 0%: a Updating b Pending | Workers 4.22.3",
		"True Progressing 0%: a Draining b Pending | Workers 4.22.3",
		"True Progressing 0%: a Updating b Pending | Workers 4.22.3",
	)[:3])
}

// TestPoolApart: a pool goes to a version of its own, which the HostedCluster never had. A pause shows the version that is asked for.
func TestPoolApart(t *testing.T) {
	p := updatedControlPlane(t, "Replace")
	p.play(poolText, []playedStep{
		{"two minor versions behind", func(w *hostedWorld) {
			w.np.Spec.Release.Image, w.np.Status.Version = "quay.io/example/release@sha256:20", "4.20.1"
			w.group().Template.Spec.Version = ptr("4.20.1")
			w.machine("a").Spec.Version, w.machine("b").Spec.Version = ptr("4.20.1"), ptr("4.20.1")
		}, "False Completed 100%: a Completed b Completed | Completed 4.22.3"},
		{"asked for 4.21.1", func(w *hostedWorld) {
			w.np.Spec.Release.Image = "quay.io/example/release@sha256:21"
			w.condition(&w.np.Status.Conditions, "UpdatingVersion", "True", "AsExpected", "Updating version in progress. Target version: 4.21.1")
		}, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"started", func(w *hostedWorld) {
			w.group().Template.Spec.Version = ptr("4.21.1")
			w.leaves("a")
		}, "True Progressing 0%: a Draining b Pending | Workers 4.22.3"},
		{"without a word on the version", func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "UpdatingVersion", "True", "AsExpected", "in progress")
		}, "True Progressing 0%: a Draining b Pending | Workers 4.22.3"},
		{"nor Machines", func(w *hostedWorld) { w.MachineDeployments, w.Machines = nil, nil }, "Unknown Unknown 0%: a CannotDetermine unavailable b CannotDetermine | Workers 4.22.3"},
	})
}

// TestRefusedPool: a pool that is refused another release stays as it is, which is not all that it is asked for. What HyperShift has
// not written since is not believed.
func TestRefusedPool(t *testing.T) {
	refused := func(image string) func(*hostedWorld) {
		return func(w *hostedWorld) {
			w.np.Spec.Release.Image = image
			w.condition(&w.np.Status.Conditions, "ValidReleaseImage", "False", "ValidationFailed", "minor version above that of the HostedCluster")
		}
	}
	updatedControlPlane(t, "Replace").play(poolText, []playedStep{
		{"its own image can't be read", refused(imageA), "False Completed 100%: a Completed b Completed | Completed 4.22.3"},
		{"an unknown one is refused", refused("quay.io/example/release@sha256:99"), "False Completed 100%: a Completed b Completed | Completed 4.22.3 | node-pool-refused"},
		{"with a word from before", func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "UpdatingVersion", "True", "AsExpected", "Updating version in progress. Target version: "+versionB)
		}, "False Completed 100%: a Completed b Completed | Completed 4.22.3 | node-pool-refused"},
		{"and without Machines", func(w *hostedWorld) { w.MachineDeployments, w.Machines = nil, nil }, "False Completed 100%: a Completed b Completed | Completed 4.22.3 | node-pool-refused"},
	})
	inPlace(t).play(poolText, []playedStep{
		{"failed", func(w *hostedWorld) {
			w.poolAsks(versionB)
			w.condition(&w.np.Status.Conditions, "UpdatingVersion", "False", "InplaceUpgradeFailed", "Node a failed")
		}, "False Degraded 0%: a Pending b Pending | Workers 4.22.3 | node-pool-in-place-failed"},
		{"and then refused", func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "ValidMachineConfig", "False", "ValidationFailed", "no such ConfigMap")
		}, "False Pending 0%: a Pending b Pending | Workers 4.22.3 | node-pool-refused"},
	})
}

// TestNoPlatformImage: a pool stops while it is being updated, as the release has no image for its platform.
func TestNoPlatformImage(t *testing.T) {
	updatedControlPlane(t, "Replace").play(poolText, []playedStep{
		{"asked", func(w *hostedWorld) { w.poolAsks(versionB) }, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"no image", func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "ValidPlatformImage", "False", "ValidationFailed", "Couldn't discover an AMI for release image")
		}, "False Pending 0%: a Pending b Pending | Workers 4.22.3 | node-pool-refused"},
		{"an image", func(w *hostedWorld) {
			w.condition(&w.np.Status.Conditions, "ValidPlatformImage", "True", "AsExpected", "Bootstrap AMI is ami-1")
			w.group().Template.Spec.Version = ptr(versionB)
			w.addMachine("c", versionB)
		}, "True Progressing 0%: a Pending b Pending | Workers 4.22.3"},
	})
}

// TestHostedClusterAway: without the nodes of the hosted cluster, Machines tell how far the pool is.
func TestHostedClusterAway(t *testing.T) {
	updatedControlPlane(t, "Replace").play(poolText, []playedStep{
		{"asked", func(w *hostedWorld) {
			w.poolAsks(versionB)
			w.group().Template.Spec.Version = ptr(versionB)
		}, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"the hosted cluster can't be read", func(w *hostedWorld) { w.Nodes, w.ClusterOperators = nil, nil }, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"Mc new", func(w *hostedWorld) { w.addMachine("c", versionB) }, "True Progressing 0%: a Pending b Pending | Workers 4.22.3"},
		{"Mc nodeRef, not healthy", func(w *hostedWorld) {
			w.machine("c").Status.NodeRef = w.machine("a").Status.NodeRef.DeepCopy()
			w.machine("c").Status.NodeRef.Name = "c"
			w.condition(&w.machine("c").Status.Conditions, "NodeHealthy", "False", "NodeConditionsFailed", "")
		}, "True Progressing 0%: a Pending b Pending | Workers 4.22.3"},
		{"healthy", func(w *hostedWorld) { w.condition(&w.machine("c").Status.Conditions, "NodeHealthy", "True", "", "") }, "True Progressing 50%: a Pending b Pending c Completed | Workers 4.22.3"},
	})
}

// TestNoMachines: on platforms without Machines the nodes have the version that their pool says.
func TestNoMachines(t *testing.T) {
	updatedControlPlane(t, "Replace").play(poolText, []playedStep{
		{"no Machines", func(w *hostedWorld) { w.Machines, w.MachineDeployments = nil, nil }, "False Completed 100%: a Completed b Completed | Completed 4.22.3"},
		{"asked", func(w *hostedWorld) { w.poolAsks(versionB) }, "False Pending 0%: a Pending b Pending | Workers 4.22.3"},
		{"the version jumps", func(w *hostedWorld) { w.np.Status.Version = versionB }, "False Completed 100%: a Completed b Completed | Completed 4.22.4"},
		{"done", func(w *hostedWorld) { w.poolDone() }, "False Completed 100%: a Completed b Completed | Completed 4.22.4"},
	})
}

// TestPlatformNone: nodes of platform None belong to no pool, whose update is not known then.
func TestPlatformNone(t *testing.T) {
	none := func(w *hostedWorld) {
		w.Machines, w.MachineDeployments = nil, nil
		for _, node := range w.Nodes {
			node.Labels, node.CreationTimestamp = nil, metav1.NewTime(installed)
		}
	}
	updatedControlPlane(t, "Replace").play(poolText, []playedStep{
		{"no Machines, no labels", none, "Unknown Unknown 0%: | Completed 4.22.4"},
		{"asked", func(w *hostedWorld) { w.poolAsks(versionB) }, "True Progressing 0%: | Workers 4.22.4 | hosted-cluster-nodes-without-pool"},
		{"the version jumps", func(w *hostedWorld) { w.np.Status.Version = versionB }, "Unknown Unknown 0%: | Completed 4.22.4"},
		{"a pool that should have no nodes", func(w *hostedWorld) { *w.np.Spec.Replicas = 0 }, "False Completed 100%: | Completed 4.22.4"},
	})
}

// TestNoPools: without nodes the payload can't complete.
func TestNoPools(t *testing.T) {
	w := newHostedWorld("surge", "Replace")
	w.NodePools, w.Machines, w.Nodes = nil, nil, nil
	steps := controlPlaneSteps()
	p := newPlayer(t, w)
	for _, step := range steps[:len(steps)-2] {
		w.now = w.now.Add(time.Minute)
		step.change(w)
		p.observe(step.name, controlPlaneText)
	}
	p.play(controlPlaneText, []playedStep{
		{"it stays Partial", func(w *hostedWorld) {
			w.condition(&w.hc.Status.Conditions, "ClusterVersionSucceeding", "False", "ClusterOperatorsNotAvailable", "console is not available")
		}, "True 4.22.4 Progressing 83% 5/0/1 | ControlPlane 4.22.3 | hosted-cluster-failing"},
		{"for hours", func(w *hostedWorld) { w.now = w.now.Add(3 * time.Hour) }, "True 4.22.4 Stalled 83% 5/0/1 | ControlPlane 4.22.3 | hosted-cluster-failing"},
	})
	for _, tc := range []struct {
		name   string
		change func()
		want   updatev1alpha1.HealthLevel
	}{
		{"without nodes", func() {}, updatev1alpha1.LevelInfo},
		{"not known whether there are nodes", func() { w.ClusterOperators = nil }, updatev1alpha1.LevelWarning},
	} {
		tc.change()
		for _, one := range hosted.Assess(w.Input, w.now)[0].Reports[0].Insights[1:] {
			if got := one.Insight.Health.Impact; got.Level != tc.want || strings.Contains(got.Description, "requires nodes") != (tc.want == updatev1alpha1.LevelInfo) {
				t.Errorf("%s: %s %q, want %s", tc.name, got.Level, got.Description, tc.want)
			}
		}
	}
}

// TestOtherPools: pools of other hosted clusters, and nodes of no pool, are not of this one.
func TestOtherPools(t *testing.T) {
	w := newHostedWorld("surge", "Replace")
	other := w.np.DeepCopy()
	other.Name, other.Spec.ClusterName = "other", "another"
	elsewhere := w.np.DeepCopy()
	elsewhere.Name, elsewhere.Namespace = "elsewhere", "others"
	w.NodePools = append([]*hypershiftv1beta1.NodePool{other, elsewhere}, w.np)
	w.Nodes = append(w.Nodes, &corev1.Node{})
	newPlayer(t, w).play(poolText, []playedStep{
		{"as it is", func(*hostedWorld) {}, "False Completed 100%: a Completed b Completed | NotUpdating 4.22.3"},
	})
	w = newHostedWorld("surge", "Replace")
	w.HostedCluster = nil
	if messages := hosted.Assess(w.Input, w.now); len(messages) != 2 || len(messages[1].Reports) != 0 {
		t.Errorf("without a HostedCluster: %+v", messages)
	}
}
