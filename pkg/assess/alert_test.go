package assess_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/test/builders"
)

func uidsOf(reports []insight.Report) []string {
	var uids []string
	for _, report := range reports {
		for _, placed := range report.Insights {
			uids = append(uids, placed.Insight.UID)
		}
	}
	return uids
}

// TestAlertsAreToldApart: by their labels, whatever they say and in whatever order they come.
func TestAlertsAreToldApart(t *testing.T) {
	one, other, again := alert("A", "warning", time.Minute), alert("A", "warning", time.Minute), alert("A", "warning", time.Minute)
	other.Labels["namespace"] = "elsewhere"
	again.Annotations["summary"] = "of another answer"
	reports := func(updating bool, alerts ...assess.Alert) []insight.Report {
		return assess.Alerts(assess.AlertsInput{Alerts: alerts, Update: ledger.Update{Updating: updating, Started: start}})
	}
	all := reports(true, one, other, again, one)
	if uids := uidsOf(all); len(uids) != 3 || uids[0] == uids[1] || uids[1] == uids[2] || uids[0] == uids[2] {
		t.Errorf("uids %v", uids)
	}
	if diff := cmp.Diff(all, reports(true, again, one, other)); diff != "" {
		t.Errorf("in another order (-before +after):\n%s", diff)
	}
	if uids := uidsOf(reports(true, other)); !slices.Contains(uidsOf(all), uids[0]) {
		t.Errorf("alone it is %v, and among others one of %v", uids, uidsOf(all))
	}
	if reports(false, one) != nil {
		t.Error("an alert is told of while nothing is updated")
	}
}

// TestAlertsBeginAtAWholeSecond: an alert of 394.25 s is shown as one of 394 s, not of 395.
func TestAlertsBeginAtAWholeSecond(t *testing.T) {
	for since, want := range map[time.Duration]time.Duration{
		time.Minute: time.Minute, time.Minute + time.Millisecond: time.Minute + time.Second, time.Minute + 999*time.Millisecond: time.Minute + time.Second,
	} {
		one := health(alertResult(alert("A", "warning", since))(start))[0].Health
		if got := one.StartedAt.Sub(start); got != want {
			t.Errorf("%s: got %s, want %s", since, got, want)
		}
	}
}

// TestAlertsWithoutAMoment: the API server takes no year with more or less than four digits, and would refuse all of the
// UpdateStatus.
func TestAlertsWithoutAMoment(t *testing.T) {
	for _, moment := range []string{"9999-12-31T23:59:59.5Z", "9999-12-31T23:59:59-01:00", "0000-06-01T00:00:00Z", "0001-01-01T00:00:00+01:00"} {
		at, err := time.Parse(time.RFC3339Nano, moment)
		if err != nil {
			t.Fatal(err)
		}
		odd := alert("PodDisruptionBudgetLimit", "warning", 0)
		odd.ActiveAt = at
		one := health(alertResult(odd)(start))
		if len(one) != 1 || one[0].Health.StartedAt != nil {
			t.Errorf("%s: got %v", moment, one)
		}
	}
}

// TestAlertsNameBudgets: an alert about a PodDisruptionBudget names it, if it is one that there can be.
func TestAlertsNameBudgets(t *testing.T) {
	for name, tc := range map[string]struct{ namespace, budget, want string }{
		"one":           {"shop", "db", "shop/db"},
		"none":          {"shop", "", ""},
		"no namespace":  {"", "db", ""},
		"no name":       {"shop", "d\x1b[2Jb", ""},
		"no such place": {"shop/test", "db", ""},
	} {
		t.Run(name, func(t *testing.T) {
			firing := alert("PodDisruptionBudgetAtLimit", "warning", time.Minute)
			firing.Labels["namespace"], firing.Labels["poddisruptionbudget"] = tc.namespace, tc.budget
			budget := alertResult(firing)(start).Report.Insights[0].Budget
			if got := strings.Trim(budget.Namespace+"/"+budget.Name, "/"); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestAlertReferences: only what is an address of a page is one.
func TestAlertReferences(t *testing.T) {
	const page = "https://docs.openshift.com/container-platform/latest/observability/monitoring/managing-alerts.html"
	for runbook, want := range map[string]string{
		"":                             page,
		"https://example.com/a.md":     "https://example.com/a.md",
		"http://example.com/a.md":      "http://example.com/a.md",
		"example.com/a.md":             page,
		"javascript:alert(1)":          page,
		"HTTPS://example.com/a.md":     page,
		"Http://example.com/a.md":      page,
		"https://":                     page,
		"https://example.com/a b":      page,
		"https://example.com/a\x1b[2J": page,
		"https://example.com/" + strings.Repeat("a", updatev1alpha1.ReferenceMaxLength): page,
	} {
		one := health(alertResult(alert("A", "warning", time.Minute, "runbook_url", runbook))(start))[0].Health
		if got := one.Remediation.Reference; got != want {
			t.Errorf("%q: got %q, want %q", runbook, got, want)
		}
	}
}

// TestAlertsOfACluster count while any part of it is updated.
func TestAlertsOfACluster(t *testing.T) {
	finished := builders.ClusterVersion(builders.Completed(before, installed, installed.Add(time.Hour)), builders.Completed(target, start, start.Add(time.Hour)),
		progressing("False"))
	cluster := func(in assess.ClusterInput) int {
		in.Alerts = []assess.Alert{alert("A", "warning", 2*time.Hour)}
		in.ClusterOperators = fleet(4, 4)
		messages := assess.Cluster(in, start.Add(3*time.Hour))
		return len(messages[len(messages)-1].Reports)
	}
	worker := builders.Node("a", builders.Role("worker"), builders.Configs("rendered-worker-old", "rendered-worker-old"))
	joined := builders.Node("a", builders.Role("worker"))
	configs := []*metav1.PartialObjectMetadata{config("rendered-worker-old", before)}
	for _, test := range []struct {
		name string
		in   assess.ClusterInput
		want int
	}{
		{"the control plane", assess.ClusterInput{ClusterVersion: notFailing()}, 1},
		{"nothing", assess.ClusterInput{ClusterVersion: finished}, 0},
		{"a worker pool", assess.ClusterInput{ClusterVersion: finished, MachineConfigPools: []*machineconfigv1.MachineConfigPool{pool()}, MachineConfigs: configs, Nodes: []*corev1.Node{worker}}, 1},
		{"a pool of a node that has just joined", assess.ClusterInput{ClusterVersion: finished, MachineConfigPools: []*machineconfigv1.MachineConfigPool{pool()}, MachineConfigs: configs, Nodes: []*corev1.Node{joined}}, 0},
		{"not known", assess.ClusterInput{}, 0},
	} {
		if got := cluster(test.in); got != test.want {
			t.Errorf("%s is updated: %d alerts", test.name, got)
		}
	}
}
