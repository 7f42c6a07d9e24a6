package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// This file reads the statuses of hosted clusters, from their management cluster or its files.

// readHosted reads the status of the hosted cluster.
func (c cluster) readHosted(ctx context.Context) (*observation, error) {
	object, err := c.statuses.Get(ctx, c.target.name(), metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil, fmt.Errorf("there is no %s: oc update status --hosted-clusters lists those that there are; "+
			"without one, that hosted cluster has no Update Status Controller (%w)", c.target, err)
	case err != nil:
		return nil, readError(err, c.target, c.host)
	}
	observed, err := c.observe(ctx, object)
	if err != nil {
		return nil, err
	}
	observed.outdated = c.outdated(observed, nil)
	return observed, nil
}

// likeStandalone returns the status of a hosted cluster like that of any other.
func likeStandalone(hosted *updatev1alpha1.HostedClusterUpdateStatus) *updatev1alpha1.UpdateStatus {
	return &updatev1alpha1.UpdateStatus{
		TypeMeta: typeOf("UpdateStatus"), ObjectMeta: hosted.ObjectMeta, Status: *insight.FromHosted(&hosted.Status),
	}
}

// summaryLikeStandalone returns the summary of a hosted cluster among several like that of any other, nil if there is none.
func summaryLikeStandalone(all []*updatev1alpha1.HostedClusterUpdateStatusSummary, of metav1.Object) *updatev1alpha1.UpdateStatusSummary {
	if found := snapshot.Named(all, types.NamespacedName{Namespace: of.GetNamespace(), Name: of.GetName()}); found != nil {
		return &updatev1alpha1.UpdateStatusSummary{Status: found.Status}
	}
	return nil
}

// readHosted reads the status of the hosted cluster from the files of its management cluster.
func (m mustGather) readHosted(s *snapshot.Snapshot) (*observation, error) {
	hosted := snapshot.Named(s.HostedStatuses, m.target.hosted)
	if hosted == nil {
		return m.assessHosted(s)
	}
	observed := &observation{target: m.target, object: s.Whole(hosted)}
	us := likeStandalone(hosted)
	var summary *updatev1alpha1.UpdateStatusSummary
	if found := snapshot.Named(s.HostedSummaries, m.target.hosted); found != nil {
		summary, observed.wholeSummary = &updatev1alpha1.UpdateStatusSummary{Status: found.Status}, s.Whole(found)
	}
	at, err := m.evalTime.of(&snapshot.Snapshot{UpdateStatus: update.WithSummary(us, summary), Gathered: s.Gathered})
	if err != nil {
		return nil, err
	}
	observed.time, observed.timeIs = at.Time, at.what
	observed.setStatus(us, summary, cmp.Or(at.Time, m.evalTime.clock()))
	observed.outdated = update.Unconfirmed(observed.summary, true, observed.time)
	observed.warnings = append(observed.warnings, problemsOf(s, all)...)
	return observed, nil
}

// assessHosted sets the status from the objects of the management cluster in the files.
func (m mustGather) assessHosted(s *snapshot.Snapshot) (*observation, error) {
	at, err := m.evalTime.of(s)
	if err != nil {
		return nil, err
	}
	observed := &observation{target: m.target, time: at.Time, timeIs: at.what, incomplete: problemsOf(s, all)}
	if observed.time.IsZero() {
		observed.time, observed.timeIs = m.evalTime.clock(), "the current time: no timestamps in the files, set another one with --now"
	}
	us := s.AssessHosted(m.target.hosted, observed.time)
	if us == nil {
		return nil, fmt.Errorf("%s has neither a %s nor its HostedCluster%s", m.path, m.target, others(s))
	}
	observed.object = us
	observed.setShown(us, observed.time)
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
	statuses, summaries, err := o.readAllHosted(ctx)
	if err != nil {
		return err
	}
	if len(statuses) == 0 {
		_, err := fmt.Fprintln(o.Out, "There is no HostedClusterUpdateStatusSummary: no hosted cluster has an Update Status Controller.")
		return err //nolint:wrapcheck // the output is gone
	}
	var names []string
	var rows [][]string
	var failed []error
	for _, one := range statuses {
		observed := &observation{}
		now := o.nowFor(observed)
		observed.setStatus(likeStandalone(one), summaryLikeStandalone(summaries, one), now)
		name := one.Namespace + "/" + one.Name
		observed.target.hosted.Namespace, observed.target.hosted.Name = one.Namespace, one.Name
		observed.outdated = update.Unconfirmed(observed.summary, true, now)
		head := observed.head(now)
		if observed.summary != nil {
			head = &observed.summary.Status // of a cluster nothing else was read
		}
		names, rows = append(names, name), append(rows, describe.HostedFleetRow(head, now))
		failed = append(failed, o.exitStatusOf(name, head, observed.check(now)))
	}
	if err := describe.WriteHostedFleet(o.Out, names, rows); err != nil {
		return err //nolint:wrapcheck // it says what it writes
	}
	return worst(failed)
}

// readAllHosted reads the statuses and the summaries of all hosted clusters; of those of a live management cluster only the summaries.
func (o *Options) readAllHosted(ctx context.Context) (
	statuses []*updatev1alpha1.HostedClusterUpdateStatus, summaries []*updatev1alpha1.HostedClusterUpdateStatusSummary, err error,
) {
	switch from := o.source.(type) {
	case mustGather:
		s, err := from.load()
		if err != nil {
			return nil, nil, err
		}
		return s.HostedStatuses, s.HostedSummaries, nil
	case cluster:
		ctx, cancel := context.WithTimeoutCause(ctx, o.requestTimeout, errNoResponse)
		defer cancel()
		// Summaries are small: the statuses of a thousand hosted clusters have 100 MB.
		summaries, err = listAs[updatev1alpha1.HostedClusterUpdateStatusSummary](ctx, from.live.objects.Resource(hostedSummaries), metav1.ListOptions{})
		if apierrors.IsForbidden(err) {
			return nil, nil, fmt.Errorf("not allowed to read the summaries of hosted clusters: ask for permission to list %s (%w)", hostedSummaries.GroupResource(), err)
		}
		if err != nil {
			return nil, nil, readError(err, target{types.NamespacedName{Name: "of hosted clusters"}}, from.host)
		}
		for _, one := range summaries {
			statuses = append(statuses, reportedBy(one))
		}
		return statuses, summaries, nil
	default:
		return nil, nil, errors.New("--hosted-clusters can't be used with -f")
	}
}

// reportedBy returns of the status of a summary whether it is empty.
func reportedBy(summary *updatev1alpha1.HostedClusterUpdateStatusSummary) *updatev1alpha1.HostedClusterUpdateStatus {
	status := &updatev1alpha1.HostedClusterUpdateStatus{ObjectMeta: summary.ObjectMeta}
	if summary.Status.ControlPlane != nil {
		status.Status.ControlPlane = &updatev1alpha1.ControlPlane{Resource: updatev1alpha1.ResourceRef{Name: summary.Name}}
	}
	return status
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
