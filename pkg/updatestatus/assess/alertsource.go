package assess

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// MaxAlerts bounds the number of alerts that a controller reports.
const MaxAlerts = 200

// maxAlertBytes bounds the size of their insights as JSON: less than a fifth of the UpdateStatus.
const maxAlertBytes = 192 << 10

const (
	// alertFailureThreshold is the number of consecutive failures with the same reason before they are reported. The monitoring
	// is updated as well, and does not respond for a moment then.
	alertFailureThreshold = 3
	// alertsMaxAge is how long alerts are reported after they were last read: the lookback of Prometheus for a sample.
	alertsMaxAge = 5 * time.Minute
)

// BoundAlerts returns the reports of alerts within MaxAlerts and maxAlertBytes, those of the platform first, and of these
// critical ones, and the state of the source.
func BoundAlerts(reports []insight.Report) ([]insight.Report, *insight.State) {
	ranked := slices.SortedStableFunc(slices.Values(reports), func(a, b insight.Report) int {
		return cmp.Compare(alertRank(a), alertRank(b))
	})
	bytes := 0
	for at, report := range ranked {
		for _, scoped := range report.Insights {
			bytes += EncodedSize(scoped.Insight)
		}
		if at == MaxAlerts || bytes > maxAlertBytes {
			return ranked[:at], &insight.State{
				Complete: true, Reason: updatev1alpha1.ReasonTooManyAlerts,
				Message: "There are too many alerts to report all of them; those of the platform, and of these critical ones, are reported first",
			}
		}
	}
	return reports, &insight.State{Complete: true}
}

// EncodedSize returns the size of an object of the API as JSON, in bytes.
func EncodedSize(object any) int {
	content, err := json.Marshal(object)
	if err != nil {
		// Objects of the API can always be encoded. One that cannot is not reported.
		return math.MaxInt32
	}
	return len(content)
}

// alertRank orders reports of alerts: each has one insight, whose first resource is the alert.
func alertRank(report insight.Report) int {
	health := report.Insights[0].Insight.Health
	switch {
	case health.Origin == updatev1alpha1.OriginTenant:
		return 2
	case health.Impact.Level != updatev1alpha1.LevelCritical:
		return 1
	default:
		return 0
	}
}

// AlertOutage is a period in which alerts cannot be read.
type AlertOutage struct {
	// Since is when they were last read, or when the first attempt was made.
	Since time.Time
	// Why is the reason and the message of the last failure.
	Why insight.State
	// failures is the number of consecutive failures with that reason and message.
	failures int
}

// Failed returns the outage after another failed attempt.
func (o AlertOutage) Failed(why insight.State) AlertOutage {
	if o.Why != why {
		o.failures = 0
	}
	o.Why = why
	o.failures++
	return o
}

// IsOver returns whether the alerts that were last read are too old to be reported.
func (o AlertOutage) IsOver(now time.Time) bool {
	return now.Sub(o.Since) >= alertsMaxAge
}

// State returns the state that the source should report, nil if it is unchanged or should not be reported yet. The state is
// incomplete at first, which keeps the previous insights, including those of a previous controller; after alertsMaxAge it is
// complete, without insights. A refusal is reported immediately, other failures after alertFailureThreshold.
func (o AlertOutage) State(reported *insight.State, now time.Time) *insight.State {
	state := &insight.State{Complete: o.IsOver(now), Reason: o.Why.Reason, Message: o.Why.Message}
	wasWell := reported == nil || reported.Reason == "" || reported.Reason == updatev1alpha1.ReasonTooManyAlerts
	switch {
	case reported != nil && *reported == *state:
		return nil
	case o.failures >= alertFailureThreshold, wasWell && state.Reason == updatev1alpha1.ReasonMonitoringRefused:
		return state
	case state.Complete && (wasWell || !reported.Complete):
		return state
	default:
		return nil
	}
}
