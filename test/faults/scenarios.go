package faults

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
)

// Scenario is what goes wrong in an update.
type Scenario struct {
	Name string
	// Flags and Config are flags of the controller, and its file of --config, in addition to the usual ones.
	Flags  []string
	Config string
	// Ahead is by how much the clock of the controller is ahead; negative if it is behind. The controller then runs within
	// this process.
	Ahead time.Duration
	// Before, if any, goes wrong before there is a cluster.
	Before func(context.Context, *World) error
	// During goes wrong while the update is played, until the context ends at the latest if it does not count how often.
	// When it returns all is well again, but for the rules of the Way, which are lifted for it.
	During func(context.Context, *World) error
	// FailsRepeatedly is whether watches fail again and again, so that an informer may wait for up to a minute afterwards.
	FailsRepeatedly bool
}

// patience is how long the object may be stale after what went wrong is over.
func (s Scenario) patience() time.Duration {
	if s.FailsRepeatedly {
		return RepeatedPatience
	}
	return Patience
}

// Undisturbed is an update in which nothing goes wrong.
func Undisturbed() Scenario {
	return Scenario{Name: "undisturbed"}
}

// Scenarios returns all that goes wrong, each for itself.
func Scenarios() []Scenario {
	return []Scenario{
		{Name: "API server restarted", During: restart},
		// A leader that can't renew its lease for 107 s ends, and the kubelet starts the next one: "controller killed".
		{Name: "API server away for long", FailsRepeatedly: true, Flags: []string{"--disable-leader-election"}, During: awayForLong},
		{Name: "API server killed", FailsRepeatedly: true, During: killing(controlplane.APIServer, 10)},
		{Name: "etcd killed", FailsRepeatedly: true, During: killing(controlplane.Etcd, 5)},
		{Name: "watches closed every second", During: ruling(Rule{About: IsWatch, Do: EndAfter(time.Second)})},
		{Name: "connections broken at random", FailsRepeatedly: true, During: func(ctx context.Context, w *World) error {
			return w.rule(ctx, Rule{About: IsWatch, Do: Break(w.Chance, time.Second)}, Rule{About: IsOrdinary, Every: 5, Do: Break(w.Chance, trying)})
		}},
		{Name: "writes refused", During: ruling(
			Rule{About: IsStatusWrite, Every: 3, Do: Answer(http.StatusConflict)},
			Rule{About: IsStatusWrite, Every: 5, Do: Answer(http.StatusInternalServerError)},
		)},
		{Name: "overloaded", FailsRepeatedly: true, During: ruling(
			Rule{About: IsOrdinary, Every: 3, Do: Answer(http.StatusTooManyRequests)},
			Rule{About: IsOrdinary, Every: 5, Do: Answer(http.StatusServiceUnavailable)},
		)},
		{Name: "watches gone on every resume", FailsRepeatedly: true, During: func(ctx context.Context, w *World) error {
			return w.rule(ctx, Gone(), Rule{About: IsWatch, Do: EndAfter(time.Second)})
		}},
		{Name: "requests stalled", FailsRepeatedly: true, During: stalling},
		{Name: "slow network", During: ruling(Rule{About: IsOrdinary, Do: Slow(slowBytes)})},
		{Name: "controller killed", Flags: []string{"--disable-leader-election"}, During: killingController},
		{Name: "lease stolen", Config: shortLease, During: stealLease},
		{Name: "object deleted, emptied and edited", During: spoilObject},
		{Name: "CRD removed", During: removeCRD},
		{Name: "permission taken away", During: takePermission},
		{Name: "MachineConfigPools come later", Before: installLater},
		{Name: "second controller", During: startSecond},
		{Name: "clock ahead", Ahead: time.Hour},
		{Name: "clock behind", Ahead: -time.Hour},
	}
}

// slowBytes is how much a slow network lets through a second.
const slowBytes = 256 << 10

// rule puts rules into force, for all that goes on as well, until the update is over.
func (w *World) rule(ctx context.Context, rules ...Rule) error {
	w.Way.Set(rules...)
	w.Way.Cut()
	<-ctx.Done()
	return nil
}

func ruling(rules ...Rule) func(context.Context, *World) error {
	return func(ctx context.Context, w *World) error { return w.rule(ctx, rules...) }
}

// times is how often something goes wrong: so many times, or a few in the short form.
func (w *World) times(long int) int {
	if w.Long {
		return long
	}
	return min(long, shortTimes)
}

const (
	// shortTimes is how often something goes wrong at most in the short form of a scenario.
	shortTimes = 4
	// between is the time between two of them at most.
	between = 2 * time.Second
	// outage is how long something is away at most.
	outage = time.Second
)

// repeat does something a number of times, whether the update is over or not.
func (w *World) repeat(ctx context.Context, long int, do func(ctx context.Context) error) error {
	ctx = context.WithoutCancel(ctx)
	for range w.times(long) {
		w.Pause(ctx, between)
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// stalling lets requests wait, those of some seconds in the short form.
func stalling(ctx context.Context, w *World) error {
	length := 3 * time.Second
	if w.Long {
		length = 30 * time.Second
	}
	return w.rule(ctx, Rule{About: IsOrdinary, Every: 3, Do: Stall(length)})
}

// shortLease is leader election in which nobody waits long.
const shortLease = `apiVersion: operator.openshift.io/v1alpha1
kind: GenericOperatorConfig
leaderElection:
  leaseDuration: 6s
  renewDeadline: 4s
  retryPeriod: 1s
`

// stealLease gives the lease to somebody else, who does not renew it. The controller ends, as it has to, and is started
// again, as a kubelet does.
func stealLease(ctx context.Context, w *World) error {
	ctx = context.WithoutCancel(ctx)
	w.Pause(ctx, between)
	kube, err := kubernetes.NewForConfig(w.Plane.Admin())
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	leases := kube.CoordinationV1().Leases(controlplane.Namespace)
	all, err := leases.List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("looking for the lease: %w", err)
	}
	if len(all.Items) != 1 {
		return fmt.Errorf("looking for the lease: %d found", len(all.Items))
	}
	stolen, err := leases.Patch(ctx, all.Items[0].Name, types.MergePatchType, fmt.Appendf(nil,
		`{"spec":{"holderIdentity":"thief","renewTime":%q}}`, time.Now().UTC().Format(metav1.RFC3339Micro)), metav1.PatchOptions{})
	if err != nil {
		return fmt.Errorf("stealing the lease: %w", err)
	}
	select {
	case <-w.current().Ended():
	case <-time.After(settling):
		return fmt.Errorf("the controller goes on without its lease")
	}
	if err := w.Start(ctx); err != nil {
		return err
	}
	// It is over when the thief's time is: nobody may take the lease before.
	err = wait.PollUntilContextTimeout(ctx, polling, settling, true, func(ctx context.Context) (bool, error) {
		lease, err := leases.Get(ctx, stolen.Name, metav1.GetOptions{})
		return err == nil && ptr.Deref(lease.Spec.HolderIdentity, "") != "thief", nil
	})
	if err != nil {
		return fmt.Errorf("waiting for the lease to be taken again: %w", err)
	}
	return nil
}

// spoilObject does to the object what somebody else may.
func spoilObject(ctx context.Context, w *World) error {
	const rounds = 9
	round := 0
	return w.repeat(ctx, rounds, func(ctx context.Context) error {
		round++
		err := w.spoil(ctx, round%3)
		if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
			return nil // the controller was faster
		}
		return err
	})
}

func (w *World) spoil(ctx context.Context, way int) error {
	if way == 0 {
		return w.client.Delete(ctx, updatev1alpha1.SingletonName, metav1.DeleteOptions{})
	}
	us, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		return err
	}
	us.Labels = map[string]string{"example.com/edited": strconv.Itoa(way)}
	if us, err = w.client.Update(ctx, us, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if way == 1 || us.Status.ControlPlane == nil {
		us.Status = updatev1alpha1.UpdateStatusStatus{}
	} else {
		us.Status.ControlPlane.Informers = us.Status.ControlPlane.Informers[:1]
		us.Status.WorkerPools = nil
	}
	if us, err = w.client.UpdateStatus(ctx, us, metav1.UpdateOptions{}); err == nil {
		w.spoiled[us.ResourceVersion] = true
	}
	return err
}

// takePermission takes away that the controller may read one kind of objects after the other, and gives it back.
func takePermission(ctx context.Context, w *World) error {
	const role = "system:openshift:update-status-controller"
	kube, err := kubernetes.NewForConfig(w.Plane.Admin())
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	roles := kube.RbacV1().ClusterRoles()
	whole, err := roles.Get(ctx, role, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading the role: %w", err)
	}
	set := func(ctx context.Context, rules []rbacv1.PolicyRule) error {
		current, err := roles.Get(ctx, role, metav1.GetOptions{})
		if err != nil {
			return fmt.Errorf("reading the role: %w", err)
		}
		current.Rules = rules
		if _, err := roles.Update(ctx, current, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("changing the role: %w", err)
		}
		// What is watched already goes on whoever may watch it.
		w.Way.Cut()
		return nil
	}
	taken := 0
	return w.repeat(ctx, len(whole.Rules), func(ctx context.Context) error {
		rules := append(append([]rbacv1.PolicyRule{}, whole.Rules[:taken]...), whole.Rules[taken+1:]...)
		taken++
		if err := set(ctx, rules); err != nil {
			return err
		}
		w.Pause(ctx, between)
		return set(ctx, whole.Rules)
	})
}

// installLater lets the controller start in a cluster without MachineConfigPools, and installs these.
func installLater(ctx context.Context, w *World) error {
	if err := wait.PollUntilContextTimeout(ctx, polling, settling, true, func(ctx context.Context) (bool, error) {
		us, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
		return err == nil && len(us.Status.Conditions) > 0, nil
	}); err != nil {
		return fmt.Errorf("waiting for the first status: %w", err)
	}
	return w.Plane.Install(ctx, controlplane.MachineConfigResources()...)
}

// startSecond starts a second controller, and ends it after the update.
func startSecond(ctx context.Context, w *World) error {
	process, err := harness.StartProcess(ctx, w.Plane, harness.ProcessOptions{
		Logs: &w.said, Flags: withoutMonitoring(), Kubeconfig: w.kubeconfig,
	})
	if err != nil {
		return err
	}
	<-ctx.Done()
	if err := process.Stop(); err != nil {
		return fmt.Errorf("the second controller ended with a fault: %w", err)
	}
	return nil
}
