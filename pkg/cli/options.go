package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/printers"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
)

// Options are the flags of the command.
type Options struct {
	genericiooptions.IOStreams

	// Getter selects the cluster and the user.
	Getter genericclioptions.RESTClientGetter
	// Filename is a file with an UpdateStatus, "-" for standard input.
	Filename string
	// MustGather is the path of files with the objects of a cluster.
	MustGather string
	// Now replaces the current time, unless it is zero.
	Now time.Time
	// Output is the format, "" for text.
	Output string
	// Details is the part to show in full.
	Details string
	// Watch shows every change of the object until no update is in progress.
	Watch bool
	// Color is when to use colors.
	Color string

	clock   func() time.Time
	source  source
	printer printers.ResourcePrinter
}

// source reads an UpdateStatus.
type source interface {
	read(ctx context.Context) (*observation, error)
}

// observation is an UpdateStatus at a time.
type observation struct {
	updateStatus *updatev1alpha1.UpdateStatus
	// object is the UpdateStatus with the fields that this version does not know.
	object runtime.Object
	// time is when the status was current, zero if that is not known.
	time     time.Time
	warnings []string
	// outdated is why the status is outdated by its ClusterVersion or its summary, empty if it is not.
	outdated string
}

func newOptions(getter genericclioptions.RESTClientGetter, streams genericiooptions.IOStreams) *Options {
	return &Options{IOStreams: streams, Getter: getter, clock: time.Now}
}

// Validate returns an error for invalid flags.
func (o *Options) Validate() error {
	hasFiles := o.Filename != "" || o.MustGather != ""
	switch {
	case o.Filename != "" && o.MustGather != "":
		return errors.New("-f and --must-gather can't be used together")
	case o.Watch && hasFiles:
		return errors.New("--watch can't be used with -f or --must-gather: files don't change")
	case o.Watch && !o.Now.IsZero():
		return errors.New("--watch can't be used with --now")
	case !slices.Contains(colors, o.Color):
		return fmt.Errorf("invalid --color %q: must be one of %s", o.Color, strings.Join(colors, ", "))
	case o.Output != "" && !slices.Contains(formats, o.Output):
		return fmt.Errorf("invalid --output %q: must be one of %s", o.Output, strings.Join(formats, ", "))
	case !slices.Contains(detailNames(), o.Details):
		return fmt.Errorf("invalid --details %q: must be one of %s", o.Details, strings.Join(detailNames(), ", "))
	default:
		return nil
	}
}

// Complete sets the source and the printer.
func (o *Options) Complete() error {
	o.printer = newPrinter(o.Output)
	switch {
	case o.Filename != "":
		o.source = file{path: o.Filename, standardInput: o.In, clock: o.clock}
	case o.MustGather != "":
		o.source = mustGather{path: o.MustGather, now: o.Now, clock: o.clock}
	default:
		cluster, err := newCluster(o.Getter, o.clock)
		if err != nil {
			return err
		}
		o.source = cluster
	}
	return nil
}

// Run shows the object. A status that is outdated or incomplete is also shown, before the error about it.
func (o *Options) Run(ctx context.Context) error {
	from, isCluster := o.source.(cluster)
	shown, err := o.source.read(ctx)
	switch {
	case apierrors.IsNotFound(err) && isCluster && o.printer == nil:
		return errors.Join(from.writeClusterVersion(ctx, o.Out), err)
	case err != nil:
		return err
	}
	for _, warning := range shown.warnings {
		if err := o.warn(warning); err != nil {
			return err
		}
	}
	if o.Watch && isCluster {
		return o.watch(ctx, from, shown)
	}
	now := o.nowFor(shown)
	if err := o.print(shown, now); err != nil {
		return err
	}
	return shown.check(now)
}

func (o *Options) warn(warning string) error {
	if _, err := fmt.Fprintln(o.ErrOut, "warning:", describe.OneLine(warning)); err != nil {
		return fmt.Errorf("writing a warning: %w", err)
	}
	return nil
}

// nowFor returns the current time for an observation.
func (o *Options) nowFor(shown *observation) time.Time {
	switch {
	case !o.Now.IsZero():
		return o.Now
	case !shown.time.IsZero():
		return shown.time
	default:
		return o.clock()
	}
}
