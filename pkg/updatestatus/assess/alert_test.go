package assess_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

func uidsOf(reports []insight.Report) []string {
	var uids []string
	for _, report := range reports {
		for _, scoped := range report.Insights {
			uids = append(uids, scoped.Insight.UID)
		}
	}
	return uids
}

// TestAlertUIDs expects a uid for each set of labels, in any order of the alerts.
func TestAlertUIDs(t *testing.T) {
	one, other, again := alert("A", "warning", time.Minute), alert("A", "warning", time.Minute), alert("A", "warning", time.Minute)
	other.Labels["namespace"] = "elsewhere"
	again.Annotations["summary"] = "of another response"
	reports := func(updating bool, alerts ...assess.Alert) []insight.Report {
		return assess.Alerts(assess.AlertsInput{Alerts: alerts, Update: ledger.Update{Unfinished: updating, Started: start}, Now: start.Add(time.Hour)})
	}
	all := reports(true, one, other, again, one)
	if uids := uidsOf(all); len(uids) != 3 || uids[0] == uids[1] || uids[1] == uids[2] || uids[0] == uids[2] {
		t.Errorf("uids %v", uids)
	}
	if diff := cmp.Diff(all, reports(true, again, one, other)); diff != "" {
		t.Errorf("in another order (-before +after):\n%s", diff)
	}
	if uids := uidsOf(reports(true, other)); !slices.Contains(uidsOf(all), uids[0]) {
		t.Errorf("alone %v, among others one of %v", uids, uidsOf(all))
	}
	if reports(false, one) != nil {
		t.Error("an alert is reported without an update in progress")
	}
}

// TestAlertStartIsRoundedUp expects an alert of 394.25 s to be shown as one of 394 s, not of 395.
func TestAlertStartIsRoundedUp(t *testing.T) {
	for since, want := range map[time.Duration]time.Duration{
		time.Minute: time.Minute, time.Minute + time.Millisecond: time.Minute + time.Second, time.Minute + 999*time.Millisecond: time.Minute + time.Second,
	} {
		one := healthcases.Health(alertResult(alert("A", "warning", since))(start))[0].Health
		if got := one.StartedAt.Sub(start); got != want {
			t.Errorf("%s: got %s, want %s", since, got, want)
		}
	}
}

// TestAlertStartIsInvalid uses years that do not have four digits: the API server would reject the whole UpdateStatus.
func TestAlertStartIsInvalid(t *testing.T) {
	for _, text := range []string{"9999-12-31T23:59:59.5Z", "9999-12-31T23:59:59-01:00", "0000-06-01T00:00:00Z", "0001-01-01T00:00:00+01:00"} {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		odd := alert("PodDisruptionBudgetLimit", "warning", 0)
		odd.ActiveAt = at
		one := healthcases.Health(alertResult(odd)(start))
		if len(one) != 1 || one[0].Health.StartedAt != nil {
			t.Errorf("%s: got %v", text, one)
		}
	}
}

// TestAlertLabels reads the objects that the labels of an alert name, if their names are valid.
func TestAlertLabels(t *testing.T) {
	for name, tc := range map[string]struct {
		alert  string
		labels map[string]string
		want   string
	}{
		"a budget":                  {"Any", map[string]string{"namespace": "shop", "poddisruptionbudget": "db"}, "poddisruptionbudgets shop/db"},
		"no namespace":              {"Any", map[string]string{"poddisruptionbudget": "db"}, ""},
		"an invalid name":           {"Any", map[string]string{"namespace": "shop", "poddisruptionbudget": "d\x1b[2Jb"}, ""},
		"an invalid namespace":      {"Any", map[string]string{"namespace": "shop/test", "poddisruptionbudget": "db"}, ""},
		"a namespace only":          {"Any", map[string]string{"namespace": "shop"}, ""},
		"a node":                    {"KubeNodeNotReady", map[string]string{"node": "ip-10-0-0-1.ec2.internal"}, "nodes /ip-10-0-0-1.ec2.internal"},
		"an invalid node":           {"KubeNodeNotReady", map[string]string{"node": "10.0.0.1:9100"}, ""},
		"an operator":               {"ClusterOperatorDown", map[string]string{"name": "etcd"}, "clusteroperators /etcd"},
		"the name of anything else": {"PodDown", map[string]string{"name": "etcd"}, ""},
		"an operator without name":  {"ClusterOperatorDown", nil, ""},
		"several":                   {"ClusterOperatorDown", map[string]string{"name": "etcd", "node": "a", "namespace": "shop", "poddisruptionbudget": "db"}, "nodes /a, clusteroperators /etcd, poddisruptionbudgets shop/db"},
	} {
		t.Run(name, func(t *testing.T) {
			firing := alert(tc.alert, "warning", time.Minute)
			delete(firing.Labels, "namespace")
			maps.Copy(firing.Labels, tc.labels)
			var got []string
			for _, ref := range alertResult(firing)(start).Report.Insights[0].Labels {
				got = append(got, ref.Resource+" "+ref.Namespace+"/"+ref.Name)
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestAlertWithoutName checks that an alert whose name has no character that can be shown has a name all the same.
func TestAlertWithoutName(t *testing.T) {
	const numberSign = "\u0602" // a format character
	for given, want := range map[string]string{"Any": "Any", numberSign: "unnamed"} {
		reported := alertResult(alert(given, "warning", time.Minute))(start).Report.Insights
		if len(reported) != 1 || reported[0].Insight.Health.Scope.Resources[0].Name != want {
			t.Errorf("%q: %+v", given, reported)
		}
	}
}

// TestAlertReferences expects the page about alerts instead of an invalid URL.
func TestAlertReferences(t *testing.T) {
	const page = "https://docs.redhat.com/en/documentation/monitoring_stack_for_red_hat_openshift/4.21/html/managing_alerts/managing-alerts-as-an-administrator"
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
		one := healthcases.Health(alertResult(alert("A", "warning", time.Minute, "runbook_url", runbook))(start))[0].Health
		if got := one.Remediation.Reference; got != want {
			t.Errorf("%q: got %q, want %q", runbook, got, want)
		}
	}
}

// TestAlertsThatAffectUpdates: those that are known to, or whose author says so, count whenever they began; and a summary names the node.
func TestAlertsThatAffectUpdates(t *testing.T) {
	before := -time.Hour
	for name, tc := range map[string]struct {
		alert  string
		labels map[string]string
		want   string
	}{
		"one that began before": {"Any", nil, ""},
		"virtual machines":      {"VMCannotBeEvicted", nil, "Alert is firing: VMCannotBeEvicted"},
		"a kubelet":             {"KubeletHealthState", map[string]string{"node": "w-1"}, "Alert is firing: KubeletHealthState (node w-1)"},
		"by its label":          {"CephRebuilds", map[string]string{"openShiftUpdatePrecheck": "true"}, "Alert is firing: CephRebuilds"},
		"by another label":      {"CephRebuilds", map[string]string{"openShiftUpdatePrecheck": "false"}, ""},
		"a node in its summary": {"KubeletHealthState", map[string]string{"node": "health"}, "Alert is firing: the health of health"},
	} {
		firing := alert(tc.alert, "warning", before)
		firing.Annotations = map[string]string{"summary": tc.alert}
		if tc.labels["node"] == "health" {
			firing.Annotations["summary"] = "the health of health"
		}
		maps.Copy(firing.Labels, tc.labels)
		var got string
		for _, one := range healthcases.Health(alertResult(firing)(start)) {
			got = one.Health.Impact.Summary
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
