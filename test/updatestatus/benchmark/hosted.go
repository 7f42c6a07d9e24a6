package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/prometheus/procfs"
	"github.com/spf13/cobra"

	"github.com/openshift/cluster-version-operator/test/updatestatus/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
)

// settleLength is how long controllers have been running when they are measured.
const settleLength = time.Minute

// hostedOptions are the flags of the benchmark of hosted clusters.
type hostedOptions struct {
	controllers, stored int
	idle                time.Duration
	document            string
}

func newHostedCommand() *cobra.Command {
	options := hostedOptions{}
	command := &cobra.Command{
		Use:   "hosted",
		Short: "Measure the controllers of hosted clusters that one management API server has, and the client with many of them",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			errOut := command.ErrOrStderr()
			return options.run(command.Context(), func(format string, values ...any) {
				fmt.Fprintf(errOut, format+"\n", values...)
			})
		},
	}
	flags := command.Flags()
	flags.IntVar(&options.controllers, "controllers", 20, "How many hosted clusters, each with a controller, there are.")
	flags.IntVar(&options.stored, "stored", 1000, "How many hosted clusters the client lists.")
	flags.DurationVar(&options.idle, "idle", 10*time.Minute, "For how long the controllers are idle.")
	flags.StringVar(&options.document, "document", "docs/updatestatus/benchmark-hosted.md", "The document that is written.")
	return command
}

func (o hostedOptions) run(ctx context.Context, logf func(format string, values ...any)) error {
	if o.controllers < 1 || o.stored < o.controllers || o.idle < time.Minute {
		return errors.New("--controllers must be at least 1, --stored no less than that, and --idle at least a minute")
	}
	var measured report.Fleet
	err := inFolder(func(string) (err error) {
		measured, err = o.measure(ctx, logf)
		return err
	})
	if err != nil {
		return err
	}
	var document strings.Builder
	missed, err := measured.Write(&document)
	if err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	if err := os.WriteFile(o.document, []byte(document.String()), 0o644); err != nil { //nolint:gosec // a document of the repository
		return fmt.Errorf("writing the document: %w", err)
	}
	logf("%s: %d bounds missed", o.document, missed)
	return nil
}

// measure starts two API servers: that of the management cluster, and one that stands for those of all hosted clusters.
func (o hostedOptions) measure(ctx context.Context, logf func(format string, values ...any)) (measured report.Fleet, err error) {
	management, err := controlplane.Start(ctx, controlplane.Options{Bare: true, Hosted: true})
	if err != nil {
		return measured, fmt.Errorf("starting the control plane of the management cluster: %w", err)
	}
	defer func() { err = errors.Join(err, management.Stop()) }()
	// Before there is a second API server among the children of this process.
	meter, err := newMeter()
	if err != nil {
		return measured, err
	}
	shared, err := controlplane.Start(ctx, controlplane.Options{Bare: true})
	if err != nil {
		return measured, fmt.Errorf("starting the control plane of the hosted clusters: %w", err)
	}
	defer func() { err = errors.Join(err, shared.Stop()) }()
	logf("Creating %d hosted clusters ...", o.controllers)
	fleet, err := newFleet(ctx, management, shared, o.controllers)
	if err != nil {
		return measured, err
	}
	measured = report.Fleet{
		Cores: runtime.NumCPU(), Go: runtime.Version(), Controllers: o.controllers, Components: fleetComponents, Nodes: fleetNodes, Stored: o.stored,
	}
	logf("Measuring the API server without controllers for %s ...", o.idle)
	before, after, err := meter.pass(ctx, o.idle)
	if err != nil {
		return measured, err
	}
	measured.BaselineCPU = after.server - before.server
	if err := o.measureIdle(ctx, fleet, meter, &measured, logf); err != nil {
		return measured, err
	}
	logf("Storing %d hosted clusters ...", o.stored)
	if err := fleet.store(ctx, o.stored); err != nil {
		return measured, err
	}
	measured.ClientSeconds, measured.ClientMemory, err = measureClient(ctx, management, "--hosted-clusters")
	return measured, err
}

// measureIdle runs the controllers.
func (o hostedOptions) measureIdle(
	ctx context.Context, fleet *fleet, meter *meter, measured *report.Fleet, logf func(format string, values ...any),
) (err error) {
	logf("Starting the controllers ...")
	defer func() { err = errors.Join(err, fleet.stop()) }()
	if err := fleet.start(ctx); err != nil {
		return err
	}
	written, err := watchWritten(ctx, fleet.management.Admin())
	if err != nil {
		return err
	}
	defer written.stop()
	// What they write at their start comes to an end.
	if _, _, err := meter.pass(ctx, settleLength); err != nil {
		return err
	}
	logf("Measuring them for %s ...", o.idle)
	processes, err := children("cluster-version")
	if err != nil {
		return err
	}
	start, err := sum(processes, cpuOf)
	if err != nil {
		return err
	}
	written.reset()
	before, after, err := meter.pass(ctx, o.idle)
	if err != nil {
		return err
	}
	bytes := written.reset()
	end, err := sum(processes, cpuOf)
	if err != nil {
		return err
	}
	measured.Seconds, measured.ServerCPU, measured.ControllerCPU = after.at.Sub(before.at).Seconds(), after.server-before.server, end-start
	measured.Confirmed, measured.Leases = bytes[summaries], bytes[leases]
	for resource, size := range bytes {
		if resource != summaries && resource != leases {
			measured.Others += size
		}
	}
	for _, process := range processes {
		status, err := process.NewStatus()
		if err != nil {
			return fmt.Errorf("reading the memory of a controller: %w", err)
		}
		measured.PeakMemory = max(measured.PeakMemory, int(status.VmHWM))
	}
	if len(processes) != o.controllers {
		return fmt.Errorf("%d controllers run, not %d", len(processes), o.controllers)
	}
	return nil
}

// pass reads what is used before and after a time.
func (m *meter) pass(ctx context.Context, length time.Duration) (before, after reading, err error) {
	if before, err = m.processes(); err != nil {
		return before, after, err
	}
	select {
	case <-time.After(length):
	case <-ctx.Done():
		return before, after, context.Cause(ctx)
	}
	after, err = m.processes()
	return before, after, err
}

func sum(processes []procfs.Proc, of func(procfs.Proc) (float64, error)) (total float64, err error) {
	for _, process := range processes {
		one, err := of(process)
		if err != nil {
			return 0, err
		}
		total += one
	}
	return total, nil
}
