package faults

import (
	"context"
	"fmt"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
)

// Scenario is an update with faults.
type Scenario struct {
	Name string
	// Flags and Config are flags of the controller, and its file of --config, in addition to the usual ones.
	Flags  []string
	Config string
	// TokenFile is whether the controller reads its token from a file.
	TokenFile bool
	// OwnClock is whether the controller runs within this process, with a clock of its own, and Ahead is by how much that is ahead at
	// first; negative if it is behind.
	OwnClock bool
	Ahead    time.Duration
	// EndsProcess is whether During ends the process, and starts another one.
	EndsProcess bool
	// Before is called before there is a cluster, if it is set.
	Before func(context.Context, *World) error
	// BeforeUpdate is called before the update starts, if it is set.
	BeforeUpdate func(context.Context, *World) error
	// During injects the faults while the update is played, until the context ends, or a number of times. When it returns, all
	// faults are over; the rules of the proxy are removed then.
	During func(context.Context, *World) error
	// FailsRepeatedly is whether watches fail repeatedly, so that an informer may wait for up to a minute afterwards.
	FailsRepeatedly bool
	// IsLarge is whether the object is so large that its pace delays writes.
	IsLarge bool
}

// recoveryLimit is how long the object may be outdated after the last fault.
func (s Scenario) recoveryLimit() time.Duration {
	if s.IsLarge {
		return LargeRecoveryLimit
	}
	if s.FailsRepeatedly {
		return RepeatedRecoveryLimit
	}
	return RecoveryLimit
}

// Undisturbed is an update without faults.
func Undisturbed() Scenario {
	return Scenario{Name: "undisturbed"}
}

// Scenarios returns the scenarios with faults.
func Scenarios() []Scenario {
	return []Scenario{
		{Name: "API server restarted", During: restartAPIServer},
		// A leader that can't renew its lease for 107 s ends, and the kubelet starts the next one: "controller killed".
		{Name: "API server away for long", FailsRepeatedly: true, Flags: []string{"--disable-leader-election"}, During: stopAPIServerForLong},
		{Name: "API server killed", FailsRepeatedly: true, During: killRepeatedly(controlplane.APIServer, 10)},
		{Name: "etcd killed", FailsRepeatedly: true, During: killRepeatedly(controlplane.Etcd, 5)},
		{Name: "etcd restored from a backup", FailsRepeatedly: true, BeforeUpdate: backUpEtcd, During: restoreEtcd},
		{Name: "watches closed every second", During: withRules(Rule{Matches: IsWatch, Do: EndAfter(time.Second)})},
		{Name: "connections broken at random", FailsRepeatedly: true, During: func(ctx context.Context, w *World) error {
			return w.rule(ctx, Rule{Matches: IsWatch, Do: Break(w.Random, time.Second)}, Rule{Matches: IsNotLease, Every: 5, Do: Break(w.Random, retryInterval)})
		}},
		{Name: "writes refused", During: withRules(
			Rule{Matches: IsStatusWrite, Every: 3, Do: Respond(http.StatusConflict)},
			Rule{Matches: IsStatusWrite, Every: 5, Do: Respond(http.StatusInternalServerError)},
		)},
		{Name: "webhook denies writes", During: withWebhook(deny, 10)},
		{Name: "webhook hangs", During: withWebhook(hang, 1)},
		{Name: "policy denies writes", During: denyByPolicy},
		{Name: "etcd full", During: fillEtcd},
		{Name: "throttled", FailsRepeatedly: true, During: throttle},
		{Name: "overloaded", FailsRepeatedly: true, During: withRules(
			Rule{Matches: IsNotLease, Every: 3, Do: Respond(http.StatusTooManyRequests)},
			Rule{Matches: IsNotLease, Every: 5, Do: Respond(http.StatusServiceUnavailable)},
		)},
		{Name: "watches gone on every resume", FailsRepeatedly: true, During: func(ctx context.Context, w *World) error {
			return w.rule(ctx, Gone(), Rule{Matches: IsWatch, Do: EndAfter(time.Second)})
		}},
		{Name: "requests stalled", FailsRepeatedly: true, During: stallRequests},
		{Name: "slow network", During: withRules(Rule{Matches: IsNotLease, Do: Slow(slowBytes)})},
		{Name: "controller killed", Flags: []string{"--disable-leader-election"}, During: killController},
		{Name: "lease stolen", Config: shortLease, During: stealLease},
		{Name: "leader ended", Config: shortLease, During: endLeaders},
		{Name: "lease stolen during a write", Config: shortLease, During: stealLeaseDuringWrite},
		{Name: "ended while the API server hangs", EndsProcess: true, During: endWhileHanging},
		{Name: "object deleted, emptied and edited", During: editObject},
		{Name: "CRD removed", During: removeCRD},
		{Name: "CRD of the previous version", Flags: []string{"--disable-leader-election"}, During: playPreviousCRD},
		{Name: "CRD of the next version", During: playNextCRD},
		{Name: "permission taken away", During: takePermission},
		{Name: "token expired", FailsRepeatedly: true, TokenFile: true, During: expireToken},
		{Name: "MachineConfigPools come later", Before: installLater},
		{Name: "pool grows and shrinks", IsLarge: true, During: growPool},
		{Name: "tenant floods UpdateInformers", OwnClock: true, Ahead: tenantAhead, IsLarge: true, BeforeUpdate: prepareAttack, During: attack},
		{Name: "second controller", During: startSecond},
		{Name: "clock ahead", OwnClock: true, Ahead: time.Hour},
		{Name: "clock behind", OwnClock: true, Ahead: -time.Hour},
		{Name: "clock jumps", OwnClock: true, During: moveClock},
	}
}

// slowBytes is the rate of a slow network, in bytes a second.
const slowBytes = 256 << 10

// rule applies rules, also to requests that are in progress, until the update is over.
func (w *World) rule(ctx context.Context, rules ...Rule) error {
	w.Proxy.Set(rules...)
	w.Proxy.Cut()
	<-ctx.Done()
	return nil
}

func withRules(rules ...Rule) func(context.Context, *World) error {
	return func(ctx context.Context, w *World) error { return w.rule(ctx, rules...) }
}

// repeats is how often a fault is injected: a number of times, or a few in the short form.
func (w *World) repeats(long int) int {
	if w.Long {
		return long
	}
	return min(long, shortRepeats)
}

const (
	// shortRepeats is how often a fault is injected at most in the short form of a scenario.
	shortRepeats = 4
	// maxPause bounds the time between two of them.
	maxPause = 2 * time.Second
	// maxOutage bounds an outage.
	maxOutage = time.Second
)

// repeat calls a function a number of times, whether the update is over or not.
func (w *World) repeat(ctx context.Context, long int, do func(ctx context.Context) error) error {
	ctx = context.WithoutCancel(ctx)
	for range w.repeats(long) {
		w.Pause(ctx, maxPause)
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// stallRequests delays requests, by some seconds in the short form.
func stallRequests(ctx context.Context, w *World) error {
	length := 3 * time.Second
	if w.Long {
		length = 30 * time.Second
	}
	return w.rule(ctx, Rule{Matches: IsNotLease, Every: 3, Do: Stall(length)})
}

// installLater lets the controller start in a cluster without MachineConfigPools, and installs these.
func installLater(ctx context.Context, w *World) error {
	if err := wait.PollUntilContextTimeout(ctx, pollInterval, settleTimeout, true, func(ctx context.Context) (bool, error) {
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
		Logs: &w.logs, Flags: withoutMonitoring(), Kubeconfig: w.kubeconfig,
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
