package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

const (
	defaultDuration = 2 * time.Minute
	leastDuration   = 10 * time.Second
)

// options are those of the command.
type options struct {
	// snapshot is DIR/NAME of a recorded cluster; empty to play an update.
	snapshot string
	// hypershift is whether the update of a hosted cluster is played.
	hypershift bool
	seed       uint64
	duration   time.Duration
}

func newCommand(console *console) *cobra.Command {
	options := &options{}
	command := &cobra.Command{
		Use:           "demo",
		Short:         "Show the Update Status Controller at work, on an API server that is started for it",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := options.validate(command.Flags().Changed); err != nil {
				return err
			}
			return options.run(command.Context(), console)
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.snapshot, "snapshot", "", "Show the recorded cluster DIR/NAME instead of playing an update.")
	flags.BoolVar(&options.hypershift, "hypershift", false, "Play the update of a hosted cluster.")
	flags.Uint64Var(&options.seed, "seed", 1, "What is left to chance in the update: another seed plays another one.")
	flags.DurationVar(&options.duration, "duration", defaultDuration, "How long the update takes.")
	return command
}

func (o *options) validate(changed func(flag string) bool) error {
	if o.duration < leastDuration {
		return fmt.Errorf("--duration %s: an update of less than %s is over before anybody sees it", o.duration, leastDuration)
	}
	if o.snapshot != "" && (changed("seed") || changed("duration")) {
		return errors.New("--seed and --duration are about an update that is played: leave them out with --snapshot")
	}
	if o.hypershift && (o.snapshot != "" || changed("seed")) {
		return errors.New("--snapshot and --seed are not about a hosted cluster: leave them out with --hypershift")
	}
	return nil
}

func (o *options) run(ctx context.Context, console *console) error {
	if o.hypershift {
		return playHosted(ctx, console, *o)
	}
	if o.snapshot != "" {
		return showRecorded(ctx, console, o.snapshot)
	}
	return playUpdate(ctx, console, *o)
}
