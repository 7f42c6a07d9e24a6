package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	"github.com/openshift/cluster-version-operator/test/updatestatus/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/updatestatus/benchmark/shape"
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
	pace     string
	folder   string
	document string
	profile  string
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
	flags.IntSliceVar(&options.nodes, "nodes", nil, "The sizes of the clusters to measure; without any, only the document is written.")
	flags.StringVar(&options.pace, "pace", "hard", "The pace of the updates: hard, or real for fifteen minutes in the middle of an update at the pace of real ones.")
	flags.StringVar(&options.folder, "runs", "docs/updatestatus/benchmark", "The folder with a file for each run.")
	flags.StringVar(&options.document, "document", "docs/updatestatus/benchmark.md", "The document that is written from all runs.")
	flags.StringVar(&options.profile, "profile", "", "A file for a CPU profile of the controller in the update, for go tool pprof; FILE.allocs has its allocations.")
	command.AddCommand(newHostedCommand())
	return command
}

func (o *options) run(ctx context.Context, logf func(format string, values ...any)) error {
	name, known := map[string]string{"hard": shape.Plain, "real": shape.Real}[o.pace]
	if !known {
		return fmt.Errorf("unknown pace %q, not hard or real", o.pace)
	}
	for _, nodes := range o.nodes {
		of := shape.Shape{Name: name, Nodes: nodes}
		if err := of.Validate(); err != nil {
			return err
		}
		run, err := measure(ctx, of, runOptions{logf: logf, profile: o.profile})
		if err != nil {
			return fmt.Errorf("measuring %d nodes, %s: %w", nodes, name, err)
		}
		if err := o.writeRun(run); err != nil {
			return err
		}
	}
	return o.write(logf)
}

// writeRun writes a run to its file.
func (o *options) writeRun(run report.Run) error {
	content, err := json.MarshalIndent(run, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding a run: %w", err)
	}
	path := filepath.Join(o.folder, fmt.Sprintf("%s-%05d.json", run.Shape, run.Nodes))
	if err := errors.Join(os.MkdirAll(o.folder, 0o750), os.WriteFile(path, append(content, '\n'), 0o600)); err != nil {
		return fmt.Errorf("writing a run: %w", err)
	}
	return nil
}

// readRuns reads the runs in a folder.
func readRuns(folder string) ([]report.Run, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("listing runs: %w", err)
	}
	runs := make([]report.Run, len(paths))
	for at, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reading a run: %w", err)
		}
		if err := json.Unmarshal(content, &runs[at]); err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
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
