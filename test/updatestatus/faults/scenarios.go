package faults

import (
	"context"
	"net/http"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
)

// Kind is what fails in a scenario.
type Kind string

// Scenario is an update with faults.
type Scenario struct {
	Kind Kind
	Name string
	// Flags and Config are flags of the controller, and its file of --config, in addition to the usual ones.
	Flags  []string
	Config func() string
	// TokenFile is whether the controller reads its token from a file.
	TokenFile bool
	// OwnClock is whether the controller runs within this process, with a clock of its own, and Ahead is by how much that is ahead at
	// first; negative if it is behind.
	OwnClock bool
	Ahead    time.Duration
	// EndsProcess is whether During ends the process, and starts another one.
	EndsProcess bool
	// Start starts the controller before there is a cluster, if it is set. Otherwise it starts afterwards.
	Start func(context.Context, *World) error
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

// Scenarios returns the scenarios with faults, by kind. The first one of each kind costs the least.
func Scenarios() []Scenario {
	return []Scenario{
		// It takes longest, and does little: client-go reads the file with the token every 50 seconds.
		{Kind: "credentials", Name: "token expired", FailsRepeatedly: true, TokenFile: true, During: expireToken},

		{Kind: "API server", Name: "API server restarted", During: stopAPIServer(2*time.Second, 5*time.Second)},
		// A leader that can't renew its lease for 107 s ends, and the kubelet starts the next one: "controller killed".
		{Kind: "API server", Name: "API server away for long", FailsRepeatedly: true, Flags: []string{"--disable-leader-election"}, During: stopAPIServer(15*time.Second, 3*time.Minute)},
		{Kind: "API server", Name: "API server killed", FailsRepeatedly: true, During: killRepeatedly(controlplane.APIServer, 10)},
		{Kind: "etcd", Name: "etcd killed", FailsRepeatedly: true, During: killRepeatedly(controlplane.Etcd, 5)},
		{Kind: "etcd", Name: "etcd restored from a backup", FailsRepeatedly: true, BeforeUpdate: backUpEtcd, During: restoreEtcd},
		{Kind: "connections", Name: "connections broken at random", FailsRepeatedly: true, During: func(ctx context.Context, w *World) error {
			within := func(length time.Duration) func() time.Duration {
				return func() time.Duration { return w.upTo(length) }
			}
			return w.rule(ctx, Rule{Matches: IsWatch, Do: Break(within(time.Second))}, Rule{Matches: IsNotLease, Every: 5, Do: Break(within(retryInterval))})
		}},
		{Kind: "watches", Name: "watches gone on every resume", FailsRepeatedly: true, During: func(ctx context.Context, w *World) error {
			return w.rule(ctx, Gone(), Rule{Matches: IsWatch, Do: EndAfter(time.Second)})
		}},
		{Kind: "watches", Name: "watches closed every second", During: withRules(Rule{Matches: IsWatch, Do: EndAfter(time.Second)})},
		{Kind: "watches", Name: "watches silent", FailsRepeatedly: true, During: silenceWatches},
		{Kind: "writes", Name: "writes refused", During: refuseByCode},
		{Kind: "writes", Name: "webhook denies writes", During: withWebhook(deny, 10)},
		{Kind: "writes", Name: "webhook hangs", During: withWebhook(hang, 1)},
		{Kind: "writes", Name: "policy denies writes", During: denyByPolicy},
		{Kind: "writes", Name: "etcd full", During: fillEtcd},
		{Kind: "throttling", Name: "overloaded", FailsRepeatedly: true, During: withRules(
			Rule{Matches: IsNotLease, Every: 3, Do: Respond(http.StatusTooManyRequests)},
			Rule{Matches: IsNotLease, Every: 5, Do: Respond(http.StatusServiceUnavailable)},
		)},
		{Kind: "throttling", Name: "throttled", FailsRepeatedly: true, During: throttle},
		{Kind: "network", Name: "requests stalled", FailsRepeatedly: true, During: stallRequests},
		{Kind: "network", Name: "slow network", During: withRules(Rule{Matches: IsNotLease, Do: Slow(slowBytes)})},
		{Kind: "controller", Name: "controller killed", Flags: []string{"--disable-leader-election"}, During: killController},
		{Kind: "controller", Name: "ended while the API server hangs", EndsProcess: true, During: endWhileHanging},
		{Kind: "leadership", Name: "lease stolen during a write", Config: shortLease, During: stealLeaseDuringWrite},
		{Kind: "leadership", Name: "lease stolen during a truncated write", Config: shortLease, IsLarge: true, During: stealLeaseDuringTruncatedWrite},
		{Kind: "leadership", Name: "lease stolen", Config: shortLease, During: stealLease},
		{Kind: "leadership", Name: "leader ended", Config: shortLease, During: endLeaders},
		{Kind: "object", Name: "object deleted, emptied and edited", During: editObject},
		{Kind: "CRD", Name: "CRD of the next version", During: playNextCRD},
		{Kind: "CRD", Name: "CRD of the previous version", Flags: []string{"--disable-leader-election"}, During: playPreviousCRD},
		{Kind: "CRD", Name: "CRD removed", During: removeCRD},
		{Kind: "permissions", Name: "permission taken away", During: takePermission},
		{Kind: "resources", Name: "MachineConfigPools come later", Start: startWithoutPools},
		{Kind: "size", Name: "pool grows and shrinks", IsLarge: true, During: growPool},
		{Kind: "tenant", Name: "tenant floods UpdateInformers", OwnClock: true, Ahead: tenantAhead, IsLarge: true, BeforeUpdate: prepareAttack, During: attack},
		{Kind: "second controller", Name: "second controller", During: startSecond},
		{Kind: "clock", Name: "clock jumps", OwnClock: true, During: moveClock},
		{Kind: "clock", Name: "clock ahead", OwnClock: true, Ahead: time.Hour},
		{Kind: "clock", Name: "clock behind", OwnClock: true, Ahead: -time.Hour},
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

const (
	// shortRepeats is how often most faults are injected in the short form of a scenario.
	shortRepeats = 2
	// maxPause bounds the time between two of them.
	maxPause = time.Second
	// maxOutage bounds an outage.
	maxOutage = time.Second
)

// repeats is how often a fault is injected.
func (w *World) repeats(short, long int) int {
	if w.Long {
		return long
	}
	return short
}

// repeat calls a function a number of times, whether the update is over or not.
func (w *World) repeat(ctx context.Context, long int, do func(ctx context.Context) error) error {
	ctx = context.WithoutCancel(ctx)
	for range w.repeats(min(shortRepeats, long), long) {
		w.Pause(ctx, maxPause)
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// stallRequests delays requests, by some seconds in the short form.
func stallRequests(ctx context.Context, w *World) error {
	return w.rule(ctx, Rule{Matches: IsNotLease, Every: 3, Do: Stall(time.Duration(w.repeats(3, 30)) * time.Second)})
}

func killController(ctx context.Context, w *World) error {
	return w.repeat(ctx, 50, w.Restart)
}

// startSecond starts a second controller, and ends it after the update.
func startSecond(ctx context.Context, w *World) error {
	second, err := w.startController(ctx)
	if err != nil {
		return err
	}
	<-ctx.Done()
	return w.stop(context.WithoutCancel(ctx), second)
}
