package drain_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// The message of a Machine that is drained, and its lines.
const (
	notCompleted = "Drain not completed yet (started at 2026-03-02T08:00:00Z):"
	refusedFor   = ": cannot evict pod as it would violate the pod's disruption budget."
	refused      = "\n* Pod shop/cart-0" + refusedFor + " The disruption budget cart needs 2 healthy pods and has 2 currently"
	terminates   = "\n* Pods shop/a-0, shop/a-1, shop/a-2, ... (4 more): deletionTimestamp set, but still not removed from the Node"
)

// TestExplainMessage: without pods, the message of a Machine tells which pod a drain waits for first.
func TestExplainMessage(t *testing.T) {
	const (
		missing  = "Check whether the workload has all of its replicas"
		healthy  = "The drain continues when enough pods"
		stuck    = "A long grace period ends by itself."
		forever  = "A drain waits for every pod"
		unnamed  = "is taking long to drain"
		cart     = "does not drain: PodDisruptionBudget cart protects pod shop/cart-0"
		reported = "The Machine reports: "
		excerpt  = "The Machine reports (an excerpt): "
	)
	for name, test := range map[string]struct {
		message, summary, advice, reports string
		resources                         []string
	}{
		"refused":            {notCompleted + refused, cart, missing, reported, []string{"pods shop/cart-0", "poddisruptionbudgets shop/cart"}},
		"lacks healthy pods": {notCompleted + strings.Replace(refused, "has 2", "has 1", 1), cart, healthy, reported, []string{"pods shop/cart-0", "poddisruptionbudgets shop/cart"}},
		"one more healthy":   {notCompleted + strings.Replace(refused, "has 2", "has 3", 1), cart, missing, reported, []string{"pods shop/cart-0", "poddisruptionbudgets shop/cart"}},
		"without a budget": {
			notCompleted + "\n* Pods shop/cart-0, shop/cart-1" + refusedFor, "does not drain: a PodDisruptionBudget protects pod shop/cart-0", missing, reported,
			[]string{"pods shop/cart-0"},
		},
		"refused and terminating": {notCompleted + terminates + refused, cart, missing, excerpt, []string{"pods shop/cart-0", "poddisruptionbudgets shop/cart"}},
		"terminating":             {notCompleted + terminates, "is taking long to drain: pod shop/a-0 is terminating", stuck, excerpt, []string{"pods shop/a-0"}},
		"other errors":            {notCompleted + "\n* Pod shop/db-0: failed to evict Pod, timed out\n* 2 Pods with other issues", unnamed, forever, excerpt, nil},
		"of Cluster API 1.9.0": {
			notCompleted + "\n* Pods with eviction failed:\n  * Cannot evict pod: shop/cart-0\n  * ... (1 more error applying to 2 Pods)", unnamed, forever, excerpt, nil,
		},
		"not a name":   {notCompleted + "\n* Pod shop/$(id)" + refusedFor, unnamed, forever, reported, nil},
		"not a line":   {"error: * Pod shop/cart-0" + refusedFor, unnamed, forever, reported, nil},
		"not reported": {"", unnamed, forever, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := explain(drain.Input{
				Node: "node-a", Drainer: drain.ClusterAPI, OperatorMessage: test.message, Blockers: &drain.Blockers{Unread: "they may not be read"},
			}, now)
			if got.Impact.Summary != "Node node-a "+test.summary || !strings.HasPrefix(got.Impact.Description, test.advice) || got.Remediation.Reference == "" {
				t.Errorf("%s\n%s\n%s", got.Impact.Summary, got.Impact.Description, got.Remediation.Reference)
			}
			lines := strings.Split(got.Impact.Description, "\n")
			last := lines[len(lines)-1]
			if want := test.reports + strings.Join(strings.Fields(test.message), " "); test.message != "" && last != want || !strings.Contains(got.Impact.Description, "they may not be read") {
				t.Errorf("last line %q, want %q", last, want)
			}
			if diff := cmp.Diff(test.resources, namesOf(got.Scope.Resources[1:])); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func namesOf(resources []updatev1alpha1.HealthResource) (names []string) {
	for _, one := range resources {
		names = append(names, one.Resource+" "+one.Namespace+"/"+one.Name)
	}
	return names
}

// TestMessagesOfOthers: the message of a Machine is read only where one drains, and only if the pods are not known.
func TestMessagesOfOthers(t *testing.T) {
	for name, in := range map[string]drain.Input{
		"another drainer": {Drainer: drain.HostedClusterConfigOperator, Blockers: &drain.Blockers{Unread: "they may not be read"}},
		"pods are known":  {Drainer: drain.ClusterAPI, Blockers: &drain.Blockers{}},
	} {
		in.Node, in.OperatorMessage = "node-a", notCompleted+refused
		if got := explain(in, now); !strings.HasPrefix(got.Impact.Summary, "Node node-a is taking long to drain") {
			t.Errorf("%s: %s", name, got.Impact.Summary)
		}
	}
}

// TestReported: what the Machine Config Operator reports is in the insight as it is.
func TestReported(t *testing.T) {
	const message = "pods a, b, ... (2 more) with other issues"
	got := explain(drain.Input{Node: "node-a", OperatorMessage: message, Blockers: &drain.Blockers{}}, now)
	want := &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentMachineConfigOperator, Message: message}
	if diff := cmp.Diff(want, got.Reported); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestExplainHosted: which pods the drains of hosted clusters wait for, and whose these are.
func TestExplainHosted(t *testing.T) {
	const (
		ofUser     = "Pod shop/db-0 of StatefulSet db, a user workload: PodDisruptionBudget db allows 0 disruptions "
		ofPlatform = "Pod openshift-monitoring/prometheus-k8s-0 without a controller, part of the platform."
		upgrading  = "machine-config-daemon-node-a"
	)
	never := dbBudget(maxUnavailable(0), numbers(3, 3, 3))
	prometheus := builders.Pod("openshift-monitoring", "prometheus-k8s-0")
	skipped := builders.Pod("shop", "db-1", builders.PodLabel("cluster.x-k8s.io/drain", "Skip"))
	labelled := builders.Pod("shop", "db-1", builders.PodLabel("cluster.x-k8s.io/drain", "wait-completed"))
	daemon := builders.Pod("openshift-machine-config-operator", upgrading)
	slow := deleted(-time.Hour, time.Minute)
	for name, test := range map[string]struct {
		drainer     drain.Drainer
		unreachable bool
		objects     []metav1.Object
		// want is the summary without its subject, and last the end of the last line.
		want, last string
	}{
		"a user's, replaced":         {drain.ClusterAPI, false, []metav1.Object{dbPod, never}, neverAllowed, ofUser + neverAllowsFact},
		"a user's, in place":         {drain.HostedClusterConfigOperator, false, []metav1.Object{dbPod, never}, neverAllowed, ofUser + neverAllowsFact},
		"the platform's":             {drain.ClusterAPI, false, []metav1.Object{prometheus}, causeUnknown, ofPlatform},
		"a skipped one":              {drain.ClusterAPI, false, []metav1.Object{skipped}, causeUnknown, noPods},
		"another label":              {drain.ClusterAPI, false, []metav1.Object{labelled}, causeUnknown, "Pod shop/db-1 without a controller, a user workload."},
		"a skipped one, in place":    {drain.HostedClusterConfigOperator, false, []metav1.Object{skipped}, causeUnknown, "Pod shop/db-1 without a controller, a user workload."},
		"that which updates":         {drain.HostedClusterConfigOperator, false, []metav1.Object{daemon}, causeUnknown, noPods},
		"that which updates, there":  {drain.ClusterAPI, false, []metav1.Object{daemon}, causeUnknown, upgrading + " without a controller, part of the platform."},
		"unreachable":                {drain.ClusterAPI, true, []metav1.Object{dbPod, never}, neverAllowed, ofUser + neverAllowsFact},
		"unreachable, deleted":       {drain.ClusterAPI, true, []metav1.Object{slow}, causeUnknown, noPods},
		"reachable, deleted":         {drain.ClusterAPI, false, []metav1.Object{slow}, terminating, "which ends at " + slow.DeletionTimestamp.UTC().Format(time.RFC3339) + "."},
		"no hosted cluster, deleted": {drain.MachineConfigOperator, true, []metav1.Object{slow}, unreachable, "which ends at " + slow.DeletionTimestamp.UTC().Format(time.RFC3339) + "."},
	} {
		t.Run(name, func(t *testing.T) {
			in := input(test.objects...)
			in.Drainer, in.Unreachable = test.drainer, test.unreachable
			got := explain(in, now)
			if got.Impact.Summary != "Node node-a "+test.want || !strings.HasSuffix(got.Impact.Description, test.last) {
				t.Errorf("%s\n%s", got.Impact.Summary, got.Impact.Description)
			}
			if strings.Contains(got.Impact.Description, "openshift-machine-config-operator") != (name == "that which updates, there") || got.Remediation.Reference == "" {
				t.Errorf("%s\n%s", got.Impact.Description, got.Remediation.Reference)
			}
		})
	}
}
