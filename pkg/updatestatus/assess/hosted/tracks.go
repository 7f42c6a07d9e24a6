package hosted

import (
	"slices"

	configv1 "github.com/openshift/api/config/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// management returns the newest update of the components in the management cluster, nil if the HostedCluster does not report it.
func (r *releaseState) management() *updatev1alpha1.ControlPlaneTrack {
	track := r.trackOf(r.hosted.Status.ControlPlaneVersion, r.componentImage())
	if track == nil {
		return nil
	}
	if track.State == updatev1alpha1.TrackCompleted && slices.Contains(r.unfinished, componentTrack) {
		track.State = updatev1alpha1.TrackUpdating // a component is behind
	}
	if hasNoUpdate := len(r.history) > 0 && len(componentHistory(r.hosted)) == 0; hasNoUpdate {
		track.StartedAt, track.CompletedAt = nil, nil // they are when the history begins
	}
	return track
}

// dataPlane returns the newest update of the payload in the hosted cluster, nil while it has no history.
func (r *releaseState) dataPlane() *updatev1alpha1.ControlPlaneTrack {
	return r.trackOf(r.hosted.Status.Version, r.hosted.Spec.Release.Image)
}

// trackOf returns the newest update in a history, or else that to an image that is asked for. An update that goes on stays the newest one
// until the next one starts. A release that is refused, or that is not known to be another one, is not asked for.
func (r *releaseState) trackOf(reported *hypershiftv1beta1.VersionStatus, image string) *updatev1alpha1.ControlPlaneTrack {
	if reported == nil || len(reported.History) == 0 {
		return nil
	}
	newest := reported.History[0]
	track := &updatev1alpha1.ControlPlaneTrack{
		Version: assess.FitVersion(newest.Version), State: updatev1alpha1.TrackUpdating, StartedAt: assess.OptionalTime(newest.StartedTime.Time),
	}
	switch {
	case newest.State != configv1.CompletedUpdate:
		return track
	case r.isOther(image, reported.Desired) && r.refusal() == "":
		return &updatev1alpha1.ControlPlaneTrack{Version: assess.FitVersion(r.versionOf(image)), State: updatev1alpha1.TrackPending}
	default:
		track.State, track.CompletedAt = updatev1alpha1.TrackCompleted, assess.OptionalTime(assess.TimeOf(newest.CompletionTime))
		return track
	}
}
