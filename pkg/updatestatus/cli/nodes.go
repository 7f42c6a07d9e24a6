package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
)

const (
	nodesName = "nodes"

	nodesLong = `List the nodes of an update, each in one row: those that need attention first, then those that are being
updated, then the others, and nodes that are alike by name.

It reads what the status reads, and has its exit status: 0 if all nodes were listed, 1 if nodes are missing or
the status may be outdated.`

	nodesExample = `  # List the nodes of the update
  oc adm upgrade status nodes

  # List the nodes of two pools that are not updated yet, with more columns
  oc adm upgrade status nodes --not-updated --pool=worker --pool=infra -o wide

  # Show the Nodes that are being drained
  oc adm upgrade status nodes --phase=Draining -o name | xargs -r oc get -o wide

  # Print the nodes for other programs
  oc adm upgrade status nodes -o json`
)

// formatWide is the table with all columns, formatName the names alone.
const (
	formatWide = "wide"
	formatName = "name"
)

// nodesOptions are the flags of the command that lists nodes.
type nodesOptions struct {
	// Options are those about what is read and printed.
	*Options

	filter describe.NodeFilter
}

// newNodesCommand returns the command that lists nodes. Its arguments are those of NewCommand.
func newNodesCommand(getter genericclioptions.RESTClientGetter, streams genericiooptions.IOStreams) *cobra.Command {
	o := &nodesOptions{Options: newOptions(getter, streams)}
	o.Print = NewPrintFlags(formatWide)
	cmd := &cobra.Command{
		Use:           nodesName,
		Short:         "List the nodes of a cluster's update",
		Long:          nodesLong,
		Example:       nodesExample,
		Args:          noNodeArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          runE(o, "filename", "must-gather", "hosted-cluster"),
	}
	cmd.SetFlagErrorFunc(suggestFlag)
	flags := cmd.Flags()
	o.addSourceFlags(flags)
	flags.BoolVar(&o.filter.NotUpdated, "not-updated", false, "List only nodes that do not run the version that they are updated to.")
	flags.StringSliceVar(&o.filter.Pools, "pool", nil, "List only nodes of this pool. Can be repeated.")
	flags.StringSliceVar(&o.filter.Phases, "phase", nil, "List only nodes in this phase: "+strings.Join(describe.NodePhases(), ", ")+". Can be repeated.")
	flags.StringVar(&o.Color, "color", o.Color, "When to use colors: "+strings.Join(colors, ", ")+". auto: on a terminal, unless NO_COLOR is set.")
	o.Print.AddFlags(cmd)
	completeWith(cmd, "phase", describe.NodePhases())
	completeWith(cmd, "output", o.Print.formats())
	completeWith(cmd, "color", colors)
	return cmd
}

func noNodeArguments(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q: select nodes with --pool, --phase or --not-updated", args[0])
}

// Validate returns an error for invalid flags.
func (o *nodesOptions) Validate() error {
	for _, phase := range o.filter.Phases {
		if !slices.Contains(describe.NodePhases(), phase) {
			return invalidError("--phase", phase, describe.NodePhases())
		}
	}
	return o.Options.Validate()
}

// Run lists the nodes. Those of a status that is outdated or incomplete are also listed, before the error about it.
func (o *nodesOptions) Run(ctx context.Context) error {
	observed, err := o.read(ctx)
	if err != nil {
		return err
	}
	now := o.nowFor(observed)
	list := describe.Nodes(observed.update, o.describeOptions(observed, now), o.filter)
	for _, pool := range o.filter.Pools {
		if !slices.Contains(list.Pools, pool) {
			return errors.Join(noPoolError(pool, "--pool=", list.Pools), observed.checkNodes(now))
		}
	}
	for _, warning := range o.nodeWarnings(observed, list) {
		if err := o.warn(warning); err != nil {
			return err
		}
	}
	if err := o.printNodes(list); err != nil {
		return err
	}
	return observed.checkNodes(now)
}

// nodeWarnings returns what is not in the list.
func (o *nodesOptions) nodeWarnings(observed *observation, list *describe.NodeList) []string {
	warnings := slices.Clone(observed.warnings)
	if len(list.Names()) == 0 {
		warnings = append(warnings, fmt.Sprintf("none of %d nodes is listed", list.Total))
	}
	if o.printer != nil {
		return append(warnings, list.Document().Notices...)
	}
	if observed.timeIs != "" && !observed.time.IsZero() {
		warnings = append(warnings, fmt.Sprintf("the status is as of %s, %s", observed.time.UTC().Format(time.RFC3339), observed.timeIs))
	}
	return warnings
}

// printNodes writes the nodes in the selected format.
func (o *nodesOptions) printNodes(list *describe.NodeList) error {
	if o.printer == nil {
		return list.Write(o.Out, o.Print.format() == formatWide)
	}
	var object runtime.Object
	if o.Print.format() == formatName {
		object = named(list.Names())
	} else {
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(list.Document())
		if err != nil {
			return fmt.Errorf("converting the nodes: %w", err)
		}
		if object, err = (&unstructured.Unstructured{Object: content}).ToList(); err != nil {
			return fmt.Errorf("converting the nodes: %w", err)
		}
	}
	if err := o.printTo(object, false); err != nil {
		return fmt.Errorf("printing the nodes: %w", err)
	}
	return nil
}

// named returns Nodes with no more than their names.
func named(names []string) *unstructured.UnstructuredList {
	list := &unstructured.UnstructuredList{Object: map[string]any{"apiVersion": "v1", "kind": "NodeList"}}
	for _, name := range names {
		node := unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Node"}}
		node.SetName(name)
		list.Items = append(list.Items, node)
	}
	return list
}
