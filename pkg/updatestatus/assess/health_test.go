package assess_test

import (
	"testing"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// alert is a firing alert that started some time after the update. Annotations are names and values.
func alert(name, severity string, since time.Duration, annotations ...string) assess.Alert {
	firing := assess.Alert{
		Labels: map[string]string{"alertname": name, "severity": severity, "namespace": "openshift-etcd"}, Annotations: map[string]string{},
		State: "firing", ActiveAt: start.Add(since),
	}
	for at := 0; at+1 < len(annotations); at += 2 {
		firing.Annotations[annotations[at]] = annotations[at+1]
	}
	return firing
}

// alertResult returns the report of an alert as a result.
func alertResult(one assess.Alert) func(time.Time) assess.Result {
	return func(time.Time) assess.Result {
		reports := assess.Alerts(assess.AlertsInput{Alerts: []assess.Alert{one}, Update: ledger.Update{Unfinished: true, Started: start}, Now: start.Add(time.Hour)})
		if len(reports) == 0 {
			return assess.Result{}
		}
		return assess.Result{Report: reports[0]}
	}
}

var healthCases = healthcases.Cases{
	"alert-firing": {
		{
			Name:   "during the update",
			Result: alertResult(alert("KubePodNotReady", "warning", time.Minute, "summary", "A pod is not ready.", "description", "Pod a", "message", "is not ready", "runbook_url", "https://example.com/runbook")),
			At:     2 * time.Minute,
			Want:   "Warning | Unknown | 08:01:00 | Alert is firing: A pod is not ready. | Alert started firing during the update. The alert description is: Pod a | is not ready | alerts.config.openshift.io/KubePodNotReady",
		},
		{
			Name:   "critical, without a description",
			Result: alertResult(alert("KubeAPIDown", "critical", time.Minute)),
			At:     2 * time.Minute,
			Want:   "Critical | Unknown | 08:01:00 | Alert is firing: KubeAPIDown | Alert started firing during the update. The alert has no description. | alerts.config.openshift.io/KubeAPIDown",
		},
		{
			Name:   "before the update",
			Result: alertResult(alert("KubePodNotReady", "warning", -time.Minute)),
			At:     time.Minute,
		},
		{
			Name:   "in the second in which the update started",
			Result: alertResult(alert("KubePodNotReady", "warning", 0)),
			At:     time.Minute,
		},
		{
			Name:   "before the update, known to affect updates",
			Result: alertResult(alert("PodDisruptionBudgetAtLimit", "warning", -time.Hour)),
			At:     time.Minute,
			Want:   "Warning | Unknown | 07:00:00 | Alert is firing: PodDisruptionBudgetAtLimit | Alert known to affect updates has been firing since before the update started. The alert has no description. | alerts.config.openshift.io/PodDisruptionBudgetAtLimit",
		},
		{
			Name:   "during the update, known to affect updates",
			Result: alertResult(alert("PodDisruptionBudgetLimit", "critical", time.Minute)),
			At:     2 * time.Minute,
			Want:   "Critical | Unknown | 08:01:00 | Alert is firing: PodDisruptionBudgetLimit | Alert known to affect updates started firing during the update. The alert has no description. | alerts.config.openshift.io/PodDisruptionBudgetLimit",
		},
		{
			Name:   "severity info",
			Result: alertResult(alert("UpdateAvailable", "info", time.Minute)),
			At:     time.Minute,
		},
		{
			Name: "of the controller itself",
			Result: alertResult(func() assess.Alert {
				one := alert("ClusterUpdateStalled", "warning", time.Minute)
				one.Labels["namespace"] = "openshift-update-status-controller"
				return one
			}()),
			At: 2 * time.Minute,
		},
		{
			Name: "pending",
			Result: alertResult(func() assess.Alert {
				one := alert("KubePodNotReady", "warning", time.Minute)
				one.State = "pending"
				return one
			}()),
			At: 2 * time.Minute,
		},
	},
}

func TestHealth(t *testing.T) {
	healthCases.Run(t, assess.HealthChecks(), start)
}

func TestInsightsPage(t *testing.T) {
	healthCases.ComparePage(t, assess.HealthChecks(), start)
}
