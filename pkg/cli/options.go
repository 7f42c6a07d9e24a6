package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/printers"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
)

// Options are what the user asked for.
type Options struct {
	genericiooptions.IOStreams

	// ConfigFlags tell which cluster to read from, and as whom.
	ConfigFlags *genericclioptions.ConfigFlags
	// Filename is a file with an UpdateStatus, "-" for standard input.
	Filename string
	// MustGather is where the objects of a cluster are in files.
	MustGather string
	// Now is the moment to look from.
	Now string
	// Output is the format.
	Output string
	// Details is what is shown in full.
	Details string
	// Watch shows every change of the object, until no update goes on.
	Watch bool
	// Color says when colours are used.
	Color string

	// clock tells the present.
	clock func() time.Time
	// now is Now, zero if it was not given.
	now time.Time
	// source is where the object comes from.
	source source
	// yaml is set when the first object was printed.
	yaml printers.ResourcePrinter
}

// source is where an UpdateStatus comes from.
type source interface {
	read(ctx context.Context) (*found, error)
}

// found is an UpdateStatus and what there is to know of it.
type found struct {
	updateStatus *updatev1alpha1.UpdateStatus
	// whole returns the object with the fields that this version does not know, too.
	whole func() (*unstructured.Unstructured, error)
	// moment is when the object was as it is, zero if that is not known.
	moment time.Time
	// warnings are what the user has to know, but does not keep the object from being shown.
	warnings []string
}

func newOptions(streams genericiooptions.IOStreams) *Options {
	return &Options{IOStreams: streams, ConfigFlags: genericclioptions.NewConfigFlags(true), clock: time.Now}
}

// Validate tells what of the flags makes no sense.
func (o *Options) Validate() error {
	if o.Filename != "" && o.MustGather != "" {
		return fmt.Errorf("-f and --must-gather are two things to show: give one of them")
	}
	if o.Watch && (o.Filename != "" || o.MustGather != "") {
		return fmt.Errorf("files do not change: --watch is for a cluster, without -f and --must-gather")
	}
	if o.Watch && o.Now != "" {
		return fmt.Errorf("--watch looks from the present: leave --now out")
	}
	if !slices.Contains(colors, o.Color) {
		return fmt.Errorf("--color is not %q: it takes %s", o.Color, strings.Join(colors, ", "))
	}
	if o.Output != "" && !slices.Contains(formats, o.Output) {
		return fmt.Errorf("there is no output format %q: -o takes %s", o.Output, strings.Join(formats, ", "))
	}
	if !slices.Contains(detailNames(), o.Details) {
		return fmt.Errorf("there are no details %q: --details takes %s", o.Details, strings.Join(detailNames(), ", "))
	}
	if o.Now == "" {
		return nil
	}
	if _, err := time.Parse(time.RFC3339, o.Now); err != nil {
		return fmt.Errorf("--now %q is no time of the form 2006-01-02T15:04:05Z", o.Now)
	}
	return nil
}

// Complete finds out where the object comes from.
func (o *Options) Complete() error {
	if o.Now != "" {
		now, err := time.Parse(time.RFC3339, o.Now)
		if err != nil {
			return fmt.Errorf("reading --now: %w", err)
		}
		o.now = now
	}
	switch {
	case o.Filename != "":
		o.source = file{name: o.Filename, standardInput: o.In}
	case o.MustGather != "":
		o.source = mustGather{from: o.MustGather, now: o.now, clock: o.clock}
	default:
		cluster, err := newCluster(o.ConfigFlags, o.clock)
		if err != nil {
			return err
		}
		o.source = cluster
	}
	return nil
}

// Run shows the object. What may not be the state of the update is shown, too, and followed by an error.
func (o *Options) Run(ctx context.Context) error {
	if from, ok := o.source.(cluster); ok && o.Watch {
		return o.watch(ctx, from)
	}
	found, err := o.source.read(ctx)
	if err != nil {
		return o.instead(err)
	}
	for _, warning := range found.warnings {
		if err := o.warn(warning); err != nil {
			return err
		}
	}
	now := o.momentOf(found)
	if err := o.print(found, now); err != nil {
		return err
	}
	return doubt(found.updateStatus, now)
}

// instead shows what there is instead of an UpdateStatus, for people, and returns why there is none.
func (o *Options) instead(err error) error {
	var absent absentError
	if !errors.As(err, &absent) || absent.clusterVersion == nil || o.Output != "" {
		return err
	}
	if writeErr := describe.WriteClusterVersion(o.Out, absent.clusterVersion); writeErr != nil {
		return writeErr
	}
	return err
}

func (o *Options) warn(warning string) error {
	if _, err := fmt.Fprintln(o.ErrOut, "warning:", describe.OneLine(warning)); err != nil {
		return fmt.Errorf("writing a warning: %w", err)
	}
	return nil
}

// momentOf is the moment to look from.
func (o *Options) momentOf(found *found) time.Time {
	switch {
	case !o.now.IsZero():
		return o.now
	case !found.moment.IsZero():
		return found.moment
	default:
		return o.clock()
	}
}
