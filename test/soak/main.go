package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/faults"
)

func main() {
	// Clients log connections that end, and that they do is what this is about.
	klog.SetLogger(logr.Discard())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newCommand().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func newCommand() *cobra.Command {
	in, long, only := faults.SoakInput{}, true, ""
	command := &cobra.Command{
		Use:           "soak",
		Short:         "Play updates with random faults with one process, and check the object and its resource usage",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, _ []string) error {
			return soak(command, in, func(scenario faults.Scenario) bool {
				return long && scenario.Before == nil && (only == "" || only == scenario.Name)
			})
		},
	}
	flags := command.Flags()
	flags.DurationVar(&in.Length, "length", time.Hour, "The length of the part with random faults.")
	flags.BoolVar(&long, "scenarios", true, "Play the long form of each scenario first.")
	flags.StringVar(&only, "only", "", "The name of the only scenario to play then.")
	flags.DurationVar(&in.Each, "each", 20*time.Second, "The length of an update without faults.")
	flags.Uint64Var(&in.Seed, "seed", rand.Uint64N(1<<20), "The seed of all random choices, by default a random one.")
	return command
}

func soak(command *cobra.Command, in faults.SoakInput, isWanted func(faults.Scenario) bool) (err error) {
	out := command.OutOrStdout()
	in.Log = func(format string, values ...any) {
		// If nobody reads the output any more, the exit status has the result.
		_, _ = fmt.Fprintf(out, format+"\n", values...)
	}
	in.Log("seed %d", in.Seed)
	if in.Plane, err = controlplane.Start(command.Context(), controlplane.Options{}); err != nil {
		return fmt.Errorf("starting the control plane: %w", err)
	}
	defer func() { err = errors.Join(err, in.Plane.Stop()) }()
	if err := playLong(command.Context(), in, isWanted); err != nil {
		return err
	}
	samples, err := faults.Soak(command.Context(), in)
	if err != nil {
		return err
	}
	if grown := faults.Growth(samples); len(grown) > 0 {
		return fmt.Errorf("the controller has grown: %s", strings.Join(grown, "; "))
	}
	in.Log("%d updates, nothing wrong, nothing grown", len(samples))
	return nil
}

// playLong plays scenarios in their long form.
func playLong(ctx context.Context, in faults.SoakInput, isWanted func(faults.Scenario) bool) error {
	for _, scenario := range faults.Scenarios() {
		if !isWanted(scenario) {
			continue
		}
		began := time.Now()
		report, err := faults.Play(ctx, scenario, faults.Input{Plane: in.Plane, Seed: in.Seed, Length: in.Each, Long: true})
		if err != nil {
			return fmt.Errorf("seed %d, %s: %w", in.Seed, scenario.Name, err)
		}
		in.Log("%8s  %s: right %s after all was over; %d versions, %d starts", time.Since(began).Round(time.Second), scenario.Name,
			report.Settled.Round(time.Millisecond), report.Versions, report.Starts)
	}
	return nil
}
