package examples_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/examples/ceph"
	"github.com/openshift/cluster-version-operator/test/examples/livemigration"
	"github.com/openshift/cluster-version-operator/test/examples/updateinformer"
)

func ref(group, resource, namespace, name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Group: group, Resource: resource, Namespace: namespace, Name: name}
}

// example is one of the examples, with what it reports about the cluster in its folder.
type example struct {
	create   func(*rest.Config) (updateinformer.Informer, error)
	informer types.NamespacedName
	cluster  string
	want     []updatev1alpha1.InformerInsight
}

var (
	now       = time.Date(2026, 3, 2, 14, 31, 0, 0, time.UTC)
	budgets   = "poddisruptionbudgets"
	rebuilder = example{
		create: ceph.New, informer: types.NamespacedName{Namespace: "openshift-storage", Name: "ceph"}, cluster: "cluster.yaml",
		want: []updatev1alpha1.InformerInsight{{
			Name: "storage-rebuilding", Reason: "StorageRebuilding", Level: "Warning", Impact: "UpdateSpeed",
			Summary: "Ceph rebuilds 12 of 96 objects, which blocks the drain of worker-3",
			Description: "Ceph's health checks: Degraded data redundancy: 12/96 objects degraded (12.500%), " +
				"8 pgs degraded, 8 pgs undersized",
			Resources: []updatev1alpha1.ResourceRef{
				ref("policy", budgets, "openshift-storage", "rook-ceph-osd-host-worker-3"),
				ref("ceph.rook.io", "cephclusters", "openshift-storage", "ocs-storagecluster-cephcluster"),
			},
		}},
	}
	migrator = example{
		create: livemigration.New, informer: types.NamespacedName{Namespace: "openshift-cnv", Name: "live-migration"}, cluster: "machines.yaml",
		want: []updatev1alpha1.InformerInsight{{
			Name: "not-migratable-worker-3-71f92f07", Reason: "VirtualMachineNotMigratable", Level: "Warning", Impact: "UpdateStalled",
			Summary:     "1 virtual machine on node worker-3 can't migrate, which blocks its drain: shop/legacy",
			Description: "Shut them down, or make them migratable: shop/legacy (VMI uses a PCI host devices)",
			Resources:   []updatev1alpha1.ResourceRef{ref("", "nodes", "", "worker-3"), ref("policy", budgets, "shop", "kubevirt-disruption-budget-hmmgd")},
		}, {
			Name: "migrating-worker-3-71f92f07", Reason: "VirtualMachinesMigrating", Level: "Info", Impact: "UpdateSpeed",
			Summary:     "2 virtual machines to migrate off node worker-3, 1 migrating now",
			Description: "shop/cache waits; shop/db is migrating",
			Resources:   []updatev1alpha1.ResourceRef{ref("", "nodes", "", "worker-3"), ref("policy", budgets, "shop", "kubevirt-disruption-budget-4bdn8")},
		}},
	}
	examples = map[string]example{"ceph": rebuilder, "livemigration": migrator}
)

// start brings the cluster of an example, and returns the client configuration of its ServiceAccount.
func (e example) start(t *testing.T, name string) *rest.Config {
	t.Helper()
	dir := filepath.Join(folder, name)
	t.Cleanup(func() {
		if err := pool.Shared(t).Reset(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	kubectl(t, "", "apply", "--filename", filepath.Join(dir, "testdata", "crd.yaml"))
	kubectl(t, "", "wait", "--for=condition=Established", "--filename", filepath.Join(dir, "testdata", "crd.yaml"))
	config := install(t, filepath.Join(dir, "rbac.yaml"), types.NamespacedName{Namespace: e.informer.Namespace, Name: "update-informer"}, e.informer)
	kubectl(t, "", "apply", "--filename", filepath.Join(dir, "testdata", e.cluster))
	return config
}

// TestExamples checks what each example reports as its ServiceAccount.
func TestExamples(t *testing.T) {
	for name, example := range examples {
		t.Run(name, func(t *testing.T) {
			informer, err := example.create(example.start(t, name))
			if err != nil {
				t.Fatal(err)
			}
			if err := informer.Renew(t.Context(), now); err != nil {
				t.Fatal(err)
			}
			status := readInformer(t, example.informer).Status
			if diff := cmp.Diff(example.want, status.Insights); diff != "" || !status.RenewedAt.Time.Equal(now) {
				t.Errorf("renewed at %s, insights (-want +got):\n%s", status.RenewedAt, diff)
			}
		})
	}
}

// TestRookStops checks that the UpdateInformer is not renewed while Rook does not check Ceph.
func TestRookStops(t *testing.T) {
	informer, err := ceph.New(rebuilder.start(t, "ceph"))
	if err != nil {
		t.Fatal(err)
	}
	if err := informer.Renew(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	err = informer.Renew(t.Context(), now.Add(time.Hour))
	if err == nil || !strings.Contains(err.Error(), "no check of Ceph by Rook since 2026-03-02T14:30:00Z") {
		t.Errorf("error %v", err)
	}
	if at := readInformer(t, rebuilder.informer).Status.RenewedAt; !at.Time.Equal(now) {
		t.Errorf("renewed at %s", at)
	}
}

// TestRun checks that an example runs as in a pod, until it is stopped.
func TestRun(t *testing.T) {
	config := migrator.start(t, "livemigration")
	kubeconfig, err := pool.Shared(t).KubeconfigOf("update-informer", config)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBECONFIG", kubeconfig)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	changes, err := versioned.NewForConfigOrDie(pool.Shared(t).Admin()).UpdateV1alpha1().UpdateInformers(migrator.informer.Namespace).Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer changes.Stop()
	ended := make(chan error, 1)
	go func() { ended <- updateinformer.Run(ctx, livemigration.New) }()
	if renewed := awaitRenewed(changes); renewed == nil || len(renewed.Status.Insights) != len(migrator.want) {
		t.Errorf("renewed: %v", renewed)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
