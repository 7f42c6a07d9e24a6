package integration_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// pollInterval is how often something is read while a test waits for it.
const pollInterval = 50 * time.Millisecond

// startTime is the time of the fake clock at the start of each test.
var startTime = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// world is a cluster with a controller that watches it.
type world struct {
	t          *testing.T
	ctx        context.Context
	plane      *controlplane.ControlPlane
	writer     *playback.Writer
	kube       kubernetes.Interface
	api        *updateclient.UpdateV1alpha1Client
	client     updateclient.UpdateStatusInterface
	clock      *clocktesting.FakeClock
	controller *harness.InProcess
	observer   *harness.Observer
	summaries  *harness.ObserverOf[*updatev1alpha1.UpdateStatusSummary]
	// options are the options of the next start.
	options updatestatus.Options
	// mayBeRefused is a request that the API server may refuse, empty if there is none.
	mayBeRefused string
}

// newWorld returns an empty cluster without a running controller. The clock is stopped until a test sets it, so that each
// run writes the same.
func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldOn(t, pool.Take(t))
}

func newWorldOn(t *testing.T, plane *controlplane.ControlPlane) *world {
	t.Helper()
	writer, err := playback.NewWriter(plane.Admin())
	if err != nil {
		t.Fatal(err)
	}
	api := updateclient.NewForConfigOrDie(plane.Admin())
	return &world{
		t: t, ctx: klog.NewContext(t.Context(), harness.LogInProcess(t)), plane: plane, writer: writer, kube: kubernetes.NewForConfigOrDie(plane.Admin()),
		api: api, client: api.UpdateStatuses(), clock: clocktesting.NewFakeClock(startTime),
	}
}

// observe watches the UpdateStatus from now on.
func (w *world) observe() {
	w.t.Helper()
	if w.observer != nil {
		return
	}
	var err error
	if w.observer, err = harness.Observe(w.ctx, w.plane.Admin(), nil); err != nil {
		w.t.Fatal(err)
	}
}

// start runs the controller, and stops it at the end of the test.
func (w *world) start() {
	w.t.Helper()
	w.startAt(w.clock)
}

func (w *world) startAt(clock clock.Clock) {
	w.t.Helper()
	w.observe()
	started, err := harness.StartInProcess(context.WithoutCancel(w.ctx), w.plane, clock, w.options)
	if err != nil {
		w.t.Fatal(err)
	}
	w.controller = started
	w.t.Cleanup(w.stop)
}

// startOn runs the controller on objects, and returns its first report.
func (w *world) startOn(objects ...simulator.Object) *updatev1alpha1.UpdateStatus {
	w.t.Helper()
	w.put(objects...)
	w.start()
	return w.until("the first report", isAvailable)
}

// stop stops the controller, and fails the test if the API server has refused a request as invalid or forbidden: every
// object must pass the CRD's validation, and every request must be granted by the roles.
func (w *world) stop() {
	w.t.Helper()
	if w.controller == nil {
		return
	}
	if err := w.controller.Stop(); err != nil {
		w.t.Errorf("the controller ended with %v", err)
	}
	refused := w.controller.Refused(http.StatusBadRequest, http.StatusForbidden, http.StatusUnprocessableEntity)
	refused = slices.DeleteFunc(refused, func(request string) bool { return request == w.mayBeRefused })
	if len(refused) > 0 {
		w.t.Errorf("the API server refused %v", refused)
	}
	w.controller = nil
}

func (w *world) put(objects ...simulator.Object) {
	w.t.Helper()
	for _, object := range objects {
		if err := w.writer.Put(w.ctx, object); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) remove(objects ...simulator.Object) {
	w.t.Helper()
	for _, object := range objects {
		if err := w.writer.Remove(w.ctx, object); err != nil {
			w.t.Fatal(err)
		}
	}
}

// until waits until the UpdateStatus is as wanted.
func (w *world) until(what string, wanted func(*updatev1alpha1.UpdateStatus) bool) *updatev1alpha1.UpdateStatus {
	w.t.Helper()
	us, err := w.observer.Until(w.ctx, wanted)
	if err != nil {
		w.t.Fatalf("waiting for %s: %v", what, err)
	}
	return us
}

// await waits until a condition is met that nothing announces, as long as only a hang takes.
func (w *world) await(what string, isMet func() bool) {
	w.t.Helper()
	err := pace.Poll(w.ctx, pollInterval, harness.Stall, func(context.Context) (bool, error) { return isMet(), nil })
	if err != nil {
		w.t.Fatalf("waiting for %s: %v", what, err)
	}
}

// get returns the UpdateStatus as it is now.
func (w *world) get() *updatev1alpha1.UpdateStatus {
	w.t.Helper()
	us, err := w.client.Get(context.WithoutCancel(w.ctx), updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return us
}

// last stops the controller, and returns its last UpdateStatus. Until then it may write what settle does not compare, such
// as estimates.
func (w *world) last() *updatev1alpha1.UpdateStatus {
	w.t.Helper()
	w.stop()
	return w.get()
}

// untilVersion waits until the observer has received the UpdateStatus as it is now.
func (w *world) untilVersion(us *updatev1alpha1.UpdateStatus) {
	w.t.Helper()
	w.until("the observer", func(seen *updatev1alpha1.UpdateStatus) bool { return seen.ResourceVersion == us.ResourceVersion })
}
