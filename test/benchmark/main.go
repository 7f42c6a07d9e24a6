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

	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/benchmark/shape"
)

func main() {
	// Clients log connections that end with the control plane.
	klog.SetLogger(logr.Discard())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newCommand().ExecuteContext(ctx)
	if err != nil && ctx.Err() != nil {
		// What a signal interrupted is of no interest.
		err = context.Cause(ctx)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// options are what the user asked for.
type options struct {
	nodes    []int
	shapes   []string
	folder   string
	document string
	command  string
	profile  string
}

func newCommand() *cobra.Command {
	options := &options{}
	command := &cobra.Command{
		Use:           "benchmark",
		Short:         "Measure the Update Status Controller on clusters of many sizes, on an API server that is started for it",
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
	flags.IntSliceVar(&options.nodes, "nodes", nil, "The sizes of the clusters that are measured; with none the document alone is written.")
	flags.StringSliceVar(&options.shapes, "shapes", []string{shape.Plain}, fmt.Sprintf("The shapes of the clusters that are measured, of %v.", shape.Names()))
	flags.StringVar(&options.folder, "runs", "bin/benchmark", "The folder with a file for each run.")
	flags.StringVar(&options.document, "document", "docs/benchmark.md", "The document that is written from all runs in the folder.")
	flags.StringVar(&options.profile, "profile", "", "A file for a CPU profile of the controller in the update, for go tool pprof.")
	flags.StringVar(&options.command, "command", "make benchmark", "The command that the document names.")
	return command
}

func (o *options) run(ctx context.Context, say func(format string, values ...any)) error {
	var measured []shape.Shape
	for _, name := range o.shapes {
		for _, nodes := range o.nodes {
			of := shape.Shape{Name: name, Nodes: nodes}
			if err := of.Validate(); err != nil {
				return err
			}
			measured = append(measured, of)
		}
	}
	for _, of := range measured {
		run, err := measure(ctx, of, asked{say: say, profile: o.profile})
		if err != nil {
			return fmt.Errorf("measuring %d nodes, %s: %w", of.Nodes, of.Name, err)
		}
		if err := o.keep(run); err != nil {
			return err
		}
	}
	return o.write(say)
}

// keep writes a run to its file.
func (o *options) keep(run report.Run) error {
	content, err := json.MarshalIndent(run, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding a run: %w", err)
	}
	path := filepath.Join(o.folder, fmt.Sprintf("%s-%05d.json", run.Shape, run.Nodes))
	if err := errors.Join(os.MkdirAll(o.folder, 0o750), os.WriteFile(path, append(content, '\n'), 0o600)); err != nil {
		return fmt.Errorf("keeping a run: %w", err)
	}
	return nil
}

// write writes the document from all runs that are kept.
func (o *options) write(say func(format string, values ...any)) (err error) {
	paths, err := filepath.Glob(filepath.Join(o.folder, "*.json"))
	if err != nil {
		return fmt.Errorf("looking for runs: %w", err)
	}
	document := report.Document{Command: o.command, Apart: fmt.Sprintf("%s (%s with more than %d nodes)", apart, apartLarge, largeSize)}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("reading a run: %w", err)
		}
		var run report.Run
		if err := json.Unmarshal(content, &run); err != nil {
			return fmt.Errorf("reading %s: %w", path, err)
		}
		document.Runs = append(document.Runs, run)
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
	say("%s: %d runs, %d bounds missed", o.document, len(document.Runs), missed)
	return nil
}
