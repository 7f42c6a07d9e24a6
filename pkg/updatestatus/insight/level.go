package insight

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Levels returns the levels of health insights, the worst last. An unknown one is above Warning: nothing shows that it may be
// overlooked.
func Levels() []updatev1alpha1.HealthLevel {
	return []updatev1alpha1.HealthLevel{
		updatev1alpha1.LevelInfo, updatev1alpha1.LevelWarning, updatev1alpha1.LevelUnknown, updatev1alpha1.LevelError,
		updatev1alpha1.LevelCritical,
	}
}

var levels = Levels()

// LevelRank returns the place of a level in Levels. One of another version is as severe as an unknown one.
func LevelRank(level updatev1alpha1.HealthLevel) int {
	if at := slices.Index(levels, level); at >= 0 {
		return at
	}
	return slices.Index(levels, updatev1alpha1.LevelUnknown)
}

// NeedsAttention returns whether a health insight of a level needs an administrator: all but Info.
func NeedsAttention(level updatev1alpha1.HealthLevel) bool {
	return LevelRank(level) >= LevelRank(updatev1alpha1.LevelWarning)
}

// IsError returns whether a level is Error or worse.
func IsError(level updatev1alpha1.HealthLevel) bool {
	return LevelRank(level) >= LevelRank(updatev1alpha1.LevelError)
}

// Impacts returns the types of impact, the least harm first.
func Impacts() []updatev1alpha1.ImpactType {
	return []updatev1alpha1.ImpactType{
		updatev1alpha1.ImpactNone, updatev1alpha1.ImpactUnknown, updatev1alpha1.ImpactUpdateSpeed,
		updatev1alpha1.ImpactUpdateStalled, updatev1alpha1.ImpactClusterCapacity, updatev1alpha1.ImpactAPIAvailability,
		updatev1alpha1.ImpactApplicationAvailability, updatev1alpha1.ImpactApplicationOutage, updatev1alpha1.ImpactDataLoss,
	}
}
