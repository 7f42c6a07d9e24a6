package integration_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/retry"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

const statusPut = "PUT /apis/update.openshift.io/v1alpha1/updatestatuses/cluster/status"

func (w *world) resourceOf(group, version, name string) dynamic.ResourceInterface {
	return dynamic.NewForConfigOrDie(w.plane.Admin()).Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: name})
}

// setConditionTimes sets the times of all conditions of an object, which no type of Go can hold in JSON.
func (w *world) setConditionTimes(client dynamic.ResourceInterface, name, time string) {
	w.t.Helper()
	object, err := client.Get(w.ctx, name, metav1.GetOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	conditions, _, err := unstructured.NestedSlice(object.Object, "status", "conditions")
	if err != nil || len(conditions) == 0 {
		w.t.Fatalf("%s has the conditions %v: %v", name, conditions, err)
	}
	for _, condition := range conditions {
		condition.(map[string]any)["lastTransitionTime"] = time
	}
	if err := unstructured.SetNestedSlice(object.Object, conditions, "status", "conditions"); err != nil {
		w.t.Fatal(err)
	}
	if _, err := client.UpdateStatus(w.ctx, object, metav1.UpdateOptions{}); err != nil {
		w.t.Fatal(err)
	}
}

// TestHostileTimes: times that are valid in the API server's schema, and not when they are written in UTC, do not stop the report.
func TestHostileTimes(t *testing.T) {
	w := newWorld(t)
	operators, nodes := w.resourceOf("config.openshift.io", "v1", "clusteroperators"), w.resourceOf("", "v1", "nodes")
	w.put(smallCluster()...)
	before := w.startOn(
		builders.Node("worker-1", builders.Role("worker"), builders.Configs("rendered-old", "rendered-old"), builders.NotReady(startTime)),
		builders.ClusterOperator("dns", builders.OperatorVersion(oldVersion), builders.Healthy(startTime), builders.Progressing(startTime, "Some", "")),
	)
	for at, hostile := range []string{"9999-12-31T23:59:59-14:00", "0000-01-01T00:00:00+14:00"} {
		w.setConditionTimes(operators, "dns", hostile)
		w.setConditionTimes(nodes, "worker-1", hostile)
		other, updated := fmt.Sprintf("other-%d", at), fmt.Sprintf("infra-%d", at)
		w.put(builders.ClusterOperator(other, builders.OperatorVersion(oldVersion), builders.Healthy(startTime)),
			builders.Node(updated, builders.Role("worker"), builders.Role("infra"), builders.Configs("rendered-new", "rendered-new")))
		after := w.until("the report about others", func(us *updatev1alpha1.UpdateStatus) bool {
			infra := find(us, "node-"+updated)
			return find(us, "co-"+other) != nil && infra != nil && meta.FindStatusCondition(infra.Node.Conditions, "Updating").Reason == "Completed"
		})
		for _, uid := range []string{"co-dns", "node-worker-1", "node-worker-0", "mcp-worker"} {
			if diff := cmp.Diff(find(before, uid), find(after, uid)); diff != "" {
				t.Errorf("%s: %s (-before +after):\n%s", hostile, uid, diff)
			}
		}
	}
}

// withStricterCRD changes the schema of insights until the end of the test, and waits until the API server applies it.
func (w *world) withStricterCRD(change func(properties map[string]any), isApplied func() bool) {
	w.t.Helper()
	crds := w.resourceOf("apiextensions.k8s.io", "v1", "customresourcedefinitions")
	const name = "updatestatuses.update.openshift.io"
	apply := func(ctx context.Context, change func(crd *unstructured.Unstructured), isApplied func() bool) {
		w.t.Helper()
		crd, err := crds.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			w.t.Fatal(err)
		}
		change(crd)
		if _, err := crds.Update(ctx, crd, metav1.UpdateOptions{}); err != nil {
			w.t.Fatal(err)
		}
		if err := pace.Poll(ctx, pollInterval, harness.Stall, func(context.Context) (bool, error) { return isApplied(), nil }); err != nil {
			w.t.Fatalf("waiting for the schema: %v", err)
		}
	}
	var original any
	apply(w.ctx, func(crd *unstructured.Unstructured) {
		original = crd.DeepCopy().Object["spec"]
		version := crd.Object["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any)
		status := version["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)["properties"].(map[string]any)["status"]
		parts := status.(map[string]any)["properties"].(map[string]any)
		for _, part := range []any{parts["controlPlane"], parts["workerPools"].(map[string]any)["items"]} {
			informers := part.(map[string]any)["properties"].(map[string]any)["informers"].(map[string]any)["items"].(map[string]any)
			insights := informers["properties"].(map[string]any)["insights"].(map[string]any)["items"].(map[string]any)
			change(insights["properties"].(map[string]any))
		}
	}, isApplied)
	w.t.Cleanup(func() {
		apply(context.WithoutCancel(w.ctx), func(crd *unstructured.Unstructured) { crd.Object["spec"] = original }, func() bool { return !isApplied() })
	})
}

// accepts returns whether the API server accepts a status, which it does not store.
func (w *world) accepts(insights ...updatev1alpha1.Insight) bool {
	w.t.Helper()
	// The controller may write in between.
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		us := w.get()
		us.Status.ControlPlane.Informers = []updatev1alpha1.Informer{{Name: "other", Insights: insights}}
		_, err := w.client.UpdateStatus(context.WithoutCancel(w.ctx), us, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
		return err //nolint:wrapcheck // it is compared
	})
	if err != nil && !apierrors.IsInvalid(err) {
		w.t.Fatal(err)
	}
	return err == nil
}

// TestRejectedInsights: a schema that is stricter than the controller knows does not stop the report about what passes it.
func TestRejectedInsights(t *testing.T) {
	w := newWorld(t)
	w.startOn(smallCluster()...)
	long := updatev1alpha1.Insight{
		UID: "co-long-name", AcquiredAt: metav1.NewTime(startTime), Type: updatev1alpha1.InsightClusterOperator,
		ClusterOperator: &updatev1alpha1.ClusterOperatorInsight{
			Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonUpdated, LastTransitionTime: metav1.NewTime(startTime)}},
			Name:       "long-name", Resource: updatev1alpha1.ResourceRef{Group: "config.openshift.io", Resource: "clusteroperators", Name: "long-name"},
		},
	}
	w.mayBeRefused = statusPut
	if !w.accepts(long) {
		t.Fatal("it is rejected by the schema as it is")
	}
	w.withStricterCRD(func(properties map[string]any) {
		node := properties["node"].(map[string]any)["properties"].(map[string]any)
		node["message"].(map[string]any)["maxLength"] = int64(10)
		if operator, found := properties["clusterOperator"].(map[string]any); found {
			operator["properties"].(map[string]any)["name"].(map[string]any)["maxLength"] = int64(4)
		}
	}, func() bool { return !w.accepts(long) })

	worker := func(state string, options ...builders.NodeOption) {
		w.put(builders.Node("worker-1", append([]builders.NodeOption{
			builders.Role("worker"), builders.Configs("rendered-old", "rendered-new"), builders.DegradedBecause(state),
		}, options...)...))
	}
	worker("a message that is too long")
	w.put(builders.ClusterOperator("etcd-2", builders.OperatorVersion(newVersion), builders.Healthy(startTime)))
	us := w.until("the rest", func(us *updatev1alpha1.UpdateStatus) bool {
		pool := find(us, "mcp-worker").MachineConfigPool
		return find(us, "cv-version").ClusterVersion.Completion == 67 && pool.Assessment == updatev1alpha1.AssessmentDegraded &&
			find(us, "co-etcd-2") == nil && find(us, "node-worker-1") == nil
	})
	for _, uid := range []string{"co-dns", "node-worker-0", "node-infra-0"} {
		if find(us, uid) == nil {
			t.Errorf("%s is left out", uid)
		}
	}
	if healthOf(us, "Node worker-1 is degraded") == nil {
		t.Error("the health insight of the node is left out")
	}
	for name, test := range map[string]struct {
		conditions []metav1.Condition
		want       string
	}{
		"status":        {us.Status.Conditions, "2 insights, the first is co-etcd-2: clusterOperator.name: Too long"},
		"control plane": {us.Status.ControlPlane.Conditions, "1 insight, the first is co-etcd-2: clusterOperator.name: Too long"},
		"worker":        {us.Status.WorkerPools[0].Conditions, "1 insight, the first is node-worker-1: node.message: Too long"},
	} {
		complete := meta.FindStatusCondition(test.conditions, updatev1alpha1.ConditionInsightsComplete)
		if complete == nil || complete.Status != metav1.ConditionFalse || complete.Reason != updatev1alpha1.ReasonRejected ||
			!strings.Contains(complete.Message, test.want) {
			t.Errorf("%s: %+v, want %s", name, complete, test.want)
		}
	}

	// The node's insight is rejected once, and that of the operator up to twice: it is created before it has a status.
	const contents = 3
	rejected := func() int { return len(w.controller.Refused(http.StatusUnprocessableEntity)) }
	before := rejected()
	for at := range 3 {
		name := fmt.Sprintf("o%d", at)
		w.put(builders.ClusterOperator(name, builders.OperatorVersion(newVersion), builders.Healthy(startTime)))
		w.until(name, func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "co-"+name) != nil })
	}
	if after := rejected(); before == 0 || before > contents || after != before {
		t.Errorf("%d writes were rejected, and %d after changes of others", before, after)
	}
	worker("short")
	w.remove(builders.ClusterOperator("etcd-2"))
	w.until("everything", func(us *updatev1alpha1.UpdateStatus) bool {
		return find(us, "node-worker-1") != nil && meta.IsStatusConditionTrue(us.Status.Conditions, updatev1alpha1.ConditionInsightsComplete)
	})
	if after := rejected(); after != before {
		t.Errorf("%d writes were rejected, and %d at the end", before, after)
	}
}

// TestHostileErrors: what an API server responds with neither reaches a terminal as it is, nor looks like an entry of the log.
func TestHostileErrors(t *testing.T) {
	t.Parallel()
	const hostile = "refused by a webhook\x1b[2J\nI0101 00:00:00.000000       1 run.go:1] \"All is well\"\r"
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("Content-Type", "application/json")
		response.WriteHeader(http.StatusForbidden)
		status := metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure, Code: http.StatusForbidden,
			Reason: metav1.StatusReasonForbidden, Message: hostile,
		}
		_ = json.NewEncoder(response).Encode(status)
	}))
	t.Cleanup(server.Close)
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"hostile": {Server: server.URL}},
		Contexts:       map[string]*clientcmdapi.Context{"hostile": {Cluster: "hostile"}},
		CurrentContext: "hostile",
	}, kubeconfig); err != nil {
		t.Fatal(err)
	}
	output := harness.LogFile(t, "controller")
	process, err := harness.StartProcess(t.Context(), nil, harness.ProcessOptions{Kubeconfig: kubeconfig, Logs: output})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(process.Kill)
	output.Until(t.Context(), "All is well")
	for line := range strings.Lines(output.String()) {
		if strings.ContainsAny(line, "\x1b\r") || strings.HasPrefix(line, "I0101") {
			t.Errorf("logged was %q", line)
		}
	}
}
