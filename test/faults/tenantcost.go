package faults

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/procfs"

	"github.com/openshift/cluster-version-operator/test/harness"
)

// Cost is what a process of the controller did in a minute.
type Cost struct {
	// CPU is the CPU time that it used, and Writes how often it wrote the UpdateStatus.
	CPU    time.Duration
	Writes int
}

// MeasureTenant measures a minute of an update in which nothing else changes, without the tenant and then while it attacks.
func MeasureTenant(ctx context.Context, in Input) (without, with Cost, err error) {
	_, err = Play(ctx, Scenario{
		Name: "cost of a tenant", BeforeUpdate: func(ctx context.Context, w *World) error { return w.trustStorage(ctx) },
		During: func(ctx context.Context, w *World) error {
			lasting := context.WithoutCancel(ctx)
			<-ctx.Done() // a paused pool keeps the update in progress
			if _, err := w.waitUntilRight(lasting, RecoveryLimit); err != nil {
				return err
			}
			var err error
			if without, err = w.minute(lasting); err != nil {
				return err
			}
			with, err = w.minuteOfAttack(lasting)
			return err
		},
	}, in)
	return without, with, err
}

// minuteOfAttack measures a minute of the attack, and ends it.
func (w *World) minuteOfAttack(ctx context.Context) (cost Cost, err error) {
	if w.tenant, err = newTenant(ctx, w); err != nil {
		return cost, err
	}
	if err := w.tenant.flood(ctx); err != nil {
		return cost, err
	}
	churning, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	created := w.tenant.created.Load()
	go func() { ended <- w.tenant.churn(churning) }()
	cost, err = w.minute(ctx)
	stop()
	if err := errors.Join(err, <-ended); err != nil {
		return cost, err
	}
	if created = w.tenant.created.Load() - created; created < tenantRate*30 {
		return cost, fmt.Errorf("the tenant created only %d informers in a minute", created)
	}
	if err := errors.Join(w.tenant.leave(ctx), w.rebuildStorage(ctx)); err != nil {
		return cost, err
	}
	w.tenant = nil
	_, err = w.waitUntilRight(ctx, tenantMinute+RecoveryLimit)
	return cost, err
}

// minute measures a minute, after the storage was renewed.
func (w *World) minute(ctx context.Context) (cost Cost, err error) {
	if err := w.rebuildStorage(ctx); err != nil {
		return cost, err
	}
	if _, err := w.waitUntilRight(ctx, RecoveryLimit); err != nil {
		return cost, err
	}
	process, isProcess := w.current().(*harness.Process)
	if !isProcess {
		return cost, errors.New("the controller is not a process of its own")
	}
	used, err := cpuOf(process)
	if err != nil {
		return cost, err
	}
	written := len(w.observer.Versions())
	select {
	case <-time.After(time.Minute):
	case <-ctx.Done():
		return cost, context.Cause(ctx)
	}
	after, err := cpuOf(process)
	return Cost{CPU: after - used, Writes: len(w.observer.Versions()) - written}, err
}

// cpuOf returns the CPU time that a process has used.
func cpuOf(process *harness.Process) (time.Duration, error) {
	running, err := procfs.NewProc(process.PID())
	if err != nil {
		return 0, fmt.Errorf("finding the process of the controller: %w", err)
	}
	stat, err := running.Stat()
	if err != nil {
		return 0, fmt.Errorf("reading the CPU time of the controller: %w", err)
	}
	return time.Duration(stat.CPUTime() * float64(time.Second)), nil
}
