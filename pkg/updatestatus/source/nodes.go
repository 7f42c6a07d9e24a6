package source

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// PreviouslyObserved returns what was observed according to the object that was in the cluster when the controller started.
type PreviouslyObserved func(context.Context) (assess.Observed, error)

// Nodes is what the nodes and pools are assessed from.
type Nodes struct {
	Caches             Caches
	Drains             Drains
	PreviouslyObserved PreviouslyObserved
	// CertificateRequests reads those of kubelets, while one is not ready during an update. It may be nil.
	CertificateRequests ReadCertificateRequests

	assessed     *standalone.Nodes
	blockers     longDrains
	certificates certificateRequests
}

// Assess is an Assess.
func (n *Nodes) Assess(ctx context.Context, now time.Time) (insight.Message, time.Time, error) {
	if n.assessed == nil {
		observed, err := n.PreviouslyObserved(ctx)
		if err != nil {
			return insight.Message{}, time.Time{}, fmt.Errorf("reading since when nodes drain: %w", err)
		}
		n.assessed = standalone.NewNodes(observed)
	}
	in := n.input()
	result := n.assessed.Assess(in, now)
	again, isChanged := n.blockers.read(n.Drains, result.LongDrains, now)
	readAgain, isRead := n.certificates.read(ctx, n.CertificateRequests, result.Certificates, now)
	if isChanged || isRead {
		in.Blockers, in.CertificateRequests = n.blockers.last, n.certificates.last
		result = n.assessed.Assess(in, now)
	}
	if patienceEnds := n.blockers.patienceEnds(now); !patienceEnds.IsZero() {
		return insight.Message{}, patienceEnds, nil
	}
	return result.Message, earliest(result.NextCheck, earliest(again, readAgain)), nil
}

func (n *Nodes) input() standalone.NodesInput {
	return standalone.NodesInput{
		ClusterVersion:     get[*configv1.ClusterVersion](n.Caches, kinds.ClusterVersions, standalone.ClusterVersionName),
		MachineConfigPools: list[*machineconfigv1.MachineConfigPool](n.Caches, kinds.MachineConfigPools),
		MachineConfigs:     list[*metav1.PartialObjectMetadata](n.Caches, kinds.MachineConfigs),
		Nodes:              list[*corev1.Node](n.Caches, kinds.Nodes),
		MachineConfigNodes: list[*machineconfigv1.MachineConfigNode](n.Caches, kinds.MachineConfigNodes),
		Blockers:           n.blockers.last,

		CertificateRequests:   n.certificates.last,
		MachineConfigOperator: get[*configv1.ClusterOperator](n.Caches, kinds.ClusterOperators, controlplane.MachineConfigOperator),
	}
}

// earliest returns the earlier one of two times, of which each may be zero.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
