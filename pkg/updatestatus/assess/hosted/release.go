package hosted

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// releaseState is what a HostedCluster says about its release. It has two histories: of the components in the management cluster,
// and of the payload in the hosted cluster, which the new components bring.
type releaseState struct {
	hosted *hypershiftv1beta1.HostedCluster
	// history is that of the control plane as a whole: an update lasts until both are complete.
	history []configv1.UpdateHistory
	// components and operators are what these are updated to.
	components, operators releaseTarget
	// payload is the newest update of the payload.
	payload configv1.UpdateHistory
	// unfinished are the tracks that have not completed the newest update, for people.
	unfinished []string
}

// releaseTarget is a version that is updated to.
type releaseTarget struct {
	// version is empty until it is known. It is not the version before then.
	version, before string
}

// isRunBy returns whether something with a version has been updated.
func (t releaseTarget) isRunBy(version string) bool {
	if t.version == "" {
		return version != "" && version != t.before
	}
	return version == t.version
}

// The two tracks, for people.
const (
	componentTrack = "the components in the management cluster"
	payloadTrack   = "the payload in the hosted cluster"
)

// firstComponent is rolled out before all others, which follow it to its version.
const firstComponent = "control-plane-operator"

// readRelease reads the histories of a HostedCluster. Without an update of the components in them, these tell, as far as they are known,
// what they are updated to.
func readRelease(
	hosted *hypershiftv1beta1.HostedCluster, components []*hypershiftv1beta1.ControlPlaneComponent, now time.Time,
) releaseState {
	hosted = assess.WithKnownTimes(hosted, clusterTimes, now)
	r := releaseState{hosted: hosted}
	payload := hosted.Status.Version
	if payload == nil || len(payload.History) == 0 {
		return r
	}
	r.payload, r.history = payload.History[0], payload.History
	r.operators = releaseTarget{version: payload.Desired.Version}
	history := componentHistory(hosted)
	r.unfinished = unfinishedTracks(history, payload.History)
	if len(history) > 0 {
		r.components.version = hosted.Status.ControlPlaneVersion.Desired.Version
		r.history = r.joined(history, payload.History)
	} else {
		r.setComponents(components)
	}
	if isHostedTrue(hosted, conditionProgressing) && r.isComplete() {
		r.addRequested()
	}
	return r
}

// componentHistory returns the history of the components, empty if there is no update in it. Its first entry is written by the operator of
// the control plane when it reads no history (openshift/hypershift: control-plane-operator/controllers/hostedcontrolplane/, the function
// reconcileControlPlaneVersion). That operator is of the new release, so it is the update that brought the history, or the installation,
// with what the payload had before. Otherwise it is only where the history begins: of a version that the payload has had for long, or
// that it had before.
func componentHistory(hosted *hypershiftv1beta1.HostedCluster) []configv1.UpdateHistory {
	reported, payload := hosted.Status.ControlPlaneVersion, hosted.Status.Version
	if reported == nil || len(reported.History) == 0 || payload == nil || len(payload.History) == 0 {
		return nil
	}
	first, newest := reported.History[0], payload.History[0]
	switch {
	case len(reported.History) > 1:
		return reported.History
	case isOneUpdate(first, newest):
		return append([]configv1.UpdateHistory{first}, payload.History[1:]...)
	case first.Version != payload.Desired.Version && first.StartedTime.After(newest.StartedTime.Time):
		return append([]configv1.UpdateHistory{first}, payload.History...)
	default:
		return nil
	}
}

// setComponents sets what the components are updated to without an update in a history of theirs. They are complete when all have the version of
// the payload, unless they have a release of their own.
func (r *releaseState) setComponents(components []*hypershiftv1beta1.ControlPlaneComponent) {
	r.components.version = r.operators.version
	for _, component := range components {
		if component.Name == firstComponent && !isLeftover(component) {
			r.components.version = cmp.Or(component.Status.Version, r.components.version)
		}
	}
	if reported := r.hosted.Status.ControlPlaneVersion; reported != nil {
		r.components.version = reported.Desired.Version
	}
	isBehind := func(component *hypershiftv1beta1.ControlPlaneComponent) bool {
		return component.Status.Version != r.components.version
	}
	if r.isComplete() && r.components == r.operators && slices.ContainsFunc(reporting(components), isBehind) {
		newest := r.history[0]
		newest.State, newest.CompletionTime = configv1.PartialUpdate, nil
		r.history = append([]configv1.UpdateHistory{newest}, r.history[1:]...)
		r.unfinished = []string{componentTrack}
	}
}

// addRequested puts an update at the head of the history if another release is asked for, and neither track has begun. A track whose
// release is not another one stays as it is.
func (r *releaseState) addRequested() {
	head := configv1.UpdateHistory{State: configv1.PartialUpdate}
	components, operators := r.components, r.operators
	payload, reported := r.hosted.Status.Version.Desired, r.hosted.Status.ControlPlaneVersion
	if r.isOther(r.hosted.Spec.Release.Image, payload) {
		r.operators = releaseTarget{before: operators.version}
	}
	has := payload
	if reported != nil {
		has = reported.Desired
	}
	switch hasBegun := reported == nil && components != operators; {
	case hasBegun && !r.hasOwnRelease():
		head.Version = components.version
		r.operators = releaseTarget{version: components.version, before: operators.version}
	case !hasBegun && r.isOther(r.componentImage(), has):
		r.components = releaseTarget{before: components.version}
	}
	if r.components != components || r.operators != operators {
		r.history = append([]configv1.UpdateHistory{head}, r.history...)
	}
}

// componentImage returns the release that the components should have.
func (r *releaseState) componentImage() string {
	if own := r.hosted.Spec.ControlPlaneRelease; own != nil {
		return own.Image
	}
	return r.hosted.Spec.Release.Image
}

// hasOwnRelease returns whether the components should have another release than the payload.
func (r *releaseState) hasOwnRelease() bool {
	return r.componentImage() != r.hosted.Spec.Release.Image
}

// joined returns one history of two, both with an update.
func (r *releaseState) joined(components, payload []configv1.UpdateHistory) []configv1.UpdateHistory {
	first, second := components[0], payload[0]
	switch {
	case isOneUpdate(first, second):
		return append([]configv1.UpdateHistory{together(first, second)}, payload[1:]...)
	case r.payloadFollows(first) && !isSameRelease(first, second):
		r.operators.version = first.Version
		first.State, first.CompletionTime = configv1.PartialUpdate, nil
		if r.isAskedSince(components[0].CompletionTime) {
			first.StartedTime = metav1.Time{}
		}
		return append([]configv1.UpdateHistory{first}, payload...)
	case isCurrent(first, second):
		return components
	default:
		return payload
	}
}

// handover is how long after the components the payload can start in the same update.
const handover = 10 * time.Minute

// isOneUpdate returns whether the newest updates of the two tracks are one: to the same release, and neither after the other.
func isOneUpdate(a, b configv1.UpdateHistory) bool {
	isAfter := func(later, earlier configv1.UpdateHistory) bool {
		end := assess.TimeOf(earlier.CompletionTime)
		return !end.IsZero() && later.StartedTime.After(end.Add(handover))
	}
	return isSameRelease(a, b) && !isAfter(a, b) && !isAfter(b, a)
}

// together returns the update that two tracks make.
func together(components, payload configv1.UpdateHistory) configv1.UpdateHistory {
	one := payload
	one.StartedTime = metav1.NewTime(assess.Earliest(one.StartedTime.Time, components.StartedTime.Time))
	switch {
	case components.State != configv1.CompletedUpdate:
		one.State, one.CompletionTime = configv1.PartialUpdate, nil
	case one.CompletionTime.Before(components.CompletionTime):
		one.CompletionTime = components.CompletionTime
	}
	return one
}

// payloadFollows returns whether the payload will be updated to what the components are updated to, or were.
func (r *releaseState) payloadFollows(components configv1.UpdateHistory) bool {
	return !r.hasOwnRelease() && !isOtherImage(components.Image, r.hosted.Spec.Release.Image)
}

// isAskedSince returns whether a release was asked for after the components had completed theirs: they had it before, by itself.
func (r *releaseState) isAskedSince(completed *metav1.Time) bool {
	progressing := meta.FindStatusCondition(r.hosted.Status.Conditions, conditionProgressing)
	return !completed.IsZero() && progressing != nil && progressing.Status == metav1.ConditionTrue &&
		completed.Before(&progressing.LastTransitionTime)
}

// isCurrent returns whether of two updates apart from each other the first one is the newest: the one in progress, of two that
// are the earlier one, which was reported before, and of two that are complete the later one.
func isCurrent(a, b configv1.UpdateHistory) bool {
	isComplete := a.State == configv1.CompletedUpdate
	if isComplete != (b.State == configv1.CompletedUpdate) {
		return !isComplete
	}
	return isComplete == b.StartedTime.Before(&a.StartedTime)
}

// unfinishedTracks returns the tracks whose newest update is not complete.
func unfinishedTracks(components, payload []configv1.UpdateHistory) []string {
	var unfinished []string
	if len(components) > 0 && components[0].State != configv1.CompletedUpdate {
		unfinished = append(unfinished, componentTrack)
	}
	if payload[0].State != configv1.CompletedUpdate {
		unfinished = append(unfinished, payloadTrack)
	}
	return unfinished
}

// isComplete returns whether the newest update is complete.
func (r *releaseState) isComplete() bool {
	return len(r.history) > 0 && r.history[0].State == configv1.CompletedUpdate
}

func clusterTimes(hosted *hypershiftv1beta1.HostedCluster) []*metav1.Time {
	times := assess.ConditionTimes(hosted.Status.Conditions)
	for _, status := range []*hypershiftv1beta1.VersionStatus{hosted.Status.Version, hosted.Status.ControlPlaneVersion} {
		if status == nil {
			continue
		}
		for at := range status.History {
			times = append(times, &status.History[at].StartedTime, status.History[at].CompletionTime)
		}
	}
	return times
}
