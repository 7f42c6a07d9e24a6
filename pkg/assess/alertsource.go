package assess

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// MaxAlerts is how many alerts a running controller tells of. Nobody reads more, and an answer may hold any number.
const MaxAlerts = 200

// maxAlertBytes is how much they may take of the UpdateStatus together, as JSON: less than a fifth of it. Each may have some KiB.
const maxAlertBytes = 192 << 10

const (
	// alertsHiccups is how many attempts in a row must fail in the same way before it is said. The monitoring is updated as
	// well, and does not answer for a moment when it is.
	alertsHiccups = 3
	// alertsPatience is how long alerts count that can't be read again. Prometheus looks back as long for a sample.
	alertsPatience = 5 * time.Minute
)

// BoundAlerts returns as many of the reports of alerts as a running controller tells of, critical ones first, and what the
// source says of itself then.
func BoundAlerts(reports []insight.Report) ([]insight.Report, *insight.State) {
	ranked := slices.SortedStableFunc(slices.Values(reports), func(a, b insight.Report) int {
		return cmp.Compare(alertRank(a), alertRank(b))
	})
	bytes := 0
	for at, report := range ranked {
		for _, placed := range report.Insights {
			bytes += encodedSize(placed.Insight)
		}
		if at == MaxAlerts || bytes > maxAlertBytes {
			return ranked[:at], &insight.State{
				Complete: true, Reason: updatev1alpha1.ReasonTooManyAlerts,
				Message: "More alerts matter to the update than can be told of here; critical ones are told first",
			}
		}
	}
	return reports, &insight.State{Complete: true}
}

// encodedSize is the size of an insight as JSON.
func encodedSize(one updatev1alpha1.Insight) int {
	content, err := json.Marshal(one)
	if err != nil {
		// An insight has nothing that can't be encoded. What can't be is not told.
		return maxAlertBytes + 1
	}
	return len(content)
}

func alertRank(report insight.Report) int {
	for _, placed := range report.Insights {
		if placed.Insight.Health.Impact.Level == updatev1alpha1.LevelCritical {
			return 0
		}
	}
	return 1
}

// AlertOutage is since when, and why, the alerts can't be read.
type AlertOutage struct {
	// Since is when they were read last, or when that was tried first.
	Since time.Time
	// Why is the reason and the message of the last attempt.
	Why insight.State
	// times is how many attempts in a row failed that way.
	times int
}

// Failed returns the outage after one more attempt.
func (o AlertOutage) Failed(why insight.State) AlertOutage {
	if o.Why != why {
		o.times = 0
	}
	o.Why = why
	o.times++
	return o
}

// IsOver is whether what was read last counts no more: it may long be wrong.
func (o AlertOutage) IsOver(now time.Time) bool {
	return now.Sub(o.Since) >= alertsPatience
}

// State returns what the source says of itself, given what it said last: nil if nothing new. It is incomplete at first,
// which keeps what was told before, also by a controller before this one, and in the end complete with nothing to tell.
// A refusal is said at once, anything else when it lasts.
func (o AlertOutage) State(said *insight.State, now time.Time) *insight.State {
	state := &insight.State{Complete: o.IsOver(now), Reason: o.Why.Reason, Message: o.Why.Message}
	wasWell := said == nil || said.Reason == "" || said.Reason == updatev1alpha1.ReasonTooManyAlerts
	switch {
	case said != nil && *said == *state:
		return nil
	case o.times >= alertsHiccups, wasWell && state.Reason == updatev1alpha1.ReasonMonitoringRefused:
		return state
	case state.Complete && (wasWell || !said.Complete):
		return state
	default:
		return nil
	}
}
