package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/openshift/cluster-version-operator/test/lag"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

const (
	// lanes is how many writes are on their way at once, as those of many kubelets and daemons are. Those of one object
	// follow each other in one lane.
	lanes = 16
	// laneLength is how many writes may wait in a lane.
	laneLength = 256
)

// writer makes a write on an API server; an simulator.Writer does.
type writer interface {
	Apply(ctx context.Context, write simulator.Write) error
}

// player makes the writes of a simulation.
type player struct {
	writer     writer
	simulation *simulator.Simulation
	recorder   *recorder
	// start is when the simulation starts by its own clock, and late how much later it is played.
	start time.Time
	late  time.Duration
	// next is a write that was taken from the simulation and is not made yet.
	next *simulator.Write
	// rate is how many nodes change a second once MachineConfigs are rendered.
	rate float64
	// rolling is when the first MachineConfig was rendered, and changed how many nodes have changed since.
	rolling time.Time
	changed int
}

// planned is a write, when it is due, and what it changes.
type planned struct {
	simulator.Write

	due         time.Time
	transitions []lag.Transition
}

// begin lets the simulation start now. The times within its objects are those of its own clock: were they others than when
// the cluster was created, the first heartbeat of a node would change it.
func (p *player) begin() {
	p.late = time.Since(p.start)
}

// create creates all objects that the cluster has now.
func (p *player) create(ctx context.Context) error {
	return p.inLanes(ctx, func(send func(planned) error) error {
		for _, object := range p.simulation.Objects() {
			kind := object.GetObjectKind().GroupVersionKind().Kind
			if err := send(planned{Write: simulator.Write{Kind: kind, Name: object.GetName(), After: object}}); err != nil {
				return err
			}
		}
		return nil
	}, func(planned) {})
}

// play makes the writes of the simulation at their time, up to one at which until is true, which is left for the next
// call.
func (p *player) play(ctx context.Context, until func(simulator.Write) bool) error {
	return p.inLanes(ctx, func(send func(planned) error) error {
		for {
			if p.next == nil {
				write, more := p.simulation.Next()
				if !more {
					return nil
				}
				p.next = &write
			}
			if until != nil && until(*p.next) {
				return nil
			}
			one := planned{Write: *p.next, transitions: p.recorder.plan(*p.next)}
			one.due = p.due(one)
			if err := simulator.RealTime(ctx, one.due); err != nil {
				return err
			}
			if err := send(one); err != nil {
				return err
			}
			p.next = nil
		}
	}, p.recorder.sending)
}

// due returns when a write is to be made: at its time, as long as operators are updated, and then so that nodes change at
// an even rate. By the clock of the simulation they change in waves, five times as fast as between them: what would be
// measured then is how fast the machine can play.
func (p *player) due(one planned) time.Time {
	if p.rolling.IsZero() {
		due := one.Time.Add(p.late)
		if one.Before == nil {
			p.rolling = due
		}
		return due
	}
	for _, transition := range one.transitions {
		if transition.Subject.Kind == lag.Nodes {
			p.changed++
		}
	}
	return p.rolling.Add(time.Duration(float64(p.changed) / p.rate * float64(time.Second)))
}

// one makes a single write at its time.
func (p *player) one(ctx context.Context, write simulator.Write) error {
	transitions := p.recorder.plan(write)
	if err := simulator.RealTime(ctx, write.Time); err != nil {
		return err
	}
	p.recorder.sending(planned{write, write.Time, transitions})
	if err := p.writer.Apply(ctx, write); err != nil {
		return fmt.Errorf("making a single change: %w", err)
	}
	return nil
}

// inLanes makes the writes that plan sends, and returns when all are made.
func (p *player) inLanes(ctx context.Context, plan func(send func(planned) error) error, sending func(planned)) error {
	group, ctx := errgroup.WithContext(ctx)
	var queues [lanes]chan planned
	for at := range queues {
		queues[at] = make(chan planned, laneLength)
		group.Go(func() error {
			for one := range queues[at] {
				sending(one)
				if err := p.writer.Apply(ctx, one.Write); err != nil {
					return fmt.Errorf("playing the update: %w", err)
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer func() {
			for _, queue := range queues {
				close(queue)
			}
		}()
		return plan(func(one planned) error {
			select {
			case queues[laneOf(one.Write)] <- one:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
	})
	return group.Wait()
}

func laneOf(write simulator.Write) uint32 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(write.Kind + "/" + write.Name))
	return hash.Sum32() % lanes
}
