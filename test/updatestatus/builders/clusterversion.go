package builders

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
)

// ClusterVersionName is the name of the one ClusterVersion of a cluster.
const ClusterVersionName = "version"

// ClusterVersionOption changes a ClusterVersion.
type ClusterVersionOption func(*configv1.ClusterVersion)

// ClusterVersion returns the ClusterVersion of a cluster. Its history comes from Completed and Partial; without them it
// has none, and without conditions it says nothing.
func ClusterVersion(options ...ClusterVersionOption) *configv1.ClusterVersion {
	version := &configv1.ClusterVersion{
		TypeMeta:   metav1.TypeMeta{APIVersion: configv1.GroupVersion.String(), Kind: "ClusterVersion"},
		ObjectMeta: metav1.ObjectMeta{Name: ClusterVersionName},
		Spec: configv1.ClusterVersionSpec{
			ClusterID: "00000000-0000-4000-8000-000000000000",
			Channel:   "stable",
		},
		Status: configv1.ClusterVersionStatus{VersionHash: "hash"}, // it is required
	}
	for _, option := range options {
		option(version)
	}
	return version
}

// Completed puts an update that completed on top of the history; the desired version becomes that of the update. So a
// history is told in the order in which it happened.
func Completed(version string, started, completed time.Time) ClusterVersionOption {
	end := metav1.NewTime(completed)
	return history(configv1.UpdateHistory{
		State:          configv1.CompletedUpdate,
		StartedTime:    metav1.NewTime(started),
		CompletionTime: &end,
		Version:        version,
		Image:          Image(version),
		Verified:       true,
	})
}

// Partial puts an update that did not complete on top of the history; the desired version becomes that of the update.
func Partial(version string, started time.Time) ClusterVersionOption {
	return history(configv1.UpdateHistory{
		State:       configv1.PartialUpdate,
		StartedTime: metav1.NewTime(started),
		Version:     version,
		Image:       Image(version),
		Verified:    true,
	})
}

func history(item configv1.UpdateHistory) ClusterVersionOption {
	return func(version *configv1.ClusterVersion) {
		before := version.Status.History
		// An update that was abandoned ends when the next one starts.
		if len(before) > 0 && before[0].CompletionTime == nil {
			before[0].CompletionTime = item.StartedTime.DeepCopy()
		}
		version.Status.History = append([]configv1.UpdateHistory{item}, before...)
		version.Status.Desired = configv1.Release{Version: item.Version, Image: item.Image}
	}
}

// ReleaseImage gives the newest update, and the desired version, another image than that of its version.
func ReleaseImage(image string) ClusterVersionOption {
	return func(version *configv1.ClusterVersion) {
		version.Status.Desired.Image = image
		version.Status.History[0].Image = image
	}
}

// Architecture makes the desired release one for an architecture.
func Architecture(architecture configv1.ClusterVersionArchitecture) ClusterVersionOption {
	return func(version *configv1.ClusterVersion) {
		version.Status.Desired.Architecture = architecture
	}
}

// Requested asks for an update.
func Requested(update configv1.Update) ClusterVersionOption {
	return func(version *configv1.ClusterVersion) {
		version.Spec.DesiredUpdate = &update
	}
}

// Generations sets the generation of the spec, and the one that the Cluster Version Operator has observed.
func Generations(generation, observed int64) ClusterVersionOption {
	return func(version *configv1.ClusterVersion) {
		version.Generation, version.Status.ObservedGeneration = generation, observed
	}
}

// SetBy adds the fields that a manager of a subresource has set, as JSON, and when it last changed something.
func SetBy(manager, subresource string, at time.Time, fields string) ClusterVersionOption {
	return func(version *configv1.ClusterVersion) {
		changed := metav1.NewTime(at)
		version.ManagedFields = append(version.ManagedFields, metav1.ManagedFieldsEntry{
			Manager: manager, Subresource: subresource, Time: &changed, FieldsV1: &metav1.FieldsV1{Raw: []byte(fields)},
		})
	}
}

// VersionCondition sets a condition of a ClusterVersion.
func VersionCondition(condition configv1.ClusterOperatorStatusCondition) ClusterVersionOption {
	return func(version *configv1.ClusterVersion) {
		version.Status.Conditions = setCondition(version.Status.Conditions, condition)
	}
}

// Image returns the image of a release.
func Image(version string) string {
	return "quay.example.com/release@sha256:" + Digest(version)
}
