package faults

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/invariants"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

const (
	// Patience is how long the object may be stale after what went wrong is over.
	Patience = 10 * time.Second
	// RepeatedPatience is how long it may be stale if watches failed again and again.
	RepeatedPatience = time.Minute

	// settling is how long the first status of a cluster may take, and the last one be looked for to tell what is wrong.
	settling = time.Minute
	// polling is how often the object is looked at.
	polling = 100 * time.Millisecond
	// writing is how long a write of the cluster's own components is tried: longer than the API server is away.
	writing = 5 * time.Minute
	// trying is after which time a write of the cluster's own components is tried again.
	trying = 100 * time.Millisecond

	from, target = "4.20.1", "4.20.2"
	// payload is the number of operators in the payload.
	payload = 33
)

// Input is what a scenario is played with.
type Input struct {
	Plane *controlplane.ControlPlane
	Seed  uint64
	// Length is how long the update takes when nothing goes wrong.
	Length time.Duration
	// Long is whether what goes wrong does so as often and for as long as it ever does.
	Long bool
}

// Report is what a scenario has shown.
type Report struct {
	// Settled is the time from the end of what went wrong until the object was right.
	Settled time.Duration
	// Versions is how many versions of the object were seen, Starts how often the controller was started.
	Versions, Starts int
}

// World is a cluster that is updated, with a controller that goes a Way to its API server.
type World struct {
	Input

	Way *Way
	// Chance may be asked by everybody at once.
	Chance *rand.Rand

	scenario   Scenario
	folder     string
	kubeconfig string
	writer     *simulator.Writer
	client     updateclient.UpdateStatusInterface
	simulation *simulator.Simulation
	observer   *harness.Observer
	// last is the object in the end. The observer, which is cut off with everybody else, may not have seen it.
	last *updatev1alpha1.UpdateStatus
	// spoiled are the versions of the object that somebody else has written.
	spoiled map[string]bool

	lock    sync.Mutex
	process running
	starts  int
	said    logs
}

// running is a controller that runs, as a process of its own or within this one.
type running interface {
	Ended() <-chan struct{}
	// Stop ends it in good order, and returns how it ended.
	Stop() error
}

// Play plays an update while things go wrong, and returns an error if anything of the object is not as it has to be, with
// the end of what the controller logged.
func Play(ctx context.Context, scenario Scenario, in Input) (report Report, err error) {
	w := &World{Input: in, scenario: scenario, Chance: newChance(in.Seed, 0)}
	if w.folder, err = os.MkdirTemp("", "faults-"); err != nil {
		return report, fmt.Errorf("making a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(w.folder)) }()
	if w.Way, err = NewWay(in.Plane.Admin()); err != nil {
		return report, err
	}
	defer w.Way.Close()
	defer func() { err = errors.Join(err, in.Plane.Reset(context.WithoutCancel(ctx))) }()
	if err := w.play(ctx, &report); err != nil {
		return report, errors.Join(err, w.kill(), fmt.Errorf("the controller logged:\n%s", w.said.tail()))
	}
	return report, nil
}

func (w *World) play(ctx context.Context, report *Report) error {
	if err := w.prepare(ctx); err != nil {
		return err
	}
	if err := w.Start(ctx); err != nil {
		return err
	}
	if w.scenario.Before != nil {
		if err := w.scenario.Before(ctx, w); err != nil {
			return fmt.Errorf("before the update: %w", err)
		}
	}
	w.script()
	if err := w.update(ctx, report); err != nil {
		return err
	}
	if err := w.Stop(); err != nil {
		return err
	}
	report.Versions, report.Starts = len(w.observer.Versions()), w.starts
	return w.check()
}

// update plays the update, and waits until the object is right.
func (w *World) update(ctx context.Context, report *Report) error {
	if err := w.createCluster(ctx); err != nil {
		return err
	}
	if _, err := w.await(ctx, settling); err != nil {
		return fmt.Errorf("before the update: %w", err)
	}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	var err error
	if w.observer, err = harness.Observe(watching, w.Plane.Admin(), nil); err != nil {
		return err
	}
	if err := w.disturbed(ctx); err != nil {
		return err
	}
	if report.Settled, err = w.await(ctx, w.scenario.patience()); err != nil {
		return err
	}
	w.last, err = w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	return err
}

// prepare makes what the world consists of.
func (w *World) prepare(ctx context.Context) error {
	w.spoiled = map[string]bool{}
	account, err := w.Plane.As(ctx, controlplane.ServiceAccount)
	if err != nil {
		return fmt.Errorf("becoming the controller: %w", err)
	}
	if w.kubeconfig, err = w.Plane.KubeconfigOf("through", w.Way.Through(account)); err != nil {
		return fmt.Errorf("writing a kubeconfig: %w", err)
	}
	if w.writer, err = simulator.NewWriter(w.Plane.Admin()); err != nil {
		return fmt.Errorf("making a client for the cluster: %w", err)
	}
	client, err := updateclient.NewForConfig(w.Plane.Admin())
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	w.client = client.UpdateStatuses()
	return nil
}

// script writes the script of an update.
func (w *World) script() {
	update := simulator.Update{
		Seed: w.Seed, Start: time.Now(), From: from, To: target,
		Degraded: map[string]string{simulator.NodeName("infra", 1): "failed to drain node"},
	}
	update.Scale = w.Length.Seconds() / lengthOf(update).Seconds()
	w.simulation = simulator.NewSimulation(update)
}

// lengthOf returns how long an update takes, unscaled.
func lengthOf(update simulator.Update) time.Duration {
	simulation := simulator.NewSimulation(update)
	last := update.Start
	for write, more := simulation.Next(); more; write, more = simulation.Next() {
		last = write.Time
	}
	return last.Sub(update.Start)
}

func (w *World) createCluster(ctx context.Context) error {
	for _, object := range w.simulation.Objects() {
		if err := w.write(ctx, simulator.Write{After: object}); err != nil {
			return err
		}
	}
	return nil
}

// write makes a write of the cluster's own components, which try again until it succeeds.
func (w *World) write(ctx context.Context, write simulator.Write) error {
	var last error
	err := wait.PollUntilContextTimeout(ctx, trying, writing, true, func(ctx context.Context) (bool, error) {
		last = w.writer.Apply(ctx, write)
		return last == nil || apierrors.IsAlreadyExists(last), nil
	})
	if err != nil {
		return fmt.Errorf("playing the update: %w", errors.Join(err, last))
	}
	return nil
}

// disturbed plays the update while things go wrong. It returns when both are over.
func (w *World) disturbed(ctx context.Context) error {
	late := time.Duration(0)
	group, ctx := errgroup.WithContext(ctx)
	playing, played := context.WithCancel(ctx)
	group.Go(func() error {
		defer played()
		for first := true; ; first = false {
			write, more := w.simulation.Next()
			if !more {
				return nil
			}
			if first {
				late = time.Since(write.Time)
			}
			if err := simulator.RealTime(ctx, write.Time.Add(late)); err != nil {
				return fmt.Errorf("playing the update: %w", err)
			}
			if err := w.write(ctx, write); err != nil {
				return err
			}
		}
	})
	group.Go(func() error {
		defer w.Way.Set()
		if w.scenario.During == nil {
			return nil
		}
		return w.scenario.During(playing, w)
	})
	return group.Wait()
}

// await waits until the object says what an assessment of the whole cluster says, and returns how long that took.
func (w *World) await(ctx context.Context, patience time.Duration) (time.Duration, error) {
	began := time.Now()
	var last error
	err := wait.PollUntilContextTimeout(ctx, polling, patience, true, func(ctx context.Context) (bool, error) {
		wrong := w.compare(ctx)
		// The end of its patience is not what is wrong.
		if last == nil || wrong == nil || !errors.Is(wrong, context.DeadlineExceeded) {
			last = wrong
		}
		return wrong == nil, nil
	})
	if err != nil {
		return 0, fmt.Errorf("the object was not right %s after all was over: %w", patience, last)
	}
	return time.Since(began), w.isRunning()
}

// compare returns what is wrong with the object.
func (w *World) compare(ctx context.Context) error {
	expected, err := invariants.Expected(w.simulation.Objects(), time.Now())
	if err != nil {
		return err
	}
	us, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading the object: %w", err)
	}
	if diff := cmp.Diff(invariants.WithoutObserved(expected), invariants.WithoutObserved(us)); diff != "" {
		return fmt.Errorf("status (-assessed at once +observed):\n%s", diff)
	}
	return nil
}

// check returns what is wrong with any version of the object.
func (w *World) check() error {
	last, problems := invariants.Update{Target: target, Operators: payload}.Check(w.versions())
	if last != invariants.StageControlPlaneDone {
		problems = append(problems, fmt.Sprintf("the update ended at stage %d", last))
	}
	// What was observed is not all that there was: the observer is cut off with everybody else.
	_, moved := invariants.Starts(w.versions())
	problems = append(problems, moved...)
	var errs []error
	for _, problem := range problems {
		errs = append(errs, errors.New(problem))
	}
	return errors.Join(errs...)
}

// versions are those of the object that nobody has spoiled.
func (w *World) versions() []*updatev1alpha1.UpdateStatus {
	return slices.DeleteFunc(append(slices.Clone(w.observer.Versions()), w.last), func(us *updatev1alpha1.UpdateStatus) bool {
		return w.spoiled[us.ResourceVersion]
	})
}

// Pause waits for a time of up to a length, by chance. It returns false when the update is over.
func (w *World) Pause(ctx context.Context, length time.Duration) bool {
	timer := time.NewTimer(time.Duration(w.Chance.Int64N(int64(length))))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
