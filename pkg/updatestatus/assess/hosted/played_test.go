package hosted_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"

	configv1 "github.com/openshift/api/config/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// playedStep is a write, or some that come at once, and what is reported after it.
type playedStep struct {
	name   string
	change func(w *hostedWorld)
	// want is the control plane with its components and operators, or else the pool and its nodes; the whole, and health checks.
	want string
}

// player plays steps, a minute after each other, and checks what must hold at every step.
type player struct {
	t       *testing.T
	world   *hostedWorld
	builder *status.Builder
	last    *updatev1alpha1.UpdateStatusSummaryStatus
	// stage is how far the update is, and nodes how far each node is.
	stage int
	nodes map[string]int
}

func newPlayer(t *testing.T, world *hostedWorld) *player {
	t.Helper()
	return &player{t: t, world: world, builder: status.NewBuilder(), nodes: map[string]int{}}
}

// play plays steps, a minute after each other, and compares a text of each.
func (p *player) play(text func(insight.Contents) string, steps []playedStep) *player {
	p.t.Helper()
	var want, got strings.Builder
	for _, step := range steps {
		p.world.now = p.world.now.Add(time.Minute)
		step.change(p.world)
		fmt.Fprintf(&want, "%s\n    %s\n", step.name, step.want)
		fmt.Fprintf(&got, "%s\n    %s\n", step.name, p.observe(step.name, text))
	}
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		p.t.Errorf("(-want +got):\n%s", diff)
	}
	return p
}

// observe goes from the objects to what is reported, as the controller does.
func (p *player) observe(step string, text func(insight.Contents) string) string {
	reported := ledger.New()
	for _, message := range hosted.Assess(p.world.Input, p.world.now) {
		reported.Apply(message)
	}
	built := p.builder.Build(reported.View(), p.world.now)
	p.last = summary.Of(summary.Input{Update: update.Read(built), Previous: p.last, Now: p.world.now})
	all := insight.ReadAll(built)
	p.check(step, all)
	var health []string
	for _, one := range all.Health {
		health = append(health, checks.Of(one.UID).Name)
	}
	whole := meta.FindStatusCondition(p.last.Conditions, updatev1alpha1.ConditionUpdating)
	return strings.Join(append([]string{text(all), words(whole.Reason, p.last.CompletedVersion)}, health...), " | ")
}

// controlPlaneText is whether it is updating and to what, its assessment and completion, and how many components and operators are
// updated, updating and waiting.
func controlPlaneText(all insight.Contents) string {
	updating := meta.FindStatusCondition(all.Version.Conditions, updatev1alpha1.ConditionUpdating)
	operators := map[insight.OperatorProgress]int{}
	for _, one := range all.Operators {
		operators[insight.OperatorStateOf(one).Progress]++
	}
	target := "?"
	if all.Version.Versions.Target != nil {
		target = all.Version.Versions.Target.Version
	}
	return words(string(updating.Status), target, string(all.Version.Assessment), fmt.Sprintf("%d%% %d/%d/%d", all.Version.Completion,
		operators[insight.OperatorUpdated], operators[insight.OperatorUpdating], operators[insight.OperatorWaiting]))
}

// poolText is whether a pool is updating, its assessment and completion, and its nodes.
func poolText(all insight.Contents) string {
	var parts []string
	for _, one := range all.Pools {
		updating := meta.FindStatusCondition(one.Conditions, updatev1alpha1.ConditionUpdating)
		parts = append(parts, fmt.Sprintf("%s %s %d%%:", updating.Status, one.Assessment, one.Completion))
	}
	for _, one := range all.Nodes {
		state := insight.StateOf(one)
		parts = append(parts, one.Name+" "+string(state.Phase))
		if assessment := state.Assessment(); assessment == insight.NodeDegraded || assessment == insight.NodeUnavailable {
			parts = append(parts, strings.ToLower(string(assessment)))
		}
	}
	return words(parts...)
}

// check checks the invariants: the lifecycle only moves forward, and the counts add up.
func (p *player) check(step string, all insight.Contents) {
	stage := map[string]int{
		updatev1alpha1.ReasonCompleted: 0, updatev1alpha1.ReasonControlPlane: 1, updatev1alpha1.ReasonControlPlaneAndWorkers: 1, updatev1alpha1.ReasonWorkers: 2,
	}[meta.FindStatusCondition(p.last.Conditions, updatev1alpha1.ConditionUpdating).Reason]
	if p.last.CompletedVersion == versionB {
		stage = 3
	}
	if stage < p.stage && stage != 0 || p.stage == 3 && stage != 3 {
		p.t.Errorf("%s: a step back from %d to %d", step, p.stage, stage)
	}
	p.stage = stage
	if all.Version.CompletedAt != nil && meta.IsStatusConditionTrue(all.Version.Conditions, updatev1alpha1.ConditionUpdating) {
		p.t.Errorf("%s: complete and updating", step)
	}
	p.checkTrack(step, "management", all.Management, p.world.hc.Status.ControlPlaneVersion)
	p.checkTrack(step, "the data plane", all.DataPlane, p.world.hc.Status.Version)
	order := []insight.NodePhase{
		insight.PhasePending, insight.PhaseDraining, insight.PhaseUpdating, insight.PhaseRebooting, insight.PhaseCompleted,
	}
	counts := map[updatev1alpha1.NodeSummaryType]int32{updatev1alpha1.NodesTotal: int32(len(all.Nodes))}
	for _, one := range all.Nodes {
		state := insight.StateOf(one)
		if state.Phase != insight.PhaseCompleted {
			counts[updatev1alpha1.NodesOutdated]++
		}
		at := slices.Index(order, state.Phase)
		if state.Phase == insight.PhaseCompleted && one.Version != versionB {
			at = 0 // with the version before, as it was
		}
		if begins := state.Phase == insight.PhaseDraining && p.nodes[one.Name] == at+1; begins {
			p.nodes[one.Name] = at // it was updating before its drain was requested
		}
		if at < p.nodes[one.Name] && state.Phase != insight.PhasePaused && state.Phase != insight.PhaseUnknown {
			p.t.Errorf("%s: node %s goes back to %s", step, one.Name, state.Phase)
		}
		p.nodes[one.Name] = max(at, 0)
	}
	for _, pool := range all.Pools {
		for _, one := range pool.Summaries {
			if want, checked := counts[one.Type]; checked && one.Count != want {
				p.t.Errorf("%s: the pool counts %d %s nodes, there are %d", step, one.Count, one.Type, want)
			}
		}
	}
}

// checkTrack checks that a track is complete only at what its history has completed, and that there is none without a history.
func (p *player) checkTrack(step, name string, track *updatev1alpha1.ControlPlaneTrack, reported *hypershiftv1beta1.VersionStatus) {
	if reported == nil || track == nil {
		if reported != nil || track != nil {
			p.t.Errorf("%s: %s is %+v, its history %+v", step, name, track, reported)
		}
		return
	}
	newest := reported.History[0]
	isCompleted := track.State == updatev1alpha1.TrackCompleted
	if isCompleted && (newest.State != configv1.CompletedUpdate || track.Version != newest.Version) || isCompleted != (track.CompletedAt != nil) {
		p.t.Errorf("%s: %s is %s at %s, its history %s at %s", step, name, track.State, track.Version, newest.State, newest.Version)
	}
}

// controlPlaneSteps are the update of the control plane, from the request to the end.
func controlPlaneSteps() []playedStep {
	rolls := func(name string) func(*hostedWorld) {
		return func(w *hostedWorld) { w.rollsOut(name, "WaitingForRolloutComplete") }
	}
	isRolled := func(name string) func(*hostedWorld) {
		return func(w *hostedWorld) { w.rolledOut(name, versionB) }
	}
	return []playedStep{
		{"before", func(*hostedWorld) {}, "False 4.22.3 Completed 100% 6/0/0 | NotUpdating 4.22.3"},
		{"HC spec.release; Progressing=True", func(w *hostedWorld) {
			w.hc.Spec.Release.Image = imageB
			w.condition(&w.hc.Status.Conditions, "Progressing", "True", "Progressing", "")
		}, "True ? Progressing 0% 0/0/6 | ControlPlane 4.22.3"},
		{"CPC control-plane-operator False", rolls("control-plane-operator"), "True ? Progressing 0% 0/1/5 | ControlPlane 4.22.3"},
		{"CPC control-plane-operator True+B", isRolled("control-plane-operator"), "True ? Progressing 17% 1/0/5 | ControlPlane 4.22.3"},
		{"HC M Partial B", func(w *hostedWorld) { w.begins(w.hc.Status.ControlPlaneVersion, versionB) }, "True 4.22.4 Progressing 17% 1/0/5 | ControlPlane 4.22.3"},
		{"CPC kube-apiserver waits for etcd, which rolls out", func(w *hostedWorld) {
			w.rollsOut("etcd", "WaitingForRolloutComplete")
			w.rollsOut("kube-apiserver", "WaitingForDependencies")
		}, "True 4.22.4 Progressing 17% 1/1/4 | ControlPlane 4.22.3"},
		{"CPC etcd, kube-apiserver", func(w *hostedWorld) {
			w.rolledOut("etcd", versionB)
			w.rolledOut("kube-apiserver", versionB)
		}, "True 4.22.4 Progressing 50% 3/0/3 | ControlPlane 4.22.3"},
		{"CPC CVO", isRolled("cluster-version-operator"), "True 4.22.4 Progressing 67% 4/0/2 | ControlPlane 4.22.3"},
		{"HC D = CV, Progressing=False", func(w *hostedWorld) {
			w.begins(w.hc.Status.Version, versionB)
			w.condition(&w.hc.Status.Conditions, "Progressing", "False", "AsExpected", "")
		}, "True 4.22.4 Progressing 67% 4/0/2 | ControlPlane 4.22.3"},
		{"CPC others", isRolled("dns-operator"), "True 4.22.4 Progressing 83% 5/0/1 | ControlPlane 4.22.3"},
		{"HC M Completed", func(w *hostedWorld) { w.completes(w.hc.Status.ControlPlaneVersion) }, "True 4.22.4 Progressing 83% 5/0/1 | ControlPlane 4.22.3"},
		{"CO one by one", func(w *hostedWorld) { w.operatorUpdated("network") }, "True 4.22.4 Progressing 99% 6/0/0 | ControlPlane 4.22.3"},
		{"CV Completed; HC D = CV", func(w *hostedWorld) { w.completes(w.hc.Status.Version) }, "False 4.22.4 Completed 100% 6/0/0 | Completed 4.22.3"},
	}
}

func TestHostedControlPlane(t *testing.T) {
	newPlayer(t, newHostedWorld("surge", "Replace")).play(controlPlaneText, controlPlaneSteps())
}

// TestReleaseNotAccepted: the payload waits until its release is accepted. The components go on.
func TestReleaseNotAccepted(t *testing.T) {
	p := newPlayer(t, newHostedWorld("surge", "Replace"))
	steps := controlPlaneSteps()
	p.play(controlPlaneText, steps[:5])
	p.play(controlPlaneText, []playedStep{
		{"ClusterVersionReleaseAccepted=False", func(w *hostedWorld) {
			w.condition(&w.hc.Status.Conditions, "ClusterVersionReleaseAccepted", "False", "RetrievePayload", "Retrieving payload failed")
			w.now = w.now.Add(10 * time.Minute)
		}, "True 4.22.4 Progressing 17% 1/0/5 | ControlPlane 4.22.3 | hosted-cluster-release-not-accepted"},
		{"all components", func(w *hostedWorld) {
			for _, one := range w.Components {
				w.rolledOut(one.Name, versionB)
			}
			w.completes(w.hc.Status.ControlPlaneVersion)
		}, "True 4.22.4 Progressing 83% 5/0/1 | ControlPlane 4.22.3 | hosted-cluster-release-not-accepted"},
		{"accepted", func(w *hostedWorld) {
			w.condition(&w.hc.Status.Conditions, "ClusterVersionReleaseAccepted", "True", "PayloadLoaded", "")
			w.begins(w.hc.Status.Version, versionB)
		}, "True 4.22.4 Progressing 83% 5/0/1 | ControlPlane 4.22.3"},
	})
}

// TestReleaseOfComponents: the components have a release of their own. What is not asked for stays as it is.
func TestReleaseOfComponents(t *testing.T) {
	newPlayer(t, newHostedWorld("surge", "Replace")).play(controlPlaneText, []playedStep{
		{"before", func(*hostedWorld) {}, "False 4.22.3 Completed 100% 6/0/0 | NotUpdating 4.22.3"},
		{"asked for the components alone", func(w *hostedWorld) {
			w.hc.Spec.ControlPlaneRelease = &hypershiftv1beta1.Release{Image: imageB}
			w.condition(&w.hc.Status.Conditions, "Progressing", "True", "Progressing", "")
		}, "True ? Progressing 17% 1/0/5 | ControlPlane 4.22.3"},
		{"HC M Partial B", func(w *hostedWorld) { w.begins(w.hc.Status.ControlPlaneVersion, versionB) }, "True 4.22.4 Progressing 17% 1/0/5 | ControlPlane 4.22.3"},
		{"HC M Completed", func(w *hostedWorld) {
			for _, one := range w.Components {
				w.rolledOut(one.Name, versionB)
			}
			w.completes(w.hc.Status.ControlPlaneVersion)
			w.condition(&w.hc.Status.Conditions, "Progressing", "False", "AsExpected", "")
		}, "False 4.22.4 Completed 100% 6/0/0 | Completed 4.22.3"},
		{"asked for the payload alone", func(w *hostedWorld) {
			w.hc.Spec.Release.Image = "quay.io/example/release@sha256:55"
			w.condition(&w.hc.Status.Conditions, "Progressing", "True", "Progressing", "")
		}, "True ? Progressing 83% 5/0/1 | ControlPlane 4.22.3"},
		{"and not any more", func(w *hostedWorld) { w.hc.Spec.Release.Image = imageA }, "False 4.22.4 Completed 100% 6/0/0 | Completed 4.22.3"},
	})
}

// TestWithoutComponentHistory: a HyperShift that writes no history of the components.
func TestWithoutComponentHistory(t *testing.T) {
	w := newHostedWorld("surge", "Replace")
	w.hc.Status.ControlPlaneVersion = nil
	newPlayer(t, w).play(controlPlaneText, []playedStep{
		{"before", func(*hostedWorld) {}, "False 4.22.3 Completed 100% 6/0/0 | NotUpdating 4.22.3"},
		{"asked, and not any more", func(w *hostedWorld) {
			w.condition(&w.hc.Status.Conditions, "Progressing", "True", "Progressing", "")
		}, "False 4.22.3 Completed 100% 6/0/0 | NotUpdating 4.22.3"},
		{"asked", func(w *hostedWorld) {
			w.hc.Spec.Release.Image = imageB
			w.condition(&w.hc.Status.Conditions, "Progressing", "True", "Progressing", "")
		}, "True ? Progressing 0% 0/0/6 | ControlPlane 4.22.3"},
		{"the first component tells the version", func(w *hostedWorld) { w.rolledOut("control-plane-operator", versionB) }, "True 4.22.4 Progressing 17% 1/0/5 | ControlPlane 4.22.3"},
		{"D begins", func(w *hostedWorld) {
			w.begins(w.hc.Status.Version, versionB)
			w.condition(&w.hc.Status.Conditions, "Progressing", "False", "AsExpected", "")
		}, "True 4.22.4 Progressing 17% 1/0/5 | ControlPlane 4.22.3"},
		{"D is complete before the components are", func(w *hostedWorld) {
			for _, one := range w.Components[1:4] {
				w.rolledOut(one.Name, versionB)
			}
			w.operatorUpdated("network")
			w.completes(w.hc.Status.Version)
		}, "True 4.22.4 Progressing 83% 5/0/1 | ControlPlane 4.22.3"},
		{"all are", func(w *hostedWorld) { w.rolledOut("dns-operator", versionB) }, "False 4.22.4 Completed 100% 6/0/0 | Completed 4.22.3"},
	})
	w = newHostedWorld("surge", "Replace")
	w.hc.Status.ControlPlaneVersion = nil
	newPlayer(t, w).play(controlPlaneText, []playedStep{
		{"the components have a release of their own", func(w *hostedWorld) {
			w.hc.Spec.ControlPlaneRelease = &hypershiftv1beta1.Release{Image: imageB}
			for _, one := range w.Components {
				w.rolledOut(one.Name, versionB)
			}
		}, "False 4.22.3 Completed 100% 6/0/0 | NotUpdating 4.22.3"},
		{"the payload is asked for another one", func(w *hostedWorld) {
			w.hc.Spec.Release.Image = "quay.io/example/release@sha256:55"
			w.condition(&w.hc.Status.Conditions, "Progressing", "True", "Progressing", "")
		}, "True ? Progressing 83% 5/0/1 | ControlPlane 4.22.3"},
	})
}

// TestOwnComponent: the update of a control plane doesn't wait for this controller.
func TestOwnComponent(t *testing.T) {
	w := newHostedWorld("surge", "Replace")
	own := w.Components[0].DeepCopy()
	own.Name = "update-status-controller"
	w.Components = append(w.Components, own)
	newPlayer(t, w).play(controlPlaneText, []playedStep{
		{"the components are updated", func(w *hostedWorld) {
			w.hc.Spec.Release.Image = imageB
			w.begins(w.hc.Status.ControlPlaneVersion, versionB)
			w.begins(w.hc.Status.Version, versionB)
			for _, one := range w.Components {
				if one != own {
					w.rolledOut(one.Name, versionB)
				}
			}
		}, "True 4.22.4 Progressing 83% 5/0/1 | ControlPlane"},
	})
}

// TestOlderRelease: below 4.20 a hosted release has no components. Those of a newer HyperShift are no control plane, and what an older one
// has left is none of it.
func TestOlderRelease(t *testing.T) {
	w := newHostedWorld("surge", "Replace")
	w.hc.Status.ControlPlaneVersion, w.Components = nil, w.Components[:2]
	w.Components[1].Name = "cluster-api"
	newPlayer(t, w).play(controlPlaneText, []playedStep{
		{"before", func(*hostedWorld) {}, "False 4.22.3 Completed 100% 1/0/0 | NotUpdating 4.22.3"},
		{"asked", func(w *hostedWorld) {
			w.hc.Spec.Release.Image = imageB
			w.condition(&w.hc.Status.Conditions, "Progressing", "True", "Progressing", "")
		}, "True ? Progressing 0% 0/0/1 | ControlPlane 4.22.3"},
		{"the components of HyperShift", func(w *hostedWorld) {
			w.rolledOut("control-plane-operator", versionB)
			w.rolledOut("cluster-api", versionB)
		}, "True 4.22.4 Progressing 0% 0/0/1 | ControlPlane 4.22.3"},
		{"D begins", func(w *hostedWorld) {
			w.begins(w.hc.Status.Version, versionB)
			w.condition(&w.hc.Status.Conditions, "Progressing", "False", "AsExpected", "")
		}, "True 4.22.4 Progressing 0% 0/0/1 | ControlPlane 4.22.3"},
		{"D is complete", func(w *hostedWorld) {
			w.operatorUpdated("network")
			w.completes(w.hc.Status.Version)
		}, "False 4.22.4 Completed 100% 1/0/0 | Completed 4.22.3"},
	})
	w = newHostedWorld("surge", "Replace")
	w.hc.Status.ControlPlaneVersion = nil
	for _, one := range w.Components {
		one.Status.Conditions = nil
		w.condition(&one.Status.Conditions, "Progressing", "False", "AsExpected", "")
	}
	newPlayer(t, w).play(controlPlaneText, []playedStep{
		{"before", func(*hostedWorld) {}, "False 4.22.3 Completed 100% 1/0/0 | NotUpdating 4.22.3"},
		{"D begins", func(w *hostedWorld) {
			w.hc.Spec.Release.Image = imageB
			w.begins(w.hc.Status.Version, versionB)
		}, "True 4.22.4 Progressing 0% 0/0/1 | ControlPlane 4.22.3"},
		{"D is complete, and the components are as an older HyperShift left them", func(w *hostedWorld) {
			w.operatorUpdated("network")
			w.completes(w.hc.Status.Version)
		}, "False 4.22.4 Completed 100% 1/0/0 | Completed 4.22.3"},
		{"another release is asked for", func(w *hostedWorld) {
			w.hc.Spec.Release.Image = "quay.io/example/release@sha256:55"
			w.condition(&w.hc.Status.Conditions, "Progressing", "True", "Progressing", "")
		}, "True ? Progressing 0% 0/0/1 | ControlPlane 4.22.3"},
	})
}

// TestUpdateBringsHistory: the first entry of the components is written by the new release, and is its update.
func TestUpdateBringsHistory(t *testing.T) {
	w := newHostedWorld("surge", "Replace")
	w.hc.Status.ControlPlaneVersion = nil
	newPlayer(t, w).play(controlPlaneText, []playedStep{
		{"before", func(*hostedWorld) {}, "False 4.22.3 Completed 100% 6/0/0 | NotUpdating 4.22.3"},
		{"asked", func(w *hostedWorld) {
			w.hc.Spec.Release.Image = imageB
			w.condition(&w.hc.Status.Conditions, "Progressing", "True", "Progressing", "")
		}, "True ? Progressing 0% 0/0/6 | ControlPlane 4.22.3"},
		{"HC M Partial B, and nothing before", func(w *hostedWorld) {
			w.rolledOut("control-plane-operator", versionB)
			w.hc.Status.ControlPlaneVersion = track(entry(versionB, 3, -1))
		}, "True 4.22.4 Progressing 17% 1/0/5 | ControlPlane 4.22.3"},
		{"HC D Partial", func(w *hostedWorld) {
			w.begins(w.hc.Status.Version, versionB)
			w.condition(&w.hc.Status.Conditions, "Progressing", "False", "AsExpected", "")
		}, "True 4.22.4 Progressing 17% 1/0/5 | ControlPlane 4.22.3"},
		{"HC D Completed", func(w *hostedWorld) {
			w.operatorUpdated("network")
			w.completes(w.hc.Status.Version)
		}, "True 4.22.4 Progressing 33% 2/0/4 | ControlPlane 4.22.3"},
		{"all components", func(w *hostedWorld) {
			for _, one := range w.Components {
				w.rolledOut(one.Name, versionB)
			}
		}, "True 4.22.4 Progressing 99% 6/0/0 | ControlPlane 4.22.3"},
		{"HC M Completed", func(w *hostedWorld) { w.completes(w.hc.Status.ControlPlaneVersion) }, "False 4.22.4 Completed 100% 6/0/0 | Completed 4.22.3"},
	})
}

// updatedControlPlane returns a player of a hosted cluster whose control plane has been updated.
func updatedControlPlane(t *testing.T, upgradeType string) *player {
	t.Helper()
	p := newPlayer(t, newHostedWorld("pool", upgradeType))
	for _, step := range controlPlaneSteps() {
		p.world.now = p.world.now.Add(time.Minute)
		step.change(p.world)
		p.observe(step.name, poolText)
	}
	return p
}
