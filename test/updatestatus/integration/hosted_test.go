package integration_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/ptr"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hosted"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hypershift"
	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// TestHostedCluster runs the controller as manifests/hypershift deploys it, over an update of a hosted cluster of which a drain is blocked: it
// maintains its object while others edit and delete it, while the API server of the hosted cluster is away, and over its own restart; and
// on both API servers its requests are exactly those that are granted. The management cluster accepts a second hosted cluster beside it.
func TestHostedCluster(t *testing.T) {
	t.Parallel()
	p := newHostedPlay(t)
	played := hosted.Play(hosted.Script{Start: time.Now().Add(-2 * time.Hour), Pools: []hosted.Pool{
		{Name: "surge", UpgradeType: hosted.Replace, Nodes: 1, Stuck: hosted.Draining}, {Name: "metal", UpgradeType: hosted.InPlace, Nodes: 1},
	}})
	p.play(played.Before, nil)
	p.createOldRecords(12) // some are deleted
	p.blockDrain("surge-0.example.com")
	p.start()
	first := p.until("the first report", hasUpdating(metav1.ConditionFalse))
	if owners := first.OwnerReferences; len(owners) != 1 || owners[0].Kind != "HostedCluster" || owners[0].Name != hostedCluster.Name {
		t.Errorf("the owners are %+v", owners)
	}
	var before hostedObjects
	p.play(played.Update, map[string]func(){
		"component kube-apiserver is rolled out": p.killHosted,
		"the components are complete": func() {
			updating := p.until("the start of the update", hasUpdating(metav1.ConditionTrue))
			if got := updating.Summary.Versions; got.Previous != hosted.DefaultFrom || got.Target != hosted.DefaultTo {
				t.Errorf("the versions are %+v", got)
			}
			p.expectScrape()
			p.expectLease()
			p.expectRepair(updating)
			p.expectInformers()
			before = p.until("the report before a restart", hasUpdating(metav1.ConditionTrue))
			// Older API servers don't stream lists: then the controller sends list requests.
			p.environment = append(p.environment, "KUBE_FEATURE_WatchListClient=false")
			p.restart()
		},
		"the payload is complete": func() {
			after := p.until("the report after a restart", func(object hostedObjects) bool { return hasCompleted(object.Summary.ControlPlane.DataPlane) })
			expectSameTimes(t, before, after)
		},
	})
	p.until("the explained drain", func(object hostedObjects) bool {
		cp, drain := object.Summary.ControlPlane, "Node surge-0.example.com does not drain: a PodDisruptionBudget never allows a disruption"
		return cp.Assessment == updatev1alpha1.AssessmentCompleted && hasCompleted(cp.Management) && hasCompleted(cp.DataPlane) &&
			healthOf(asUpdateStatus(object.HostedClusterUpdateStatus), drain) != nil
	})
	p.stop()
	for _, problem := range p.audit() {
		t.Error(problem)
	}
	p.expectRecord()
	p.expectGathered()
	p.expectKubeconfig()
	p.expectPullRequest()
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
	var uids []string
	for _, one := range insightsOf(asUpdateStatus(object.HostedClusterUpdateStatus)) {
		uids = append(uids, one.UID)
	}
	return uids
}

// expectSameTimes checks that times stay when the controller restarts. NeedsAttention may change: what is played is two hours old, so that the
// configuration of a pool, which is missing for seconds at the start of its update, is an insight.
func expectSameTimes(t *testing.T, before, after hostedObjects) {
	t.Helper()
	for _, kind := range []string{
		updatev1alpha1.ConditionUpdating, updatev1alpha1.ConditionReconciling, updatev1alpha1.ConditionStalled,
	} {
		was, is := meta.FindStatusCondition(before.Summary.Conditions, kind), meta.FindStatusCondition(after.Summary.Conditions, kind)
		if was.Status == is.Status && !was.LastTransitionTime.Equal(&is.LastTransitionTime) {
			t.Errorf("%s has been %s since %s, and after the restart since %s", kind, is.Status, was.LastTransitionTime, is.LastTransitionTime)
		}
	}
	same := 0
	for _, was := range insightsOf(asUpdateStatus(before.HostedClusterUpdateStatus)) {
		is := find(asUpdateStatus(after.HostedClusterUpdateStatus), was.UID)
		if is == nil {
			continue
		}
		acquired := was.AcquiredAt
		if was.AcquiredAt = is.AcquiredAt; !cmp.Equal(was, is) {
			continue
		}
		same++
		if !acquired.Equal(&is.AcquiredAt) {
			t.Errorf("the insight %s is from %s, and after the restart from %s", was.UID, acquired, is.AcquiredAt)
		}
	}
	if same == 0 {
		t.Error("no insight stayed as it was")
	}
}

// expectScrape checks that the metrics are served over HTTP, and are those of the hosted cluster.
func (p *hostedPlay) expectScrape() {
	p.t.Helper()
	for path, want := range map[string]string{
		"/metrics": `update_status_updating{name="demo",namespace="clusters"} 1`, "/healthz": "ok", "/readyz": "ok",
	} {
		if _, body, err := get(p.t.Context(), nil, "http://"+p.process.Address()+path, ""); err != nil || !strings.Contains(body, want) {
			p.t.Errorf("%s has no %s, error %v:\n%s", path, want, err, body)
		}
	}
}

// expectLease checks that the lease is renewed once a minute (library-go, pkg/config/leaderelection, LeaderElectionSNOConfig).
func (p *hostedPlay) expectLease() {
	p.t.Helper()
	lease, err := kubernetes.NewForConfigOrDie(p.management.Admin()).CoordinationV1().Leases(hostedCluster.ControlPlaneNamespace).
		Get(p.t.Context(), "update-status-controller-lock", metav1.GetOptions{})
	if err != nil {
		p.t.Fatal(err)
	}
	if got := ptr.Deref(lease.Spec.LeaseDurationSeconds, 0); got != 270 {
		p.t.Errorf("the lease lasts %d s", got)
	}
}

// expectRepair checks that what others edit or delete is written again.
func (p *hostedPlay) expectRepair(before hostedObjects) {
	p.t.Helper()
	client := p.client.UpdateV1alpha1().HostedClusterUpdateStatuses(hostedCluster.Namespace)
	if err := client.Delete(p.t.Context(), hostedCluster.Name, metav1.DeleteOptions{}); err != nil {
		p.t.Fatal(err)
	}
	again := p.until("another object", func(object hostedObjects) bool {
		return object.UID != before.UID && len(object.Status.NodePools) > 0 // it is created without a status
	})
	if diff := cmp.Diff(before.Status.NodePools, again.Status.NodePools); diff != "" {
		p.t.Errorf("node pools after the object was deleted (-before +after):\n%s", diff)
	}
	edited, err := client.Patch(p.t.Context(), hostedCluster.Name, types.MergePatchType, []byte(`{"status":{"nodePools":null}}`), metav1.PatchOptions{}, "status")
	if err != nil {
		p.t.Fatal(err)
	}
	repaired := p.until("the repaired status", func(object hostedObjects) bool {
		return object.ResourceVersion != edited.ResourceVersion && len(object.Status.NodePools) > 0
	})
	if diff := cmp.Diff(before.Status.NodePools, repaired.Status.NodePools); diff != "" {
		p.t.Errorf("node pools after they were deleted (-before +after):\n%s", diff)
	}
}

// blockDrain creates a pod on a node of the hosted cluster, and a PodDisruptionBudget that never lets it go.
func (p *hostedPlay) blockDrain(node string) {
	p.t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: shop}}
	if _, err := kubernetes.NewForConfigOrDie(p.hostedWorld.hosted.Admin()).CoreV1().Namespaces().Create(p.t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		p.t.Fatal(err)
	}
	for _, object := range []simulator.Object{
		builders.Pod(shop, "db-0", builders.OnNode(node), builders.PodLabel("app", "db")),
		builders.Budget(shop, "db", map[string]string{"app": "db"}, builders.MaxUnavailablePods(intstr.FromInt32(0)), builders.Disruptions(0, 1, 1, 1)),
	} {
		if err := p.writer.Apply(p.t.Context(), hosted.Write{Object: object, IsHosted: true}); err != nil {
			p.t.Fatal(err)
		}
	}
}

// createOldRecords creates records of earlier updates.
func (p *hostedPlay) createOldRecords(count int) {
	p.t.Helper()
	for number := range count {
		err := harness.Store(p.t.Context(), p.client.UpdateV1alpha1().HostedClusterUpdateRecords(hostedCluster.Namespace), &updatev1alpha1.HostedClusterUpdateRecord{
			ObjectMeta: metav1.ObjectMeta{
				Name: fmt.Sprintf("%s-old-%d", hostedCluster.Name, number), Labels: map[string]string{updatev1alpha1.HostedClusterLabel: hostedCluster.Name},
			},
			Status: oldRecord(number),
		})
		if err != nil {
			p.t.Fatal(err)
		}
	}
}

// expectRecord checks that the update has a record, and that the oldest ones are deleted.
func (p *hostedPlay) expectRecord() {
	p.t.Helper()
	records, err := p.client.UpdateV1alpha1().HostedClusterUpdateRecords(hostedCluster.Namespace).List(p.t.Context(), metav1.ListOptions{
		LabelSelector: updatev1alpha1.HostedClusterLabel + "=" + hostedCluster.Name,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	at := slices.IndexFunc(records.Items, func(one updatev1alpha1.HostedClusterUpdateRecord) bool {
		return one.Status.Versions.Target == hosted.DefaultTo
	})
	if len(records.Items) != 10 || at < 0 {
		p.t.Fatalf("%d records: %+v", len(records.Items), records.Items)
	}
	one := records.Items[at]
	if len(one.OwnerReferences) != 1 || one.Status.Versions.Target != hosted.DefaultTo || one.Status.ControlPlane.CompletedAt == nil {
		p.t.Errorf("the record is %+v", one)
	}
}

// hasCompleted returns whether a track of the control plane has completed the update.
func hasCompleted(track *updatev1alpha1.ControlPlaneTrack) bool {
	return track != nil && track.Version == hosted.DefaultTo && track.State == updatev1alpha1.TrackCompleted
}

// expectKubeconfig checks that the kubeconfig of hack/updatestatus/hosted-kubeconfig.sh is for the hosted cluster, as the management cluster reaches it,
// and permits only what the controller reads there.
func (p *hostedPlay) expectKubeconfig() {
	t := p.t
	t.Helper()
	admin, err := p.hostedWorld.hosted.AdminKubeconfig()
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
	if _, err := kubernetes.NewForConfigOrDie(p.management.Admin()).CoreV1().Secrets(namespace).Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	command, stderr := userCommand(t, p.management, "hack/updatestatus/hosted-kubeconfig.sh", namespace, admin)
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(output)
	if err != nil {
		t.Fatal(err)
	}
	if config.Host != p.hostedWorld.hosted.Admin().Host || len(config.CertData) > 0 {
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

// expectPullRequest checks that the API server accepts what HyperShift would create with the files in manifests/hypershift/pull-request,
// beside another hosted cluster in the same namespace.
func (p *hostedPlay) expectPullRequest() {
	t := p.t
	t.Helper()
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
	if err := p.management.Create(t.Context(), objects...); err != nil {
		t.Fatal(err)
	}
	stored, err := kubernetes.NewForConfigOrDie(p.management.Admin()).AppsV1().Deployments(west.ControlPlaneNamespace).
		Get(t.Context(), controlplane.ServiceAccount.Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if arguments := stored.Spec.Template.Spec.Containers[0].Args; !slices.Contains(arguments, "--hosted-cluster=clusters/west") {
		t.Errorf("the arguments are %v", arguments)
	}
}
