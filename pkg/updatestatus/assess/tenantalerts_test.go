package assess_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

const alertsPage = "https://docs.redhat.com/en/documentation/monitoring_stack_for_red_hat_openshift/4.21/html/managing_alerts/managing-alerts-as-an-administrator"

func alertIn(namespace, name, severity string) assess.Alert {
	one := alert(name, severity, time.Minute, "runbook_url", "https://example.com/runbook")
	delete(one.Labels, "namespace")
	if namespace != "" {
		one.Labels["namespace"] = namespace
	}
	return one
}

// TestAlertsOfNamespaces checks the level, the link and the origin of alerts inside and outside the platform's namespaces, by the Prometheus that
// raised them: a tenant may have a namespace whose name begins with openshift-.
func TestAlertsOfNamespaces(t *testing.T) {
	for namespace, isPlatform := range map[string]bool{
		"": true, "openshift-etcd": true, "kube-system": true, "openshift": false, "kubevirt": false, "my-openshift-app": false, "shop": false, "default": false,
	} {
		for severity, level := range map[string]updatev1alpha1.HealthLevel{"critical": updatev1alpha1.LevelCritical, "warning": updatev1alpha1.LevelWarning} {
			want, page := level, "https://example.com/runbook"
			if !isPlatform {
				want, page = updatev1alpha1.LevelWarning, alertsPage
			}
			for raisedBy, isOwn := range map[string]bool{"": true, "openshift-monitoring/k8s": true, "openshift-user-workload-monitoring/user-workload": false} {
				raised := alertIn(namespace, "Down", severity)
				if raisedBy != "" {
					raised.Labels["prometheus"] = raisedBy
				}
				wantLevel, wantPage, origin := want, page, updatev1alpha1.HealthOrigin("")
				if !isOwn {
					wantLevel, wantPage = updatev1alpha1.LevelWarning, alertsPage
				}
				if !isOwn || !isPlatform {
					origin = updatev1alpha1.OriginTenant
				}
				one := healthcases.Health(alertResult(raised)(start))[0].Health
				if one.Impact.Level != wantLevel || one.Remediation.Reference != wantPage || one.Origin != origin {
					t.Errorf("%q, %s, raised by %q: %s, %s, %s", namespace, severity, raisedBy, one.Impact.Level, one.Remediation.Reference, one.Origin)
				}
			}
		}
	}
}

// TestTenantAlerts checks that alerts of tenants, whatever their names and severity, do not displace those of the platform.
func TestTenantAlerts(t *testing.T) {
	alerts := []assess.Alert{alertIn("openshift-etcd", "Zzz", "warning"), alertIn("openshift-etcd", "Zzzz", "critical")}
	for number := range 200 {
		alerts = append(alerts, alertIn("shop", fmt.Sprintf("AAA%03d", number), "critical"))
	}
	for number := range assess.MaxAlerts - 12 {
		alerts = append(alerts, alertIn("kube-system", fmt.Sprintf("Mmm%03d", number), "warning"))
	}
	reports := assess.Alerts(assess.AlertsInput{Alerts: alerts, Update: ledger.Update{Unfinished: true, Started: start}, Now: start.Add(time.Hour)})
	tenants := 0
	for _, uid := range uidsOf(reports) {
		if strings.Contains(uid, "aaa") {
			tenants++
		}
	}
	if len(reports) != 2+assess.MaxAlerts-12+20 || tenants != 20 {
		t.Errorf("%d reports, %d of them of tenants: %v", len(reports), tenants, uidsOf(reports)[:3])
	}
	bounded, state := assess.BoundAlerts(reports)
	first, second := bounded[0].Insights[0].Insight.Health, bounded[len(bounded)-1].Insights[0].Insight.Health
	if len(bounded) != assess.MaxAlerts || state.Reason != updatev1alpha1.ReasonTooManyAlerts {
		t.Errorf("%d alerts, state %v", len(bounded), state)
	}
	if first.Impact.Level != updatev1alpha1.LevelCritical || first.Scope.Resources[0].Namespace != "openshift-etcd" {
		t.Errorf("the first is %v", first)
	}
	if second.Scope.Resources[0].Namespace != "shop" {
		t.Errorf("the last is %v", second)
	}
}

// TestReferences checks which links of alerts are taken.
func TestReferences(t *testing.T) {
	long := "https://example.com/" + strings.Repeat("x", 512)
	for text, taken := range map[string]bool{
		"https://example.com/runbook?a=b#c": true, "http://example.com": true, "https://<mock_data>/runbook.md": true,
		"https://10.0.0.1/a": true, "https://[2001:db8::1]/a": true, "https://localhost.example.com/": true, "https://example.com/@me": true,
		long[:512]: true, long[:513]: false,
		"": false, "example.com": false, "/runbook": false, "ftp://example.com/": false, "javascript:alert(1)": false, "HTTPS://example.com": false,
		"https://": false, "https:///path": false, "https://exämple.com/": false, "https://example.com/\x7f": false, "https://example.com/a b": false,
		"https://example.com/\u202e": false, "https://bank.com@evil.com/": false, "https://a:b@evil.com/": false, `https://bank.com\@evil.com/`: false,
		"https://localhost/": false, "https://LOCALHOST.:8443/": false, "https://a.localhost/": false,
		"https://127.0.0.1/": false, "https://127.1/": false, "http://2130706433/": false, "http://0x7f000001/": false, "http://0.0.0.0/": false,
		"https://[::1]/": false, "https://[::ffff:127.0.0.1]/": false, "https://[::]/": false,
		"http://169.254.169.254/latest/meta-data": false, "https://[fe80::1]/": false, "https://[ff02::1]/": false, "https://[ff01::1]/": false, "https://a../": true, "http://224.0.0.1/": false,
	} {
		one := healthcases.Health(alertResult(alert("Down", "warning", time.Minute, "runbook_url", text))(start))[0].Health
		if got := one.Remediation.Reference == text; got != taken || !taken && one.Remediation.Reference != alertsPage {
			t.Errorf("%q: %s", text, one.Remediation.Reference)
		}
	}
}
