package assess

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// Alert is an alert in the format of Prometheus (GET /api/v1/alerts).
type Alert struct {
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	State       string            `json:"state"`
	ActiveAt    time.Time         `json:"activeAt"`
}

// The labels, annotations and the state of firing alerts in OpenShift.
const (
	alertName        = "alertname"
	alertNamespace   = "namespace"
	alertBudget      = "poddisruptionbudget"
	alertNode        = "node"
	alertOperator    = "name"
	alertSeverity    = "severity"
	alertSummary     = "summary"
	alertDescription = "description"
	alertMessage     = "message"
	alertRunbook     = "runbook_url"
	alertFiring      = "firing"
	alertPrometheus  = "prometheus"
)

// platformPrometheus is the Prometheus that evaluates the platform's rules alone. The Thanos Querier adds the external labels of a Prometheus to
// its alerts, over those of a rule (thanos-io/thanos, pkg/rules/prometheus.go, enrichRulesWithExtLabels); one of them is its namespace and
// name. Alerts that were read from a Prometheus itself, as those in a must-gather, have none.
const platformPrometheus = "openshift-monitoring/k8s"

// isOfTenant returns whether anybody who may write a PrometheusRule in a namespace can have raised an alert: the name of a namespace is no
// proof, as a tenant may have one that begins with openshift-.
func isOfTenant(labels map[string]string) bool {
	raisedBy, isKnown := labels[alertPrometheus]
	return isKnown && raisedBy != platformPrometheus || !insight.IsPlatform(labels[alertNamespace])
}

// unnamedAlert is the name of an alert whose own one has no character that can be shown.
const unnamedAlert = "unnamed"

// ownNamespace is the namespace of the controller and of its alerts, by manifests/.
const ownNamespace = "openshift-update-status-controller"

// alertLevels are the levels of the severities that are reported.
var alertLevels = map[string]updatev1alpha1.HealthLevel{
	"warning":  updatev1alpha1.LevelWarning,
	"critical": updatev1alpha1.LevelCritical,
}

// knownToAffectUpdates are the alerts that are also reported if they started before the update: their cause may block drains, or keep
// nodes from being updated.
var knownToAffectUpdates = []string{
	"PodDisruptionBudgetLimit", "PodDisruptionBudgetAtLimit", "VMCannotBeEvicted", "VirtHandlerDaemonSetRolloutFailing",
	"KubeNodeReadinessFlapping", "KubeletHealthState",
}

// alertPrecheck is the label, of the value "true", with which the author of an alert says that it matters for an update whenever it started:
// the Cluster Version Operator warns of it before one (openshift/cluster-version-operator, pkg/risk/alert/alert.go).
const alertPrecheck = "openShiftUpdatePrecheck"

// affectsUpdates returns whether an alert is reported whenever it started.
func affectsUpdates(labels map[string]string) bool {
	return slices.Contains(knownToAffectUpdates, labels[alertName]) || labels[alertPrecheck] == "true"
}

// AlertsInput is what alerts are assessed from.
type AlertsInput struct {
	Alerts []Alert
	// Update is the update of the cluster, including its workers. Alerts are reported only while one is in progress.
	Update ledger.Update
	Now    time.Time
}

// checkedAlert is an alert, and when the update started.
type checkedAlert struct {
	*Alert
	started time.Time
}

// alertChecks are those of an alert.
var alertChecks = []Check[checkedAlert]{
	{Find: alertFires, HealthCheck: HealthCheck{
		Name: "alert-firing", Then: ThenGone,
		Texts:  Texts{NoCase: {Sentence: "Alert is firing: {summary}", Description: "{alert} {when} {text}"}},
		Impact: updatev1alpha1.ImpactUnknown, Causality: Effect,
		Appears: "an alert of severity warning or critical that started after the update is firing, while the cluster, including " +
			"its workers, is being updated, or an update is requested. Alerts with the label " +
			"`openShiftUpdatePrecheck=\"true\"`, `PodDisruptionBudgetLimit`, `PodDisruptionBudgetAtLimit`, " +
			"`VMCannotBeEvicted`, `VirtHandlerDaemonSetRolloutFailing`, `KubeNodeReadinessFlapping` and `KubeletHealthState` " +
			"may have started earlier. Alerts that were last read more than five minutes ago are not reported",
		Response:  "Follow the alert's runbook.",
		NextSteps: []updatev1alpha1.Command{}, // an alert has a runbook instead
	}},
}

// HealthChecks returns the health checks of alerts.
func HealthChecks() []HealthCheck {
	return RowsOf(alertChecks)
}

// Alerts returns a report for each firing alert that is relevant to the update, in a fixed order.
func Alerts(in AlertsInput) []insight.Report {
	if !in.Update.Unfinished || in.Update.Started.IsZero() {
		return nil
	}
	var reports []insight.Report
	keys, tenants := map[string]int{}, 0
	for _, keyed := range sortedAlerts(in.Alerts) {
		key, alert := keyed.key, keyed.alert
		alert.ActiveAt = insight.KnownTime(alert.ActiveAt, in.Now)
		keys[key]++
		if again := keys[key]; again > 1 {
			// A Prometheus has one alert for a set of labels; the merged alerts of several may have more.
			key += "/" + strconv.Itoa(again)
		}
		resource := updatev1alpha1.ResourceRef{
			Group: configv1.GroupName, Resource: "alerts",
			Name:      cmp.Or(insight.Shorten(alert.Labels[alertName], updatev1alpha1.NameMaxLength), unnamedAlert),
			Namespace: insight.Shorten(alert.Labels[alertNamespace], updatev1alpha1.NamespaceMaxLength),
		}
		health, _ := CheckHealth(alertChecks, checkedAlert{&alert, in.Update.Started}, Subject{Key: key, Resource: resource, Part: insight.ControlPlane, Scope: updatev1alpha1.ScopeCluster}, in.Now)
		for at := range health {
			health[at].Labels = objectsOf(alert.Labels)
		}
		if len(health) == 0 {
			continue
		}
		if isOfTenant(alert.Labels) {
			tenants++
			if tenants > maxTenantAlerts {
				continue
			}
		}
		reports = append(reports, insight.Report{Subject: insight.Subject{Kind: "Alert", Name: key}, Insights: health})
	}
	return reports
}

// maxTenantAlerts is the number of alerts outside the platform's namespaces that are reported: anybody who may write a
// PrometheusRule in a namespace may raise any number of alerts, with any name, severity, text and link.
const maxTenantAlerts = 20

// keyedAlert is an alert with its key, which is expensive to compute.
type keyedAlert struct {
	key   string
	alert Alert
}

// sortedAlerts returns the firing alerts of the severities that are reported, in a fixed order without duplicates.
func sortedAlerts(alerts []Alert) []keyedAlert {
	var sorted []keyedAlert
	for _, alert := range alerts {
		if _, counts := alertLevels[alert.Labels[alertSeverity]]; counts && alert.State == alertFiring {
			sorted = append(sorted, keyedAlert{keyOf(alert), alert})
		}
	}
	slices.SortStableFunc(sorted, func(a, b keyedAlert) int {
		if order := cmp.Or(cmp.Compare(a.key, b.key), a.alert.ActiveAt.Compare(b.alert.ActiveAt)); order != 0 {
			return order
		}
		return cmp.Compare(fmt.Sprint(a.alert.Annotations), fmt.Sprint(b.alert.Annotations))
	})
	return slices.CompactFunc(sorted, func(a, b keyedAlert) bool { return reflect.DeepEqual(a.alert, b.alert) })
}

// keyOf returns the key of an alert: its labels, which identify it.
func keyOf(alert Alert) string {
	var key strings.Builder
	for _, label := range slices.Sorted(maps.Keys(alert.Labels)) {
		fmt.Fprintf(&key, "%q=%q,", label, alert.Labels[label])
	}
	return key.String()
}

func alertFires(alert checkedAlert) *Finding {
	name := alert.Labels[alertName]
	level, counts := alertLevels[alert.Labels[alertSeverity]]
	during, known := alert.ActiveAt.After(alert.started), affectsUpdates(alert.Labels)
	if alert.State != alertFiring || !counts || name == "" || !during && !known {
		return nil
	}
	// The controller's own alerts are made of this very status: one that is told here would keep itself alive.
	if alert.Labels[alertNamespace] == ownNamespace {
		return nil
	}
	subject, when := "Alert", "started firing during the update."
	if known {
		subject += " known to affect updates"
	}
	if !during {
		when = "has been firing since before the update started."
	}
	page, origin := reference.Alerts, updatev1alpha1.HealthOrigin("")
	if isOfTenant(alert.Labels) {
		level, origin = updatev1alpha1.LevelWarning, updatev1alpha1.OriginTenant
	} else if runbook := alert.Annotations[alertRunbook]; IsReference(runbook) {
		page = runbook
	}
	return &Finding{
		Since:  WholeSecond(alert.ActiveAt),
		Level:  level,
		Origin: origin,
		Words: Words{
			"summary": cmp.Or(alert.Annotations[alertSummary], name) + aboutNode(alert.Alert), "alert": subject, "when": when, "text": alertText(alert.Alert),
		},
		Reported: &updatev1alpha1.ComponentReport{
			Component: updatev1alpha1.ComponentMonitoring, Reason: name,
			Message: strings.Join(annotationsOf(alert.Alert, alertSummary, alertDescription, alertMessage), "\n"),
		},
		Reference: page,
	}
}

// aboutNode names the node that an alert is about, for the end of its summary, unless that does.
func aboutNode(alert *Alert) string {
	node := alert.Labels[alertNode]
	if node == "" || strings.Contains(alert.Annotations[alertSummary], node) {
		return ""
	}
	return " (node " + node + ")"
}

// operatorAlerts begin the names of alerts of the Cluster Version Operator whose label "name" is a cluster operator.
const operatorAlerts = "ClusterOperator"

// objectsOf returns the objects that the labels of an alert name: a node, a cluster operator, a PodDisruptionBudget.
func objectsOf(labels map[string]string) []updatev1alpha1.ResourceRef {
	var objects []updatev1alpha1.ResourceRef
	isName := func(label string) bool { return len(validation.IsDNS1123Subdomain(labels[label])) == 0 }
	if isName(alertNode) {
		objects = append(objects, NodeRef(labels[alertNode]))
	}
	if strings.HasPrefix(labels[alertName], operatorAlerts) && isName(alertOperator) {
		objects = append(objects, OperatorRef(labels[alertOperator]))
	}
	if namespace := labels[alertNamespace]; isName(alertBudget) && len(validation.IsDNS1123Label(namespace)) == 0 {
		objects = append(objects, insight.Budget(namespace, labels[alertBudget]))
	}
	return objects
}

// alertText returns the texts of the annotations of an alert.
func alertText(alert *Alert) string {
	texts := annotationsOf(alert, alertDescription, alertMessage)
	if len(texts) == 0 {
		return "The alert has no description."
	}
	return "The alert description is: " + strings.Join(texts, " | ")
}

// annotationsOf returns some annotations of an alert, without those that are empty.
func annotationsOf(alert *Alert, names ...string) []string {
	var texts []string
	for _, name := range names {
		if text := alert.Annotations[name]; text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}
