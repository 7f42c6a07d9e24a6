package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/openshift/cluster-version-operator/test/updatestatus/lag"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const (
	// lanes is how many writes are in flight at a time, like those of many kubelets and daemons. Writes of one object follow
	// each other in one lane.
	lanes = 16
	// laneLength is how many writes may wait in a lane.
	laneLength = 256
)

// writer sends a write to an API server.
type writer interface {
	Apply(ctx context.Context, write simulator.Write) error
}

// player sends the writes of a simulation.
type player struct {
	writer     writer
	simulation *simulator.Simulation
	recorder   *recorder
	// start is when the simulation starts by its own clock, and offset how much later it is played.
	start  time.Time
	offset time.Duration
	// next is a write that was taken from the simulation and is not sent yet.
	next *simulator.Write
	// rate is how many nodes change a second once MachineConfigs are rendered, zero if at the times of the simulation.
	rate float64
	// nodesStart is when the first MachineConfig was rendered, and changed how many nodes have changed since.
	nodesStart time.Time
	changed    int
}

// plannedWrite is a write, when it is due, and what it changes.
type plannedWrite struct {
	simulator.Write

	due         time.Time
	transitions []lag.Transition
	// counts are the transitions of the counts of the summary.
	counts []lag.Transition
}

// startNow makes the simulation start now. The times within its objects stay those of its own clock: otherwise the first
// heartbeat of a node would change more than heartbeat times.
func (p *player) startNow() {
	p.offset = time.Since(p.start)
}

// create creates all objects that the cluster has now.
func (p *player) create(ctx context.Context) error {
	return p.inLanes(ctx, func(send func(plannedWrite) error) error {
		for _, object := range p.simulation.Objects() {
			kind := object.GetObjectKind().GroupVersionKind().Kind
			if err := send(plannedWrite{Write: simulator.Write{Kind: kind, Name: object.GetName(), After: object}}); err != nil {
				return err
			}
		}
		return nil
	}, func(plannedWrite) {})
}

// play sends the writes of the simulation when they are due, up to the first for which until returns true; that one is left
// for the next call.
func (p *player) play(ctx context.Context, until func(simulator.Write) bool) error {
	return p.inLanes(ctx, func(send func(plannedWrite) error) error {
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
			write := p.recorder.plan(*p.next)
			write.due = p.due(write)
			if err := playback.RealTime(ctx, write.due); err != nil {
				return err
			}
			if err := send(write); err != nil {
				return err
			}
			p.next = nil
		}
	}, p.recorder.sending)
}

// due returns when a write is sent: at its time while operators are updated, and then so that nodes change at an even rate.
// In the simulation they change in waves, five times as fast as between them, which would measure the speed of the machine.
func (p *player) due(write plannedWrite) time.Time {
	if p.nodesStart.IsZero() || p.rate == 0 {
		due := write.Time.Add(p.offset)
		if write.Before == nil {
			p.nodesStart = due
		}
		return due
	}
	for _, transition := range write.transitions {
		if transition.Subject.Kind == lag.Nodes {
			p.changed++
		}
	}
	return p.nodesStart.Add(time.Duration(float64(p.changed) / p.rate * float64(time.Second)))
}

// playOne sends a single write at its time.
func (p *player) playOne(ctx context.Context, write simulator.Write) error {
	planned := p.recorder.plan(write)
	planned.due = write.Time
	if err := playback.RealTime(ctx, write.Time); err != nil {
		return err
	}
	p.recorder.sending(planned)
	if err := p.writer.Apply(ctx, write); err != nil {
		return fmt.Errorf("sending a single change: %w", err)
	}
	return nil
}

// inLanes applies the writes that plan sends, and returns when all are done.
func (p *player) inLanes(ctx context.Context, plan func(send func(plannedWrite) error) error, sending func(plannedWrite)) error {
	group, ctx := errgroup.WithContext(ctx)
	var queues [lanes]chan plannedWrite
	for at := range queues {
		queues[at] = make(chan plannedWrite, laneLength)
		group.Go(func() error {
			for write := range queues[at] {
				sending(write)
				if err := p.writer.Apply(ctx, write.Write); err != nil {
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
		return plan(func(write plannedWrite) error {
			select {
			case queues[laneOf(write.Write)] <- write:
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
