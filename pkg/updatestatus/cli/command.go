package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/util/exec"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
)

const (
	long = `Show the progress of a cluster's update, what it waits for, when it is expected to complete, and what
needs attention.

Without a file, the status is read from UpdateStatus/cluster, which the Update Status Controller of the
cluster maintains; a cluster without one, or with one that is outdated, is assessed by the client, with your
permissions. A file is shown as of the last change in it, and a must-gather as of the end of gathering,
unless --now sets another time.

The text begins with the whole update and what needs attention. With --classic it is the one that the
OpenShift client prints without UpdateStatus, which scripts may read. With --watch a terminal shows what
matters most, as much as fits; elsewhere there is a line for each thing that happens, and the last one says why the watch
ends.

The exit status is 0 if the status was shown, and 1 if it could not be read, if files or your permissions
lack a part of the cluster, or if it may be outdated (the controller is unable to read the cluster or to write
the status; in files also if nothing was confirmed for three minutes, or the ClusterVersion has started or
completed an update since). It does not depend on how the update goes, unless a flag is set: with --exit-code
it is 0 without an update or when it is complete, 2 while one is in progress or was requested and has not
begun, and 3 if it also needs attention; with --fail-on it is 3 if there is a problem of this level. Of several
clusters it is 1 if one is not known, or else the highest. With
--watch it is 0 when what --for names is complete, 2 or 3 if only paused pools are left, 3 by --fail-on, 4
after --timeout, and 130 if it was interrupted. With --classic it is 0 once something is shown, as that of the OpenShift client:
standard error says what is missing or outdated.`

	example = `  # Show the update of the current cluster
  oc adm upgrade status

  # Show it again at every change until the update is complete
  oc adm upgrade status --watch

  # Wait in a script until the workers are complete, for two hours at most, and fail at an error
  oc adm upgrade status --watch --for=workers --fail-on=error --timeout=2h

  # Include the updating cluster operators, all nodes, and what to do about problems
  oc adm upgrade status --details=all

  # Show an UpdateStatus from a file, or from another command
  oc adm upgrade status -f updatestatus.yaml
  oc get updatestatus cluster -o yaml | oc adm upgrade status -f -

  # Show the cluster of a must-gather, a directory or an archive
  oc adm upgrade status --must-gather must-gather.local.1234567890
  ssh host cat must-gather.tar.gz | oc adm upgrade status --must-gather -

  # Show the duration of each step in this update, and in earlier ones
  oc adm upgrade status --timeline
  oc adm upgrade status --history
  oc adm upgrade status --history=4.20.2

  # List the nodes of the update, or those that are not updated yet
  oc adm upgrade status nodes
  oc adm upgrade status nodes --not-updated -o name

  # Show the summary of the update alone, or print what it waits for
  oc adm upgrade status --summary
  oc adm upgrade status --summary -o jsonpath='{.status.waitingFor}'

  # Print the object for other programs, or a text for a ticket
  oc adm upgrade status -o json
  oc adm upgrade status -o markdown

  # Write a page with all of the update, for a ticket or to keep it
  oc adm upgrade report --output-file=update.html

  # Show several clusters, one in a line
  oc adm upgrade status --contexts=east,west

  # Show a hosted cluster of the management cluster, and all of them
  oc adm upgrade status --hosted-cluster=clusters/demo
  oc adm upgrade status --hosted-clusters`
)

// Name is what the examples of the command call it: oc with this command as a subcommand.
const Name = "oc adm upgrade status"

// Option changes a default of the command.
type Option func(*Options)

// ClassicOffTerminal makes the classic text the default unless the output is a terminal: for oc, whose `oc adm upgrade status` scripts read.
func ClassicOffTerminal(o *Options) { o.classicOffTerminal = true }

// NewCommand returns the command. The getter selects the cluster and the user: oc's factory, whose flags are those of oc itself, or
// the ConfigFlags of a plugin. The command uses no other streams than these.
func NewCommand(getter genericclioptions.RESTClientGetter, streams genericiooptions.IOStreams, options ...Option) *cobra.Command {
	o := newOptions(getter, streams)
	for _, set := range options {
		set(o)
	}
	return o.newCommand()
}

func (o *Options) newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "status",
		Short:         "Show the progress of a cluster's update",
		Long:          long,
		Example:       example,
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          runE(o, "filename", "must-gather", "history", "hosted-cluster", "until", "contexts"),
	}
	o.reportPath = func() string { return strings.TrimSuffix(cmd.CommandPath(), "status") + "report" }
	cmd.SetFlagErrorFunc(suggestFlag)
	flags := cmd.Flags()
	o.addSourceFlags(flags)
	flags.BoolVar(&o.HostedClusters, "hosted-clusters", false, "Show the hosted clusters of the management cluster, each in one line.")
	flags.StringSliceVar(&o.Contexts, "contexts", nil, "Contexts of the kubeconfig: each cluster is shown in one line.")
	flags.StringVar(&o.Details, "details", o.Details, "Parts to show in full: "+strings.Join(detailNames(), ", ")+".")
	o.addClassicFlag(flags)
	flags.BoolVar(&o.Summary, "summary", false, "Show the summary of the update alone; with --output, the UpdateStatusSummary.")
	flags.BoolVarP(&o.Watch, "watch", "w", false, "Show every change until the update is complete.")
	flags.StringVar(&o.For, "for", o.For, "What --watch waits for: "+strings.Join(forParts(), ", ")+".")
	flags.BoolVar(&o.WaitForStart, "wait-for-start", false, "With --watch, wait for an update to start first.")
	flags.DurationVar(&o.Timeout, "timeout", 0, "With --watch, end after this time, such as 90m. Default: never.")
	flags.DurationVar(&o.Remind, "remind", o.Remind, "With --watch, when output is not a terminal, repeat the problems and what is waited for after this time (0: never).")
	flags.StringVar(&o.FailOn, "fail-on", o.FailOn, "Exit with 3 if there is a problem of this level or a worse one, and end --watch once it has lasted for a minute: "+strings.Join(failOnLevels, ", ")+".")
	flags.BoolVar(&o.ExitCode, "exit-code", false, "Exit with 2 while an update is in progress, with 3 if it needs attention.")
	flags.StringVar(&o.History, "history", "", "Show the records of updates, one in a line; with =NAME, a record or its version, the duration of each step in that update.")
	flags.Lookup("history").NoOptDefVal = historyAll
	flags.BoolVar(&o.Timeline, "timeline", false, "Show the duration of each step in the present update, or the last one.")
	addUntilFlag(flags, &o.Until)
	flags.StringVar(&o.Color, "color", o.Color, "When to use colors: "+strings.Join(colors, ", ")+". auto: on a terminal, unless NO_COLOR is set.")
	o.Print.AddFlags(cmd)

	completeWith(cmd, "details", detailNames())
	completeWith(cmd, "output", o.Print.formats())
	completeWith(cmd, "color", colors)
	completeWith(cmd, "for", wholeParts)
	completeWith(cmd, "fail-on", failOnLevels)
	CompleteContexts(cmd, "contexts", o.Getter)
	cmd.AddCommand(newNodesCommand(o.Getter, o.IOStreams))
	return cmd
}

// addSourceFlags adds the flags that every command has: where it reads from.
func (o *Options) addSourceFlags(flags *pflag.FlagSet) {
	flags.StringVarP(&o.Filename, "filename", "f", "", "File with an UpdateStatus in YAML or JSON (-: standard input).")
	flags.StringVar(&o.MustGather, "must-gather", "", "Directory, archive (.tar, .tar.gz) or file with the objects of a cluster (-: standard input).")
	flags.StringVar(&o.HostedCluster, "hosted-cluster", "", "Hosted cluster of the management cluster, the NAMESPACE/NAME of its HostedCluster.")
	flags.TimeVar(&o.Now, "now", time.Time{}, []string{time.RFC3339}, "Current time, such as 2006-01-02T15:04:05Z. Default: for files, the end of gathering or the time of the last change in them.")
}

func (o *Options) addClassicFlag(flags *pflag.FlagSet) {
	usage := "Show the text that oc adm upgrade status had before UpdateStatus."
	if o.classicOffTerminal {
		usage += " Default: true unless the output is a terminal."
	}
	flags.BoolVar(&o.Classic, "classic", o.classicOffTerminal && terminalOf(o.Out) == nil, usage)
}

// steps are those of a command.
type steps interface {
	Validate() error
	Complete() error
	Run(ctx context.Context) error
}

// runE returns the function that runs a command, of which some flags must not be set to an empty value.
func runE(o steps, notEmpty ...string) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		if err := checkNotEmpty(cmd.Flags(), notEmpty...); err != nil {
			return err
		}
		if err := o.Validate(); err != nil {
			return err //nolint:wrapcheck // it is about the flags
		}
		if err := o.Complete(); err != nil {
			return err //nolint:wrapcheck // it says what can't be read
		}
		err := o.Run(cmd.Context())
		if err != nil && cmd.Context().Err() != nil {
			return exec.CodeExitError{Err: err, Code: exitInterrupted}
		}
		return err //nolint:wrapcheck // each step says what it does
	}
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q: pass files with -f or --must-gather, and the name of a record with --history=NAME%s",
		args[0], cmp.Or(suggestHistory(cmd, args[0]), suggestDashes(cmd, args[0]), suggestCommand(cmd, args[0])))
}

// emptyList is the value of a flag that is a list without elements.
const emptyList = "[]"

// checkNotEmpty returns an error for flags with an empty value, as of an unset shell variable: ignoring them would show
// another cluster.
func checkNotEmpty(flags *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if value := flags.Lookup(name).Value.String(); flags.Changed(name) && (value == "" || value == emptyList) {
			return fmt.Errorf("--%s is empty: set a value or omit the flag", name)
		}
	}
	return nil
}

// completeWith sets the shell completions of a flag. Registering fails for a missing flag only, which the tests would show.
func completeWith(cmd *cobra.Command, flag string, values []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// CompleteContexts completes a flag with the contexts of the kubeconfig.
func CompleteContexts(cmd *cobra.Command, flag string, getter genericclioptions.RESTClientGetter) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		config, err := getter.ToRawKubeConfigLoader().RawConfig()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return slices.Sorted(maps.Keys(config.Contexts)), cobra.ShellCompDirectiveNoFileComp
	})
}

func detailNames() []string {
	var names []string
	for _, details := range describe.AllDetails() {
		names = append(names, string(details))
	}
	return names
}
