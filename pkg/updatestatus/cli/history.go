package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/timeline"
)

// historyAll is the value of --history without a name.
const historyAll = "all"

// recordSource reads the UpdateRecords of a cluster.
type recordSource interface {
	records(ctx context.Context) ([]updatev1alpha1.UpdateRecord, error)
}

// records returns none of a cluster that does not serve UpdateRecords.
func (c cluster) records(ctx context.Context) ([]updatev1alpha1.UpdateRecord, error) {
	var read []*updatev1alpha1.UpdateRecord
	var err error
	if c.target.isHosted() {
		read, err = c.hostedRecords(ctx)
	} else {
		read, err = listAs[updatev1alpha1.UpdateRecord](ctx, c.updateRecords, metav1.ListOptions{})
	}
	switch {
	case apierrors.IsForbidden(err):
		return nil, fmt.Errorf("not allowed to read the records of updates: ask for permission to list %ss.%s (%w)",
			strings.ToLower(c.target.recordKind()), updatev1alpha1.GroupName, err)
	case err != nil:
		return nil, fmt.Errorf("reading the records of updates: %w", err)
	}
	return sorted(read, c.target), nil
}

func (m mustGather) records(context.Context) ([]updatev1alpha1.UpdateRecord, error) {
	s, err := m.load()
	if err != nil {
		return nil, err
	}
	if m.target.isHosted() {
		return sorted(m.hostedRecords(s), m.target), nil
	}
	return sorted(s.Records, m.target), nil
}

// sorted returns the records, the newest one first.
func sorted(read []*updatev1alpha1.UpdateRecord, of target) []updatev1alpha1.UpdateRecord {
	records := make([]updatev1alpha1.UpdateRecord, 0, len(read))
	for _, one := range read {
		one.TypeMeta = typeOf(of.recordKind())
		records = append(records, *one)
	}
	record.NewestFirst(records)
	return records
}

// readRecords reads the records from the source, none from a file with an UpdateStatus. A cluster that does not respond is an error
// after some time.
func (o *Options) readRecords(ctx context.Context) ([]updatev1alpha1.UpdateRecord, error) {
	from, hasRecords := o.source.(recordSource)
	if !hasRecords {
		return nil, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.requestTimeout, errNoResponse)
	defer cancel()
	return from.records(ctx)
}

// showHistory shows the records, or one of them over time.
func (o *Options) showHistory(ctx context.Context) error {
	records, err := o.readRecords(ctx)
	if err != nil {
		return err
	}
	now := o.nowFor(&observation{})
	if o.History != historyAll {
		found, err := find(records, o.History)
		if err != nil {
			return err
		}
		return o.printTimeline(found, nil, now)
	}
	if o.printer != nil {
		return o.printRecord(&updatev1alpha1.UpdateRecordList{
			TypeMeta: typeOf(o.target.recordKind() + "List"), Items: records,
		})
	}
	return describe.WriteHistory(o.Out, records, o.textOptions(now))
}

// find returns the record that is asked for.
func find(records []updatev1alpha1.UpdateRecord, name string) (*record.Named, error) {
	found := record.Find(records, name)
	if found != nil {
		return found, nil
	}
	names := make([]string, 0, len(records))
	for at := range records {
		names = append(names, records[at].Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there is no record %s, as no update of the cluster has been recorded", name)
	}
	return nil, fmt.Errorf("there is no record %s, there are %s", name, strings.Join(names, ", "))
}

// showTimeline shows the present update over time, or the last one.
func (o *Options) showTimeline(ctx context.Context, observed *observation, now time.Time) error {
	found, _, err := o.recordOf(ctx, observed, now)
	if err != nil {
		return err
	}
	if found == nil {
		return errors.New("the cluster is not updating, and no update of it has been recorded")
	}
	return o.printTimeline(found, observed, now)
}

// recordOf returns the record about what is shown, nil if there is none, and whether it is a stored one. Records that can't be read
// are a warning: the status has some of the times.
func (o *Options) recordOf(ctx context.Context, observed *observation, now time.Time) (*record.Named, bool, error) {
	records, err := o.readRecords(ctx)
	if err != nil {
		if err := o.warn(err.Error()); err != nil {
			return nil, false, err
		}
	}
	found, isStored := record.For(observed.update, records, now)
	return found, isStored, nil
}

// printTimeline writes a record in the selected format. What is shown of the present status is nil for an earlier update.
func (o *Options) printTimeline(found *record.Named, observed *observation, now time.Time) error {
	in, options := timeline.Input{Record: &found.Status, Now: now}, o.textOptions(now)
	if observed != nil {
		in.ConfirmedAt, in.Health = observed.confirmedAt, observed.update.Health
		options.Outdated, options.Incomplete = observed.outdated, observed.incomplete
	}
	if o.printer != nil {
		return o.printRecord(&updatev1alpha1.UpdateRecord{
			TypeMeta: typeOf(o.target.recordKind()), ObjectMeta: metav1.ObjectMeta{Name: found.Name}, Status: found.Status,
		})
	}
	return describe.WriteTimeline(o.Out, in, options)
}

func typeOf(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: kind}
}

// printRecord writes a record or a list of them in the selected format. A list becomes one whose items have a kind, as kubectl
// prints it.
func (o *Options) printRecord(object runtime.Object) error {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return fmt.Errorf("converting the records: %w", err)
	}
	converted := &unstructured.Unstructured{Object: content}
	object = converted
	if converted.IsList() {
		if object, err = converted.ToList(); err != nil {
			return fmt.Errorf("converting the records: %w", err)
		}
	}
	if err := o.printTo(object, false); err != nil {
		return fmt.Errorf("printing the records: %w", err)
	}
	return nil
}
