package invariants

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/informers"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/lag"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// Expected returns the UpdateStatus of an assessment of all objects of a cluster, as an API server stores it.
func Expected(objects []simulator.Object, now time.Time) (*updatev1alpha1.UpdateStatus, error) {
	return ExpectedWith(nil, objects, now)
}

// ExpectedWith is Expected for a cluster with an UpdateInformer that is trusted, and was renewed in time; nil for none.
func ExpectedWith(trusted *updatev1alpha1.UpdateInformer, objects []simulator.Object, now time.Time) (*updatev1alpha1.UpdateStatus, error) {
	messages := standalone.Assess(lag.NewCluster(objects).Input(), now)
	if trusted != nil {
		view := builders.View(messages)
		message, _ := new(informers.Assessor).Assess(informers.Input{
			Informers: []*updatev1alpha1.UpdateInformer{trusted},
			Settings:  []updatev1alpha1.InformerSetting{{Namespace: trusted.Namespace, Name: trusted.Name, State: updatev1alpha1.InformerTrusted}},
			Update:    view.Update(), PartOf: view.PartOf, IsReserved: checks.IsReason,
		}, trusted.Status.RenewedAt.Time)
		messages = append(messages, message)
	}
	return built(messages, now)
}

// ExpectedHosted is Expected for a hosted cluster.
func ExpectedHosted(in hosted.Input, now time.Time) (*updatev1alpha1.UpdateStatus, error) {
	return built(hosted.Assess(in, now), now)
}

func built(messages []insight.Message, now time.Time) (*updatev1alpha1.UpdateStatus, error) {
	return Stored(&updatev1alpha1.UpdateStatus{Status: status.Build(status.Input{Ledger: builders.View(messages), Now: now})})
}

// Stored returns an object as an API server stores it, with times in whole seconds.
func Stored(us *updatev1alpha1.UpdateStatus) (*updatev1alpha1.UpdateStatus, error) {
	stored := &updatev1alpha1.UpdateStatus{}
	return stored, played.Store(us, stored)
}

// WithoutObserved returns a status without the times that a controller observes, which are in no object of the cluster, and the
// estimates made of them.
func WithoutObserved(us *updatev1alpha1.UpdateStatus) updatev1alpha1.UpdateStatusStatus {
	status := *us.Status.DeepCopy()
	for _, one := range Insights(&status) {
		one.AcquiredAt = metav1.Time{}
		if one.Health != nil {
			one.Health.StartedAt = nil
		}
		if version := insight.VersionOf(one); version != nil {
			version.EstimatedCompletedAt = nil // stays while it moves by less than 30 s
			version.ProgressedAt = nil
			for at := range version.WaitingOn {
				version.WaitingOn[at].Since = nil
			}
			if version.Requested != nil {
				version.Requested.Since = nil
			}
		}
		if one.Node != nil {
			one.Node.Phases, one.Node.EstimatedSeconds, one.Node.DrainStartedAt, one.Node.RebootStartedAt = nil, nil, nil, nil
		}
		if pool := insight.PoolOf(one); pool != nil {
			pool.EstimatedCompletedAt, pool.NodeDurations = nil, nil
			for at := range pool.Conditions {
				pool.Conditions[at].Message = "" // why there is no estimate
			}
		}
	}
	// What is looked at once is not truncated, and has no informers and no settings.
	status.ObservedGeneration = 0
	status.Conditions = slices.DeleteFunc(status.Conditions, func(one metav1.Condition) bool {
		return one.Type != updatev1alpha1.ConditionAvailable && one.Status == metav1.ConditionTrue
	})
	for _, conditions := range conditionsOf(&status) {
		for at := range conditions {
			conditions[at].LastTransitionTime = metav1.Time{}
		}
	}
	return status
}
