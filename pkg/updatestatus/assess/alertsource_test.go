package assess_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

// TestTooManyAlerts expects the critical alerts to be reported, and the same alerts in any order.
func TestTooManyAlerts(t *testing.T) {
	var alerts []assess.Alert
	for number := range assess.MaxAlerts {
		alerts = append(alerts, alert(fmt.Sprintf("W%04d", number), "warning", time.Minute))
	}
	bound := func(alerts []assess.Alert) ([]insight.Report, insight.State) {
		reports, state := assess.BoundAlerts(assess.Alerts(assess.AlertsInput{Alerts: alerts, Update: ledger.Update{Unfinished: true, Started: start}, Now: start.Add(time.Hour)}))
		return reports, *state
	}
	if reports, state := bound(alerts); len(reports) != assess.MaxAlerts || state != (insight.State{Complete: true}) {
		t.Errorf("%d reports, state %v", len(reports), state)
	}
	alerts = append(alerts, alert("Worst", "critical", time.Minute))
	reports, state := bound(alerts)
	if len(reports) != assess.MaxAlerts || !state.Complete || state.Reason != updatev1alpha1.ReasonTooManyAlerts {
		t.Errorf("%d reports, state %v", len(reports), state)
	}
	if level := reports[0].Insights[0].Insight.Health.Impact.Level; level != updatev1alpha1.LevelCritical {
		t.Errorf("the first is of level %s", level)
	}
	turned := append([]assess.Alert{alerts[len(alerts)-1]}, alerts[:len(alerts)-1]...)
	if again, _ := bound(turned); !cmp.Equal(reports, again) {
		t.Error("another order selects other alerts")
	}
}

// TestAlertsAreBounded bounds the size of alerts with long texts.
func TestAlertsAreBounded(t *testing.T) {
	var alerts []assess.Alert
	for number := range 100 {
		alerts = append(alerts, alert(fmt.Sprintf("W%04d", number), "critical", time.Minute, "description", strings.Repeat("<", 10000)))
	}
	reports, state := assess.BoundAlerts(assess.Alerts(assess.AlertsInput{Alerts: alerts, Update: ledger.Update{Unfinished: true, Started: start}, Now: start.Add(time.Hour)}))
	if len(reports) == 0 || len(reports) > 10 || state.Reason != updatev1alpha1.ReasonTooManyAlerts {
		t.Errorf("%d reports, state %v", len(reports), state)
	}
}

// TestAlertOutage uses failed attempts, the time since the last response, and the state that was reported before.
func TestAlertOutage(t *testing.T) {
	unreachable := insight.State{Reason: updatev1alpha1.ReasonMonitoringUnreachable, Message: "no such host"}
	refused := insight.State{Reason: updatev1alpha1.ReasonMonitoringRefused, Message: "forbidden"}
	failed := insight.State{Reason: updatev1alpha1.ReasonMonitoringFailed, Message: "garbage"}
	state := func(of insight.State, complete bool) *insight.State {
		of.Complete = complete
		return &of
	}
	well, many := &insight.State{Complete: true}, &insight.State{Complete: true, Reason: updatev1alpha1.ReasonTooManyAlerts}
	for _, test := range []struct {
		name     string
		previous *insight.State
		attempts []insight.State
		after    time.Duration
		want     *insight.State
	}{
		{name: "once", previous: well, attempts: []insight.State{unreachable}, after: 30 * time.Second},
		{name: "twice", previous: well, attempts: []insight.State{unreachable, unreachable}, after: time.Minute},
		{
			name:     "three times",
			previous: well,
			attempts: []insight.State{unreachable, unreachable, unreachable},
			after:    90 * time.Second,
			want:     state(unreachable, false),
		},
		{
			name:     "three times, for different reasons",
			previous: well,
			attempts: []insight.State{unreachable, failed, unreachable},
			after:    90 * time.Second,
		},
		{
			name:     "refused",
			previous: well,
			attempts: []insight.State{refused},
			after:    30 * time.Second,
			want:     state(refused, false),
		},
		{
			name:     "refused after too many",
			previous: many,
			attempts: []insight.State{refused},
			after:    30 * time.Second,
			want:     state(refused, false),
		},
		{
			name:     "refused at the first attempt",
			attempts: []insight.State{refused},
			after:    0,
			want:     state(refused, false),
		},
		{
			name:     "refused once, after another failure",
			previous: state(failed, false),
			attempts: []insight.State{failed, refused},
			after:    time.Minute,
		},
		{
			name:     "already reported",
			previous: state(failed, false),
			attempts: []insight.State{failed, failed, failed, failed},
			after:    2 * time.Minute,
		},
		{
			name:     "nearly five minutes",
			previous: state(failed, false),
			attempts: []insight.State{failed, failed, failed, failed},
			after:    5*time.Minute - 1,
		},
		{
			name:     "five minutes",
			previous: state(failed, false),
			attempts: []insight.State{failed, failed, failed, failed},
			after:    5 * time.Minute,
			want:     state(failed, true),
		},
		{
			name:     "five minutes, another reason",
			previous: state(failed, false),
			attempts: []insight.State{unreachable},
			after:    5 * time.Minute,
			want:     state(unreachable, true),
		},
		{
			name:     "five minutes between two attempts",
			previous: well,
			attempts: []insight.State{failed},
			after:    5 * time.Minute,
			want:     state(failed, true),
		},
		{
			name:     "six minutes, another reason",
			previous: state(failed, true),
			attempts: []insight.State{unreachable},
			after:    6 * time.Minute,
		},
		{
			name:     "six minutes, another reason three times",
			previous: state(failed, true),
			attempts: []insight.State{unreachable, unreachable, unreachable},
			after:    6 * time.Minute,
			want:     state(unreachable, true),
		},
		{
			name:     "six minutes",
			previous: state(failed, true),
			attempts: []insight.State{failed, failed, failed},
			after:    6 * time.Minute,
		},
	} {
		outage := assess.AlertOutage{Since: start}
		for _, why := range test.attempts {
			outage = outage.Failed(why)
		}
		now := start.Add(test.after)
		if diff := cmp.Diff(test.want, outage.State(test.previous, now)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if over := test.after >= 5*time.Minute; outage.IsOver(now) != over {
			t.Errorf("%s: over is %t", test.name, !over)
		}
	}
}
