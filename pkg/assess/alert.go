package assess

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// Alert is an alert as Prometheus tells of it (GET /api/v1/alerts).
type Alert struct {
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	State       string            `json:"state"`
	ActiveAt    time.Time         `json:"activeAt"`
}

// Labels and annotations of alerts, and the state of those that fire, as OpenShift has them.
const (
	alertName        = "alertname"
	alertNamespace   = "namespace"
	alertBudget      = "poddisruptionbudget"
	alertSeverity    = "severity"
	alertSummary     = "summary"
	alertDescription = "description"
	alertMessage     = "message"
	alertRunbook     = "runbook_url"
	alertFiring      = "firing"
)

// docsAlerts helps with alerts that have no runbook.
const docsAlerts = "https://docs.openshift.com/container-platform/latest/observability/monitoring/managing-alerts.html"

// A label may be longer than a name.
const (
	nameMaxLength      = 253
	namespaceMaxLength = 63
)

// alertLevels are the severities that count.
var alertLevels = map[string]updatev1alpha1.HealthLevel{
	"warning":  updatev1alpha1.LevelWarning,
	"critical": updatev1alpha1.LevelCritical,
}

// knownToAffectUpdates are the alerts that count also if they fired before the update started: what they tell of keeps
// nodes from being drained.
var knownToAffectUpdates = []string{"PodDisruptionBudgetLimit", "PodDisruptionBudgetAtLimit"}

// AlertsInput is what alerts are assessed from.
type AlertsInput struct {
	Alerts []Alert
	// Update is where the update of the cluster, its workers included, is. Nothing is said of alerts when none goes on.
	Update ledger.Update
}

// Alerts says which of the alerts that fire matter to the update: one report for each, in a fixed order.
func Alerts(in AlertsInput) []insight.Report {
	if !in.Update.Updating || in.Update.Started.IsZero() {
		return nil
	}
	var reports []insight.Report
	keys := map[string]int{}
	for _, named := range sortedAlerts(in.Alerts) {
		key, alert := named.key, named.alert
		keys[key]++
		if again := keys[key]; again > 1 {
			// Prometheus has one alert for a set of labels; what is put together of several answers may have more.
			key += "/" + strconv.Itoa(again)
		}
		facts := healthFacts{alert: &alert, started: in.Update.Started}
		resource := updatev1alpha1.ResourceRef{
			Group: configv1.GroupName, Resource: "alerts",
			Name:      insight.Shorten(alert.Labels[alertName], nameMaxLength),
			Namespace: insight.Shorten(alert.Labels[alertNamespace], namespaceMaxLength),
		}
		health, _ := checkHealth(facts, subject{kind: kindAlert, key: key, resource: resource, part: insight.ControlPlane})
		for at := range health {
			health[at].Budget = budgetOf(&alert)
		}
		if len(health) > 0 {
			reports = append(reports, insight.Report{Subject: insight.Subject{Kind: kindAlert, Name: key}, Insights: health})
		}
	}
	return reports
}

// namedAlert is an alert with its key, which takes longer to make than to compare.
type namedAlert struct {
	key   string
	alert Alert
}

// sortedAlerts returns the alerts that may matter in an order of their own, each once.
func sortedAlerts(alerts []Alert) []namedAlert {
	var sorted []namedAlert
	for _, alert := range alerts {
		if _, counts := alertLevels[alert.Labels[alertSeverity]]; counts && alert.State == alertFiring {
			sorted = append(sorted, namedAlert{keyOf(alert), alert})
		}
	}
	slices.SortStableFunc(sorted, func(a, b namedAlert) int {
		if order := cmp.Or(cmp.Compare(a.key, b.key), a.alert.ActiveAt.Compare(b.alert.ActiveAt)); order != 0 {
			return order
		}
		return cmp.Compare(fmt.Sprint(a.alert.Annotations), fmt.Sprint(b.alert.Annotations))
	})
	return slices.CompactFunc(sorted, func(a, b namedAlert) bool { return reflect.DeepEqual(a.alert, b.alert) })
}

// keyOf names an alert by what tells it from all others, its labels.
func keyOf(alert Alert) string {
	var key strings.Builder
	for _, label := range slices.Sorted(maps.Keys(alert.Labels)) {
		fmt.Fprintf(&key, "%q=%q,", label, alert.Labels[label])
	}
	return key.String()
}

func alertFires(facts healthFacts) *finding {
	alert := facts.alert
	name := alert.Labels[alertName]
	level, counts := alertLevels[alert.Labels[alertSeverity]]
	during, known := alert.ActiveAt.After(facts.started), slices.Contains(knownToAffectUpdates, name)
	if alert.State != alertFiring || !counts || name == "" || !during && !known {
		return nil
	}
	subject, when := "Alert", "started firing during the update."
	if known {
		subject += " known to affect updates"
	}
	if !during {
		when = "has been firing since before the update started."
	}
	return &finding{
		since:       wholeSecond(alert.ActiveAt),
		level:       level,
		impact:      updatev1alpha1.ImpactUnknown,
		summary:     "Alert is firing: " + cmp.Or(alert.Annotations[alertSummary], name),
		description: subject + " " + when + " " + alertWords(alert),
		reference:   alertReference(alert),
	}
}

// budgetOf returns the PodDisruptionBudget that an alert of the platform is about, if it is about one.
func budgetOf(alert *Alert) updatev1alpha1.ResourceRef {
	name, namespace := alert.Labels[alertBudget], alert.Labels[alertNamespace]
	if !slices.Contains(knownToAffectUpdates, alert.Labels[alertName]) || len(validation.IsDNS1123Subdomain(name)) > 0 || len(validation.IsDNS1123Label(namespace)) > 0 {
		return updatev1alpha1.ResourceRef{}
	}
	return insight.Budget(namespace, name)
}

// wholeSecond is the first whole second from a moment on: times of the API have no fractions, and an alert is not older than
// it is. A moment that the API can't hold, for its year has another number of digits than four, is not known.
func wholeSecond(moment time.Time) time.Time {
	whole := moment.UTC().Truncate(time.Second)
	if whole.Before(moment) {
		whole = whole.Add(time.Second)
	}
	if whole.Year() < 1 || whole.Year() > 9999 {
		return time.Time{}
	}
	return whole
}

// alertWords is what the alert says itself.
func alertWords(alert *Alert) string {
	var words []string
	for _, annotation := range []string{alertDescription, alertMessage} {
		if text := alert.Annotations[annotation]; text != "" {
			words = append(words, text)
		}
	}
	if len(words) == 0 {
		return "The alert has no description."
	}
	return "The alert description is: " + strings.Join(words, " | ")
}

// alertReference is the alert's runbook, if that is an address of a page.
func alertReference(alert *Alert) string {
	runbook := alert.Annotations[alertRunbook]
	page, err := url.Parse(runbook)
	// The CRD takes a scheme in small letters only, which Parse makes of others.
	isPage := strings.HasPrefix(runbook, "https://") || strings.HasPrefix(runbook, "http://")
	if err != nil || !isPage || page.Host == "" ||
		strings.ContainsFunc(runbook, isBlankOrControl) || len(runbook) > updatev1alpha1.ReferenceMaxLength {
		return docsAlerts
	}
	return runbook
}

func isBlankOrControl(r rune) bool { return r <= ' ' || r == 0x7f }
