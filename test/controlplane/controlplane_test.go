package controlplane_test

import (
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"

	configclient "github.com/openshift/client-go/config/clientset/versioned"
	machineconfigclient "github.com/openshift/client-go/machineconfiguration/clientset/versioned"

	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
)

var pool = controlplane.NewPool(controlplane.Options{})

func TestMain(m *testing.M) { os.Exit(pool.Main(m)) }

func TestServiceAccountPermissions(t *testing.T) {
	plane := pool.Shared(t)
	ctx := t.Context()
	config, err := plane.As(ctx, controlplane.ServiceAccount)
	if err != nil {
		t.Fatal(err)
	}
	client := configclient.NewForConfigOrDie(config).ConfigV1()
	if _, err := client.ClusterOperators().List(ctx, metav1.ListOptions{}); err != nil {
		t.Errorf("it may not list the cluster operators: %v", err)
	}
	operator := builders.ClusterOperator("etcd")
	if _, err := client.ClusterOperators().Create(ctx, operator, metav1.CreateOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("it may create a cluster operator: %v", err)
	}

	kube := kubernetes.NewForConfigOrDie(config)
	named := metav1.ListOptions{FieldSelector: "metadata.name=machine-config-operator"}
	deployments := kube.AppsV1().Deployments(controlplane.MachineConfigNamespace)
	if watch, err := deployments.Watch(ctx, named); err != nil {
		t.Errorf("it may not watch the one deployment: %v", err)
	} else {
		watch.Stop()
	}
	if _, err := deployments.Watch(ctx, metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("it may watch all deployments: %v", err)
	}
	if _, err := kube.CoreV1().Secrets("").List(ctx, metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("it may list secrets: %v", err)
	}
	statuses := updateclient.NewForConfigOrDie(config).UpdateV1alpha1().UpdateStatuses()
	if err := statuses.Delete(ctx, "cluster", metav1.DeleteOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("it may delete the UpdateStatus: %v", err)
	}
}

func TestKubeconfig(t *testing.T) {
	plane := pool.Shared(t)
	path, err := plane.Kubeconfig(t.Context(), controlplane.ServiceAccount)
	if err != nil {
		t.Fatal(err)
	}
	output, err := exec.CommandContext(t.Context(), plane.Kubectl(), "--kubeconfig", path, "auth", "whoami").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	want := "system:serviceaccount:openshift-update-status-controller:update-status-controller"
	if !strings.Contains(string(output), want) {
		t.Errorf("kubectl is not %s:\n%s", want, output)
	}
}

func TestReset(t *testing.T) {
	plane := pool.Shared(t)
	ctx := t.Context()
	config := configclient.NewForConfigOrDie(plane.Admin()).ConfigV1()
	kube := kubernetes.NewForConfigOrDie(plane.Admin())
	if _, err := config.ClusterOperators().Create(ctx, builders.ClusterOperator("etcd"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := kube.CoreV1().Nodes().Create(ctx, builders.Node("a"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}

	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "held", Namespace: controlplane.Namespace}}
	if _, err := kube.CoordinationV1().Leases(lease.Namespace).Create(ctx, lease, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}

	if err := plane.ResetUnder(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := kube.CoordinationV1().Leases(lease.Namespace).Get(ctx, lease.Name, metav1.GetOptions{}); err != nil {
		t.Errorf("the lease of who runs on is gone: %v", err)
	}
	if err := plane.Reset(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := kube.CoordinationV1().Leases(lease.Namespace).Get(ctx, lease.Name, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("a lease is left: %v", err)
	}
	operators, err := config.ClusterOperators().List(ctx, metav1.ListOptions{})
	if err != nil || len(operators.Items) > 0 {
		t.Errorf("cluster operators are left: %v %v", operators, err)
	}
	nodes, err := kube.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil || len(nodes.Items) > 0 {
		t.Errorf("nodes are left: %v %v", nodes, err)
	}
}

func TestOptionsWithout(t *testing.T) {
	ctx := t.Context()
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	pools := schema.GroupResource{Group: "machineconfiguration.openshift.io", Resource: "machineconfigpools"}
	another, err := controlplane.Start(ctx, controlplane.Options{Without: []schema.GroupResource{pools}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := another.Stop(); err != nil {
			t.Error(err)
		}
	})

	client := machineconfigclient.NewForConfigOrDie(another.Admin()).MachineconfigurationV1()
	if _, err := client.MachineConfigPools().List(ctx, metav1.ListOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("pools are there: %v", err)
	}
	if _, err := client.MachineConfigs().List(ctx, metav1.ListOptions{}); err != nil {
		t.Errorf("machine configs are not there: %v", err)
	}
	if err := another.Reset(ctx); err != nil {
		t.Errorf("reset: %v", err)
	}
	if err := another.Install(ctx, pools); err != nil {
		t.Fatal(err)
	}
	if _, err := client.MachineConfigPools().List(ctx, metav1.ListOptions{}); err != nil {
		t.Errorf("pools are not there after they were installed: %v", err)
	}

	if err := another.Stop(); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(temporary, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("files are left: %v %v", left, err)
	}
	infrastructures := configclient.NewForConfigOrDie(another.Admin()).ConfigV1().Infrastructures()
	if _, err := infrastructures.Get(ctx, "cluster", metav1.GetOptions{}); err == nil || apierrors.IsNotFound(err) {
		t.Errorf("the API server still answers: %v", err)
	}
}

// TestPortsAreReserved: an API server that was killed comes back where it was, since nobody else is given its port.
func TestPortsAreReserved(t *testing.T) {
	plane := pool.Shared(t)
	server, err := url.Parse(plane.Admin().Host)
	if err != nil {
		t.Fatal(err)
	}
	address := server.Host
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	// The system takes them at random: of so many one is low.
	for range 100 {
		if connection := outgoing(t, address); resolved.Port >= connection.Port {
			t.Fatalf("port %d may become one of a connection, as %d did", resolved.Port, connection.Port)
		}
	}
	if err := plane.Kill(t.Context(), controlplane.APIServer); err != nil {
		t.Fatal(err)
	}
	var anybody net.ListenConfig
	if another, err := anybody.ListenPacket(t.Context(), "udp", address); err == nil {
		t.Error("another control plane would take the port", another.Close())
	}
	if err := plane.Revive(t.Context(), controlplane.APIServer); err != nil {
		t.Fatal(err)
	}
}

// outgoing returns the port that the system gives to a connection.
func outgoing(t *testing.T, address string) *net.TCPAddr {
	t.Helper()
	var dialer net.Dialer
	connection, err := dialer.DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	return connection.LocalAddr().(*net.TCPAddr)
}
