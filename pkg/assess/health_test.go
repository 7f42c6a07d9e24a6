package assess_test

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// notFailing is an update in which the ClusterVersion says that it gets on.
func notFailing(options ...builders.ClusterVersionOption) *configv1.ClusterVersion {
	return updating(append([]builders.ClusterVersionOption{builders.VersionCondition(
		builders.Condition("Failing", configv1.ConditionFalse, installed, "", ""))}, options...)...)
}

func failing(status configv1.ConditionStatus, reason, message string) *configv1.ClusterVersion {
	return notFailing(builders.VersionCondition(builders.Condition("Failing", status, start, reason, message)))
}

func versionResult(version *configv1.ClusterVersion, updated int) func(time.Time) assess.Result {
	return func(now time.Time) assess.Result {
		return assess.ClusterVersion(assess.ClusterVersionInput{ClusterVersion: version, ClusterOperators: fleet(4, updated)}, now)
	}
}

func operatorResult(options ...builders.ClusterOperatorOption) func(time.Time) assess.Result {
	operator := builders.ClusterOperator("etcd", append([]builders.ClusterOperatorOption{builders.Healthy(installed)}, options...)...)
	return func(now time.Time) assess.Result {
		return assess.ClusterOperator(assess.ClusterOperatorInput{Operator: operator, ClusterVersion: updating()}, now)
	}
}

func nodeResult(custom []string, options ...builders.NodeOption) func(time.Time) assess.Result {
	node := builders.Node("node-a", append([]builders.NodeOption{builders.Configs("rendered-worker-old", "rendered-worker-old")}, options...)...)
	return func(now time.Time) assess.Result {
		return assess.Node(assess.NodeInput{
			Node: node, Pool: pool(), Custom: custom, Target: assess.Target{Known: true, Version: target},
			VersionOf: func(name string) string { return versions[name] },
		}, now)
	}
}

func poolResult(in assess.MachineConfigPoolInput) func(time.Time) assess.Result {
	return func(time.Time) assess.Result {
		in.Target = assess.Target{Known: true, Version: target}
		return assess.MachineConfigPool(in)
	}
}

// alert fires since some time after the start of the update. Annotations are names and values.
func alert(name, severity string, since time.Duration, annotations ...string) assess.Alert {
	made := assess.Alert{
		Labels: map[string]string{"alertname": name, "severity": severity, "namespace": "openshift-etcd"}, Annotations: map[string]string{},
		State: "firing", ActiveAt: start.Add(since),
	}
	for at := 0; at+1 < len(annotations); at += 2 {
		made.Annotations[annotations[at]] = annotations[at+1]
	}
	return made
}

// alertResult is the report of an alert as the result of its own assessment.
func alertResult(one assess.Alert) func(time.Time) assess.Result {
	return func(time.Time) assess.Result {
		reports := assess.Alerts(assess.AlertsInput{Alerts: []assess.Alert{one}, Update: ledger.Update{Updating: true, Started: start}})
		if len(reports) == 0 {
			return assess.Result{}
		}
		return assess.Result{Report: reports[0]}
	}
}

// history is an update from one release to the next after others, all given in the order of time.
func history(items ...builders.ClusterVersionOption) *configv1.ClusterVersion {
	return builders.ClusterVersion(append(items, progressing(configv1.ConditionTrue),
		builders.VersionCondition(builders.Condition("Failing", configv1.ConditionFalse, installed, "", "")))...)
}

type healthCase struct {
	name   string
	result func(time.Time) assess.Result
	at     time.Duration
	want   string
}

// healthCases are the cases of each check: what the assessment of an object says at a moment, as "LEVEL | IMPACT | since |
// summary | description | resources", or nothing.
var healthCases = map[string][]healthCase{
	"node-drain-blocked": drainCases(),
	"alert-firing": {
		{
			"during the update", alertResult(alert("KubePodNotReady", "warning", time.Minute, "summary", "A pod is not ready.", "description", "Pod a", "message", "is not ready", "runbook_url", "https://example.com/runbook")), 2 * time.Minute,
			"Warning | Unknown | 08:01:00 | Alert is firing: A pod is not ready. | Alert started firing during the update. The alert description is: Pod a | is not ready | alerts.config.openshift.io/KubePodNotReady",
		},
		{
			"critical, without words", alertResult(alert("KubeAPIDown", "critical", time.Minute)), 2 * time.Minute,
			"Critical | Unknown | 08:01:00 | Alert is firing: KubeAPIDown | Alert started firing during the update. The alert has no description. | alerts.config.openshift.io/KubeAPIDown",
		},
		{"before the update", alertResult(alert("KubePodNotReady", "warning", -time.Minute)), time.Minute, ""},
		{
			"before the update, but of those that keep nodes from being drained", alertResult(alert("PodDisruptionBudgetAtLimit", "warning", -time.Hour)), time.Minute,
			"Warning | Unknown | 07:00:00 | Alert is firing: PodDisruptionBudgetAtLimit | Alert known to affect updates has been firing since before the update started. The alert has no description. | alerts.config.openshift.io/PodDisruptionBudgetAtLimit",
		},
		{
			"of those, during the update", alertResult(alert("PodDisruptionBudgetLimit", "critical", time.Minute)), 2 * time.Minute,
			"Critical | Unknown | 08:01:00 | Alert is firing: PodDisruptionBudgetLimit | Alert known to affect updates started firing during the update. The alert has no description. | alerts.config.openshift.io/PodDisruptionBudgetLimit",
		},
		{"of no severity that counts", alertResult(alert("UpdateAvailable", "info", time.Minute)), time.Minute, ""},
		{"pending", alertResult(func() assess.Alert {
			one := alert("KubePodNotReady", "warning", time.Minute)
			one.State = "pending"
			return one
		}()), 2 * time.Minute, ""},
	},
	"cluster-version-failing-unknown": {
		{
			"no condition", versionResult(updating(), 1), time.Minute,
			"Warning | Update Stalled | - | Cluster Version version has no Failing condition | The Cluster Version Operator does not tell whether it can proceed with the update. | clusterversions.config.openshift.io/version",
		},
		{"not failing", versionResult(notFailing(), 1), time.Minute, ""},
	},
	"cluster-version-failing": {
		{
			"failing", versionResult(failing(configv1.ConditionTrue, "ClusterOperatorDegraded", "etcd is bad"), 1), time.Minute,
			"Warning | Update Stalled | 08:00:00 | Cluster Version version is failing to proceed with the update (ClusterOperatorDegraded) | etcd is bad | clusterversions.config.openshift.io/version",
		},
		{
			"unknown, without words", versionResult(failing(configv1.ConditionUnknown, "", ""), 1), time.Minute,
			"Warning | Update Stalled | 08:00:00 | Cluster Version version may be failing to proceed with the update | <no message> | clusterversions.config.openshift.io/version",
		},
	},
	"previous-update-incomplete": {
		{"after a complete one", versionResult(history(builders.Completed("4.20.0", installed, installed.Add(time.Hour)), builders.Completed(before, installed, start), builders.Partial(target, start)), 1), time.Minute, ""},
		{
			"after an incomplete one", versionResult(history(builders.Completed("4.20.0", installed, installed.Add(time.Hour)), builders.Partial(before, installed), builders.Partial(target, start)), 1), time.Minute,
			"Warning | None | 08:00:00 | Previous update to 4.20.1 never completed, last complete update was 4.20.0 | Current update to 4.20.2 was initiated while the previous update to version 4.20.1 was still in progress | clusterversions.config.openshift.io/version",
		},
		{
			"after none complete", versionResult(history(builders.Partial(before, installed), builders.Partial(target, start)), 1), time.Minute,
			"Warning | None | 08:00:00 | Previous update to 4.20.1 never completed, last complete update was unknown | Current update to 4.20.2 was initiated while the previous update to version 4.20.1 was still in progress | clusterversions.config.openshift.io/version",
		},
		{"the control plane is complete", versionResult(history(builders.Partial(before, installed), builders.Partial(target, start)), 4), time.Minute, ""},
	},
	"cluster-operator-unavailable": {
		{"at 5 minutes", operatorResult(is(configv1.OperatorAvailable, configv1.ConditionFalse, "Down", "etcd is down")), 12 * time.Minute, ""},
		{
			"after 5 minutes", operatorResult(is(configv1.OperatorAvailable, configv1.ConditionFalse, "Down", "etcd is down")), 12*time.Minute + time.Second,
			"Warning | API Availability | 08:07:00 | Cluster Operator etcd is unavailable (Down) | etcd is down | clusteroperators.config.openshift.io/etcd",
		},
		{
			"before 20 minutes", operatorResult(is(configv1.OperatorAvailable, configv1.ConditionFalse, "", "")), 27*time.Minute - time.Second,
			"Warning | API Availability | 08:07:00 | Cluster Operator etcd is unavailable | <no message> | clusteroperators.config.openshift.io/etcd",
		},
		{
			"at 20 minutes", operatorResult(is(configv1.OperatorAvailable, configv1.ConditionFalse, "", "")), 27 * time.Minute,
			"Error | API Availability | 08:07:00 | Cluster Operator etcd is unavailable | <no message> | clusteroperators.config.openshift.io/etcd",
		},
		{"of a third party", operatorResult(builders.ThirdParty(), is(configv1.OperatorAvailable, configv1.ConditionFalse, "", "")), time.Hour, ""},
	},
	"cluster-operator-degraded": {
		{"at 5 minutes", operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "etcd is bad")), 12 * time.Minute, ""},
		{
			"after 5 minutes", operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "etcd is bad")), 12*time.Minute + time.Second,
			"Warning | API Availability | 08:07:00 | Cluster Operator etcd is degraded (Bad) | etcd is bad | clusteroperators.config.openshift.io/etcd",
		},
		{
			"before 40 minutes", operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "")), 47*time.Minute - time.Second,
			"Warning | API Availability | 08:07:00 | Cluster Operator etcd is degraded (Bad) | <no message> | clusteroperators.config.openshift.io/etcd",
		},
		{
			"at 40 minutes", operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "")), 47 * time.Minute,
			"Error | API Availability | 08:07:00 | Cluster Operator etcd is degraded (Bad) | <no message> | clusteroperators.config.openshift.io/etcd",
		},
	},
	"node-not-ready": {
		{"at 5 minutes", nodeResult(nil, builders.NotReady(changed)), 12 * time.Minute, ""},
		{
			"after 5 minutes", nodeResult(nil, kubelet(corev1.NodeReady, corev1.ConditionUnknown)), 12*time.Minute + time.Second,
			`Warning | Update Speed | 08:07:00 | Node node-a is not ready | Node has a Ready!=True condition with Reason "Not ready" and message "kubelet said so" | nodes/node-a`,
		},
		{"while it is updated", nodeResult(nil, builders.Configs("rendered-worker-old", "rendered-worker-new"), builders.State("Rebooting"), builders.NotReady(changed)), time.Hour, ""},
		{"cordoned only", nodeResult(nil, builders.Unschedulable()), time.Hour, ""},
	},
	"node-disk-pressure": {
		{"at a minute", nodeResult(nil, kubelet(corev1.NodeDiskPressure, corev1.ConditionTrue)), 8 * time.Minute, ""},
		{
			"after a minute", nodeResult(nil, kubelet(corev1.NodeDiskPressure, corev1.ConditionTrue)), 8*time.Minute + time.Second,
			`Warning | Update Speed | 08:07:00 | Node node-a has disk pressure | Node has a DiskPressure!=False condition with Reason "Disk pressure" and message "kubelet said so" | nodes/node-a`,
		},
		{"unreachable", nodeResult(nil, kubelet(corev1.NodeDiskPressure, corev1.ConditionUnknown), kubelet(corev1.NodeReady, corev1.ConditionUnknown)), 10 * time.Minute, ""},
	},
	"node-network-unavailable": {
		{"at a minute", nodeResult(nil, kubelet(corev1.NodeNetworkUnavailable, corev1.ConditionTrue)), 8 * time.Minute, ""},
		{
			"after a minute", nodeResult(nil, kubelet(corev1.NodeNetworkUnavailable, corev1.ConditionTrue)), 8*time.Minute + time.Second,
			`Warning | Update Speed | 08:07:00 | Node node-a has unavailable network | Node has a NetworkUnavailable!=False condition with Reason "Network unavailable" and message "kubelet said so" | nodes/node-a`,
		},
	},
	"node-degraded": {
		{"degraded", nodeResult(nil, builders.DegradedBecause("disk\nis full")), 0, "Error | Update Stalled | - | Node node-a is degraded | disk\nis full | nodes/node-a"},
		{"without words", nodeResult(nil, builders.State("Unreconcilable")), 0, "Error | Update Stalled | - | Node node-a is degraded | <no message> | nodes/node-a"},
		{"done", nodeResult(nil), 0, ""},
	},
	"node-in-several-pools": {
		{"in one", nodeResult([]string{"infra"}), 0, ""},
		{
			"in two", nodeResult([]string{"infra", "zebra"}), 0,
			"Warning | Update Stalled | - | Node node-a matches several custom pools: infra, zebra | A node can belong to one custom pool only. The Machine Config Operator does not update the node until the labels of the node, or the node selectors of the pools, are such that at most one custom pool matches. | nodes/node-a machineconfigpools.machineconfiguration.openshift.io/infra machineconfigpools.machineconfiguration.openshift.io/zebra",
		},
	},
	"pool-paused": {
		{
			"with nodes to update", poolResult(assess.MachineConfigPoolInput{Pool: pool(builders.Paused()), Nodes: assess.CountNodes(nodes("cx")...)}), 0,
			"Warning | Update Stalled | - | Outdated nodes in a paused pool 'worker' will not be updated | Pool is paused, which stops all changes to the nodes in the pool, including updates. The nodes will not be updated until the pool is unpaused by the administrator. | machineconfigpools.machineconfiguration.openshift.io/worker",
		},
		{"with all updated", poolResult(assess.MachineConfigPoolInput{Pool: pool(builders.Paused()), Nodes: assess.CountNodes(nodes("cc")...)}), 0, ""},
		{"not paused", poolResult(assess.MachineConfigPoolInput{Pool: pool(), Nodes: assess.CountNodes(nodes("cp")...)}), 0, ""},
	},
	"pool-selector-unparsable": {
		{
			"unparsable", poolResult(assess.MachineConfigPoolInput{Pool: pool(), SelectorError: "no such operator"}), 0,
			"Warning | Update Stalled | - | The node selector of pool 'worker' can not be read | No node belongs to the pool, and none is updated with it, until its node selector is corrected: no such operator | machineconfigpools.machineconfiguration.openshift.io/worker",
		},
		{"parsable", poolResult(assess.MachineConfigPoolInput{Pool: pool()}), 0, ""},
	},
}

func kubelet(kind corev1.NodeConditionType, status corev1.ConditionStatus) builders.NodeOption {
	return builders.NodeCondition(kind, status, changed, "Said", "kubelet said so")
}

// health returns the health insights of a result.
func health(result assess.Result) []updatev1alpha1.Insight {
	var insights []updatev1alpha1.Insight
	for _, placed := range result.Report.Insights {
		if placed.Insight.Health != nil {
			insights = append(insights, placed.Insight)
		}
	}
	return insights
}

func healthLine(one updatev1alpha1.Insight) string {
	since := "-"
	if one.Health.StartedAt != nil {
		since = one.Health.StartedAt.UTC().Format(time.TimeOnly)
	}
	var resources []string
	for _, resource := range one.Health.Scope.Resources {
		name := resource.Resource
		if resource.Group != "" {
			name += "." + resource.Group
		}
		resources = append(resources, name+"/"+resource.Name)
	}
	impact := one.Health.Impact
	return strings.Join([]string{string(impact.Level), string(impact.Type), since, impact.Summary, impact.Description, strings.Join(resources, " ")}, " | ")
}

// TestHealth runs every case through the whole chain: no other check may speak up.
func TestHealth(t *testing.T) {
	for _, check := range assess.HealthChecks() {
		cases := healthCases[check.Name]
		if len(cases) < 2 {
			t.Errorf("%s has no case in which it speaks and one in which it does not", check.Name)
		}
		for _, test := range cases {
			t.Run(check.Name+"/"+test.name, func(t *testing.T) {
				var got []string
				for _, one := range health(test.result(start.Add(test.at))) {
					got = append(got, healthLine(one))
					if !strings.HasPrefix(one.UID, "health-"+check.Name+"-") {
						t.Errorf("uid %s", one.UID)
					}
				}
				if text := strings.Join(got, "\n"); text != test.want {
					t.Errorf("got  %s\nwant %s", text, test.want)
				}
			})
		}
	}
}

// TestHealthByTheClock lets conditions last: the clock alone raises them, at the moments that NextCheck tells.
func TestHealthByTheClock(t *testing.T) {
	degraded := operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", ""), is(configv1.OperatorAvailable, configv1.ConditionFalse, "Down", ""))
	var got []string
	for now := changed; !now.IsZero(); {
		result := degraded(now)
		var levels []string
		for _, one := range health(result) {
			levels = append(levels, string(one.Health.Impact.Level))
		}
		got = append(got, fmt.Sprintf("%s %v", now.Sub(changed).Truncate(time.Second), levels))
		now = result.NextCheck
	}
	want := []string{"0s []", "5m0s [Warning Warning]", "20m0s [Error Warning]", "40m0s [Error Error]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
}

func TestHealthUIDsAreStable(t *testing.T) {
	uids := func(result func(time.Time) assess.Result, at time.Duration) []string {
		var found []string
		for _, one := range health(result(start.Add(at))) {
			found = append(found, one.UID)
		}
		return found
	}
	first := uids(operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "one")), time.Hour)
	later := uids(operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Worse", "two")), 3*time.Hour)
	if !slices.Equal(first, later) {
		t.Errorf("a change of the message changes the uid from %v to %v", first, later)
	}
	both := uids(operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "", ""), is(configv1.OperatorAvailable, configv1.ConditionFalse, "", "")), time.Hour)
	if len(both) != 2 || both[0] == both[1] {
		t.Errorf("two conditions of an operator: %v", both)
	}
}

func TestHealthTextsAreShortened(t *testing.T) {
	long := strings.Repeat("日本語 ", 100<<10)
	for name, result := range map[string]func(time.Time) assess.Result{
		"operator": operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, long, long)),
		"node":     nodeResult(nil, builders.DegradedBecause(long)),
		"version":  versionResult(failing(configv1.ConditionTrue, long, long), 1),
		"selector": poolResult(assess.MachineConfigPoolInput{Pool: pool(), SelectorError: long}),
	} {
		for _, one := range health(result(start.Add(time.Hour))) {
			impact := one.Health.Impact
			if n := utf8.RuneCountInString(impact.Summary); n > updatev1alpha1.SummaryMaxLength {
				t.Errorf("%s: a summary of %d characters", name, n)
			}
			if n := utf8.RuneCountInString(impact.Description); n != updatev1alpha1.DescriptionMaxLength || !strings.HasSuffix(impact.Description, "…") {
				t.Errorf("%s: a description of %d characters", name, n)
			}
		}
	}
}

func TestResourcesAreBounded(t *testing.T) {
	for count, more := range map[int]string{15: "", 16: " (And 1 more resource.)", 40: " (And 25 more resources.)"} {
		var custom []string
		for at := range count {
			custom = append(custom, fmt.Sprintf("custom-%02d", at))
		}
		one := health(nodeResult(custom)(start))[0].Health
		if len(one.Scope.Resources) != updatev1alpha1.ScopeMaxResources || !strings.HasSuffix(one.Impact.Description, "custom pool matches."+more) {
			t.Errorf("%d custom pools: %d resources, %s", count, len(one.Scope.Resources), one.Impact.Description)
		}
	}
}

var row = regexp.MustCompile(`^\| ([a-z-]+)( †)? \| .+ \| (.+) \| (.+) \| .+ \|$`)

// TestInsightsPage compares docs/insights.md with the table of checks and with what its cases give.
func TestInsightsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/insights.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented, table []string
	for _, line := range strings.Split(string(page), "\n") {
		if cells := row.FindStringSubmatch(line); cells != nil && cells[1] != "check" {
			documented = append(documented, strings.Join(cells[1:], " | "))
		}
	}
	for _, check := range assess.HealthChecks() {
		table = append(table, strings.Join(observed(t, check.Name), " | "))
	}
	withoutDurations := regexp.MustCompile(` from \d+ minutes on`)
	for at := range documented {
		documented[at] = withoutDurations.ReplaceAllString(documented[at], "")
	}
	if diff := cmp.Diff(table, documented); diff != "" {
		t.Errorf("docs/insights.md (-code +page):\n%s", diff)
	}
}

// observed returns what the cases of a check give: its name, whether the start is unknown, levels, impact.
func observed(t *testing.T, check string) []string {
	t.Helper()
	var levels []string
	var impact, mark string
	for _, test := range healthCases[check] {
		for _, one := range health(test.result(start.Add(test.at))) {
			if level := string(one.Health.Impact.Level); !slices.Contains(levels, level) {
				levels = append(levels, level)
			}
			impact = string(one.Health.Impact.Type)
			if one.Health.StartedAt == nil {
				mark = " †"
			}
			reference, err := url.Parse(one.Health.Remediation.Reference)
			if err != nil || reference.Scheme != "https" || reference.Host == "" {
				t.Errorf("%s: reference %q is no page", check, one.Health.Remediation.Reference)
			}
		}
	}
	return []string{check, mark, strings.Join(levels, "; "), impact}
}
