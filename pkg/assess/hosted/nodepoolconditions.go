package hosted

import (
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// Conditions of a NodePool that are read, and reasons of them.
const (
	conditionUpdatingVersion  = "UpdatingVersion"
	conditionActive           = "ReconciliationActive"
	conditionManaged          = "UpdateManagementEnabled"
	conditionMachineConfig    = "ValidMachineConfig"
	conditionVersionSkew      = "SupportedVersionSkew"
	conditionGeneratedPayload = "ValidGeneratedPayload"
	conditionMachinesReady    = "AllMachinesReady"
	conditionPoolReady        = "Ready"

	reasonInPlaceFailed    = "InplaceUpgradeFailed"
	reasonUnsupportedSkew  = "UnsupportedSkew"
	reasonTooManyUnhealthy = "TooManyUnhealthy"
)

// stopping are the conditions that stop HyperShift while they are False. All that come after them in the order of HyperShift are
// outdated then.
var stopping = []string{conditionManaged, conditionReleaseImage, conditionMachineConfig}

// poolConditions are the conditions that are read, in the order of HyperShift.
var poolConditions = []string{
	conditionManaged, conditionReleaseImage, conditionVersionSkew, conditionMachineConfig, conditionUpdatingVersion,
	conditionGeneratedPayload, conditionMachinesReady, conditionPoolReady,
}

// current returns a condition of the pool, nil if there is none or one before it has stopped HyperShift. While the pool is paused,
// HyperShift does not write the last one.
func (p *nodePool) current(kind string) *metav1.Condition {
	if kind == conditionPoolReady && meta.IsStatusConditionFalse(p.Status.Conditions, conditionActive) {
		return nil
	}
	for _, before := range poolConditions[:slices.Index(poolConditions, kind)] {
		if slices.Contains(stopping, before) && meta.IsStatusConditionFalse(p.Status.Conditions, before) {
			return nil
		}
	}
	return meta.FindStatusCondition(p.Status.Conditions, kind)
}

var targetInMessage = regexp.MustCompile(`Target version: (\S+)`)

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
