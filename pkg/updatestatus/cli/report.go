package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/report"
)

const (
	reportLong = `Write a report of an update: one HTML file to look at, to print, or to attach to a ticket. It has what the
status has, the duration of each step, and which problems there were when. It needs no script and loads nothing.

The report is about the present update of the current cluster, or the last one; with --must-gather about that
of the files, and with --history about an earlier one that the cluster has a record of.

The exit status is that of the status: 0 if the report was written, and 1 if it could not be, if files lack a
part of the cluster, or if the status may be outdated.`

	reportExample = `  # Write a report of the update of the current cluster
  oc adm upgrade report --output-file report.html

  # From a must-gather, a directory or an archive
  oc adm upgrade report --must-gather must-gather.local.1234567890 --output-file report.html

  # Of an earlier update, by the name of its record or its version (oc adm upgrade status --history lists them)
  oc adm upgrade report --history 4.20.2 --output-file report.html`
)

// ReportName is what the examples of the report's command call it.
const ReportName = "oc adm upgrade report"

// ReportOptions are the flags of the report's command.
type ReportOptions struct {
	// Options are those about what is read. Of the others none matters.
	*Options

	// OutputFile is the file that is written, "-" for standard output.
	OutputFile string

	// client is the name and the version of the command, empty if it has no version.
	client string
}

// NewReportCommand returns the command that writes a report. Its arguments are those of NewCommand.
func NewReportCommand(getter genericclioptions.RESTClientGetter, streams genericiooptions.IOStreams) *cobra.Command {
	o := &ReportOptions{Options: newOptions(getter, streams)}
	cmd := &cobra.Command{
		Use:           "report",
		Short:         "Write a report of a cluster's update",
		Long:          reportLong,
		Example:       reportExample,
		Args:          noReportArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	run := runE(o, "filename", "must-gather", "history", "output-file", "hosted-cluster")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Version != "" {
			o.client = cmd.DisplayName() + " " + cmd.Version
		}
		return run(cmd, args)
	}
	cmd.SetFlagErrorFunc(suggestFlag)
	flags := cmd.Flags()
	o.addSourceFlags(flags)
	flags.StringVar(&o.History, "history", "", "Record of an earlier update, by its name or its version.")
	flags.StringVar(&o.OutputFile, "output-file", "", "File to write (-: standard output).")
	return cmd
}

func noReportArguments(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q: name the file to write with --output-file, and files to read with -f or --must-gather", args[0])
}

// Validate returns an error for invalid flags.
func (o *ReportOptions) Validate() error {
	if o.OutputFile == "" {
		return errors.New("--output-file is missing: the name of the file to write, such as report.html")
	}
	return o.Options.Validate()
}

// Run writes the report. That of a status that is outdated or incomplete is also written, before the error about it.
func (o *ReportOptions) Run(ctx context.Context) error {
	if o.History != "" {
		return o.writeHistory(ctx)
	}
	observed, err := o.readWithWarnings(ctx)
	if err != nil {
		return err
	}
	now := o.nowFor(observed)
	in := report.Input{Status: observed.update, Options: o.describeOptions(observed, now), ConfirmedAt: observed.confirmedAt, About: o.about(ctx)}
	in.Options.Head, in.Options.AsOf = observed.head(now), observed.timeIs
	found, isStored, err := o.recordOf(ctx, observed, now)
	if err != nil {
		return err
	}
	if found != nil {
		in.Record = &found.Status
	}
	if isStored {
		in.RecordName = found.Name
	}
	if err := o.write(in); err != nil {
		return err
	}
	return observed.check(now)
}

// writeHistory writes the report of an earlier update.
func (o *ReportOptions) writeHistory(ctx context.Context) error {
	records, err := o.readRecords(ctx)
	if err != nil {
		return err
	}
	found, err := find(records, o.History)
	if err != nil {
		return err
	}
	return o.write(report.Input{
		Record: &found.Status, RecordName: found.Name, Options: o.textOptions(o.nowFor(&observation{})), About: o.about(ctx),
	})
}

// write writes a report to the file.
func (o *ReportOptions) write(in report.Input) (err error) {
	out := io.WriteCloser(nopCloser{o.Out})
	if o.OutputFile != standardOutput {
		if out, err = os.Create(o.OutputFile); err != nil {
			return fmt.Errorf("creating the report: %w", err)
		}
	}
	if err := errors.Join(report.New(in).Write(out), out.Close()); err != nil {
		return fmt.Errorf("writing the report to %s: %w", o.OutputFile, err)
	}
	return nil
}

// standardOutput is the path that stands for the standard output.
const standardOutput = "-"

// nopCloser is a stream that stays open.
type nopCloser struct{ io.Writer }

// Close does nothing.
func (nopCloser) Close() error { return nil }
