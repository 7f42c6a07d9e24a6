package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/openshift/cluster-version-operator/test/updatestatus/demo/story"
)

// options are those of the command.
type options struct {
	// snapshot is DIR/NAME of a recorded cluster; empty to play an update.
	snapshot string
	// hypershift is whether the update of a hosted cluster is played.
	hypershift bool
	// fault is what is wrong in the update that is played, isFaulty whether something is.
	fault    string
	isFaulty bool
	seed     uint64
	duration time.Duration
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
			options.isFaulty = command.Flags().Changed("fault")
			return options.run(command.Context(), console)
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.snapshot, "snapshot", "", "Show the recorded cluster DIR/NAME instead of playing an update.")
	flags.BoolVar(&options.hypershift, "hypershift", false, "Play the update of a hosted cluster.")
	flags.StringVar(&options.fault, "fault", "", "What is wrong in the update: "+strings.Join(story.Faults(), ", ")+".")
	flags.Uint64Var(&options.seed, "seed", 1, "What is left to chance in the update: another seed plays another one.")
	flags.DurationVar(&options.duration, "duration", 2*time.Minute, "How long the update takes.")
	// What is recorded is not played, and nothing is left to chance in a hosted cluster.
	for _, other := range []string{"hypershift", "fault", "seed", "duration"} {
		command.MarkFlagsMutuallyExclusive("snapshot", other)
	}
	command.MarkFlagsMutuallyExclusive("hypershift", "seed")
	command.MarkFlagsMutuallyExclusive("hypershift", "fault")
	return command
}

func (o *options) run(ctx context.Context, console *console) error {
	if o.hypershift {
		return playHosted(ctx, console, *o)
	}
	if o.snapshot != "" {
		return showRecorded(ctx, console, o.snapshot)
	}
	if o.isFaulty {
		return playFault(ctx, console, *o)
	}
	return playUpdate(ctx, console, *o)
}
