package controlplane_test

import (
	"net"
	"net/url"
	"os"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
)

var pool = controlplane.NewPool(controlplane.Options{})

func TestMain(m *testing.M) { os.Exit(pool.Main(m)) }

// TestReset: a lease is kept under a controller that runs on, and deleted with all else.
func TestReset(t *testing.T) {
	plane, ctx := pool.Shared(t), t.Context()
	leases := kubernetes.NewForConfigOrDie(plane.Admin()).CoordinationV1().Leases(controlplane.Namespace)
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "held"}}
	if _, err := leases.Create(ctx, lease, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := plane.ResetUnder(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := leases.Get(ctx, lease.Name, metav1.GetOptions{}); err != nil {
		t.Errorf("the lease of who runs on is gone: %v", err)
	}
	if err := plane.Reset(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := leases.Get(ctx, lease.Name, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("a lease is left: %v", err)
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
