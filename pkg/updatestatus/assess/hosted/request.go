package hosted

import (
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// isFalse is what Progressing says of the condition for which HyperShift refuses a release, after its type.
const isFalse = " condition is false: "

// refusal returns the condition for which HyperShift refuses the release that the HostedCluster asks for, empty if it does not: the
// message of Progressing begins with it (openshift/hypershift: hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go,
// isProgressing). ReconciliationActive, of a pause, is no refusal, nor is the error of a look-up, as that of a Secret or a digest.
func (r *releaseState) refusal() string {
	progressing := meta.FindStatusCondition(r.hosted.Status.Conditions, conditionProgressing)
	if progressing == nil || progressing.Status != metav1.ConditionFalse || progressing.Reason != reasonBlocked {
		return ""
	}
	switch why, _, _ := strings.Cut(progressing.Message, isFalse); why {
	case conditionSupported, conditionConfiguration, conditionUpgradeable:
		return why
	case conditionReleaseImage:
		if image := meta.FindStatusCondition(r.hosted.Status.Conditions, conditionReleaseImage); image != nil && image.Reason == reasonInvalidImage {
			return why
		}
	}
	return ""
}

// refusalMessage returns why HyperShift refuses a release. Progressing has the message of the condition that it names, except for
// ClusterVersionUpgradeable, whose reason and message are added.
func (r *releaseState) refusalMessage() string {
	progressing := meta.FindStatusCondition(r.hosted.Status.Conditions, conditionProgressing)
	_, why, _ := strings.Cut(progressing.Message, isFalse)
	parts := []string{why}
	if named := meta.FindStatusCondition(r.hosted.Status.Conditions, conditionUpgradeable); r.refusal() == conditionUpgradeable && named != nil {
		parts = append(parts, named.Reason, named.Message)
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ": ")
}

// requested returns the release that the HostedCluster asks for and that is not being updated to, nil if there is none. Since when is known
// from when it was first observed: conditions that were False before keep their times. During an update the release that is asked for is
// that of the update, unless it is refused.
func (r *releaseState) requested(observed time.Time) *updatev1alpha1.RequestedUpdate {
	if len(r.history) == 0 || !r.isAnotherAsked() || r.refusal() == "" && !r.isComplete() {
		return nil
	}
	image := r.hosted.Spec.Release.Image
	return &updatev1alpha1.RequestedUpdate{
		Version: assess.FitVersion(r.versionOf(image)), Image: insight.Shorten(image, updatev1alpha1.RequestedImageMaxLength),
		Since: assess.OptionalTime(observed.Truncate(time.Second)),
	}
}

// isAnotherAsked returns whether the HostedCluster asks for another release than it has.
func (r *releaseState) isAnotherAsked() bool {
	status := r.hosted.Status
	return status.Version != nil && r.isOther(r.hosted.Spec.Release.Image, status.Version.Desired) ||
		status.ControlPlaneVersion != nil && r.isOther(r.componentImage(), status.ControlPlaneVersion.Desired)
}

// isOther returns whether an image that is asked for is known to be another release than one that is desired. The components have the
// image as the HostedCluster does, the payload can have a tag by its digest: once the components have it, its version is known. Where that
// does not tell, since one is by its tag, the refusal of another minor version does.
func (r *releaseState) isOther(image string, desired hypershiftv1beta1.DesiredRelease) bool {
	components := r.hosted.Status.ControlPlaneVersion
	switch {
	case isSameImage(image, desired.Image):
		return false
	case components != nil && isSameImage(image, components.Desired.Image):
		return components.Desired.Version != desired.Version || isOtherDigest(image, desired.Image)
	default:
		return isOtherImage(image, desired.Image) || r.refusal() == conditionUpgradeable
	}
}

// versionOf returns the version of a release image that the HostedCluster had or gets, empty if it is not known.
func (r *releaseState) versionOf(image string) string {
	for _, status := range []*hypershiftv1beta1.VersionStatus{r.hosted.Status.ControlPlaneVersion, r.hosted.Status.Version} {
		if status == nil {
			continue
		}
		if isSameImage(status.Desired.Image, image) {
			return status.Desired.Version
		}
		for _, entry := range status.History {
			if isSameImage(entry.Image, image) {
				return entry.Version
			}
		}
	}
	return ""
}
