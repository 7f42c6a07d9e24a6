package invariants

import (
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/lag"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// Expected returns the UpdateStatus of an assessment of all objects of a cluster, as an API server stores it.
func Expected(objects []simulator.Object, now time.Time) (*updatev1alpha1.UpdateStatus, error) {
	return built(standalone.Assess(lag.NewCluster(objects).Input(), now), now)
}

// ExpectedHosted is Expected for a hosted cluster.
func ExpectedHosted(in hosted.Input, now time.Time) (*updatev1alpha1.UpdateStatus, error) {
	return built(hosted.Assess(in, now), now)
}

func built(messages []insight.Message, now time.Time) (*updatev1alpha1.UpdateStatus, error) {
	reported := ledger.New()
	for _, message := range messages {
		reported.Apply(message)
	}
	return Stored(&updatev1alpha1.UpdateStatus{
		Status: status.Build(status.Input{Ledger: reported.View(), Now: now}),
	})
}

// Stored returns an object as an API server stores it, with times in whole seconds.
func Stored(us *updatev1alpha1.UpdateStatus) (*updatev1alpha1.UpdateStatus, error) {
	content, err := json.Marshal(us)
	if err != nil {
		return nil, fmt.Errorf("encoding a status: %w", err)
	}
	stored := &updatev1alpha1.UpdateStatus{}
	if err := json.Unmarshal(content, stored); err != nil {
		return nil, fmt.Errorf("decoding a status: %w", err)
	}
	return stored, nil
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
			if version.Requested != nil {
				version.Requested.Since = nil
			}
		}
		if one.Node != nil {
			one.Node.Phases, one.Node.EstToComplete, one.Node.DrainStartedAt, one.Node.RebootStartedAt = nil, nil, nil, nil
		}
		if pool := insight.PoolOf(one); pool != nil {
			pool.EstimatedCompletedAt, pool.NodeDurations = nil, nil
			for at := range pool.Conditions {
				pool.Conditions[at].Message = "" // why there is no estimate
			}
		}
	}
	for _, conditions := range conditionsOf(&status) {
		for at := range conditions {
			conditions[at].LastTransitionTime = metav1.Time{}
		}
	}
	return status
}
