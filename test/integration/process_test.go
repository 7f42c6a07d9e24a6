package integration_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
)

// logs collects the output of a process.
type logs struct {
	lock sync.Mutex
	text bytes.Buffer
	// changed is closed and replaced with each write; nil while nothing waits.
	changed chan struct{}
}

// Write implements io.Writer.
func (l *logs) Write(content []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
	return l.text.Write(content)
}

// state returns the output so far, and a channel that is closed with the next write.
func (l *logs) state() (string, <-chan struct{}) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	return l.text.String(), l.changed
}

// String returns the output so far.
func (l *logs) String() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.String()
}

// TestBinary runs the built binary as the Deployment of manifests/ specifies: it acquires the lease, writes the status, and
// on SIGTERM writes pending changes, releases the lease and exits with 0.
func TestBinary(t *testing.T) {
	w := newWorld(t)
	w.put(smallCluster()...)
	p := w.startPod(harness.PodOptions{Name: "binary"})
	w.until("the first report", isAvailable)
	w.put(builders.ClusterOperator("dns", builders.OperatorVersion(newVersion), builders.Healthy(startTime)))
	w.until("a change", func(us *updatev1alpha1.UpdateStatus) bool { return isUpdated(us, "dns") })
	w.stopPod(p)
	lease, err := kubernetes.NewForConfigOrDie(w.plane.Admin()).CoordinationV1().Leases(controlplane.Namespace).
		Get(w.ctx, "update-status-controller-lock", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if holder := lease.Spec.HolderIdentity; holder != nil && *holder != "" {
		t.Errorf("the lease is still held by %s", *holder)
	}
}

// until waits for a text in the output.
func (l *logs) until(ctx context.Context, t *testing.T, text string) {
	t.Helper()
	for {
		written, more := l.state()
		if strings.Contains(written, text) {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			t.Fatalf("waiting for %q: %v; written was:\n%s", text, context.Cause(ctx), written)
		}
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
	output := &logs{}
	process, err := harness.StartProcess(t.Context(), nil, harness.ProcessOptions{Kubeconfig: kubeconfig, Logs: output})
	if err != nil {
		t.Fatal(err)
	}
	output.until(t.Context(), t, "All is well")
	_ = process.Signal(os.Kill)
	<-process.Ended()
	for line := range strings.Lines(output.String()) {
		if strings.ContainsAny(line, "\x1b\r") || strings.HasPrefix(line, "I0101") {
			t.Errorf("logged was %q", line)
		}
	}
}
