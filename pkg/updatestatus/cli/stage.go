package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drainreader"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// This file reads what an update is rehearsed from.

// rehearsed is a source of which an update can be rehearsed.
type rehearsed interface {
	stage(ctx context.Context) (*stage, error)
}

// stage is a cluster at a moment.
type stage struct {
	cluster standalone.Input
	history estimate.History
	now     time.Time
	// missing is what a rehearsal needs and is not known, and warnings what it can do without.
	missing, warnings []string
}

// check returns an error if something is not known.
func (s *stage) check() error {
	if len(s.missing) > 0 {
		return incompleteError(s.missing)
	}
	return nil
}

// setHistory sets the records of earlier updates, without which rules of thumb tell how long parts take.
func (s *stage) setHistory(records []updatev1alpha1.UpdateRecord, err error) {
	if err != nil {
		s.warnings = append(s.warnings, err.Error())
	}
	s.history = historyOf(records)
}

func historyOf(records []updatev1alpha1.UpdateRecord) estimate.History {
	var history estimate.History
	for at := range records {
		if records[at].Status.StartedAt != nil {
			history = append(history, records[at].Status)
		}
	}
	return history
}

// stage reads the cluster with the user's permissions.
func (c cluster) stage(ctx context.Context) (*stage, error) {
	version, err := getAs[configv1.ClusterVersion](ctx, c.clusterVersions, standalone.ClusterVersionName)
	switch {
	case apierrors.IsNotFound(err):
		return nil, noClusterError(c.host, err)
	case err != nil:
		return nil, fmt.Errorf("reading the ClusterVersion: %w", err)
	}
	now := c.clock()
	objects, unread := c.live.objectsOf(ctx, version, now)
	read := &stage{cluster: objects.ClusterInput(), now: now, warnings: unread}
	read.missing = slices.Concat(standalone.Missing(read.cluster), standalone.MissingNodes(read.cluster))
	ahead, err := drainreader.New(c.live.pods.kube).Present(ctx)
	if err != nil {
		read.missing = append(read.missing, "which drains would be blocked is not known: "+describe.OneLine(withoutAdvice(err).Error()))
	}
	read.cluster.Pods, read.cluster.PodDisruptionBudgets, read.cluster.Replicas = ahead.Pods, ahead.Budgets, ahead.Replicas
	read.warnings = append(read.warnings, c.addReplicas(ctx, read.cluster.Replicas)...)
	read.setHistory(c.records(ctx))
	return read, nil
}

// replicated is a workload as far as it is read.
type replicated struct {
	metav1.ObjectMeta `json:"metadata"`

	Spec struct {
		Replicas *int32 `json:"replicas"`
	} `json:"spec"`
}

// addReplicas adds the desired replicas of all workloads, and returns what can't be read.
func (c cluster) addReplicas(ctx context.Context, to map[drain.Workload]int32) (unread []string) {
	for _, of := range []*kinds.Kind{kinds.Deployments, kinds.StatefulSets} {
		all, err := listAs[replicated](ctx, c.live.objects.Resource(of.Served()), metav1.ListOptions{})
		if err != nil {
			unread = append(unread, fmt.Sprintf("unable to read %s: %s", of.Plural, describe.OneLine(withoutAdvice(err).Error())))
		}
		for _, one := range all {
			if one.Spec.Replicas != nil {
				to[drain.Workload{Namespace: one.Namespace, Kind: of.Kind, Name: one.Name}] = *one.Spec.Replicas
			}
		}
	}
	return unread
}

// stage reads the files.
func (m mustGather) stage(ctx context.Context) (*stage, error) {
	s, err := m.load()
	if err != nil {
		return nil, err
	}
	if s.ClusterVersion == nil {
		return nil, noClusterVersion(m.path, s)
	}
	at, err := m.evalTime.of(s)
	if err != nil {
		return nil, err
	}
	read := &stage{cluster: s.ClusterInput(), now: at.Time, warnings: s.Unread()}
	if read.now.IsZero() {
		read.now = m.evalTime.clock()
	}
	if at.what != "" && !at.IsZero() {
		read.warnings = append(read.warnings, fmt.Sprintf("the rehearsal is as of %s, %s", at.UTC().Format(time.RFC3339), at.what))
	}
	if len(s.PodDisruptionBudgets) == 0 {
		read.warnings = append(read.warnings, "no PodDisruptionBudgets in these files: which drains would be blocked is not known")
	}
	read.missing = slices.Concat(problemsOf(s, all), standalone.Missing(read.cluster), standalone.MissingNodes(read.cluster))
	read.setHistory(m.records(ctx))
	return read, nil
}
