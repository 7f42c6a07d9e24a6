package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/snapshot"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

// This file reads the statuses of hosted clusters, from their management cluster or its files.

// readHosted reads the status of the hosted cluster.
func (c cluster) readHosted(ctx context.Context) (*observation, error) {
	object, err := c.statuses.Get(ctx, c.target.name(), metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil, fmt.Errorf("there is no %s: oc update status --hosted-clusters lists those that there are; "+
			"without one, no Update Status Controller runs for that hosted cluster (%w)", c.target, err)
	case err != nil:
		return nil, readError(err, c.target, c.host)
	}
	observed, err := c.observeHosted(object)
	if err != nil {
		return nil, err
	}
	observed.outdated = c.outdated(observed, nil)
	return observed, nil
}

// observeHosted returns the observation of the status of a hosted cluster, which has its summary.
func (c cluster) observeHosted(object *unstructured.Unstructured) (*observation, error) {
	hosted, err := convertTo[updatev1alpha1.HostedClusterUpdateStatus](object)
	if err != nil {
		return nil, fmt.Errorf("this client is unable to decode the %s, oc get -o yaml prints it: %w", c.target, err)
	}
	observed := observeHosted(hosted)
	observed.target, observed.object, observed.time = c.target, object, c.clock()
	return observed, nil
}

// observeHosted returns the status of a hosted cluster like that of any other.
func observeHosted(hosted *updatev1alpha1.HostedClusterUpdateStatus) *observation {
	observed := &observation{updateStatus: &updatev1alpha1.UpdateStatus{
		TypeMeta: typeOf("UpdateStatus"), ObjectMeta: hosted.ObjectMeta, Status: *insight.FromHosted(&hosted.Status),
	}}
	if summary := hosted.Status.Summary; summary != nil {
		observed.summary = &updatev1alpha1.UpdateStatusSummary{Status: *summary}
		observed.confirmedAt = summary.ObservedAt
	}
	return observed
}

// readHosted reads the status of the hosted cluster from the files of its management cluster.
func (m mustGather) readHosted(s *snapshot.Snapshot) (*observation, error) {
	hosted := s.HostedStatus(m.target.hosted)
	if hosted == nil {
		return m.assessHosted(s)
	}
	observed := observeHosted(&hosted.HostedClusterUpdateStatus)
	observed.target, observed.object = m.target, hosted.Whole
	at, err := m.evalTime.of(&snapshot.Snapshot{UpdateStatus: observed.updateStatus, Gathered: s.Gathered})
	if err != nil {
		return nil, err
	}
	observed.time, observed.timeIs = at.Time, at.what
	observed.outdated = update.Unconfirmed(observed.summary, observed.time)
	for _, problem := range s.Problems {
		observed.warnings = append(observed.warnings, problem.String())
	}
	return observed, nil
}

// assessHosted sets the status from the objects of the management cluster in the files.
func (m mustGather) assessHosted(s *snapshot.Snapshot) (*observation, error) {
	at, err := m.evalTime.of(s)
	if err != nil {
		return nil, err
	}
	observed := &observation{target: m.target, time: at.Time, timeIs: at.what, incomplete: problemsOf(s)}
	if observed.time.IsZero() {
		observed.time, observed.timeIs = m.evalTime.clock(), "the current time: the files have no times in them, set another one with --now"
	}
	if observed.updateStatus = s.AssessHosted(m.target.hosted, observed.time); observed.updateStatus == nil {
		return nil, fmt.Errorf("%s has neither a %s nor its HostedCluster%s", m.path, m.target, others(s))
	}
	observed.object = observed.updateStatus
	observed.incomplete = append(observed.incomplete, "without a "+m.target.String()+" in the files, it is assessed from the objects of the management cluster: "+
		"the cluster operators and nodes of the hosted cluster are not known")
	return observed, nil
}

// others names the hosted clusters that files have.
func others(s *snapshot.Snapshot) string {
	text := ""
	for at, one := range s.HostedStatuses {
		if at == 0 {
			text = ", only those of "
		} else {
			text += ", "
		}
		text += one.Namespace + "/" + one.Name
	}
	return text
}

// showHosted shows each hosted cluster of a management cluster in one line.
func (o *Options) showHosted(ctx context.Context) error {
	statuses, err := o.readAllHosted(ctx)
	if err != nil {
		return err
	}
	if len(statuses) == 0 {
		_, err := fmt.Fprintln(o.Out, "There is no HostedClusterUpdateStatus: no Update Status Controller runs for a hosted cluster.")
		return err //nolint:wrapcheck // the output is gone
	}
	var names []string
	var rows [][]string
	var failed []error
	for _, one := range statuses {
		observed := observeHosted(one)
		name := one.Namespace + "/" + one.Name
		observed.target.hosted.Namespace, observed.target.hosted.Name = one.Namespace, one.Name
		now := o.nowFor(observed)
		observed.outdated = update.Unconfirmed(observed.summary, now)
		names, rows = append(names, name), append(rows, describe.FleetRow(observed.head(now), now))
		if err := observed.check(now); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
		}
	}
	if err := describe.WriteFleet(o.Out, "HOSTED CLUSTER", names, rows); err != nil {
		return err //nolint:wrapcheck // it says what it writes
	}
	return errors.Join(failed...)
}

// readAllHosted reads the statuses of all hosted clusters.
func (o *Options) readAllHosted(ctx context.Context) ([]*updatev1alpha1.HostedClusterUpdateStatus, error) {
	switch from := o.source.(type) {
	case mustGather:
		s, err := from.load()
		if err != nil {
			return nil, err
		}
		var all []*updatev1alpha1.HostedClusterUpdateStatus
		for _, one := range s.HostedStatuses {
			all = append(all, &one.HostedClusterUpdateStatus)
		}
		return all, nil
	case cluster:
		ctx, cancel := context.WithTimeoutCause(ctx, o.requestTimeout, errNoResponse)
		defer cancel()
		all, err := listAs[updatev1alpha1.HostedClusterUpdateStatus](ctx, from.live.objects.Resource(hostedStatuses), metav1.ListOptions{})
		if err != nil {
			return nil, readError(err, target{types.NamespacedName{Name: "of hosted clusters"}}, from.host)
		}
		return all, nil
	default:
		return nil, errors.New("--hosted-clusters can't be used with -f")
	}
}

// hostedRecords returns the records of the hosted cluster.
func (c cluster) hostedRecords(ctx context.Context) ([]*updatev1alpha1.UpdateRecord, error) {
	from := c.live.objects.Resource(hostedRecords).Namespace(c.target.hosted.Namespace)
	read, err := listAs[updatev1alpha1.HostedClusterUpdateRecord](ctx, from, metav1.ListOptions{LabelSelector: updatev1alpha1.HostedClusterLabel + "=" + c.target.hosted.Name})
	return asRecords(read), err
}

func (m mustGather) hostedRecords(s *snapshot.Snapshot) []*updatev1alpha1.UpdateRecord {
	return asRecords(slices.DeleteFunc(slices.Clone(s.HostedRecords), func(one *updatev1alpha1.HostedClusterUpdateRecord) bool {
		return one.Namespace != m.target.hosted.Namespace || one.Labels[updatev1alpha1.HostedClusterLabel] != m.target.hosted.Name
	}))
}

// asRecords returns the records of a hosted cluster like those of any other.
func asRecords(hosted []*updatev1alpha1.HostedClusterUpdateRecord) []*updatev1alpha1.UpdateRecord {
	records := make([]*updatev1alpha1.UpdateRecord, 0, len(hosted))
	for _, one := range hosted {
		records = append(records, &updatev1alpha1.UpdateRecord{ObjectMeta: one.ObjectMeta, Status: one.Status})
	}
	return records
}
