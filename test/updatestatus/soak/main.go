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

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/faults"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
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
	in, only := faults.SoakInput{Input: faults.Input{Long: true}}, ""
	command := &cobra.Command{
		Use:           "soak",
		Short:         "Play updates with random faults with one process, and check the object and its resource usage",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(command *cobra.Command, _ []string) error { return soak(command, in, only) },
	}
	flags := command.Flags()
	flags.DurationVar(&in.Lasts, "length", time.Hour, "The length of the part with random faults.")
	flags.StringVar(&only, "only", "", "The name of the only scenario whose long form is played first. Default: all of them.")
	flags.DurationVar(&in.Length, "each", 20*time.Second, "The length of an update without faults.")
	flags.Uint64Var(&in.Seed, "seed", rand.Uint64N(1<<20), "The seed of all random choices, by default a random one.")
	return command
}

func soak(command *cobra.Command, in faults.SoakInput, only string) (err error) {
	out := command.OutOrStdout()
	in.Print = func(format string, values ...any) {
		// If nobody reads the output any more, the exit status has the result.
		_, _ = fmt.Fprintf(out, format+"\n", values...)
	}
	if in.Log, err = harness.CreateLog("soak.log"); err != nil {
		return err
	}
	in.Print("seed %d; the controllers log to %s", in.Seed, in.Log.Name())
	if in.Plane, err = controlplane.Start(command.Context(), controlplane.Options{}); err != nil {
		return fmt.Errorf("starting the control plane: %w", err)
	}
	defer func() { err = errors.Join(err, in.Plane.Stop(), in.Log.Close()) }()
	for _, scenario := range faults.Scenarios() {
		if only != "" && only != scenario.Name {
			continue
		}
		began := time.Now()
		report, err := faults.Play(command.Context(), scenario, in.Input)
		if err := errors.Join(err, in.Plane.Reset(command.Context())); err != nil {
			return fmt.Errorf("seed %d, %s: %w", in.Seed, scenario.Name, err)
		}
		in.Print("%8s  %s: right %s after all was over; %d versions, %d starts", time.Since(began).Round(time.Second), scenario.Name,
			report.Settled.Round(time.Millisecond), report.Versions, report.Starts)
	}
	in.Long = false
	samples, err := faults.Soak(command.Context(), in)
	if err != nil {
		return err
	}
	if grown := faults.Growth(samples); len(grown) > 0 {
		return fmt.Errorf("the controller has grown: %s", strings.Join(grown, "; "))
	}
	in.Print("%d updates, nothing wrong, nothing grown", len(samples))
	return nil
}
