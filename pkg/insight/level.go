package insight

import updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"

// Levels returns the levels of health insights, the worst last.
func Levels() []updatev1alpha1.HealthLevel {
	return []updatev1alpha1.HealthLevel{
		updatev1alpha1.LevelInfo, updatev1alpha1.LevelUnknown, updatev1alpha1.LevelWarning, updatev1alpha1.LevelError,
		updatev1alpha1.LevelCritical,
	}
}
