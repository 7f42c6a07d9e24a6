package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/openshift/cluster-version-operator/pkg/describe"
)

const (
	long = `Show the progress of a cluster's update, when it is expected to complete, and what needs attention.

Without a file, the status is read from UpdateStatus/cluster, which the Update Status Controller of the
cluster maintains. A file or a must-gather is shown as of the last change in it, unless --now sets another
time.

The exit status does not depend on how the update goes. It is 0 if the status was shown, and 1 if it could
not be read, if it may be outdated, since the controller is unable to read the cluster or the ClusterVersion
has started or completed an update since, or if --watch was interrupted before the update completed. Without an update, --watch ends immediately.`

	example = `  # Show the update of the current cluster
  oc adm upgrade status

  # Show it again at every change until the update is complete
  oc adm upgrade status --watch

  # Include the updating cluster operators, all nodes, and what to do about problems
  oc adm upgrade status --details=all

  # Show an UpdateStatus from a file, or from another command
  oc adm upgrade status -f updatestatus.yaml
  oc get updatestatus cluster -o yaml | oc adm upgrade status -f -

  # Show the cluster of a must-gather, a directory or a .tar.gz
  oc adm upgrade status --must-gather must-gather.local.1234567890

  # Print the object for other programs
  oc adm upgrade status -o json`
)

// Name is what the examples of the command call it: oc with this command as a subcommand.
const Name = "oc adm upgrade status"

// NewCommand returns the command. The getter selects the cluster and the user: oc's factory, whose flags are those of oc itself, or
// the ConfigFlags of a plugin. The command uses no other streams than these.
func NewCommand(getter genericclioptions.RESTClientGetter, streams genericiooptions.IOStreams) *cobra.Command {
	o := newOptions(getter, streams)
	cmd := &cobra.Command{
		Use:           "status",
		Short:         "Show the progress of a cluster's update",
		Long:          long,
		Example:       example,
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkNotEmpty(cmd.Flags(), "filename", "must-gather"); err != nil {
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
	flags.StringVarP(&o.Filename, "filename", "f", "", "File with an UpdateStatus in YAML or JSON (-: standard input).")
	flags.StringVar(&o.MustGather, "must-gather", "", "Directory, .tar.gz or file with the objects of a cluster, and its alerts as Prometheus returns them.")
	flags.TimeVar(&o.Now, "now", time.Time{}, []string{time.RFC3339}, "Current time, such as 2006-01-02T15:04:05Z. Default: for files, the time of the last change in them.")
	flags.StringVarP(&o.Output, "output", "o", "", "Output format: "+strings.Join(formats, ", ")+". Default: text.")
	flags.StringVar(&o.Details, "details", string(describe.DetailsNone), "Parts to show in full: "+strings.Join(detailNames(), ", ")+".")
	flags.BoolVarP(&o.Watch, "watch", "w", false, "Show every change until the update is complete.")
	flags.StringVar(&o.Color, "color", colorAuto, "When to use colors: "+strings.Join(colors, ", ")+". auto: on a terminal, unless NO_COLOR is set.")

	completeWith(cmd, "details", detailNames())
	completeWith(cmd, "output", formats)
	completeWith(cmd, "color", colors)
	return cmd
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q: pass files with -f or --must-gather", args[0])
}

// checkNotEmpty returns an error for flags with an empty value, as of an unset shell variable: ignoring them would show
// another cluster.
func checkNotEmpty(flags *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if flags.Changed(name) && flags.Lookup(name).Value.String() == "" {
			return fmt.Errorf("--%s is empty: set a value or omit the flag", name)
		}
	}
	return nil
}

// completeWith sets the shell completions of a flag. Registering fails for a missing flag only, which the tests would show.
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
