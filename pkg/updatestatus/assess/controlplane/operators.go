package controlplane

import (
	"math"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Operators counts the cluster operators of the payload.
type Operators struct {
	Total, Updated int
	// LastTransition is the newest transition time of their Progressing conditions, and LastChange that of all that are read.
	LastTransition, LastChange time.Time
	// OnlyMachineConfigSince is when machine-config started to progress, if it is the only one that is not updated.
	OnlyMachineConfigSince time.Time
	// IsUnfinished is set while the ClusterVersion has not completed the update. The operators are updated some seconds earlier, and
	// a manifest may fail after them: the Cluster Version Operator completes an update when it has applied all of them
	// (openshift/cluster-version-operator, pkg/cvo/sync_worker.go and pkg/cvo/status.go).
	IsUnfinished bool
}

// AllUpdated returns whether every operator is updated.
func (o Operators) AllUpdated() bool {
	return o.Total > 0 && o.Updated == o.Total
}

// AreComplete returns whether the update of the control plane is complete.
func (o Operators) AreComplete() bool {
	return o.AllUpdated() && !o.IsUnfinished
}

// share returns the share of updated operators, between 0 and 1.
func (o Operators) share() float64 {
	if o.Total == 0 {
		return 0
	}
	return float64(o.Updated) / float64(o.Total)
}

// Completion returns the share in percent, rounded half to even; 100 only if the update is complete.
func (o Operators) Completion() int32 {
	if o.AreComplete() {
		return 100
	}
	return int32(min(99, math.RoundToEven(100*o.share())))
}

// Assess returns how the update of the newest entry of a history goes. It uses the count of operators first, then the estimate. An
// update that the ClusterVersion has completed stays completed whatever its operators report later.
func (o Operators) Assess(history []configv1.UpdateHistory, estimate Estimate) updatev1alpha1.Assessment {
	switch {
	case len(history) == 0 || o.Total == 0:
		return updatev1alpha1.AssessmentUnknown
	case o.AreComplete() || history[0].State == configv1.CompletedUpdate && !o.IsUnfinished:
		return updatev1alpha1.AssessmentCompleted
	case estimate.remaining < -stalledAfter:
		return updatev1alpha1.AssessmentStalled
	case estimate.remaining < 0:
		return updatev1alpha1.AssessmentProgressingSlow
	default:
		return updatev1alpha1.AssessmentProgressing
	}
}

// AssessByEstimate returns how an update goes by its estimate alone, whatever stalls it: an update whose estimate has not passed is not stalled.
func AssessByEstimate(version *updatev1alpha1.ClusterVersionInsight, now time.Time) updatev1alpha1.Assessment {
	expected := version.EstimatedCompletedAt
	if version.Assessment != updatev1alpha1.AssessmentStalled || expected == nil {
		return version.Assessment
	}
	switch late := now.Sub(expected.Time); {
	case late > stalledAfter:
		return updatev1alpha1.AssessmentStalled
	case late > 0:
		return updatev1alpha1.AssessmentProgressingSlow
	default:
		return updatev1alpha1.AssessmentProgressing
	}
}
