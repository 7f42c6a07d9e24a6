package source

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	configv1 "github.com/openshift/api/config/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// Hosted is what a source of a hosted cluster is assessed from: objects of the management cluster, and of the cluster
// operators and nodes of the hosted cluster. That may be away for a while, as when its API server restarts: its objects are then
// assessed as they were cached last.
type Hosted struct {
	Caches Caches
	// Name is that of the HostedCluster.
	Name types.NamespacedName
	// Rules assess what the source reports: hosted.ControlPlane or hosted.Nodes.
	Rules func(hosted.Input, time.Time) (insight.Message, time.Time)
	// HostedState returns what a complete source lacks of the hosted cluster, nil if nothing.
	HostedState func() *insight.State
	// Drains reads what blocks drains in the hosted cluster, nil if that is not read.
	Drains             Drains
	PreviouslyObserved PreviouslyObserved

	// starts is when nodes that drain, and components that are rolled out, were first observed to do so, nil before the first sync.
	starts   map[string]time.Time
	blockers longDrains
}

// Assess is an Assess. What has started now is assessed again, with its start.
func (h *Hosted) Assess(ctx context.Context, now time.Time) (insight.Message, time.Time, error) {
	if h.starts == nil {
		observed, err := h.PreviouslyObserved(ctx)
		if err != nil {
			return insight.Message{}, time.Time{}, fmt.Errorf("reading since when nodes drain and components are rolled out: %w", err)
		}
		h.starts = map[string]time.Time{}
		maps.Copy(h.starts, observed.Starts)
		if requested := observed.Requested; requested != nil && requested.Since != nil {
			h.starts[hosted.RequestKey] = requested.Since.Time
		}
	}
	in := h.input()
	message, next := h.Rules(in, now)
	if starts := hosted.Starts(message, h.starts, now); !maps.Equal(starts, h.starts) {
		h.starts, in.Observed = starts, starts
		message, next = h.Rules(in, now)
	}
	if h.Drains != nil {
		again, isChanged := h.blockers.read(h.Drains, hosted.LongDrains(message, now), now)
		if isChanged {
			in.Blockers = h.blockers.last
			message, next = h.Rules(in, now)
		}
		if patienceEnds := h.blockers.patienceEnds(now); !patienceEnds.IsZero() {
			return insight.Message{}, patienceEnds, nil
		}
		next = earliest(next, again)
	}
	if state := h.HostedState(); state != nil {
		message.State = state
	}
	return message, next, nil
}

func (h *Hosted) input() hosted.Input {
	return hosted.Input{
		HostedCluster:      get[*hypershiftv1beta1.HostedCluster](h.Caches, kinds.HostedClusters, h.Name.String()),
		Components:         listByName[*hypershiftv1beta1.ControlPlaneComponent](h.Caches, kinds.ControlPlaneComponents),
		NodePools:          listByName[*hypershiftv1beta1.NodePool](h.Caches, kinds.NodePools),
		Machines:           listByName[*clusterapiv1beta1.Machine](h.Caches, kinds.Machines),
		MachineDeployments: listByName[*clusterapiv1beta1.MachineDeployment](h.Caches, kinds.MachineDeployments),
		MachineSets:        listByName[*clusterapiv1beta1.MachineSet](h.Caches, kinds.MachineSets),
		ClusterOperators:   listByName[*configv1.ClusterOperator](h.Caches, kinds.ClusterOperators),
		Nodes:              listByName[*corev1.Node](h.Caches, kinds.Nodes),
		Observed:           h.starts,
		Blockers:           h.blockers.last,
	}
}

// listByName returns the cached objects of a kind, in the order of their names.
func listByName[T metav1.Object](caches Caches, kind *kinds.Kind) []T {
	return slices.SortedFunc(slices.Values(list[T](caches, kind)), func(a, b T) int { return strings.Compare(a.GetName(), b.GetName()) })
}
