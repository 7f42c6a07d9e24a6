package snapshot

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/informers"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
)

// Assess returns the UpdateStatus that a controller would write if it started at that time. It is never truncated, since no
// API server stores it.
func (s *Snapshot) Assess(now time.Time) *updatev1alpha1.UpdateStatus {
	var settings []updatev1alpha1.InformerSetting
	if s.UpdateStatus != nil {
		settings = s.UpdateStatus.Spec.Informers
	}
	return s.statusOf(standalone.Assess(s.ClusterInput(), now), informers.Input{Informers: trimmed(s.UpdateInformers), Settings: settings}, now)
}

// statusOf returns the status of what sources report, and others by informers.
func (s *Snapshot) statusOf(messages []insight.Message, contributed informers.Input, now time.Time) *updatev1alpha1.UpdateStatus {
	reports := ledger.New()
	for _, message := range messages {
		reports.Apply(message)
	}
	view := reports.View()
	contributed.Update, contributed.PartOf, contributed.IsReserved = view.Update(), view.PartOf, checks.IsReason
	message, _ := new(informers.Assessor).Assess(contributed, now)
	reports.Apply(message)
	return &updatev1alpha1.UpdateStatus{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateStatus"},
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
		Status:     status.Build(status.Input{Ledger: reports.View(), Now: now}),
	}
}

// AssessHosted returns the status that a controller of a hosted cluster would write if it started at that time, nil if the files do not
// have its HostedCluster. It is assessed from the objects of the management cluster: which of the nodes and cluster operators in files are
// those of the hosted cluster is not known.
func (s *Snapshot) AssessHosted(of types.NamespacedName, now time.Time) *updatev1alpha1.UpdateStatus {
	in := s.HostedObjects
	if in.HostedCluster = Named(s.HostedClusters, of); in.HostedCluster == nil {
		return nil
	}
	namespace := insight.ControlPlaneNamespace(of)
	in.Components = inNamespace(in.Components, namespace)
	in.Machines = inNamespace(in.Machines, namespace)
	in.MachineDeployments = inNamespace(in.MachineDeployments, namespace)
	in.MachineSets = inNamespace(in.MachineSets, namespace)
	var settings []updatev1alpha1.InformerSetting
	if stored := Named(s.HostedStatuses, of); stored != nil {
		settings = stored.Spec.Informers
	}
	return s.statusOf(hosted.Assess(in, now), informers.Input{
		Informers: trimmed(inNamespace(s.UpdateInformers, namespace)), Settings: settings, IsHosted: true,
	}, now)
}

// trimmed returns informers as the controller caches them.
func trimmed(all []*updatev1alpha1.UpdateInformer) []*updatev1alpha1.UpdateInformer {
	cached := make([]*updatev1alpha1.UpdateInformer, 0, len(all))
	for _, one := range all {
		cached = append(cached, informers.Trimmed(one))
	}
	return cached
}

// Named returns the object with a name, nil if there is none.
func Named[T metav1.Object](objects []T, name types.NamespacedName) (found T) {
	for _, object := range inNamespace(objects, name.Namespace) {
		if object.GetName() == name.Name {
			return object
		}
	}
	return found
}

// inNamespace returns the objects of a namespace.
func inNamespace[T metav1.Object](objects []T, namespace string) []T {
	return slices.DeleteFunc(slices.Clone(objects), func(one T) bool { return one.GetNamespace() != namespace })
}

// ClusterInput returns the objects as the input of an assessment.
func (s *Snapshot) ClusterInput() standalone.Input {
	return standalone.Input{
		ClusterVersion:        s.ClusterVersion,
		ClusterOperators:      s.ClusterOperators,
		MachineConfigOperator: s.MachineConfigOperator, Lease: s.Lease, LeaseReadAt: s.LeaseReadAt,
		MachineConfigPools:   s.MachineConfigPools,
		MachineConfigs:       s.MachineConfigs,
		Nodes:                s.Nodes,
		Pods:                 s.Pods,
		PodDisruptionBudgets: s.PodDisruptionBudgets,
		MachineConfigNodes:   s.MachineConfigNodes,
		CertificateRequests:  s.CertificateRequests,
		OperatorPods:         s.OperatorPods,
		Alerts:               s.Alerts,
		Partial:              true,
	}
}

// Unread returns what files lack and a status can do without. Each is a sentence without a period, for administrators.
func (s *Snapshot) Unread() []string {
	var unread []string
	if s.Alerts == nil {
		unread = append(unread, "no alerts in these files (expected monitoring/prometheus/rules.json)")
	}
	if s.MachineConfigOperator == nil {
		unread = append(unread, "Deployment machine-config-operator not found; judging by version only")
	}
	return unread
}
