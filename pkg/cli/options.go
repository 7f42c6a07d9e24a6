package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

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

	// clock tells the present.
	clock func() time.Time
	// now is Now, zero if it was not given.
	now time.Time
	// source is where the object comes from.
	source source
}

// source is where an UpdateStatus comes from.
type source interface {
	read(ctx context.Context) (*found, error)
}

// found is an UpdateStatus and what there is to know of it.
type found struct {
	updateStatus *updatev1alpha1.UpdateStatus
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

// Run shows the object. What is shown of a controller that is not available is followed by an error, since it may be old.
func (o *Options) Run(ctx context.Context) error {
	found, err := o.source.read(ctx)
	if err != nil {
		return err
	}
	for _, warning := range found.warnings {
		if _, err := fmt.Fprintln(o.ErrOut, "warning:", describe.Line(warning)); err != nil {
			return fmt.Errorf("writing a warning: %w", err)
		}
	}
	now := o.momentOf(found)
	if err := o.print(found.updateStatus, now); err != nil {
		return err
	}
	return notAvailable(found.updateStatus, now)
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
