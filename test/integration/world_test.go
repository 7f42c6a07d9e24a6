package integration_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/playback"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// timeout is the time limit of a test. It takes seconds; with the race detector on a busy machine, more.
const timeout = 2 * time.Minute

// startTime is the time of the fake clock at the start of each test.
var startTime = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// world is a cluster with a controller that watches it.
type world struct {
	t          *testing.T
	ctx        context.Context
	plane      *controlplane.ControlPlane
	writer     *playback.Writer
	client     updateclient.UpdateStatusInterface
	clock      *clocktesting.FakeClock
	controller *harness.InProcess
	observer   *harness.Observer
	// options are the options of the next start.
	options updatestatus.Options
}

// newWorld returns an empty cluster without a running controller. The clock stands still until a test sets it, so that each
// run writes the same.
func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldOn(t, pool.Take(t))
}

func newWorldOn(t *testing.T, plane *controlplane.ControlPlane) *world {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), timeout, context.DeadlineExceeded)
	t.Cleanup(cancel)
	writer, err := playback.NewWriter(plane.Admin())
	if err != nil {
		t.Fatal(err)
	}
	client, err := updateclient.NewForConfig(plane.Admin())
	if err != nil {
		t.Fatal(err)
	}
	return &world{
		t: t, ctx: ctx, plane: plane, writer: writer, client: client.UpdateStatuses(), clock: clocktesting.NewFakeClock(startTime),
	}
}

// start runs the controller, and stops it at the end of the test.
func (w *world) start() {
	w.t.Helper()
	w.startAt(w.clock)
}

func (w *world) startAt(clock clock.Clock) {
	w.t.Helper()
	if w.observer == nil {
		observer, err := harness.Observe(w.ctx, w.plane.Admin(), nil)
		if err != nil {
			w.t.Fatal(err)
		}
		w.observer = observer
	}
	started, err := harness.StartInProcess(context.WithoutCancel(w.ctx), w.plane, clock, w.options)
	if err != nil {
		w.t.Fatal(err)
	}
	w.controller = started
	w.t.Cleanup(w.stop)
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

// play plays an update up to the first write for which stop returns true, or to its end, and sets the clock to each write.
func (w *world) play(simulation *simulator.Simulation, stop func(simulator.Write) bool) (stopped bool) {
	w.t.Helper()
	player := playback.Player{Writer: w.writer, Wait: func(_ context.Context, moment time.Time) error {
		w.clock.SetTime(moment)
		return nil
	}}
	stopped, err := player.Play(w.ctx, simulation, stop)
	if err != nil {
		w.t.Fatal(err)
	}
	return stopped
}

// create creates the cluster of a simulation.
func (w *world) create(simulation *simulator.Simulation) {
	w.t.Helper()
	player := playback.Player{Writer: w.writer}
	if err := player.Create(w.ctx, simulation); err != nil {
		w.t.Fatal(err)
	}
}
