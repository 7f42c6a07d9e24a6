package standalone_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

const next = "4.20.3"

func releaseAccepted(status configv1.ConditionStatus, reason, message string) builders.ClusterVersionOption {
	return builders.VersionCondition(builders.Condition("ReleaseAccepted", status, start, reason, message))
}

func refused(reason, message string) builders.ClusterVersionOption {
	return releaseAccepted(configv1.ConditionFalse, reason, message)
}

// idle is a cluster that runs the target.
func idle(options ...builders.ClusterVersionOption) *configv1.ClusterVersion {
	return builders.ClusterVersion(append([]builders.ClusterVersionOption{
		builders.Completed(before, installed, installed.Add(time.Hour)),
		builders.Completed(target, installed.Add(2*time.Hour), installed.Add(3*time.Hour)),
		progressing(configv1.ConditionFalse),
		builders.VersionCondition(builders.Condition("Failing", configv1.ConditionFalse, installed, "", "")),
		releaseAccepted(configv1.ConditionTrue, "PayloadLoaded", `Payload loaded version="4.20.2"`),
	}, options...)...)
}

// requestedAt returns the result for a ClusterVersion whose request, or change of the spec, was observed at a moment.
func requestedAt(moment time.Time, version *configv1.ClusterVersion) func(time.Time) assess.Result {
	version = trimmed(version)
	return func(now time.Time) assess.Result {
		in := standalone.ClusterVersionInput{ClusterVersion: version, ClusterOperators: allTrimmed(fleet(4, 4))}
		_, in.Observed, _ = standalone.ControlPlane(in, moment)
		return standalone.ClusterVersion(in, now)
	}
}

// setsRequest are the fields of `oc adm upgrade`.
const setsRequest = `{"f:spec":{"f:desiredUpdate":{".":{},"f:version":{}}}}`

var setByOC = builders.SetBy("oc", "", start, setsRequest)

// inFiles assesses files of a cluster that is not updating.
func inFiles(options ...builders.ClusterVersionOption) func(time.Time) assess.Result {
	return func(now time.Time) assess.Result {
		return standalone.ClusterVersion(standalone.ClusterVersionInput{ClusterVersion: idle(options...), ClusterOperators: fleet(2, 2), Snapshot: true}, now)
	}
}

// TestRequested checks what counts as a request.
func TestRequested(t *testing.T) {
	const image = "quay.example.com/release@sha256:1111"
	for name, test := range map[string]struct {
		asked *configv1.Update
		// architecture is that of the release that runs.
		architecture configv1.ClusterVersionArchitecture
		// accepted is ReleaseAccepted, if it has a type.
		accepted configv1.ClusterOperatorStatusCondition
		want     *updatev1alpha1.RequestedUpdate
	}{
		"nothing":                            {},
		"a version":                          {asked: &configv1.Update{Version: next}, want: &updatev1alpha1.RequestedUpdate{Version: next}},
		"an image":                           {asked: &configv1.Update{Image: image}, want: &updatev1alpha1.RequestedUpdate{Image: image}},
		"a version and its image":            {asked: &configv1.Update{Version: next, Image: image}, want: &updatev1alpha1.RequestedUpdate{Version: next, Image: image}},
		"another image of the same version":  {asked: &configv1.Update{Version: target, Image: image}, want: &updatev1alpha1.RequestedUpdate{Version: target, Image: image}},
		"the version that runs":              {asked: &configv1.Update{Version: target}},
		"the image that runs":                {asked: &configv1.Update{Image: builders.Image(target)}},
		"the image that runs, from a mirror": {asked: &configv1.Update{Image: "mirror.example.com/r@sha256:" + builders.Digest(target)}},
		"accepted risks alone":               {asked: &configv1.Update{AcceptRisks: []configv1.AcceptRisk{{Name: "A"}}}},
		"force alone":                        {asked: &configv1.Update{Force: true}},
		"checks of a release":                {asked: &configv1.Update{Version: next, Mode: configv1.UpdateModePreflight}},
		"several architectures": {
			asked: &configv1.Update{Version: target, Architecture: configv1.ClusterVersionArchitectureMulti},
			want:  &updatev1alpha1.RequestedUpdate{Version: target},
		},
		"several architectures, which are loaded": {
			asked:    &configv1.Update{Version: target, Architecture: configv1.ClusterVersionArchitectureMulti},
			accepted: builders.Condition("ReleaseAccepted", configv1.ConditionTrue, start, "PayloadLoaded", `Payload loaded version="4.20.2" image="a" architecture="Multi"`),
		},
		"several architectures, which are refused": {
			asked:    &configv1.Update{Version: target, Architecture: configv1.ClusterVersionArchitectureMulti},
			accepted: builders.Condition("ReleaseAccepted", configv1.ConditionFalse, start, "RetrievePayload", `architecture="Multi"`),
			want:     &updatev1alpha1.RequestedUpdate{Version: target},
		},
		"several architectures, and one is loaded": {
			asked:    &configv1.Update{Version: target, Architecture: configv1.ClusterVersionArchitectureMulti},
			accepted: builders.Condition("ReleaseAccepted", configv1.ConditionTrue, start, "PayloadLoaded", `Payload loaded version="4.20.2" image="a" architecture="amd64"`),
			want:     &updatev1alpha1.RequestedUpdate{Version: target},
		},
		"several architectures, which run": {
			asked:        &configv1.Update{Version: target, Architecture: configv1.ClusterVersionArchitectureMulti},
			architecture: configv1.ClusterVersionArchitectureMulti,
		},
	} {
		t.Run(name, func(t *testing.T) {
			version := idle(builders.Architecture(test.architecture))
			version.Spec.DesiredUpdate = test.asked
			if test.accepted.Type != "" {
				builders.VersionCondition(test.accepted)(version)
			}
			in := standalone.ClusterVersionInput{ClusterVersion: trimmed(version), ClusterOperators: fleet(2, 2)}
			in.Snapshot = true
			if diff := cmp.Diff(test.want, clusterVersionInsight(t, in, start).Requested); diff != "" {
				t.Errorf("in files (-want +got):\n%s", diff)
			}
			in.Snapshot = false
			_, in.Observed, _ = standalone.ControlPlane(in, start)
			if test.want != nil {
				test.want.Since = ptrTime(start)
			}
			if diff := cmp.Diff(test.want, clusterVersionInsight(t, in, start.Add(time.Hour)).Requested); diff != "" {
				t.Errorf("observed (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAnotherRequest checks that a request that replaces another one starts anew, and that one for another image does too.
func TestAnotherRequest(t *testing.T) {
	observed := standalone.VersionObserved{}
	for at, asked := range []configv1.Update{{Version: "4.20.3"}, {Version: "4.20.4"}, {Version: "4.20.4", Image: "example.com/a@sha256:1"}} {
		now := start.Add(time.Duration(at) * time.Minute)
		in := standalone.ClusterVersionInput{ClusterVersion: idle(builders.Requested(asked)), ClusterOperators: fleet(2, 2), Observed: observed}
		_, observed, _ = standalone.ControlPlane(in, now)
		if since := observed.Requested.Since; !since.Equal(ptrTime(now)) {
			t.Errorf("%+v: requested since %v, want %v", asked, since, now)
		}
	}
}

func requestCases() healthcases.Cases {
	asked := builders.Requested(configv1.Update{Version: next})
	const notRetrieved = `Retrieving payload failed version="4.20.3" image="quay.example.com/r@sha256:1" failure=timed out`
	const notVerified = `Retrieving payload failed version="4.20.3" image="" failure=The update cannot be verified: unable to verify sha256:1 against keyrings`
	wants := func(level, reason, message string) string {
		return level + " | Update Stalled | 08:00:00 | The update to 4.20.3 is not accepted (" + reason + "): " + assess.Quote(message) + " | " + message +
			" | clusterversions.config.openshift.io/version"
	}
	invalidAt := func(message string) builders.ClusterVersionOption {
		return builders.VersionCondition(builders.Condition("Invalid", configv1.ConditionTrue, start, "InvalidClusterVersion", message))
	}
	const invalidMessage = `The cluster version is invalid: spec.desiredUpdate.version: Invalid value: "x": must be a semantic version`
	const invalidRequest = `The cluster version is invalid: spec.desiredUpdate.version: Invalid value: "4.20.3": when image is empty the update must be a previous version or an available update`
	ignored := "Warning | Update Stalled | 08:00:00 | The requested update to 4.20.3 is ignored | The Cluster Version Operator has read the request and neither " +
		"starts nor refuses it. It looks for a version among the available updates only: request the release image, or clear the request. | " +
		"clusterversions.config.openshift.io/version"
	silent := func(level string) string {
		return level + " | Update Stalled | 08:00:00 | The Cluster Version Operator does not respond to a change of the ClusterVersion | The spec has generation 7, and " +
			"the Cluster Version Operator has observed 6: check its pod in the namespace openshift-cluster-version. | clusterversions.config.openshift.io/version"
	}
	preconditions := `Preconditions failed for payload loaded version="4.20.3" image="": Precondition "ClusterVersionUpgradeable" failed because of "A": no`
	return healthcases.Cases{
		"update-not-accepted": {
			{Name: "a precondition", Result: requestedAt(start, idle(asked, refused("PreconditionChecks", preconditions))), Want: wants("Error", "PreconditionChecks", preconditions)},
			{
				Name: "a reason of another version", Result: requestedAt(start, idle(asked, refused("Tomorrow", `version="4.20.3"`))),
				Want: wants("Error", "Tomorrow", `version="4.20.3"`),
			},
			{Name: "retrieval", At: 5 * time.Minute, Result: requestedAt(start, idle(asked, refused("RetrievePayload", notRetrieved)))},
			{
				Name: "retrieval, for long", At: 5*time.Minute + assess.Tick, Result: requestedAt(start, idle(asked, refused("RetrievePayload", notRetrieved))),
				Want: wants("Warning", "RetrievePayload", notRetrieved),
			},
			{
				Name: "retrieval, for longer", At: 20 * time.Minute, Result: requestedAt(start, idle(asked, refused("LoadPayload", notRetrieved))),
				Want: wants("Error", "LoadPayload", notRetrieved),
			},
			{Name: "a signature", Result: requestedAt(start, idle(asked, refused("RetrievePayload", notVerified))), Want: wants("Warning", "RetrievePayload", notVerified)},
			{
				Name: "a signature, for long", At: 20 * time.Minute, Result: requestedAt(start, idle(asked, refused("RetrievePayload", notVerified))),
				Want: wants("Error", "RetrievePayload", notVerified),
			},
			{
				Name: "a second update", Result: requestedAt(start, notFailing(asked, refused("PreconditionChecks", preconditions))),
				Want: wants("Error", "PreconditionChecks", preconditions),
			},
			{
				Name: "by its image", Result: requestedAt(start, idle(builders.Requested(configv1.Update{Image: "example.com/r@sha256:2"}), refused("VerifyPayloadVersion", `image="example.com/r@sha256:2"`))),
				Want: "Error | Update Stalled | 08:00:00 | The update to example.com/r@sha256:2 is not accepted (VerifyPayloadVersion): image=\"example.com/r@sha256:2\" | " +
					`image="example.com/r@sha256:2" | clusterversions.config.openshift.io/version`,
			},
			{
				Name: "requested after an earlier refusal", At: 20 * time.Minute, Result: requestedAt(start.Add(18*time.Minute), idle(asked, refused("RetrievePayload", notRetrieved))),
			},
			{Name: "the refusal of another version", At: time.Hour, Result: requestedAt(start.Add(time.Hour), idle(asked, refused("PreconditionChecks", `version="4.20.4"`)))},
			{Name: "a refusal that was taken back", Result: requestedAt(start, idle(refused("PreconditionChecks", preconditions)))},
			{Name: "invalid", At: 2 * time.Minute, Result: requestedAt(start, idle(asked, invalidAt(invalidMessage)))},
			{
				Name: "invalid, for long", At: 2*time.Minute + assess.Tick, Result: requestedAt(start, idle(asked, invalidAt(invalidMessage))),
				Want: wants("Error", "InvalidClusterVersion", invalidMessage),
			},
			{
				Name: "refused, and behind", At: time.Hour, Result: requestedAt(start, idle(asked, builders.Generations(7, 6), refused("RetrievePayload", notRetrieved))),
				Want: wants("Error", "RetrievePayload", notRetrieved),
			},
			{
				Name: "invalid, and named", Result: requestedAt(start, idle(asked, invalidAt(invalidRequest))),
				Want: wants("Error", "InvalidClusterVersion", invalidRequest),
			},
			{Name: "another field is invalid", At: 3 * time.Minute, Result: requestedAt(start, idle(asked, invalidAt("The cluster version is invalid: spec.upstream: no URL")))},
		},
		"update-request-ignored": {
			{Name: "for a while", At: 10 * time.Minute, Result: requestedAt(start, idle(asked))},
			{Name: "for long", At: 10*time.Minute + assess.Tick, Result: requestedAt(start, idle(asked)), Want: ignored},
			{Name: "in files", At: time.Hour, Result: inFiles(asked)},
			{Name: "in files, behind", At: time.Hour, Result: inFiles(asked, builders.Generations(7, 6))},
			{Name: "in files, for a while", At: 10 * time.Minute, Result: inFiles(asked, setByOC)},
			{Name: "in files, for long", At: 10*time.Minute + assess.Tick, Result: inFiles(asked, setByOC), Want: ignored},
			{Name: "in files, no response", At: 30 * time.Minute, Result: inFiles(asked, setByOC, builders.Generations(7, 6)), Want: silent("Error")},
			{Name: "in files, no request", At: time.Hour, Result: inFiles(setByOC, builders.Generations(7, 6))},
			{Name: "in files, set by two", At: 20 * time.Minute, Result: inFiles(asked, setByOC, builders.SetBy("b", "", start.Add(15*time.Minute), setsRequest))},
			{Name: "in files, of the status", At: time.Hour, Result: inFiles(asked, builders.SetBy("b", "status", start, setsRequest))},
			{Name: "in files, others are set", At: time.Hour, Result: inFiles(asked, builders.SetBy("b", "", start, `{"f:spec":{"f:channel":{}}}`))},
			{Name: "in files, of another form", At: time.Hour, Result: inFiles(asked, builders.SetBy("b", "", start, `[]`))},
			{Name: "in files, at no time", At: time.Hour, Result: inFiles(asked, builders.SetBy("b", "", time.Time{}, setsRequest))},
			{Name: "no response", At: 15 * time.Minute, Result: requestedAt(start, idle(asked, builders.Generations(7, 6)))},
			{Name: "no response, for long", At: 15*time.Minute + assess.Tick, Result: requestedAt(start, idle(asked, builders.Generations(7, 6))), Want: silent("Warning")},
			{Name: "no response, for longer", At: 30 * time.Minute, Result: requestedAt(start, idle(asked, builders.Generations(7, 6))), Want: silent("Error")},
			{Name: "no response, and operators run an older release", At: 30 * time.Minute, Result: unseenResult("4.20.1", 6, 2), Want: silent("Error")},
			{Name: "no response, and nothing runs the release", At: 30 * time.Minute, Result: unseenResult("4.20.3", 6, 0), Want: silent("Error")},
			{Name: "no response in an update", At: 30 * time.Minute, Result: requestedAt(start, notFailing(builders.Generations(7, 6))), Want: silent("Error")},
			{Name: "behind again", At: 20 * time.Minute, Result: func(now time.Time) assess.Result {
				in := standalone.ClusterVersionInput{ClusterVersion: idle(asked, builders.Generations(6, 5)), ClusterOperators: fleet(2, 2)}
				_, in.Observed, _ = standalone.ControlPlane(in, start)
				in.ClusterVersion = idle(asked, builders.Generations(7, 6))
				_, in.Observed, _ = standalone.ControlPlane(in, start.Add(10*time.Minute))
				return standalone.ClusterVersion(in, now)
			}},
			{Name: "no response, nothing is asked for", At: time.Hour, Result: requestedAt(start, idle(builders.Generations(7, 6)))},
			{Name: "a response", At: time.Hour, Result: requestedAt(start, idle(builders.Generations(7, 7)))},
		},
	}
}
