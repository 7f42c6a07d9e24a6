package integration_test

import (
	"bytes"
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
)

// take takes a permission away from the controller, on a resource or RESOURCE/SUBRESOURCE, and returns what gives it back, as the end of the
// test does. Both wait until the API server obeys.
func (w *world) take(group, resource, verb string) (giveBack func()) {
	w.t.Helper()
	ctx := context.WithoutCancel(w.ctx)
	roles := kubernetes.NewForConfigOrDie(w.plane.Admin()).RbacV1().ClusterRoles()
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

// run runs a binary as an administrator at the time of the clock, and returns what it prints, and its exit status.
func (w *world) run(binary string, args ...string) (out, errOut string, status int) {
	w.t.Helper()
	kubeconfig, err := w.plane.KubeconfigOf("administrator", w.plane.Admin())
	if err != nil {
		w.t.Fatal(err)
	}
	path, err := harness.Binary(binary)
	if err != nil {
		w.t.Fatal(err)
	}
	command := exec.CommandContext(w.ctx, path, append([]string{"--kubeconfig", kubeconfig}, args...)...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); command.ProcessState == nil {
		w.t.Fatal(err)
	}
	return stdout.String(), stderr.String(), command.ProcessState.ExitCode()
}

// everyOutput checks that each output of the client has a text, and what its exit status is.
func (w *world) everyOutput(want string, wantStatus int) {
	w.t.Helper()
	for _, call := range [][]string{
		{"oc-update-status", "--classic"},
		{"oc-update-status"},
		{"oc-update-status", "-o", "json"},
		{"oc-update-status", "-o", "markdown"},
		{"oc-update-status", "--exit-code"},
		{"oc-update-report", "--output-file=-"},
	} {
		out, errOut, status := w.run(call[0], append(call[1:], "--now", w.second().Format(time.RFC3339))...)
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

// TestNotWritten checks that a status that the API server refuses for thirty seconds is not taken for one that is up to date: the summary
// says so, with the server's words, and every output of the client.
func TestNotWritten(t *testing.T) {
	w := newWorld(t)
	w.put(smallCluster()...)
	w.start()
	w.until("the first report", isAvailable)
	confirmed := w.untilAvailable(metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected).Status.ObservedAt
	giveBack := w.take(updatev1alpha1.GroupName, "updatestatuses/status", "update")
	w.put(builders.ClusterOperator("dns", builders.OperatorVersion(oldVersion), builders.OperatorCondition(configv1.ClusterOperatorStatusCondition{
		Type: configv1.OperatorAvailable, Status: configv1.ConditionFalse, Reason: "Outage", LastTransitionTime: metav1.NewTime(startTime),
	})))
	stale := w.untilAvailable(metav1.ConditionFalse, updatev1alpha1.ReasonNotWritten)
	if age := stale.Status.ObservedAt.Sub(confirmed.Time); age > 20*time.Second {
		t.Errorf("confirmed %s after the first time", age)
	}
	w.everyOutput("he API server does not store the status, so the object may be outdated: updatestatuses.update.openshift.io", 1)
	giveBack()
	w.until("the outage", func(us *updatev1alpha1.UpdateStatus) bool {
		return meta.IsStatusConditionFalse(find(us, "co-dns").ClusterOperator.Conditions, updatev1alpha1.ConditionHealthy)
	})
	w.untilAvailable(metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected)
	w.controller.Forgive("PUT /apis/update.openshift.io/v1alpha1/updatestatuses/cluster/status")
}

// TestWithoutRecords checks that a controller that may not use the records keeps the status and its summary.
func TestWithoutRecords(t *testing.T) {
	w := newWorld(t)
	giveBack := w.take(updatev1alpha1.GroupName, "updaterecords", "list")
	w.playHalf()
	w.untilSummary("an estimate", func(read *updatev1alpha1.UpdateStatusSummary) []string {
		if read.Status.Estimate == nil || read.Status.ObservedAt == nil || !meta.IsStatusConditionTrue(read.Status.Conditions, updatev1alpha1.ConditionUpdating) {
			return []string{read.Status.WaitingFor}
		}
		return nil
	})
	giveBack()
	w.controller.Forgive("GET /apis/update.openshift.io/v1alpha1/updaterecords")
}

// TestDeadController checks that an update that has started while no controller runs is told, fifteen seconds later, as what it is: what
// the UpdateStatus says as of when, and what the cluster says now.
func TestDeadController(t *testing.T) {
	w := newWorld(t)
	cluster := smallCluster()
	w.put(cluster...)
	w.start()
	w.until("the first report", isAvailable)
	w.untilAvailable(metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected)
	w.stop()
	for _, object := range cluster {
		version, isVersion := object.(*configv1.ClusterVersion)
		if !isVersion {
			continue
		}
		next := version.DeepCopy()
		next.Status.Desired = configv1.Release{Version: "4.20.3", Image: builders.Image("4.20.3")}
		next.Status.History = append([]configv1.UpdateHistory{{
			State: configv1.PartialUpdate, Version: "4.20.3", Image: builders.Image("4.20.3"), StartedTime: metav1.NewTime(startTime),
		}}, next.Status.History...)
		w.put(next)
	}
	w.clock.SetTime(startTime.Add(14 * time.Second))
	if out, _, _ := w.run("oc-update-status", "--now", w.second().Format(time.RFC3339)); strings.Contains(out, "is outdated") {
		t.Errorf("outdated after 14 seconds:\n%s", out)
	}
	w.clock.SetTime(startTime.Add(15 * time.Second))
	const why = "The UpdateStatus/cluster is outdated: ClusterVersion started the update to 4.20.3 at 2026-03-02T08:00:00Z."
	for _, args := range [][]string{{"--classic"}, nil, {"-o", "markdown"}} {
		out, errOut, _ := w.run("oc-update-status", append(args, "--now", w.second().Format(time.RFC3339))...)
		if _, said, found := strings.Cut(out, "it said: "); !strings.Contains(out, why) || !found || !strings.Contains(said, "4.20.3") {
			t.Errorf("%v: %s\n%s", args, errOut, out)
		}
	}
}

// TestUndecodable checks that a stored UpdateStatus with a field of another type, as another version may have written it, is replaced.
func TestUndecodable(t *testing.T) {
	w := newWorld(t)
	w.put(smallCluster()...)
	w.start()
	before := w.until("the first report", isAvailable)
	w.stop()
	restore := w.acceptAnything("updatestatuses.update.openshift.io")
	objects := dynamic.NewForConfigOrDie(w.plane.Admin()).Resource(updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses"))
	// The API server needs a moment to accept it.
	err := wait.PollUntilContextCancel(w.ctx, summaryInterval, true, func(ctx context.Context) (bool, error) {
		stored, err := objects.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
		if err == nil {
			err = unstructured.SetNestedField(stored.Object, "of another version", "status", "workerPools")
		}
		if err == nil {
			stored, err = objects.UpdateStatus(ctx, stored, metav1.UpdateOptions{})
		}
		return err == nil && stored != nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	restore()
	w.start()
	after := w.until("a status that can be decoded", func(us *updatev1alpha1.UpdateStatus) bool {
		return isAvailable(us) && find(us, "node-worker-1") != nil
	})
	if before, after := before.Status.ControlPlane.Conditions[0], after.Status.ControlPlane.Conditions[0]; !before.LastTransitionTime.Equal(&after.LastTransitionTime) {
		t.Errorf("the control plane has been so since %s, was since %s", after.LastTransitionTime, before.LastTransitionTime)
	}
}

// acceptAnything makes a CRD accept any content, and returns what restores it.
func (w *world) acceptAnything(name string) (restore func()) {
	w.t.Helper()
	ctx := context.WithoutCancel(w.ctx)
	crds := apiextensionsclient.NewForConfigOrDie(w.plane.Admin()).CustomResourceDefinitions()
	whole, err := crds.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	set := func(versions []apiextensionsv1.CustomResourceDefinitionVersion) error {
		changed, err := crds.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		changed.Spec.Versions = versions
		_, err = crds.Update(ctx, changed, metav1.UpdateOptions{})
		return err
	}
	versions := whole.DeepCopy().Spec.Versions
	for at := range versions {
		versions[at].Schema = &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
			Type: "object", XPreserveUnknownFields: ptr.To(true),
		}}
	}
	if err := set(versions); err != nil {
		w.t.Fatal(err)
	}
	restored := false
	restore = func() {
		if err := set(whole.Spec.Versions); err != nil && !restored {
			w.t.Error(err)
		}
		restored = true
	}
	w.t.Cleanup(restore)
	return restore
}
