package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/printers"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/rehearsal"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// Options are the flags of the command.
type Options struct {
	genericiooptions.IOStreams

	// Getter selects the cluster and the user.
	Getter genericclioptions.RESTClientGetter
	// Contexts are contexts of the kubeconfig; each is shown in one line.
	Contexts []string
	// HostedCluster is a hosted cluster of the management cluster, as NAMESPACE/NAME. HostedClusters selects all of them, each in one
	// line.
	HostedCluster  string
	HostedClusters bool
	// Filename is a file with an UpdateStatus, "-" for standard input.
	Filename string
	// MustGather is the path of files with the objects of a cluster, "-" for standard input.
	MustGather string
	// Now replaces the current time, unless it is zero.
	Now time.Time
	// Print are the flags about the output, which is text unless they select another format.
	Print *PrintFlags
	// Details is the part to show in full.
	Details string
	// Classic selects the text of `oc adm upgrade status`, and nothing else.
	Classic bool
	// Summary selects the summary of the update alone.
	Summary bool
	// Watch shows every change until the part that For names is complete.
	Watch bool
	// For is what --watch waits for, and WaitForStart whether it first waits for an update to start.
	For          string
	WaitForStart bool
	// Timeout ends --watch, zero if it does not. Remind is after how long a watch repeats what it waits for, zero if it does not.
	Timeout, Remind time.Duration
	// History selects the records of updates: historyAll, or the name of one. Timeline selects the present update over time.
	History  string
	Timeline bool
	// Until is the moment at which it is shown how far the update will be, empty for none.
	Until string
	// ExitCode makes the exit status depend on how the update goes.
	ExitCode bool
	// FailOn is the level of the problems with which the command fails, and a watch ends.
	FailOn string
	// Color is when to use colors.
	Color string

	// reportPath returns the command that writes a report, as the user types it.
	reportPath func() string
	// classicOffTerminal is whether Classic is the default unless the output is a terminal.
	classicOffTerminal bool

	clock   func() time.Time
	target  target
	source  source
	printer printers.ResourcePrinter
	// patience and requestTimeout are the constants, except in tests.
	patience, requestTimeout time.Duration
}

// source reads an UpdateStatus.
type source interface {
	read(ctx context.Context) (*observation, error)
}

// observation is an UpdateStatus at a time.
type observation struct {
	// updateStatus is the status, with what only its summary says of it; stored is what the object has.
	updateStatus, stored *updatev1alpha1.UpdateStatus
	// update is what updateStatus says, which is read once.
	update *update.Update
	// target is what has it, and object is the UpdateStatus with the fields that this version does not know.
	target target
	object runtime.Object
	// summary is the object beside it, nil if there is none, wholeSummary the same with the fields that this version does not know, and
	// confirmedAt when the controller last confirmed both.
	summary      *updatev1alpha1.UpdateStatusSummary
	wholeSummary *unstructured.Unstructured
	// summaryErr is why the summary can't be read, nil if it was.
	summaryErr  error
	confirmedAt *metav1.Time
	// time is when the status was current, zero if that is not known, and timeIs what that time is, empty for a cluster.
	time     time.Time
	timeIs   string
	warnings []string
	// incomplete is what is missing, and missingNodes is which nodes are missing by the counts of the pools.
	incomplete, missingNodes []string
	// poolOrder are the names of the pools in the order in which they were listed, nil if it is not known.
	poolOrder []string
	// isLive is set for a cluster without an UpdateStatus, which the client assessed.
	isLive bool
	// until is how far the update will be at the moment that is asked for, nil if none is.
	until *rehearsal.Until
	// outdated is why the status is outdated by its ClusterVersion or its summary, empty if it is not.
	outdated string
	// stale is the observation of the outdated UpdateStatus in place of which the client assessed the cluster, nil if there is none.
	stale *observation
}

// setShown sets the status that is shown, and reads it as of a time.
func (observed *observation) setShown(us *updatev1alpha1.UpdateStatus, now time.Time) {
	observed.updateStatus, observed.update = us, update.ReadAt(&us.Status, now)
}

// setStatus sets the status that an object has, and the summary beside it, nil if there is none, and reads them as of a time.
func (observed *observation) setStatus(stored *updatev1alpha1.UpdateStatus, summary *updatev1alpha1.UpdateStatusSummary, now time.Time) {
	observed.stored, observed.summary = stored, summary
	observed.setShown(update.WithSummary(stored, summary), now)
	if summary != nil {
		observed.confirmedAt = summary.Status.ObservedAt
	}
}

func newOptions(getter genericclioptions.RESTClientGetter, streams genericiooptions.IOStreams) *Options {
	return &Options{
		IOStreams: streams, Getter: getter, Print: NewPrintFlags(formatMarkdown, formatWide), Details: string(describe.DetailsNone), Color: colorAuto, For: forAll,
		FailOn: failOnNever, Remind: remindInterval, clock: time.Now, patience: patience, requestTimeout: requestTimeout,
	}
}

// Complete sets the source and the printer.
func (o *Options) Complete() error {
	printer, err := o.Print.toPrinter()
	if err != nil {
		return err
	}
	o.printer = printer
	o.Classic = o.Classic && !o.Summary // the classic text has no summary
	if o.Print.format() == formatWide && o.Details == string(describe.DetailsNone) {
		o.Details = string(describe.DetailsAll)
	}
	if o.HostedCluster != "" {
		if o.target, err = hostedTarget(o.HostedCluster); err != nil {
			return err
		}
	}
	switch {
	case len(o.Contexts) > 0:
		return nil
	case o.Filename != "":
		o.source = file{path: o.Filename, standardInput: o.In, evalTime: evalTime{o.Now, o.clock}}
	case o.MustGather != "":
		o.source = newMustGather(o.MustGather, o.target, o.In, evalTime{o.Now, o.clock})
	default:
		config, err := o.Getter.ToRESTConfig()
		if err != nil {
			return configError(err)
		}
		if !o.Now.IsZero() {
			o.clock = func() time.Time { return o.Now }
		}
		o.source, err = newCluster(config, o.target, o.clock)
		return err
	}
	return nil
}

// Run shows the object. A status that is outdated or incomplete is also shown, before the error about it.
func (o *Options) Run(ctx context.Context) error {
	if len(o.Contexts) > 0 {
		return o.showContexts(ctx)
	}
	switch {
	case o.HostedClusters:
		return o.showHosted(ctx)
	case o.History != "":
		return o.showHistory(ctx)
	}
	observed, err := o.readWithWarnings(ctx)
	if err != nil {
		return err
	}
	now := o.nowFor(observed)
	if o.Timeline {
		if err := o.showTimeline(ctx, observed, now); err != nil {
			return err
		}
		return observed.check(now)
	}
	if err := o.setUntil(ctx, observed, now); err != nil {
		return err
	}
	if from, isCluster := o.source.(cluster); o.Watch && isCluster {
		return o.watch(ctx, from, observed)
	}
	if err := o.print(observed, now); err != nil {
		return err
	}
	if err = observed.checkNodes(now); err != nil && o.isClassicOnly() {
		return o.warn(err.Error())
	}
	if err == nil {
		err = o.exitStatus(observed.head(now))
	}
	return err
}

// isClassicOnly returns whether the exit status is that of `oc adm upgrade status`: 0 once something is shown
// (openshift/oc), as pipelines with "set -e" expect. The flags about exit statuses are not among its own.
func (o *Options) isClassicOnly() bool {
	return o.Classic && o.Print.format() == "" && !o.ExitCode && o.FailOn == failOnNever
}

// readWithWarnings reads from the source, and writes what is not in the text about it.
func (o *Options) readWithWarnings(ctx context.Context) (*observation, error) {
	observed, err := o.read(ctx)
	if err != nil {
		return nil, err
	}
	for _, warning := range o.warningsOf(observed) {
		if err := o.warn(warning); err != nil {
			return nil, err
		}
	}
	return observed, nil
}

// warningsOf returns what is not in the text about an observation.
func (o *Options) warningsOf(observed *observation) []string {
	warnings := slices.Clone(observed.warnings)
	if o.Classic || o.printer != nil {
		warnings = append(warnings, observed.missingNodes...)
	}
	if o.printer != nil {
		return append(warnings, observed.incomplete...)
	}
	if o.Classic && observed.timeIs != "" && !observed.time.IsZero() {
		warnings = append(warnings, fmt.Sprintf("the status is as of %s, %s", observed.time.UTC().Format(time.RFC3339), observed.timeIs))
	}
	return warnings
}

func (o *Options) warn(warning string) error {
	if _, err := fmt.Fprintln(o.ErrOut, "warning:", describe.OneLine(warning)); err != nil {
		return fmt.Errorf("writing a warning: %w", err)
	}
	return nil
}

// nowFor returns the current time for an observation.
func (o *Options) nowFor(observed *observation) time.Time {
	switch {
	case !o.Now.IsZero():
		return o.Now
	case !observed.time.IsZero():
		return observed.time
	default:
		return o.clock()
	}
}
