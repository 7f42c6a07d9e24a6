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

	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// Promises (docs/updatestatus/reliability.md), as times of a quiet machine.
const (
	// RecoveryLimit is how long the object may be outdated after the last fault.
	RecoveryLimit = 10 * time.Second
	// RepeatedRecoveryLimit is how long it may be outdated if watches failed repeatedly.
	RepeatedRecoveryLimit = time.Minute
	// LargeRecoveryLimit is how long a large object may be outdated: what urgent changes owe takes 64 seconds to be paid back
	// (pkg/updatestatus/controller/pacer.go), and then comes the object itself.
	LargeRecoveryLimit = 2 * time.Minute
	// endLimit is how long the controller may take to end while the API server does not respond.
	endLimit = 15 * time.Second
)

const (
	// hangLimit bounds what must happen, whenever it does, and outageLimit what must happen after an outage.
	hangLimit, outageLimit = 2 * time.Minute, 5 * time.Minute
	// pollInterval is the interval at which most things are read, and retryInterval that of the retries of the cluster's components.
	pollInterval, retryInterval = 250 * time.Millisecond, 100 * time.Millisecond
)

// Input is what Play needs.
type Input struct {
	Plane *controlplane.ControlPlane
	Seed  uint64
	// Length is about how long the update takes without faults, if the controller keeps up.
	Length time.Duration
	// Long is whether the long form of the scenario is played.
	Long bool
	// Log is the file for the log of the controller.
	Log *os.File
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

	scenario   Scenario
	folder     string
	kubeconfig string
	writer     *playback.Writer
	kube       kubernetes.Interface
	crds       apiextensionsv1.CustomResourceDefinitionInterface
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
	// tenant is somebody with UpdateInformers that are not trusted, nil if there are none, and storage the trusted UpdateInformer beside
	// them, with the number of its renewals.
	tenant   *tenant
	storage  *updatev1alpha1.UpdateInformer
	renewals int
	// prune, if it is set, removes what the CRD does not have.
	prune func(*updatev1alpha1.UpdateStatusStatus)
	// ahead is by how much the clock of the controller is ahead, in nanoseconds.
	ahead atomic.Int64
	// edited are the versions of the object that the scenario wrote.
	edited map[string]bool

	// started are the controllers, of which current is the one that the scenario is about.
	started []running
	current running

	lock   sync.Mutex
	random *rand.Rand
}

// running is a running controller, in a process of its own or in this one.
type running interface {
	Ended() <-chan struct{}
	// Stop terminates it gracefully, and returns its error.
	Stop() error
}

// newWorld creates the clients of a world, and its proxy. The caller calls close.
func newWorld(ctx context.Context, in Input, scenario Scenario) (w *World, err error) {
	w = &World{Input: in, scenario: scenario, random: rand.New(rand.NewPCG(in.Seed, 0)), edited: map[string]bool{}}
	w.ahead.Store(int64(scenario.Ahead))
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close())
		}
	}()
	if w.folder, err = os.MkdirTemp("", "faults-"); err != nil {
		return nil, fmt.Errorf("creating a directory: %w", err)
	}
	admin := in.Plane.Admin()
	extensions, errExtensions := apiextensionsclient.NewForConfig(admin)
	client, errClient := updateclient.NewForConfig(admin)
	var errProxy, errWriter, errKube error
	w.Proxy, errProxy = NewProxy(admin)
	w.writer, errWriter = playback.NewWriter(admin)
	w.kube, errKube = kubernetes.NewForConfig(admin)
	if err := errors.Join(errProxy, errExtensions, errClient, errWriter, errKube); err != nil {
		return nil, fmt.Errorf("building clients: %w", err)
	}
	w.crds, w.client, w.informers = extensions.ApiextensionsV1().CustomResourceDefinitions(), client.UpdateStatuses(), client
	account, err := in.Plane.As(ctx, controlplane.ServiceAccount)
	if err != nil {
		return nil, err
	}
	if scenario.TokenFile {
		if err := w.issueToken(ctx); err != nil {
			return nil, err
		}
		account.BearerToken, account.BearerTokenFile = "", w.tokenFile()
	}
	w.kubeconfig, err = in.Plane.KubeconfigOf("through", w.Proxy.Through(account))
	return w, err
}

// close kills the controllers, and removes everything else.
func (w *World) close() error {
	var errs []error
	for _, process := range w.started {
		errs = append(errs, kill(process))
	}
	if w.Proxy != nil {
		w.Proxy.Close()
	}
	return errors.Join(append(errs, os.RemoveAll(w.folder))...)
}

// Play plays an update with faults in an empty cluster. The error says what of the object was wrong.
func Play(ctx context.Context, scenario Scenario, in Input) (report Report, err error) {
	w, err := newWorld(ctx, in, scenario)
	if err != nil {
		return report, err
	}
	defer func() { err = w.shorten(errors.Join(err, w.close())) }()
	if scenario.Start != nil {
		if err := scenario.Start(ctx, w); err != nil {
			return report, err
		}
	}
	if err := w.createCluster(ctx); err != nil {
		return report, err
	}
	if scenario.Start == nil {
		if err := w.Start(ctx); err != nil {
			return report, err
		}
	}
	if report.Settled, err = w.update(ctx); err != nil {
		return report, err
	}
	if err := w.stop(ctx, w.current); err != nil {
		return report, err
	}
	report.Versions, report.Starts = len(w.observer.Versions()), len(w.started)
	return report, w.check()
}

// upTo returns a random duration.
func (w *World) upTo(length time.Duration) time.Duration {
	w.lock.Lock()
	defer w.lock.Unlock()
	return time.Duration(w.random.Int64N(int64(length)))
}

// Pause waits for a random time of up to a length, or until the update is over.
func (w *World) Pause(ctx context.Context, length time.Duration) {
	// The end of the update is noticed by what follows.
	_ = playback.RealTime(ctx, time.Now().Add(w.upTo(length)))
}

// await waits for something that must happen.
func (w *World) await(ctx context.Context, what string, condition wait.ConditionWithContextFunc) error {
	if err := pace.Poll(ctx, pollInterval, hangLimit, condition); err != nil {
		return fmt.Errorf("waiting for %s: %w", what, err)
	}
	return nil
}
