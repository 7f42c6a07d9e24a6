package integration_test

import (
	"bytes"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
)

// logs take what a process writes.
type logs struct {
	lock sync.Mutex
	text bytes.Buffer
	// news is closed and replaced when there is more; nil while nobody waits.
	news chan struct{}
}

// Write is part of io.Writer.
func (l *logs) Write(content []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.news != nil {
		close(l.news)
		l.news = nil
	}
	return l.text.Write(content)
}

// state returns what was written so far, and a channel that is closed when there is more.
func (l *logs) state() (string, <-chan struct{}) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.news == nil {
		l.news = make(chan struct{})
	}
	return l.text.String(), l.news
}

// String returns what was written so far.
func (l *logs) String() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.String()
}

// TestBinary runs the built binary as the Deployment of manifests/ has it: it takes the lease, keeps the status, and at a
// SIGTERM writes what it knows, gives the lease back and ends with status 0.
func TestBinary(t *testing.T) {
	w := newWorld(t)
	w.put(small()...)
	p := w.startPod(harness.PodOptions{Name: "binary"})
	w.until("the first report", isAvailable)
	w.put(builders.ClusterOperator("dns", builders.OperatorVersion(newVersion), builders.Healthy(began)))
	w.until("a change", func(us *updatev1alpha1.UpdateStatus) bool {
		version := find(us, "cv-version")
		return version != nil && version.ClusterVersion.Completion == 100
	})
	w.stopPod(p)
	lease, err := kubernetes.NewForConfigOrDie(plane.Admin()).CoordinationV1().Leases(controlplane.Namespace).
		Get(w.ctx, "update-status-controller-lock", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if holder := lease.Spec.HolderIdentity; holder != nil && *holder != "" {
		t.Errorf("the lease is still held by %s", *holder)
	}
}
