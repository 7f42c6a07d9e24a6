package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/openshift/cluster-version-operator/pkg/describe"
)

const (
	long = `Show how far the update of a cluster is, when it is expected to be done, and what needs attention.

Without a file, the state is read from UpdateStatus/cluster, which the Update Status Controller of the
cluster keeps. A file or a must-gather is shown as of the newest change in it, since nothing says when it
was written: --now tells the moment.

The exit status says nothing of the update. It is 0 if its state was shown; 1 if it can't be had, if what was
shown may be old since the controller can't see the cluster, or if --watch was ended before the update. A
watch that begins before the update does ends at once.`

	example = `  # The update of the current cluster
  oc update status

  # The same, drawn again at every change until the update is complete
  oc update status --watch

  # With the updating cluster operators, all nodes, and what to do about problems
  oc update status --details=all

  # An UpdateStatus in a file, or from another command
  oc update status -f updatestatus.yaml
  oc get updatestatus cluster -o yaml | oc update status -f -

  # A cluster of which a must-gather was taken: a folder or a .tar.gz
  oc update status --must-gather must-gather.local.1234567890

  # For other programs
  oc update status -o json`
)

// NewCommand returns the command. It reads and writes the streams only.
func NewCommand(streams genericiooptions.IOStreams) *cobra.Command {
	o := newOptions(streams)
	cmd := &cobra.Command{
		Use:           "status",
		Short:         "Show how far the update of a cluster is",
		Long:          long,
		Example:       example,
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := noneEmpty(cmd.Flags(), "filename", "must-gather", "now"); err != nil {
				return err
			}
			if err := o.Validate(); err != nil {
				return err
			}
			if err := o.Complete(); err != nil {
				return err
			}
			return o.Run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.Filename, "filename", "f", "", "File with an UpdateStatus in YAML or JSON to show (-: standard input).")
	flags.StringVar(&o.MustGather, "must-gather", "", "Folder, .tar.gz or file with the objects of a cluster to show, and its alerts as Prometheus answers.")
	flags.StringVar(&o.Now, "now", "", "Moment to look from, as 2006-01-02T15:04:05Z. Default: the present, for files the newest change in them.")
	flags.StringVarP(&o.Output, "output", "o", "", "Format of the output: "+strings.Join(formats, ", ")+". Default: text.")
	flags.StringVar(&o.Details, "details", string(describe.DetailsNone), "What to show in full: "+strings.Join(detailNames(), ", ")+".")
	flags.BoolVarP(&o.Watch, "watch", "w", false, "Show every change of the cluster's update, until no update goes on.")
	flags.StringVar(&o.Color, "color", colorAuto, "When to use colours: "+strings.Join(colors, ", ")+". auto: on a terminal, unless NO_COLOR is set.")
	o.ConfigFlags.AddFlags(flags)

	completeWith(cmd, "details", detailNames())
	completeWith(cmd, "output", formats)
	completeWith(cmd, "color", colors)
	return cmd
}

// noArguments refuses what stands there without a flag.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("there is nothing to do with %q: files are named with -f or --must-gather", args[0])
}

// noneEmpty refuses flags that are given without a value, as by a variable of a shell that is not set: without them the
// state of another cluster would be shown.
func noneEmpty(flags *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if flags.Changed(name) && flags.Lookup(name).Value.String() == "" {
			return fmt.Errorf("--%s is empty: give it a value, or leave it out", name)
		}
	}
	return nil
}

// completeWith makes shells complete a flag. It fails only for a flag that is not there, which the tests would show.
func completeWith(cmd *cobra.Command, flag string, values []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

func detailNames() []string {
	var names []string
	for _, details := range describe.AllDetails() {
		names = append(names, string(details))
	}
	return names
}
