package snapshot

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
)

// Assess returns the UpdateStatus that a controller would have written at a moment, if it had seen the cluster for the
// first time: times that only a controller observes are that moment. It is complete, however large: it is only shown, and
// no API server has to store it.
func (s *Snapshot) Assess(now time.Time) *updatev1alpha1.UpdateStatus {
	said := ledger.New()
	for _, message := range assess.Cluster(s.ClusterInput(), now) {
		said.Apply(message)
	}
	return &updatev1alpha1.UpdateStatus{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateStatus"},
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
		Status:     status.Build(status.Input{Ledger: said.View(), Now: now}),
	}
}

// ClusterInput returns the objects that an assessment of the whole cluster takes.
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

// Missing says in sentences what an assessment of the files lacks, and what can't be told without it.
func (s *Snapshot) Missing() []string {
	var missing []string
	lacks := func(lacking bool, sentence string) {
		if lacking {
			missing = append(missing, sentence)
		}
	}
	lacks(s.ClusterVersion == nil, "no ClusterVersion was found: it can't be told whether the cluster is updating")
	lacks(len(s.ClusterOperators) == 0, "no ClusterOperators were found: the progress of the control plane can't be told")
	lacks(len(s.MachineConfigPools) == 0, "no MachineConfigPools were found: the progress of nodes can't be told")
	lacks(len(s.MachineConfigPools) > 0 && len(s.Nodes) == 0, "no Nodes were found: their progress can't be told")
	lacks(len(s.Nodes) > 0 && len(s.MachineConfigs) == 0, "no MachineConfigs were found: the versions of nodes can't be told")
	return missing
}
