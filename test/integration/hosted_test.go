package integration_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/ptr"

	configv1 "github.com/openshift/api/config/v1"
	configclient "github.com/openshift/client-go/config/clientset/versioned"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/hypershift"
	"github.com/openshift/cluster-version-operator/test/manifests"
	"github.com/openshift/cluster-version-operator/test/playback"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

const hostedFrom, hostedTo = "4.22.3", "4.22.4"

// hostedUpdate are the objects of a hosted cluster and what changes in them in an update, in which they are at first complete.
type hostedUpdate struct {
	*hostedWorld

	hc, component, pool *unstructured.Unstructured
	// release has the images of versions.
	release map[string]string
}

func newHostedUpdate(t *testing.T) *hostedUpdate {
	t.Helper()
	found := hostedSamples(t)
	u := &hostedUpdate{
		hostedWorld: newHostedWorld(t), hc: found["HostedCluster"], component: found["ControlPlaneComponent"], pool: found["NodePool"],
		release: map[string]string{},
	}
	history, _, err := unstructured.NestedSlice(u.hc.Object, "status", "version", "history")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range history {
		fields := entry.(map[string]any)
		u.release[fields["version"].(string)] = fields["image"].(string)
	}
	for _, object := range []*unstructured.Unstructured{u.hc, u.pool} {
		unstructured.RemoveNestedField(object.Object, "spec", "pausedUntil")
	}
	return u
}

// image returns the part of a spec that has a release.
func (u *hostedUpdate) image(version string) map[string]any {
	return map[string]any{"image": u.release[version]}
}

func (u *hostedUpdate) entry(state, version, started string, completed any) map[string]any {
	return map[string]any{
		"state": state, "version": version, "image": u.release[version], "startedTime": started, "completionTime": completed, "verified": false,
	}
}

// track is a version and its history, the newest entry first.
func (u *hostedUpdate) track(version string, history ...any) map[string]any {
	return map[string]any{
		"desired": map[string]any{"version": version, "image": u.release[version]}, "history": history, "observedGeneration": int64(1), "availableUpdates": []any{},
	}
}

// createAll creates the hosted cluster, complete at the version before.
func (u *hostedUpdate) createAll() {
	u.t.Helper()
	before := u.track(hostedFrom, u.entry("Completed", hostedFrom, "2026-08-01T08:00:00Z", "2026-08-01T08:11:00Z"))
	u.set(u.hc, u.image(hostedFrom), "spec", "release")
	unstructured.RemoveNestedField(u.hc.Object, "spec", "controlPlaneRelease")
	u.set(u.hc, before, "status", "version")
	u.set(u.hc, before, "status", "controlPlaneVersion")
	u.set(u.component, hostedFrom, "status", "version")
	u.set(u.pool, u.image(hostedFrom), "spec", "release")
	u.set(u.pool, hostedFrom, "status", "version")
	u.set(u.pool, []any{}, "status", "conditions")
	for _, object := range []*unstructured.Unstructured{u.hc, u.component, u.pool} {
		u.create(object)
	}
	for _, kind := range []string{"MachineDeployment", "MachineSet", "Machine"} {
		object := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": kind, "metadata": map[string]any{
				"namespace": hostedCluster.ControlPlaneNamespace, "name": u.pool.GetName(), "finalizers": []any{"machine.cluster.x-k8s.io"},
				"annotations": map[string]any{"hypershift.openshift.io/nodePool": hostedCluster.Namespace + "/" + u.pool.GetName()},
			},
			"spec":   map[string]any{"version": hostedFrom, "template": map[string]any{"spec": map[string]any{"version": hostedFrom}}},
			"status": map[string]any{"phase": "Running", "nodeRef": map[string]any{"name": "a"}},
		}}
		u.create(object)
	}
	operator := builders.ClusterOperator("network", builders.Healthy(startTime), builders.OperatorVersion(hostedFrom))
	operators := configclient.NewForConfigOrDie(u.hosted.Admin()).ConfigV1().ClusterOperators()
	created, err := operators.Create(u.t.Context(), operator, metav1.CreateOptions{})
	if err != nil {
		u.t.Fatal(err)
	}
	created.Status = operator.Status
	if _, err := operators.UpdateStatus(u.t.Context(), created, metav1.UpdateOptions{}); err != nil {
		u.t.Fatal(err)
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"hypershift.openshift.io/nodePool": u.pool.GetName()}}}
	if _, err := kubernetes.NewForConfigOrDie(u.hosted.Admin()).CoreV1().Nodes().Create(u.t.Context(), node, metav1.CreateOptions{}); err != nil {
		u.t.Fatal(err)
	}
}

func (u *hostedUpdate) set(object *unstructured.Unstructured, value any, path ...string) {
	u.t.Helper()
	if err := unstructured.SetNestedField(object.Object, value, path...); err != nil {
		u.t.Fatal(err)
	}
}

// setTracks sets both tracks of the HostedCluster to the update, in a state.
func (u *hostedUpdate) setTracks(state string, completed any) {
	u.t.Helper()
	before := u.entry("Completed", hostedFrom, "2026-08-01T08:00:00Z", "2026-08-01T08:11:00Z")
	now := u.track(hostedTo, u.entry(state, hostedTo, "2026-08-20T10:00:00Z", completed), before)
	u.patch(u.hc, map[string]any{"/status/version": now, "/status/controlPlaneVersion": now})
}

func hasUpdating(status metav1.ConditionStatus) func(hostedObjects) bool {
	return func(object hostedObjects) bool {
		updating := meta.FindStatusCondition(object.Summary.Conditions, updatev1alpha1.ConditionUpdating)
		return updating != nil && updating.Status == status && hasReason(updatev1alpha1.ReasonAsExpected)(object)
	}
}

// hasReason returns whether everything is reported, for a reason that says what it lacks.
func hasReason(reason string) func(hostedObjects) bool {
	return func(object hostedObjects) bool {
		available := meta.FindStatusCondition(object.Status.Conditions, updatev1alpha1.ConditionAvailable)
		return available != nil && available.Status == metav1.ConditionTrue && available.Reason == reason
	}
}

// hostedUIDs returns the uids of all insights of the object.
func hostedUIDs(object hostedObjects) []string {
	informers := object.Status.ControlPlane.Informers
	for _, pool := range object.Status.NodePools {
		informers = append(informers, pool.Informers...)
	}
	var uids []string
	for _, informer := range informers {
		for _, one := range informer.Insights {
			uids = append(uids, one.UID)
		}
	}
	return uids
}

// TestHostedCluster runs the controller as manifests/hypershift deploys it, over an update of a hosted cluster: it maintains its
// object while others edit and delete it, while the API server of the hosted cluster is away, and over its own restart; and on both
// API servers its requests are exactly those that are granted.
func TestHostedCluster(t *testing.T) {
	t.Parallel()
	u := newHostedUpdate(t)
	u.createAll()
	u.createOldRecords(12) // some are deleted
	u.start()
	first := u.until("the first report", hasUpdating(metav1.ConditionFalse))
	if owners := first.OwnerReferences; len(owners) != 1 || owners[0].Kind != "HostedCluster" || owners[0].Name != hostedCluster.Name {
		t.Errorf("the owners are %+v", owners)
	}

	u.patch(u.hc, map[string]any{"/spec/release": u.image(hostedTo)})
	u.setTracks("Partial", nil)
	updating := u.until("the start of the update", hasUpdating(metav1.ConditionTrue))
	if got := updating.Summary.Versions; got.Previous != hostedFrom || got.Target != hostedTo {
		t.Errorf("the versions are %+v", got)
	}

	u.expectScrape()
	u.expectLease()
	u.expectRepair(updating)
	u.expectHostedAway(updating)
	u.expectRestart(updating)

	u.patch(u.component, map[string]any{"/status/version": hostedTo})
	u.setTracks("Completed", "2026-08-20T10:31:00Z")
	u.patch(u.pool, map[string]any{"/spec/release": u.image(hostedTo)})
	u.expectDrain()
	u.patch(u.pool, map[string]any{"/status/version": hostedTo})
	u.until("the end of the update of the control plane", func(object hostedObjects) bool {
		cp := object.Summary.ControlPlane
		return cp.Assessment == updatev1alpha1.AssessmentCompleted && hasCompleted(cp.Management) && hasCompleted(cp.DataPlane)
	})
	if err := u.process.Stop(); err != nil {
		t.Errorf("the controller ended with %v", err)
	}
	u.expectRecord()
	for _, problem := range u.audit() {
		t.Error(problem)
	}
	if text, _ := u.logs.state(); strings.Contains(text, "level=error") || strings.Contains(text, "\nE") {
		t.Errorf("errors in the log:\n%s", text)
	}
}

// expectScrape checks that the metrics are served over HTTP, and are those of the hosted cluster.
func (u *hostedUpdate) expectScrape() {
	u.t.Helper()
	for path, want := range map[string]string{
		"/metrics": `update_status_updating{name="demo",namespace="clusters"} 1`, "/healthz": "ok", "/readyz": "ok",
	} {
		request, err := http.NewRequestWithContext(u.t.Context(), http.MethodGet, "http://"+u.process.Address()+path, http.NoBody)
		if err != nil {
			u.t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			u.t.Fatal(err)
		}
		content, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || !strings.Contains(string(content), want) {
			u.t.Errorf("%s has no %s, error %v:\n%s", path, want, err, content)
		}
	}
}

// expectLease checks that the lease is renewed once a minute (library-go, pkg/config/leaderelection, LeaderElectionSNOConfig).
func (u *hostedUpdate) expectLease() {
	u.t.Helper()
	lease, err := kubernetes.NewForConfigOrDie(u.management.Admin()).CoordinationV1().Leases(hostedCluster.ControlPlaneNamespace).
		Get(u.t.Context(), "update-status-controller-lock", metav1.GetOptions{})
	if err != nil {
		u.t.Fatal(err)
	}
	if got := ptr.Deref(lease.Spec.LeaseDurationSeconds, 0); got != 270 {
		u.t.Errorf("the lease lasts %d s", got)
	}
}

// expectRepair checks that what others edit or delete is written again.
func (u *hostedUpdate) expectRepair(before hostedObjects) {
	u.t.Helper()
	client := u.client.UpdateV1alpha1().HostedClusterUpdateStatuses(hostedCluster.Namespace)
	if err := client.Delete(u.t.Context(), hostedCluster.Name, metav1.DeleteOptions{}); err != nil {
		u.t.Fatal(err)
	}
	again := u.until("another object", func(object hostedObjects) bool {
		return object.UID != before.UID && len(object.Status.NodePools) > 0 // it is created without a status
	})
	if diff := cmp.Diff(before.Status.NodePools, again.Status.NodePools); diff != "" {
		u.t.Errorf("node pools after the object was deleted (-before +after):\n%s", diff)
	}
	edited, err := client.Patch(u.t.Context(), hostedCluster.Name, types.MergePatchType, []byte(`{"status":{"nodePools":null}}`), metav1.PatchOptions{}, "status")
	if err != nil {
		u.t.Fatal(err)
	}
	repaired := u.until("the repaired status", func(object hostedObjects) bool {
		return object.ResourceVersion != edited.ResourceVersion && len(object.Status.NodePools) > 0
	})
	if diff := cmp.Diff(before.Status.NodePools, repaired.Status.NodePools); diff != "" {
		u.t.Errorf("node pools after they were deleted (-before +after):\n%s", diff)
	}
}

// expectHostedAway checks that all insights stay while the API server of the hosted cluster is away, that the object says so, and
// that it is confirmed all the same.
func (u *hostedUpdate) expectHostedAway(before hostedObjects) {
	u.t.Helper()
	u.killHosted()
	away := u.until("the hosted cluster to be away", hasReason(updatev1alpha1.ReasonHostedClusterUnreachable))
	if diff := cmp.Diff(hostedUIDs(before), hostedUIDs(away)); diff != "" {
		u.t.Errorf("insights while the hosted cluster is away (-before +after):\n%s", diff)
	}
	u.reviveHosted()
	u.until("the hosted cluster to be back", hasReason(updatev1alpha1.ReasonAsExpected))
	u.setOperatorVersion(hostedTo)
	u.until("news from the hosted cluster", func(object hostedObjects) bool {
		operators := object.Summary.ControlPlane.Operators
		return operators.Updated == 1
	})
}

// expectDrain checks that a drain that takes long is explained by the pods of the hosted cluster.
func (u *hostedUpdate) expectDrain() {
	u.t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: shop}}
	if _, err := kubernetes.NewForConfigOrDie(u.hosted.Admin()).CoreV1().Namespaces().Create(u.t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		u.t.Fatal(err)
	}
	writer, err := playback.NewWriter(u.hosted.Admin())
	if err != nil {
		u.t.Fatal(err)
	}
	for _, object := range []simulator.Object{
		builders.Pod(shop, "db-0", builders.OnNode("a"), builders.PodLabel("app", "db")),
		builders.Budget(shop, "db", map[string]string{"app": "db"}, builders.MaxUnavailablePods(intstr.FromInt32(0)), builders.Disruptions(0, 1, 1, 1)),
	} {
		if err := writer.Put(u.t.Context(), object); err != nil {
			u.t.Fatal(err)
		}
	}
	machine := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "Machine",
		"metadata": map[string]any{"namespace": hostedCluster.ControlPlaneNamespace, "name": u.pool.GetName()},
	}}
	if err := u.resource(machine).Delete(u.t.Context(), machine.GetName(), metav1.DeleteOptions{}); err != nil {
		u.t.Fatal(err)
	}
	u.patch(machine, map[string]any{"/status/phase": "Deleting", "/status/deletion": map[string]any{"nodeDrainStartTime": "2026-08-20T10:32:00Z"}})
	u.until("the explained drain", func(object hostedObjects) bool {
		for _, one := range insight.ReadAll(insight.FromHosted(&object.Status)).Health {
			if one.Health.Impact.Summary == "Node a does not drain: a PodDisruptionBudget never allows a disruption" {
				return true
			}
		}
		return false
	})
}

func (u *hostedUpdate) setOperatorVersion(version string) {
	u.t.Helper()
	operators := configclient.NewForConfigOrDie(u.hosted.Admin()).ConfigV1().ClusterOperators()
	operator, err := operators.Get(u.t.Context(), "network", metav1.GetOptions{})
	if err != nil {
		u.t.Fatal(err)
	}
	operator.Status.Versions = []configv1.OperandVersion{{Name: "operator", Version: version}}
	if _, err := operators.UpdateStatus(u.t.Context(), operator, metav1.UpdateOptions{}); err != nil {
		u.t.Fatal(err)
	}
}

// expectRestart checks that times stay when the controller restarts.
func (u *hostedUpdate) expectRestart(updating hostedObjects) {
	u.t.Helper()
	// Older API servers don't stream lists: then the controller sends list requests.
	u.environment = append(u.environment, "KUBE_FEATURE_WatchListClient=false")
	u.restart()
	u.patch(u.component, map[string]any{"/status/conditions": []any{map[string]any{
		"type": "Available", "status": "False", "reason": "NotFound", "message": "after the restart", "lastTransitionTime": "2026-08-20T10:20:00Z",
	}}})
	after := u.until("a report after the restart", func(object hostedObjects) bool {
		for _, one := range object.Status.ControlPlane.Informers[0].Insights {
			if component := one.ControlPlaneComponent; component != nil {
				return meta.IsStatusConditionFalse(component.Conditions, updatev1alpha1.ConditionHealthy)
			}
		}
		return false
	})
	for _, kind := range []string{
		updatev1alpha1.ConditionUpdating, updatev1alpha1.ConditionNeedsAttention, updatev1alpha1.ConditionReconciling, updatev1alpha1.ConditionStalled,
	} {
		was, is := meta.FindStatusCondition(updating.Summary.Conditions, kind), meta.FindStatusCondition(after.Summary.Conditions, kind)
		if was.Status == is.Status && !was.LastTransitionTime.Equal(&is.LastTransitionTime) {
			u.t.Errorf("%s has been %s since %s, and after the restart since %s", kind, is.Status, was.LastTransitionTime, is.LastTransitionTime)
		}
	}
	acquired := func(object hostedObjects) metav1.Time {
		return object.Status.NodePools[0].Informers[0].Insights[0].AcquiredAt
	}
	if was, is := acquired(updating), acquired(after); !was.Equal(&is) {
		u.t.Errorf("the insight of the pool is from %s, and after the restart from %s", was, is)
	}
}

// createOldRecords creates records of earlier updates.
func (u *hostedUpdate) createOldRecords(count int) {
	u.t.Helper()
	records := u.client.UpdateV1alpha1().HostedClusterUpdateRecords(hostedCluster.Namespace)
	for at := range count {
		created, err := records.Create(u.t.Context(), &updatev1alpha1.HostedClusterUpdateRecord{ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("%s-old-%d", hostedCluster.Name, at), Labels: map[string]string{updatev1alpha1.HostedClusterLabel: hostedCluster.Name},
		}}, metav1.CreateOptions{})
		if err != nil {
			u.t.Fatal(err)
		}
		started := metav1.NewTime(startTime.AddDate(-1, 0, at))
		created.Status = updatev1alpha1.UpdateRecordStatus{
			RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &started}, Result: updatev1alpha1.ResultSuperseded,
			Versions: updatev1alpha1.SummaryVersions{Target: "4.21.0"},
		}
		if _, err := records.UpdateStatus(u.t.Context(), created, metav1.UpdateOptions{}); err != nil {
			u.t.Fatal(err)
		}
	}
}

// expectRecord checks that the update has a record, and that the oldest ones are deleted.
func (u *hostedUpdate) expectRecord() {
	u.t.Helper()
	records, err := u.client.UpdateV1alpha1().HostedClusterUpdateRecords(hostedCluster.Namespace).List(u.t.Context(), metav1.ListOptions{
		LabelSelector: updatev1alpha1.HostedClusterLabel + "=" + hostedCluster.Name,
	})
	if err != nil {
		u.t.Fatal(err)
	}
	at := slices.IndexFunc(records.Items, func(one updatev1alpha1.HostedClusterUpdateRecord) bool {
		return one.Name == hostedCluster.Name+"-20260820-100000-"+hostedTo
	})
	if len(records.Items) != 10 || at < 0 {
		u.t.Fatalf("%d records: %+v", len(records.Items), records.Items)
	}
	one := records.Items[at]
	if len(one.OwnerReferences) != 1 || one.Status.Versions.Target != hostedTo || one.Status.ControlPlane.CompletedAt == nil ||
		!hasCompleted(one.Status.Management) || !hasCompleted(one.Status.DataPlane) {
		u.t.Errorf("the record is %+v", one)
	}
}

// hasCompleted returns whether a track of the control plane has completed the update.
func hasCompleted(track *updatev1alpha1.ControlPlaneTrack) bool {
	return track != nil && track.Version == hostedTo && track.State == updatev1alpha1.TrackCompleted
}

// TestHostedKubeconfig: the kubeconfig of hack/hosted-kubeconfig.sh is for the hosted cluster, as the management cluster reaches it, and
// permits only what the controller reads there.
func TestHostedKubeconfig(t *testing.T) {
	t.Parallel()
	w := newHostedWorld(t)
	admin, err := w.hosted.AdminKubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(admin)
	if err != nil {
		t.Fatal(err)
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "service-network-admin-kubeconfig"}, Data: map[string][]byte{"kubeconfig": content},
	}
	namespace := hostedCluster.ControlPlaneNamespace
	if _, err := kubernetes.NewForConfigOrDie(w.management.Admin()).CoreV1().Secrets(namespace).Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	command, stderr := userCommand(t, w.management, "hack/hosted-kubeconfig.sh", namespace, admin)
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(output)
	if err != nil {
		t.Fatal(err)
	}
	if config.Host != w.hosted.Admin().Host || len(config.CertData) > 0 {
		t.Errorf("it is for %s, and has the certificate %q", config.Host, config.CertData)
	}
	kube := kubernetes.NewForConfigOrDie(config)
	if _, err := kube.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Errorf("nodes can't be listed: %v", err)
	}
	if _, err := kube.CoreV1().Secrets(metav1.NamespaceAll).List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("secrets are listed: %v", err)
	}
}

// TestPullRequest: the API server accepts what HyperShift would create with the files in manifests/hypershift/pull-request, beside another
// hosted cluster in the same namespace.
func TestPullRequest(t *testing.T) {
	t.Parallel()
	plane := pool.Start(t, controlplane.Options{Bare: true, Hosted: true})
	if err := plane.InstallHyperShift(t.Context(), hostedCluster); err != nil {
		t.Fatal(err)
	}
	west := manifests.Hosted{Namespace: hostedCluster.Namespace, Name: "west", ControlPlaneNamespace: "clusters-west", Image: image}
	rendered, err := hypershift.Render(repositoryRoot(t), west, hypershift.HostedControlPlane(west))
	if err != nil {
		t.Fatal(err)
	}
	objects := []manifests.Object{&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: west.ControlPlaneNamespace}}}
	for _, object := range rendered {
		objects = append(objects, object)
	}
	for _, object := range objects {
		kinds, _, err := scheme.Scheme.ObjectKinds(object)
		if err == nil { // those of monitoring are read from files, which have it
			object.GetObjectKind().SetGroupVersionKind(kinds[0])
		}
	}
	if err := plane.Create(t.Context(), objects...); err != nil {
		t.Fatal(err)
	}
	stored, err := kubernetes.NewForConfigOrDie(plane.Admin()).AppsV1().Deployments(west.ControlPlaneNamespace).
		Get(t.Context(), controlplane.ServiceAccount.Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if arguments := stored.Spec.Template.Spec.Containers[0].Args; !slices.Contains(arguments, "--hosted-cluster=clusters/west") {
		t.Errorf("the arguments are %v", arguments)
	}
}
