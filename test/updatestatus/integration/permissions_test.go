package integration_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
)

// take takes a permission away from the controller, on a resource or RESOURCE/SUBRESOURCE, and returns what gives it back, as the end of the
// test does. Both wait until the API server obeys.
func (w *world) take(group, resource, verb string) (giveBack func()) {
	w.t.Helper()
	ctx := context.WithoutCancel(w.ctx)
	roles := w.kube.RbacV1().ClusterRoles()
	whole, err := roles.Get(ctx, "system:openshift:update-status-controller", metav1.GetOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	controllers, err := w.plane.As(ctx, controlplane.ServiceAccount)
	if err != nil {
		w.t.Fatal(err)
	}
	name, subresource, _ := strings.Cut(resource, "/")
	asked := authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
		Group: group, Resource: name, Subresource: subresource, Verb: verb,
	}}
	if group == updatev1alpha1.GroupName && name != "updaterecords" {
		asked.ResourceAttributes.Name = updatev1alpha1.SingletonName
	}
	set := func(isGiven bool) {
		w.t.Helper()
		role, err := roles.Get(ctx, whole.Name, metav1.GetOptions{})
		if err != nil {
			w.t.Fatal(err)
		}
		role.Rules = whole.DeepCopy().Rules
		for at := range role.Rules {
			if rule := &role.Rules[at]; !isGiven && slices.Contains(rule.APIGroups, group) {
				rule.Resources = slices.DeleteFunc(rule.Resources, func(one string) bool { return one == resource })
			}
		}
		role.Rules = slices.DeleteFunc(role.Rules, func(rule rbacv1.PolicyRule) bool { return len(rule.Resources)+len(rule.NonResourceURLs) == 0 })
		if _, err := roles.Update(ctx, role, metav1.UpdateOptions{}); err != nil {
			w.t.Fatal(err)
		}
		if err := controlplane.AwaitAccess(ctx, controllers, asked, isGiven); err != nil {
			w.t.Fatal(err)
		}
	}
	set(false)
	w.t.Cleanup(func() { set(true) })
	return func() {
		w.t.Helper()
		set(true)
	}
}

// everyOutput checks that each output of the client has a text, and what its exit status is.
func (w *world) everyOutput(want string, wantStatus int) {
	w.t.Helper()
	for _, call := range [][]string{
		{"oc-update-status", "--classic", "--exit-code"},
		{"oc-update-status"},
		{"oc-update-status", "-o", "json"},
		{"oc-update-status", "-o", "markdown"},
		{"oc-update-status", "--exit-code"},
		{"oc-update-report", "--output-file=-"},
	} {
		out, errOut, status := w.clientOf(w.plane.Admin(), call[0]).run(w.ctx, append(call[1:], "--now", w.now())...)
		if !strings.Contains(out, want) || status != wantStatus {
			w.t.Errorf("%v: exit status %d, want %d and %q, %s\n%.1000s", call, status, wantStatus, want, errOut, out)
		}
	}
}

// untilAvailable waits until the summary says whether the status is kept up to date, with a reason.
func (w *world) untilAvailable(status metav1.ConditionStatus, reason string) *updatev1alpha1.UpdateStatusSummary {
	w.t.Helper()
	return w.untilSummary(reason, func(read *updatev1alpha1.UpdateStatusSummary) []string {
		available := meta.FindStatusCondition(read.Status.Conditions, updatev1alpha1.ConditionAvailable)
		if available == nil || available.Status != status || available.Reason != reason || read.Status.ObservedAt == nil {
			return []string{"Available is not " + reason + ", or not confirmed"}
		}
		return nil
	})
}

// TestWithoutPermission checks that a source reports a missing permission, that the object keeps what the source has
// reported before, and that the other source goes on reporting.
func TestWithoutPermission(t *testing.T) {
	w := newWorld(t)
	before := w.startOn(smallCluster()...)
	w.stop()
	giveBack := w.take("", "nodes", "list")
	w.mayBeRefused = "GET /api/v1/nodes"
	w.start()
	forbidden := w.until("the source without permission", func(us *updatev1alpha1.UpdateStatus) bool { return reasonOf(us) == "CannotListNodes" })
	if find(forbidden, "node-worker-1") == nil {
		t.Error("the nodes are gone")
	}
	w.put(builders.ClusterOperator("dns", builders.OperatorVersion(newVersion), builders.Healthy(startTime)))
	w.until("the other source", func(us *updatev1alpha1.UpdateStatus) bool {
		return isUpdated(us, "dns") && reasonOf(us) == "CannotListNodes"
	})
	w.everyOutput("nodes is forbidden", 1)
	giveBack()
	after := w.until("the source with permission", func(us *updatev1alpha1.UpdateStatus) bool { return reasonOf(us) == updatev1alpha1.ReasonAsExpected })
	if before, after := find(before, "node-worker-1"), find(after, "node-worker-1"); !before.AcquiredAt.Equal(&after.AcquiredAt) {
		t.Errorf("acquiredAt of the node is %s, was %s", after.AcquiredAt, before.AcquiredAt)
	}
}

// TestLongWithoutRecords checks that a controller that may not use the records keeps the status and its summary.
func TestLongWithoutRecords(t *testing.T) {
	w := newWorld(t)
	w.take(updatev1alpha1.GroupName, "updaterecords", "list")
	w.mayBeRefused = "GET /apis/update.openshift.io/v1alpha1/updaterecords"
	w.startOn(smallCluster()...)
	w.clock.Step(time.Minute)
	w.put(builders.Node("worker-1", builders.Role("worker"), builders.Configs("rendered-old", "rendered-new"), builders.Drain("drain-rendered-new", "uncordon-rendered-old")))
	w.untilSummary("an estimate", func(read *updatev1alpha1.UpdateStatusSummary) []string {
		if read.Status.Estimate == nil || read.Status.ObservedAt == nil || !meta.IsStatusConditionTrue(read.Status.Conditions, updatev1alpha1.ConditionUpdating) {
			return []string{read.Status.WaitingFor}
		}
		return nil
	})
}

// TestLongNotWritten checks that a status that the API server refuses for thirty seconds is not taken for one that is up to date: the summary
// says so, with the server's words, and every output of the client.
func TestLongNotWritten(t *testing.T) {
	w := newWorld(t)
	w.startOn(smallCluster()...)
	w.untilAvailable(metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected)
	giveBack := w.take(updatev1alpha1.GroupName, "updatestatuses/status", "update")
	w.mayBeRefused = statusPut
	w.put(builders.ClusterOperator("dns", builders.OperatorVersion(oldVersion), builders.OperatorCondition(configv1.ClusterOperatorStatusCondition{
		Type: configv1.OperatorAvailable, Status: configv1.ConditionFalse, Reason: "Outage", LastTransitionTime: metav1.NewTime(startTime),
	})))
	stale := w.untilAvailable(metav1.ConditionFalse, updatev1alpha1.ReasonNotWritten).Status
	if failing := meta.FindStatusCondition(stale.Conditions, updatev1alpha1.ConditionAvailable).LastTransitionTime; stale.ObservedAt.After(failing.Time) {
		t.Errorf("confirmed at %s, not written since %s", stale.ObservedAt, failing)
	}
	w.everyOutput("he API server does not store the status, so the object may be outdated: updatestatuses.update.openshift.io", 1)
	giveBack()
	w.until("the outage", func(us *updatev1alpha1.UpdateStatus) bool {
		return meta.IsStatusConditionFalse(find(us, "co-dns").ClusterOperator.Conditions, updatev1alpha1.ConditionHealthy)
	})
	w.untilAvailable(metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected)
}
