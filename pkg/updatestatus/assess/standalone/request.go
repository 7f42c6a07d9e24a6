package standalone

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// The conditions in which the Cluster Version Operator reports what becomes of a request (openshift/cluster-version-operator,
// pkg/cvo/status.go).
const (
	// releaseAccepted is False with the step that failed as its reason, and the version and image that were asked for in its message.
	// Its time is that of the last change of its status. True speaks of the release that runs. While a release is retrieved nothing is
	// written (pkg/cvo/sync_worker.go, Update holds the sync until the payload is loaded).
	releaseAccepted = "ReleaseAccepted"
	// invalid is True while a field of the spec is ignored, which its message names.
	invalid = "Invalid"
)

// desiredUpdateField is how the message of invalid names the request (lib/validation/validation.go).
const desiredUpdateField = "spec.desiredUpdate"

// request is an update that was asked for and has not begun.
type request struct {
	*updatev1alpha1.RequestedUpdate
	// refusedBy is the condition by which it is refused, nil if it is not.
	refusedBy *configv1.ClusterOperatorStatusCondition
}

func isSame(requested, before *updatev1alpha1.RequestedUpdate) bool {
	return before != nil && requested.Version == before.Version && requested.Image == before.Image
}

// isBehind returns whether the Cluster Version Operator has not responded to the last change of the spec.
func isBehind(version *configv1.ClusterVersion) bool {
	return version.Status.ObservedGeneration < version.Generation
}

// requestedBy returns the update that a ClusterVersion asks for, nil if there is none. A request stays in the spec when it is fulfilled,
// accepted risks and force alone are none, and Preflight asks for checks.
func requestedBy(version *configv1.ClusterVersion) *updatev1alpha1.RequestedUpdate {
	asked, desired := version.Spec.DesiredUpdate, version.Status.Desired
	switch {
	case asked == nil || asked.Mode == configv1.UpdateModePreflight:
		return nil
	case asked.Architecture == configv1.ClusterVersionArchitectureMulti && !isMulti(version):
	case asked.Image != "" && desired.Image != "":
		if isSameImage(asked.Image, desired.Image) {
			return nil
		}
	case asked.Version == "" || asked.Version == desired.Version:
		return nil
	}
	return &updatev1alpha1.RequestedUpdate{
		Version: insight.Shorten(asked.Version, updatev1alpha1.VersionMaxLength),
		Image:   insight.Shorten(asked.Image, updatev1alpha1.RequestedImageMaxLength),
	}
}

// multiLoaded is in the message of a release for several architectures that was loaded (pkg/cvo/sync_worker.go, syncPayload). Older versions say so nowhere else: they leave
// status.desired.architecture out.
const multiLoaded = `architecture="Multi"`

// isMulti returns whether the release that runs, or is being updated to, is one for several architectures.
func isMulti(version *configv1.ClusterVersion) bool {
	accepted := controlplane.FindCondition(version.Status.Conditions, releaseAccepted)
	return version.Status.Desired.Architecture == configv1.ClusterVersionArchitectureMulti ||
		controlplane.IsTrue(accepted) && strings.Contains(accepted.Message, multiLoaded)
}

// HasWork returns whether the Cluster Version Operator has to do something: an update is in progress or requested.
func HasWork(version *configv1.ClusterVersion) bool {
	return version != nil && (isUnfinished(ClusterVersionInput{ClusterVersion: version}) || requestedBy(version) != nil)
}

// isSameImage compares the digests of images, as the Cluster Version Operator does (pkg/cvo/sync_worker.go, equalDigest): the same
// release may come from a mirror.
func isSameImage(a, b string) bool {
	_, digestA, hasA := strings.Cut(a, "@")
	_, digestB, hasB := strings.Cut(b, "@")
	return a == b || hasA && hasB && digestA == digestB
}

// requestOf returns what becomes of a request.
func requestOf(version *configv1.ClusterVersion, requested *updatev1alpha1.RequestedUpdate) request {
	asked := request{RequestedUpdate: requested}
	if requested == nil {
		return asked
	}
	accepted := controlplane.FindCondition(version.Status.Conditions, releaseAccepted)
	rejected := controlplane.FindCondition(version.Status.Conditions, invalid)
	switch {
	case controlplane.IsTrue(rejected) && strings.Contains(rejected.Message, desiredUpdateField):
		asked.refusedBy = rejected
	case accepted != nil && accepted.Status == configv1.ConditionFalse && asked.isNamedIn(accepted.Message):
		asked.refusedBy = accepted
	}
	return asked
}

// isNamedIn returns whether a message is about what was asked for. The Cluster Version Operator quotes both, an image that was found by
// the version too.
func (r request) isNamedIn(message string) bool {
	isNamed := func(name string) bool { return name != "" && strings.Contains(message, fmt.Sprintf("%q", name)) }
	return isNamed(r.Version) || isNamed(r.Image)
}

// name returns what was asked for, for people.
func (r request) name() string {
	return cmp.Or(r.Version, r.Image)
}

// condition returns the condition Updating of a ClusterVersion of which no update is in progress and another one is requested.
func (r request) condition() metav1.Condition {
	reason := updatev1alpha1.ReasonRequested
	message := fmt.Sprintf("The update to %s was requested and has not begun", r.name())
	if r.refusedBy != nil {
		reason = updatev1alpha1.ReasonNotAccepted
		message = fmt.Sprintf("The update to %s was requested and is not accepted%s", r.name(), assess.Because(r.refusedBy.Reason))
	}
	message = insight.Shorten(insight.OneLine(message), updatev1alpha1.NodeMessageMaxLength)
	return assess.Condition(updatev1alpha1.ConditionUpdating, metav1.ConditionFalse, reason, message, time.Time{})
}

// The steps at which a release is retrieved, which may fail for a moment, and after which the registry is asked again
// (pkg/cvo/sync_worker.go, syncPayload).
var retrievalSteps = []string{"RetrievePayload", "LoadPayload"}

// notVerified is in the message of a release whose signature could not be verified (pkg/cvo/updatepayload.go, RetrievePayload): to try
// again does not help.
const notVerified = "cannot be verified"

// How long a request may be refused, or have no answer. During the retrieval of a release, which takes up to four minutes, nothing is
// written, and the next time something is may be some minutes later: about ten minutes are normal.
var (
	retrievalThresholds  = assess.Thresholds{Warning: 5 * time.Minute, Failure: 20 * time.Minute}
	unverifiedThresholds = assess.Thresholds{Failure: 20 * time.Minute}
	invalidPatience      = 2 * time.Minute
	ignoredThresholds    = assess.Thresholds{Warning: 10 * time.Minute}
	noResponseThresholds = assess.Thresholds{Warning: 15 * time.Minute, Failure: 30 * time.Minute}
)

// notAccepted returns why a request is refused.
func notAccepted(version checkedVersion) *assess.Finding {
	asked := version.request
	if asked.RequestedUpdate == nil || asked.refusedBy == nil {
		return nil
	}
	refused := asked.refusedBy
	found := &assess.Finding{
		Since:     assess.Later(refused.LastTransitionTime.Time, assess.TimeOf(asked.Since)),
		Words:     assess.Words{"release": assess.ShortImage(asked.name())},
		Reported:  controlplane.Reported(updatev1alpha1.ComponentClusterVersionOperator, refused),
		Reference: reference.UpdateTroubleshooting,
	}
	switch {
	case refused.Type == invalid && !asked.isNamedIn(refused.Message):
		found.Level, found.Thresholds = updatev1alpha1.LevelError, &assess.Thresholds{Warning: invalidPatience}
	case !slices.Contains(retrievalSteps, refused.Reason):
		found.Level = updatev1alpha1.LevelError
	case strings.Contains(refused.Message, notVerified):
		found.Thresholds = &unverifiedThresholds
	default:
		found.Thresholds, found.Pods = &retrievalThresholds, version.retrieval()
		found.NextSteps = slices.Concat(assess.ReadOnly("oc get pods -n openshift-cluster-version -o wide"), assess.Mutating("oc adm upgrade --clear"))
	}
	return found
}

// ignored returns that the Cluster Version Operator does not respond to a change of the spec, or that it has read a request and nothing
// follows: a version that is not among the available updates is valid, and is found nowhere (pkg/cvo/updatepayload.go,
// findUpdateFromConfig).
func ignored(version checkedVersion) *assess.Finding {
	asked := version.request
	isRequested := asked.RequestedUpdate != nil
	switch {
	case isRequested && asked.refusedBy == nil && version.retrieval() != nil && version.retrieval().Worst != nil:
		return &assess.Finding{
			Since: assess.TimeOf(asked.Since), Case: caseNotRetrieved, Thresholds: &assess.Thresholds{}, Pods: version.retrieval(),
			Words:     assess.Words{"release": assess.ShortImage(asked.name())},
			Reference: reference.UpdateTroubleshooting,
		}
	case version.applied > 0:
		return nil // it does, and can't say so
	case isBehind(version.ClusterVersion):
		// What it says of the request is its response, though it writes the generation later.
		if !isRequested && !version.isProgressing() || asked.refusedBy != nil || version.observed.BehindSince.IsZero() {
			return nil
		}
		return &assess.Finding{
			Since: version.observed.BehindSince, Thresholds: &noResponseThresholds,
			Case: caseNoResponse,
			Words: assess.Words{
				"generation": strconv.FormatInt(version.Generation, 10), "observed": strconv.FormatInt(version.Status.ObservedGeneration, 10),
			},
			Reference: reference.UpdateTroubleshooting,
			Pods:      version.retrieval(),
			NextSteps: assess.ReadOnly("oc get pods -n openshift-cluster-version"),
		}
	case !isRequested || asked.refusedBy != nil || asked.Since.IsZero():
		return nil
	default:
		return &assess.Finding{
			Since: asked.Since.Time, Case: caseNotStarted,
			Words:     assess.Words{"release": assess.ShortImage(asked.name())},
			Reference: reference.UpdateTroubleshooting,
		}
	}
}

// retrieval returns the pod that retrieves a release, nil if it is not known.
func (c checkedVersion) retrieval() *assess.Pods {
	return c.pods[podstate.ReleaseRetrieval]
}

// isProgressing returns whether an update is in progress.
func (c checkedVersion) isProgressing() bool {
	return c.operators.IsUnfinished
}
