package hosted

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// Conditions of a NodePool that are read, and reasons of them.
const (
	conditionUpdatingVersion  = "UpdatingVersion"
	conditionActive           = "ReconciliationActive"
	conditionManaged          = "UpdateManagementEnabled"
	conditionIgnition         = "IgnitionEndpointAvailable"
	conditionArchPlatform     = "ValidArchPlatform"
	conditionMachineConfig    = "ValidMachineConfig"
	conditionVersionSkew      = "SupportedVersionSkew"
	conditionGeneratedPayload = "ValidGeneratedPayload"
	conditionReachedIgnition  = "ReachedIgnitionEndpoint"
	conditionMachinesReady    = "AllMachinesReady"
	conditionNodesHealthy     = "AllNodesHealthy"
	conditionPlatformImage    = "ValidPlatformImage"
	conditionPoolReady        = "Ready"

	reasonInPlaceFailed    = "InplaceUpgradeFailed"
	reasonUnsupportedSkew  = "UnsupportedSkew"
	reasonTooManyUnhealthy = "TooManyUnhealthy"
	// reasonInvalidConfig is that of ValidGeneratedPayload for every error of generating it (openshift/hypershift:
	// ignition-server/controllers/tokensecret_controller.go, Reconcile). Its status is empty then.
	reasonInvalidConfig      = "InvalidConfig"
	reasonIgnitionNotReached = "ignitionNotReached"
)

// poolConditions are the conditions that are read, in the order of HyperShift (openshift/hypershift:
// hypershift-operator/controllers/nodepool/nodepool_controller.go, reconcile).
var poolConditions = []string{
	conditionManaged, conditionReleaseImage, conditionIgnition, conditionArchPlatform, conditionVersionSkew, conditionMachineConfig,
	conditionUpdatingVersion, conditionGeneratedPayload, conditionReachedIgnition, conditionMachinesReady, conditionNodesHealthy,
	conditionPlatformImage, conditionPoolReady,
}

// unsupportedArch is in the message of ValidArchPlatform if HyperShift stops at it. It goes on with an architecture that the platform
// does not support (openshift/hypershift: hypershift-operator/controllers/nodepool/conditions.go, validArchPlatformCondition).
const unsupportedArch = "not supported by the HostedCluster payload type"

// stops returns whether HyperShift stops at a condition: all that come after it are outdated then.
func stops(condition *metav1.Condition) bool {
	if condition == nil || condition.Status != metav1.ConditionFalse {
		return false
	}
	switch condition.Type {
	case conditionManaged, conditionReleaseImage, conditionIgnition, conditionMachineConfig, conditionPlatformImage:
		return true
	case conditionArchPlatform:
		return strings.Contains(condition.Message, unsupportedArch)
	default:
		return false
	}
}

// pausedConditions are those that say nothing while the pool is paused: HyperShift does not write the last one, and does not make the Secret that
// the others are about (openshift/hypershift: hypershift-operator/controllers/nodepool/nodepool_controller.go, reconcile).
var pausedConditions = []string{conditionGeneratedPayload, conditionReachedIgnition, conditionPoolReady}

// current returns a condition of the pool, nil if there is none or one before it has stopped HyperShift, or a pause has.
func (p *nodePool) current(kind string) *metav1.Condition {
	if slices.Contains(pausedConditions, kind) && meta.IsStatusConditionFalse(p.Status.Conditions, conditionActive) {
		return nil
	}
	for _, before := range poolConditions[:slices.Index(poolConditions, kind)] {
		if stops(meta.FindStatusCondition(p.Status.Conditions, before)) {
			return nil
		}
	}
	return meta.FindStatusCondition(p.Status.Conditions, kind)
}

// stoppedBy returns the first condition at which HyperShift stops, empty if there is none.
func (p *nodePool) stoppedBy() string {
	for _, kind := range poolConditions {
		if stops(p.current(kind)) {
			return kind
		}
	}
	return ""
}

// says returns what a pool says of its Machines and nodes if something is wrong, and otherwise of its update.
func (p *nodePool) says() string {
	for _, kind := range []string{conditionMachinesReady, conditionNodesHealthy} {
		if one := p.current(kind); one != nil && one.Status == metav1.ConditionFalse && one.Message != "" {
			return one.Message
		}
	}
	if updating := p.current(conditionUpdatingVersion); updating != nil && updating.Message != "" {
		return updating.Message
	}
	return assess.NoMessage
}

// targetInMessage reads "Target version: 4.22.4" (openshift/hypershift: hypershift-operator/controllers/nodepool/conditions.go,
// updatingVersionCondition) and, of older releases that update nodes in place, "Target version: \"4.22.4\". Total Nodes: 3", also
// without quotes. Present ones name a configuration there (control-plane-operator/hostedclusterconfigoperator/controllers/
// inplaceupgrader/inplaceupgrader.go, reconcileInPlaceUpgrade).
var targetInMessage = regexp.MustCompile(`Target version: "?([^\s"]+?)"?\.?(?:\s|$)`)

// versionInMessage returns the version that the pool says it is being updated to, also before its Machines are, empty if it says
// none.
func (p *nodePool) versionInMessage() string {
	updating := p.current(conditionUpdatingVersion)
	if updating == nil || updating.Status != metav1.ConditionTrue {
		return ""
	}
	if found := targetInMessage.FindStringSubmatch(updating.Message); found != nil {
		return assess.FitVersion(found[1])
	}
	return ""
}

func poolTimes(pool *hypershiftv1beta1.NodePool) []*metav1.Time {
	return assess.ConditionTimes(pool.Status.Conditions)
}
