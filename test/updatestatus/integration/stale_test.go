package integration_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/utils/ptr"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/faults"
)

// TestDeadController checks that an update that has started while no controller runs is told, fifteen seconds later, as what it is: what
// the UpdateStatus says as of when, and what the cluster says now.
func TestDeadController(t *testing.T) {
	w := newWorld(t)
	cluster := smallCluster()
	w.startOn(cluster...)
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
	client := w.administrator()
	if out, _, _ := client.run(w.ctx, "--now", w.now()); strings.Contains(out, "is outdated") {
		t.Errorf("outdated after 14 seconds:\n%s", out)
	}
	w.clock.SetTime(startTime.Add(15 * time.Second))
	const why = "The UpdateStatus/cluster is outdated: ClusterVersion started the update to 4.20.3 at 2026-03-02T08:00:00Z."
	for _, args := range [][]string{{"--classic"}, nil, {"-o", "markdown"}} {
		out, errOut, _ := client.run(w.ctx, append(args, "--now", w.now())...)
		if _, said, found := strings.Cut(out, "Last reported"); !strings.Contains(out, why) || !found || !strings.Contains(said, "4.20.3") {
			t.Errorf("%v: %s\n%s", args, errOut, out)
		}
	}
}

// TestUnreadableSummary checks that a summary that can't be read, for whatever reason, is no sign of a controller that runs: what has happened
// since it ended is shown, and the exit status is 1.
func TestUnreadableSummary(t *testing.T) {
	w := newWorld(t)
	w.startOn(smallCluster()...)
	w.untilAvailable(metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected)
	w.stop()
	const why = "quorum is lost"
	w.put(builders.ClusterOperator("etcd", builders.OperatorVersion(newVersion), builders.OperatorCondition(builders.Condition(configv1.OperatorAvailable, configv1.ConditionFalse, startTime, "NoQuorum", why))))
	w.clock.SetTime(startTime.Add(19 * time.Minute))
	proxy, err := faults.NewProxy(w.plane.Admin())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Close)
	reader := w.newAccount(types.NamespacedName{Namespace: controlplane.Namespace, Name: "cluster-reader"},
		[]rbacv1.PolicyRule{{APIGroups: []string{rbacv1.APIGroupAll}, Resources: []string{rbacv1.ResourceAll}, Verbs: []string{"get", "list", "watch"}}},
		authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{Resource: "nodes", Verb: "list"}})
	client := w.clientOf(proxy.Through(reader), "oc-update-status")
	isSummary := func(r *http.Request) bool { return strings.Contains(r.URL.Path, "/updatestatussummaries") }
	for _, code := range []int{http.StatusForbidden, http.StatusNotFound, http.StatusInternalServerError} {
		proxy.Set(faults.Rule{Matches: isSummary, Do: faults.Respond(code)})
		out, errOut, exit := client.run(w.ctx, "--now", w.now())
		if exit != 1 || !strings.Contains(out, why) || strings.Contains(out, "proceeding well") {
			t.Errorf("%d: exit status %d, %s\n%s", code, exit, errOut, out)
		}
	}
}

// TestLongUndecodable checks that a stored UpdateStatus with a field of another type, as another version may have written it, is replaced.
func TestLongUndecodable(t *testing.T) {
	w := newWorld(t)
	before := w.startOn(smallCluster()...)
	w.stop()
	restore := w.acceptAnything("updatestatuses.update.openshift.io")
	objects := dynamic.NewForConfigOrDie(w.plane.Admin()).Resource(updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses"))
	w.await("the API server to accept it", func() bool {
		stored, err := objects.Get(w.ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
		if err == nil {
			err = unstructured.SetNestedField(stored.Object, "of another version", "status", "workerPools")
		}
		if err == nil {
			_, err = objects.UpdateStatus(w.ctx, stored, metav1.UpdateOptions{})
		}
		return err == nil
	})
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
