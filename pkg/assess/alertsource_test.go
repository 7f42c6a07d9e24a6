package assess_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// TestTooManyAlerts: critical ones stay, and what stays is the same in whatever order the alerts come.
func TestTooManyAlerts(t *testing.T) {
	var alerts []assess.Alert
	for number := range assess.MaxAlerts {
		alerts = append(alerts, alert(fmt.Sprintf("W%04d", number), "warning", time.Minute))
	}
	bound := func(alerts []assess.Alert) ([]insight.Report, insight.State) {
		reports, state := assess.BoundAlerts(assess.Alerts(assess.AlertsInput{Alerts: alerts, Update: ledger.Update{Updating: true, Started: start}}))
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
		t.Error("in another order it is another choice")
	}
}

// TestLongAlerts: alerts of long texts take no more of the object than the others leave to them.
func TestLongAlerts(t *testing.T) {
	var alerts []assess.Alert
	for number := range 100 {
		alerts = append(alerts, alert(fmt.Sprintf("W%04d", number), "critical", time.Minute, "description", strings.Repeat("<", 10000)))
	}
	reports, state := assess.BoundAlerts(assess.Alerts(assess.AlertsInput{Alerts: alerts, Update: ledger.Update{Updating: true, Started: start}}))
	if len(reports) == 0 || len(reports) > 10 || state.Reason != updatev1alpha1.ReasonTooManyAlerts {
		t.Errorf("%d reports, state %v", len(reports), state)
	}
}

// TestAlertOutage: what is said of attempts that fail, at which moment after the last answer, and what was said before.
func TestAlertOutage(t *testing.T) {
	unreachable := insight.State{Reason: updatev1alpha1.ReasonMonitoringUnreachable, Message: "no such host"}
	refused := insight.State{Reason: updatev1alpha1.ReasonMonitoringRefused, Message: "forbidden"}
	failed := insight.State{Reason: updatev1alpha1.ReasonMonitoringFailed, Message: "garbage"}
	said := func(of insight.State, complete bool) *insight.State {
		of.Complete = complete
		return &of
	}
	well, many := &insight.State{Complete: true}, &insight.State{Complete: true, Reason: updatev1alpha1.ReasonTooManyAlerts}
	for _, test := range []struct {
		name     string
		said     *insight.State
		attempts []insight.State
		after    time.Duration
		want     *insight.State
	}{
		{"once", well, []insight.State{unreachable}, 30 * time.Second, nil},
		{"twice", well, []insight.State{unreachable, unreachable}, time.Minute, nil},
		{"three times", well, []insight.State{unreachable, unreachable, unreachable}, 90 * time.Second, said(unreachable, false)},
		{"three times, now this way and now that", well, []insight.State{unreachable, failed, unreachable}, 90 * time.Second, nil},
		{"refused", well, []insight.State{refused}, 30 * time.Second, said(refused, false)},
		{"refused after too many", many, []insight.State{refused}, 30 * time.Second, said(refused, false)},
		{"refused while nothing was ever said", nil, []insight.State{refused}, 0, said(refused, false)},
		{"refused now and then", said(failed, false), []insight.State{failed, refused}, time.Minute, nil},
		{"as before", said(failed, false), []insight.State{failed, failed, failed, failed}, 2 * time.Minute, nil},
		{"nearly five minutes", said(failed, false), []insight.State{failed, failed, failed, failed}, 5*time.Minute - 1, nil},
		{"five minutes", said(failed, false), []insight.State{failed, failed, failed, failed}, 5 * time.Minute, said(failed, true)},
		{"five minutes, another way", said(failed, false), []insight.State{unreachable}, 5 * time.Minute, said(unreachable, true)},
		{"five minutes between two attempts", well, []insight.State{failed}, 5 * time.Minute, said(failed, true)},
		{"six minutes, another way", said(failed, true), []insight.State{unreachable}, 6 * time.Minute, nil},
		{"six minutes, another way for long", said(failed, true), []insight.State{unreachable, unreachable, unreachable}, 6 * time.Minute, said(unreachable, true)},
		{"six minutes", said(failed, true), []insight.State{failed, failed, failed}, 6 * time.Minute, nil},
	} {
		outage := assess.AlertOutage{Since: start}
		for _, why := range test.attempts {
			outage = outage.Failed(why)
		}
		now := start.Add(test.after)
		if diff := cmp.Diff(test.want, outage.State(test.said, now)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if over := test.after >= 5*time.Minute; outage.IsOver(now) != over {
			t.Errorf("%s: over is %t", test.name, !over)
		}
	}
}
