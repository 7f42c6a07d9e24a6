package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/rehearsal"
)

const (
	rehearseLong = `Show how an update of the cluster would go if it started now: how long it would take, what would hold it
up and what to do about that, and in which order the nodes of each pool would be updated. Nothing is changed.

The cluster is assessed as if the update had just started, by the checks of an update in progress and with
your permissions; it needs no controller. With one, its records of earlier updates tell how long the parts
take; without records it is a rule of thumb. With --until it also shows how many nodes would be updated by
then, and by when to pause a pool so that none of its nodes is in progress then.

The exit status is 0 if the update was rehearsed, and 1 if it can't be, or if files or your permissions lack a
part of the cluster. It does not depend on what would hold it up.`

	rehearseExample = `  # Rehearse the newest update that is recommended
  oc adm upgrade rehearse

  # Rehearse an update to a version, and show how far it is at four (UTC)
  oc adm upgrade rehearse --to=4.21.3 --until=04:00

  # Rehearse the update of the cluster of a must-gather
  oc adm upgrade rehearse --must-gather must-gather.local.1234567890

  # Print it for other programs, or as a text for a ticket
  oc adm upgrade rehearse -o json
  oc adm upgrade rehearse -o markdown

  # Rehearse the updates of several clusters, each in one line
  oc adm upgrade rehearse --contexts=east,west`
)

// RehearseName is what the examples of the rehearsal's command call it.
const RehearseName = "oc adm upgrade rehearse"

// rehearseOptions are the flags of the command that rehearses an update.
type rehearseOptions struct {
	// Options are those about what is read and printed.
	*Options

	// To is the version, empty for the newest that is recommended, and Until the moment, empty for none.
	To, Until string
}

// NewRehearseCommand returns the command that rehearses an update. Its arguments are those of NewCommand.
func NewRehearseCommand(getter genericclioptions.RESTClientGetter, streams genericiooptions.IOStreams) *cobra.Command {
	o := &rehearseOptions{Options: newOptions(getter, streams)}
	cmd := &cobra.Command{
		Use:           "rehearse",
		Short:         "Show how an update of a cluster would go",
		Long:          rehearseLong,
		Example:       rehearseExample,
		Args:          noRehearseArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          runE(o, "must-gather", "to", "until", "contexts"),
	}
	cmd.SetFlagErrorFunc(suggestFlag)
	flags := cmd.Flags()
	flags.StringVar(&o.To, "to", "", "Version to rehearse the update to. Default: the newest that is recommended.")
	flags.StringVar(&o.MustGather, "must-gather", "", "Directory, archive (.tar, .tar.gz) or file with the objects of a cluster (-: standard input).")
	flags.TimeVar(&o.Now, "now", time.Time{}, []string{time.RFC3339}, "Current time, such as 2006-01-02T15:04:05Z. Default: for files, the end of gathering or the time of the last change in them.")
	flags.StringSliceVar(&o.Contexts, "contexts", nil, "Contexts of the kubeconfig: each cluster is rehearsed in one line.")
	flags.StringVar(&o.Color, "color", o.Color, "When to use colors: "+strings.Join(colors, ", ")+". auto: on a terminal, unless NO_COLOR is set.")
	addUntilFlag(flags, &o.Until)
	o.Print.AddFlags(cmd)
	completeWith(cmd, "output", o.Print.formats())
	completeWith(cmd, "color", colors)
	CompleteContexts(cmd, "contexts", o.Getter)
	return cmd
}

func noRehearseArguments(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q: name the version with --to, and files to read with --must-gather", args[0])
}

// Run shows the rehearsal. One of a cluster that is not known in full is also shown, before the error about it.
func (o *rehearseOptions) Run(ctx context.Context) error {
	if len(o.Contexts) > 0 {
		return o.eachContext(ctx, describe.WriteRehearsals, o.rehearsalRow)
	}
	from, isRehearsed := o.source.(rehearsed)
	if !isRehearsed {
		return errors.New("a file with an UpdateStatus can't be rehearsed")
	}
	r, read, err := o.rehearse(ctx, from)
	if err != nil {
		return err
	}
	for _, warning := range read.warnings {
		if err := o.warn(warning); err != nil {
			return err
		}
	}
	if err := o.printRehearsal(r, read.now); err != nil {
		return err
	}
	return read.check()
}

// rehearse reads a cluster and rehearses its update.
func (o *rehearseOptions) rehearse(ctx context.Context, from rehearsed) (*rehearsal.Rehearsal, *stage, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, o.requestTimeout, errNoResponse)
	defer cancel()
	read, err := from.stage(ctx)
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // each source says what it reads
	}
	to, err := rehearsal.Version(read.cluster, o.To)
	switch {
	case errors.Is(err, rehearsal.ErrInProgress):
		return nil, nil, fmt.Errorf("%w; oc update status --until=TIME shows how far it will be", err)
	case err != nil:
		return nil, nil, errors.Join(err, read.check())
	}
	until, err := untilAt(o.Until, read.now)
	if err != nil {
		return nil, nil, err
	}
	r := rehearsal.Of(rehearsal.Input{Cluster: read.cluster, History: read.history, To: to, Until: until, Now: read.now})
	for _, missing := range read.missing {
		r.Notices = append(r.Notices, "Incomplete: "+describe.OneLine(missing)+".")
	}
	return r, read, nil
}

func (o *rehearseOptions) printRehearsal(r *rehearsal.Rehearsal, now time.Time) error {
	options := o.textOptions(now)
	switch {
	case o.printer == nil && o.Print.format() == formatMarkdown:
		return describe.WriteRehearsalMarkdown(o.Out, r, options)
	case o.printer == nil:
		return describe.WriteRehearsal(o.Out, r, options)
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(r)
	if err != nil {
		return fmt.Errorf("converting the rehearsal: %w", err)
	}
	if err := o.printTo(&unstructured.Unstructured{Object: content}, false); err != nil {
		return fmt.Errorf("printing the rehearsal: %w", err)
	}
	return nil
}

// rehearsalRow returns the cells about the cluster of a context.
func (o *rehearseOptions) rehearsalRow(ctx context.Context, name string, from cluster) ([]string, error) {
	r, read, err := o.rehearse(ctx, from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err = read.check(); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return describe.RehearsalRow(r), err
}
