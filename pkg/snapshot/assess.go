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
		Files:                 true,
	}
}

// Unread returns what files lack and a status can do without. Each is a sentence without a period, for administrators.
func (s *Snapshot) Unread() []string {
	var unread []string
	if s.Alerts == nil {
		unread = append(unread, "alerts are unknown: the files have none, as in monitoring/prometheus/rules.json of a must-gather")
	}
	if s.MachineConfigOperator == nil {
		unread = append(unread, "the Deployment machine-config-operator is unknown: its version alone tells whether it is updated, not its image")
	}
	return unread
}
