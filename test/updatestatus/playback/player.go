package playback

import (
	"context"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// Player writes a simulation to an API server.
type Player struct {
	// Writer writes them.
	Writer *Writer
	// Wait waits for the time of a write, or returns the context's error. Without it, each write follows the one before
	// immediately. See RealTime; tests set a clock of their own.
	Wait func(ctx context.Context, moment time.Time) error
	// Wrote is called after each write, before the next one.
	Wrote func(simulator.Write)
}

// RealTime waits until a time.
func RealTime(ctx context.Context, moment time.Time) error {
	timer := time.NewTimer(time.Until(moment))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Create creates the cluster as it is now in a simulation.
func (p *Player) Create(ctx context.Context, simulation *simulator.Simulation) error {
	for _, object := range simulation.Objects() {
		if err := p.Writer.Apply(ctx, simulator.Write{After: object}); err != nil {
			return err
		}
	}
	return nil
}

// Play writes a simulation to its end, or up to the first write for which until is true. It returns whether it stopped there; the
// next call continues.
func (p *Player) Play(ctx context.Context, simulation *simulator.Simulation, until func(simulator.Write) bool) (bool, error) {
	for {
		write, more := simulation.Next()
		if !more {
			return false, nil
		}
		if p.Wait != nil {
			if err := p.Wait(ctx, write.Time); err != nil {
				return false, err
			}
		}
		if err := p.Writer.Apply(ctx, write); err != nil {
			return false, err
		}
		if p.Wrote != nil {
			p.Wrote(write)
		}
		if until != nil && until(write) {
			return true, nil
		}
	}
}
