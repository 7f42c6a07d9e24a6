package cli

import (
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Values of --fail-on.
const (
	failOnError   = "error"
	failOnWarning = "warning"
	failOnNever   = "never"
)

var failOnLevels = []string{failOnError, failOnWarning, failOnNever}

// failAfter is how long a problem must last before it ends a watch: some resolve themselves.
const failAfter = time.Minute

// failures returns the problems of a level of --fail-on, or of a worse one, that no other one causes.
func failures(s *updatev1alpha1.UpdateStatusSummaryStatus, failOn string) []updatev1alpha1.SummaryAttention {
	var found []updatev1alpha1.SummaryAttention
	for _, one := range s.Attention {
		isError := insight.IsError(one.Level)
		if failOn == failOnWarning || failOn == failOnError && isError {
			found = append(found, one)
		}
	}
	return found
}

// needsAttention returns whether an update has the exit status of one that needs attention: with problems of the level of --fail-on,
// or without that flag with any.
func needsAttention(s *updatev1alpha1.UpdateStatusSummaryStatus, failOn string) bool {
	if failOn == failOnError {
		return len(failures(s, failOn)) > 0
	}
	return meta.IsStatusConditionTrue(s.Conditions, updatev1alpha1.ConditionNeedsAttention)
}

// lasting has when problems without a start time were first seen, by uid.
type lasting map[string]time.Time

// cause returns the first problem that has lasted long enough to end a watch, nil if none has. It forgets those that are gone.
func (l lasting) cause(problems []updatev1alpha1.SummaryAttention, now time.Time) *updatev1alpha1.SummaryAttention {
	present := map[string]bool{}
	var first *updatev1alpha1.SummaryAttention
	for at := range problems {
		one := &problems[at]
		present[one.UID] = true
		if _, seen := l[one.UID]; !seen {
			l[one.UID] = now
		}
		since := l[one.UID]
		if one.Since != nil && one.Since.Time.Before(since) {
			since = one.Since.Time
		}
		if first == nil && now.Sub(since) >= failAfter {
			first = one
		}
	}
	maps.DeleteFunc(l, func(uid string, _ time.Time) bool { return !present[uid] })
	return first
}
