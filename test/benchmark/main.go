package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/benchmark/shape"
)

func main() {
	// Clients log connections that end with the control plane.
	klog.SetLogger(logr.Discard())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newCommand().ExecuteContext(ctx)
	if err != nil && ctx.Err() != nil {
		// The signal is the cause, whatever it interrupted.
		err = context.Cause(ctx)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	nodes    []int
	odd      []string
	pace     string
	folder   string
	document string
	profile  string
	baseline bool
}

func newCommand() *cobra.Command {
	options := &options{}
	command := &cobra.Command{
		Use:           "benchmark",
		Short:         "Measure the Update Status Controller on clusters of many sizes, on an API server of its own",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, _ []string) error {
			errOut := command.ErrOrStderr()
			return options.run(command.Context(), func(format string, values ...any) {
				fmt.Fprintf(errOut, format+"\n", values...)
			})
		},
	}
	flags := command.Flags()
	flags.IntSliceVar(&options.nodes, "nodes", nil, "The sizes of the plain clusters to measure; without any, only the document is written.")
	flags.StringSliceVar(&options.odd, "odd", nil, fmt.Sprintf("Clusters of other shapes to measure, as SHAPE:NODES with a shape of %v.", shape.Names()))
	flags.StringVar(&options.pace, "pace", "hard", "The pace of the updates of plain clusters: hard, or real for fifteen minutes in the middle of an update at the pace of real ones.")
	flags.StringVar(&options.folder, "runs", "docs/benchmark", "The folder with a file for each run.")
	flags.StringVar(&options.document, "document", "docs/benchmark.md", "The document that is written from all runs.")
	flags.StringVar(&options.profile, "profile", "", "A file for a CPU profile of the controller in the update, for go tool pprof; FILE.allocs has its allocations.")
	flags.BoolVar(&options.baseline, "baseline", true, "Play the update without the controller first, for the cost of the replay itself.")
	command.AddCommand(newHostedCommand())
	return command
}

func (o *options) run(ctx context.Context, logf func(format string, values ...any)) error {
	shapes, err := o.shapes()
	if err != nil {
		return err
	}
	for _, of := range shapes {
		run, err := measure(ctx, of, runOptions{logf: logf, profile: o.profile, baseline: o.baseline})
		if err != nil {
			return fmt.Errorf("measuring %d nodes, %s: %w", of.Nodes, of.Name, err)
		}
		if err := o.writeRun(fmt.Sprintf("%s-%05d.json", run.Shape, run.Nodes), run); err != nil {
			return err
		}
	}
	return o.write(logf)
}

// shapes returns the clusters to measure.
func (o *options) shapes() ([]shape.Shape, error) {
	var shapes []shape.Shape
	plain, known := map[string]string{"hard": shape.Plain, "real": shape.Real}[o.pace]
	if !known {
		return nil, fmt.Errorf("unknown pace %q, not hard or real", o.pace)
	}
	for _, nodes := range o.nodes {
		shapes = append(shapes, shape.Shape{Name: plain, Nodes: nodes})
	}
	for _, odd := range o.odd {
		name, count, _ := strings.Cut(odd, ":")
		nodes, err := strconv.Atoi(count)
		if err != nil {
			return nil, fmt.Errorf("%q is not SHAPE:NODES", odd)
		}
		shapes = append(shapes, shape.Shape{Name: name, Nodes: nodes})
	}
	for _, of := range shapes {
		if err := of.Validate(); err != nil {
			return nil, fmt.Errorf("choosing clusters: %w", err)
		}
	}
	return shapes, nil
}

// writeRun writes a run to its file.
func (o *options) writeRun(name string, run report.Run) error {
	content, err := json.MarshalIndent(run, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding a run: %w", err)
	}
	path := filepath.Join(o.folder, name)
	if err := errors.Join(os.MkdirAll(o.folder, 0o750), os.WriteFile(path, append(content, '\n'), 0o600)); err != nil {
		return fmt.Errorf("writing a run: %w", err)
	}
	return nil
}

// readRun reads the file of a run.
func readRun(path string) (report.Run, error) {
	var run report.Run
	content, err := os.ReadFile(path)
	if err != nil {
		return run, fmt.Errorf("reading a run: %w", err)
	}
	if err := json.Unmarshal(content, &run); err != nil {
		return run, fmt.Errorf("reading %s: %w", path, err)
	}
	return run, nil
}

// readRuns reads the runs in a folder; none if it does not exist.
func readRuns(folder string) ([]report.Run, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("listing runs: %w", err)
	}
	var runs []report.Run
	for _, path := range paths {
		run, err := readRun(path)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// write writes the document from all runs.
func (o *options) write(logf func(format string, values ...any)) (err error) {
	document := report.Document{Interval: fmt.Sprintf("at least %s (%s with more than %d nodes)", singleInterval, singleIntervalLarge, largeSize)}
	if document.Runs, err = readRuns(o.folder); err != nil {
		return err
	}
	file, err := os.Create(o.document)
	if err != nil {
		return fmt.Errorf("writing the document: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	missed, err := document.Write(file)
	if err != nil {
		return err
	}
	logf("%s: %d runs, %d bounds missed", o.document, len(document.Runs), missed)
	return nil
}
