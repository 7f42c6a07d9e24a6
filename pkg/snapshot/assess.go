package snapshot

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
)

// Assess returns the UpdateStatus that a controller would write if it started at that time. It is never truncated, since no
// API server stores it.
func (s *Snapshot) Assess(now time.Time) *updatev1alpha1.UpdateStatus {
	reports := ledger.New()
	for _, message := range assess.Cluster(s.ClusterInput(), now) {
		reports.Apply(message)
	}
	return &updatev1alpha1.UpdateStatus{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateStatus"},
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
		Status:     status.Build(status.Input{Ledger: reports.View(), Now: now}),
	}
}

// ClusterInput returns the objects as the input of an assessment.
func (s *Snapshot) ClusterInput() assess.ClusterInput {
	return assess.ClusterInput{
		ClusterVersion:        s.ClusterVersion,
		ClusterOperators:      s.ClusterOperators,
		MachineConfigOperator: s.MachineConfigOperator,
		MachineConfigPools:    s.MachineConfigPools,
		MachineConfigs:        s.MachineConfigs,
		Nodes:                 s.Nodes,
		Pods:                  s.Pods,
		PodDisruptionBudgets:  s.PodDisruptionBudgets,
		MachineConfigNodes:    s.MachineConfigNodes,
		Alerts:                s.Alerts,
	}
}

// Missing returns warnings about kinds of objects that are not in the files.
func (s *Snapshot) Missing() []string {
	var missing []string
	add := func(isMissing bool, warning string) {
		if isMissing {
			missing = append(missing, warning)
		}
	}
	add(s.ClusterVersion == nil, "no ClusterVersion found: unable to tell whether the cluster is updating")
	add(len(s.ClusterOperators) == 0, "no ClusterOperators found: the progress of the control plane is unknown")
	add(len(s.MachineConfigPools) == 0, "no MachineConfigPools found: the progress of nodes is unknown")
	add(len(s.MachineConfigPools) > 0 && len(s.Nodes) == 0, "no Nodes found: their progress is unknown")
	add(len(s.Nodes) > 0 && len(s.MachineConfigs) == 0, "no MachineConfigs found: the versions of nodes are unknown")
	return missing
}
