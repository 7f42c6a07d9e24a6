package nodestate

import (
	"time"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// DrainThresholds follows the Machine Config Operator: it retries an eviction every minute, after ten minutes every five, and
// after an hour it reports the drain as failed.
var DrainThresholds = assess.Thresholds{Warning: 10 * time.Minute, Failure: time.Hour}

// DrainTimes tell when a drain started. Each is zero if it is not known.
type DrainTimes struct {
	// Observed is when the node was first observed draining.
	Observed time.Time
	// UpdateStarted is when the update started, which is not after the drain. It is used where the drain was not observed.
	UpdateStarted time.Time
	// Cordoned is when the node was cordoned, and Reported when the Machine Config Operator says that it cordoned it for its drain.
	Cordoned, Reported time.Time
}

// Start returns when a drain started, zero if that is unknown. A start that was observed may be that of the previous drain, and a
// cordon may have been set by an administrator long before: the later of both counts. An earlier start that the Machine Config
// Operator reports takes precedence; a later one does not, since the operator cordons anew when it has restarted.
func (d DrainTimes) Start() time.Time {
	var start time.Time
	switch {
	case !d.Observed.IsZero():
		start = assess.Earliest(assess.Later(d.Observed, d.Cordoned), d.Reported)
	case !d.Reported.IsZero():
		start = d.Reported
	case !d.Cordoned.IsZero():
		start = assess.Later(d.Cordoned, d.UpdateStarted)
	}
	return assess.WholeSecond(start)
}
