package faults

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/kubernetes"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/playback"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

const (
	// RecoveryLimit is how long the object may be outdated after the last fault.
	RecoveryLimit = 10 * time.Second
	// RepeatedRecoveryLimit is how long it may be outdated if watches failed repeatedly.
	RepeatedRecoveryLimit = time.Minute
	// LargeRecoveryLimit is how long a large object may be outdated: what urgent changes owe takes 64 seconds to be paid back
	// (pkg/controller/pacer.go), and then comes the object itself.
	LargeRecoveryLimit = 2 * time.Minute

	// settleTimeout bounds the time to the first status of a cluster.
	settleTimeout = time.Minute
	// pollInterval is the interval at which the object is read.
	pollInterval = 100 * time.Millisecond
	// writeTimeout bounds a write of the cluster's own components with its retries: it is longer than any outage.
	writeTimeout = 5 * time.Minute
	// retryInterval is the interval of the retries of these writes.
	retryInterval = 100 * time.Millisecond

	from, target = "4.20.1", "4.20.2"
	// payload is the number of operators in the payload.
	payload = 33
)

// Input is what Play needs.
type Input struct {
	Plane *controlplane.ControlPlane
	Seed  uint64
	// Length is the length of the update without faults.
	Length time.Duration
	// Long is whether the long form of the scenario is played.
	Long bool
}

// Report is the result of a scenario.
type Report struct {
	// Settled is the time from the last fault until the object was right.
	Settled time.Duration
	// Versions is the number of observed versions of the object, Starts how often the controller was started.
	Versions, Starts int
}

// World is a cluster that is updated, with a controller that reaches the API server through a proxy.
type World struct {
	Input

	Proxy *Proxy
	// Random is safe for concurrent use.
	Random *rand.Rand

	scenario   Scenario
	folder     string
	kubeconfig string
	writer     *playback.Writer
	kube       kubernetes.Interface
	client     updateclient.UpdateStatusInterface
	informers  updateclient.UpdateInformersGetter
	simulation *simulator.Simulation
	observer   *harness.Observer
	// rightVersion is the version of the object that was last found right, and firstVersion the one when the update started.
	rightVersion, firstVersion string
	// last is the object at the end. The observer may have missed it: its watch breaks with the others.
	last *updatev1alpha1.UpdateStatus
	// backup are the objects of the cluster in the backup of etcd, and restored is whether that was restored.
	backup   []simulator.Object
	restored bool
	// added are objects besides those of the simulation.
	added []simulator.Object
	// trusted is an UpdateInformer that the administrator trusts, nil if there is none, and rebuilt how often it was renewed.
	trusted *updatev1alpha1.UpdateInformer
	rebuilt int
	// tenant is somebody with UpdateInformers that are not trusted, nil if there are none.
	tenant *tenant
	// prune, if it is set, removes what the CRD does not have.
	prune func(*updatev1alpha1.UpdateStatusStatus)
	// ahead is by how much the clock of the controller is ahead, in nanoseconds.
	ahead atomic.Int64
	// edited are the versions of the object that the scenario wrote.
	edited map[string]bool

	lock    sync.Mutex
	process running
	starts  int
	logs    logs
}

// running is a running controller, in a process of its own or in this one.
type running interface {
	Ended() <-chan struct{}
	// Stop terminates it gracefully, and returns its error.
	Stop() error
}

// Play plays an update with faults. The error says what of the object was wrong, with the end of the log of the controller.
func Play(ctx context.Context, scenario Scenario, in Input) (report Report, err error) {
	w := &World{Input: in, scenario: scenario, Random: newRandom(in.Seed, 0)}
	if w.folder, err = os.MkdirTemp("", "faults-"); err != nil {
		return report, fmt.Errorf("creating a directory: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(w.folder)) }()
	if w.Proxy, err = NewProxy(in.Plane.Admin()); err != nil {
		return report, err
	}
	defer w.Proxy.Close()
	defer func() { err = errors.Join(err, in.Plane.Reset(context.WithoutCancel(ctx))) }()
	if scenario.TokenFile {
		defer func() { err = errors.Join(err, w.deleteTokenSecret(context.WithoutCancel(ctx))) }()
	}
	if err := w.play(ctx, &report); err != nil {
		return report, errors.Join(err, w.kill(), fmt.Errorf("the controller logged:\n%s", w.logs.tail()))
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
	w.newSimulation()
	if err := w.update(ctx, report); err != nil {
		return err
	}
	if err := w.Stop(); err != nil {
		return err
	}
	report.Versions, report.Starts = len(w.observer.Versions()), w.starts
	return w.check()
}

// prepare creates the clients.
func (w *World) prepare(ctx context.Context) error {
	w.edited = map[string]bool{}
	w.ahead.Store(int64(w.scenario.Ahead))
	account, err := w.Plane.As(ctx, controlplane.ServiceAccount)
	if err != nil {
		return fmt.Errorf("reading the ServiceAccount of the controller: %w", err)
	}
	if w.writer, err = playback.NewWriter(w.Plane.Admin()); err != nil {
		return fmt.Errorf("building a client for the cluster: %w", err)
	}
	if w.kube, err = kubernetes.NewForConfig(w.Plane.Admin()); err != nil {
		return fmt.Errorf("building a client: %w", err)
	}
	if w.scenario.TokenFile {
		if err := w.issueToken(ctx); err != nil {
			return err
		}
		account.BearerToken, account.BearerTokenFile = "", w.tokenFile()
	}
	if w.kubeconfig, err = w.Plane.KubeconfigOf("through", w.Proxy.Through(account)); err != nil {
		return fmt.Errorf("writing a kubeconfig: %w", err)
	}
	client, err := updateclient.NewForConfig(w.Plane.Admin())
	if err != nil {
		return fmt.Errorf("building a client: %w", err)
	}
	w.client, w.informers = client.UpdateStatuses(), client
	return nil
}
