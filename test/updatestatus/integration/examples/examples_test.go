package examples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/examples/ceph"
	"github.com/openshift/cluster-version-operator/test/updatestatus/examples/clusters"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

// folder has the examples.
var folder = filepath.Join("..", "..", "examples")

var pool = controlplane.NewPool(controlplane.Options{})

func TestMain(m *testing.M) { os.Exit(pool.Main(m)) }

// kubectl runs kubectl as the administrator.
func kubectl(t *testing.T, args ...string) {
	t.Helper()
	if err := clusters.Kubectl(t.Context(), pool.Shared(t), "", args...); err != nil {
		t.Fatal(err)
	}
}

// rebuilds is what the example reports about the cluster in its folder.
var rebuilds = []updatev1alpha1.InformerInsight{{
	Name: "storage-rebuilding", Reason: "StorageRebuilding", Level: "Warning", Impact: "UpdateSpeed",
	Summary: "Ceph rebuilds 12 of 96 objects, which blocks the drain of worker-3",
	Description: "Ceph's health checks: Degraded data redundancy: 12/96 objects degraded (12.500%), " +
		"8 pgs degraded, 8 pgs undersized",
	Resources: []updatev1alpha1.ResourceRef{
		{Group: "policy", Resource: "poddisruptionbudgets", Namespace: "openshift-storage", Name: "rook-ceph-osd-host-worker-3"},
		{Group: "ceph.rook.io", Resource: "cephclusters", Namespace: "openshift-storage", Name: "ocs-storagecluster-cephcluster"},
	},
}}

// start brings the cluster of the example, and returns its program as its ServiceAccount.
func start(t *testing.T) ceph.Informer {
	t.Helper()
	informer, err := clusters.Install(t.Context(), pool.Emptied(t))
	if err != nil {
		t.Fatal(err)
	}
	kubectl(t, "apply", "--filename", filepath.Join(folder, "ceph", "testdata", "cluster.yaml"))
	return informer
}

// TestExample checks what the example reports, and that the UpdateInformer is not renewed while Rook does not check Ceph.
func TestExample(t *testing.T) {
	informer, now := start(t), time.Date(2026, 3, 2, 14, 31, 0, 0, time.UTC)
	if err := informer.Renew(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	err := informer.Renew(t.Context(), now.Add(time.Hour))
	if err == nil || !strings.Contains(err.Error(), "no check of Ceph by Rook since 2026-03-02T14:30:00Z") {
		t.Errorf("error %v", err)
	}
	read, err := versioned.NewForConfigOrDie(pool.Shared(t).Admin()).UpdateV1alpha1().UpdateInformers(clusters.Informer.Namespace).
		Get(t.Context(), clusters.Informer.Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rebuilds, read.Status.Insights); diff != "" || !read.Status.RenewedAt.Time.Equal(now) {
		t.Errorf("renewed at %s, insights (-want +got):\n%s", read.Status.RenewedAt, diff)
	}
}

// TestRun checks that the example runs as in a pod, until it is stopped.
func TestRun(t *testing.T) {
	start(t)
	if err := clusters.Put(t.Context(), pool.Shared(t), "worker-3", time.Now()); err != nil {
		t.Fatal(err)
	}
	config, err := pool.Shared(t).As(t.Context(), clusters.Account)
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig, err := pool.Shared(t).KubeconfigOf(clusters.Account.Name, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBECONFIG", kubeconfig)
	ctx, cancel := pace.WithTimeout(t.Context(), harness.Stall)
	defer cancel()
	changes, err := versioned.NewForConfigOrDie(pool.Shared(t).Admin()).UpdateV1alpha1().UpdateInformers(clusters.Informer.Namespace).Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer changes.Stop()
	ended := make(chan error, 1)
	go func() { ended <- ceph.Run(ctx) }()
	if renewed := awaitRenewed(changes); renewed == nil || len(renewed.Status.Insights) != len(rebuilds) {
		t.Errorf("renewed: %v", renewed)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
