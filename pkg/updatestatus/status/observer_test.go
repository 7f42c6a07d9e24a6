package status_test

import (
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
)

// buildAndFit returns the next status as the object can have it.
func buildAndFit(builder *status.Builder, view ledger.View, now time.Time) *updatev1alpha1.UpdateStatusStatus {
	builder.Build(view, now)
	return builder.Fit().Status
}

// partsOf returns the parts of the cluster by name, the control plane without one.
func partsOf(built *updatev1alpha1.UpdateStatusStatus) map[string]updatev1alpha1.WorkerPool {
	parts := map[string]updatev1alpha1.WorkerPool{"": {Conditions: built.ControlPlane.Conditions, Informers: built.ControlPlane.Informers}}
	for _, pool := range built.WorkerPools {
		parts[pool.Name] = pool
	}
	return parts
}

// insightsIn returns all insights, with one about each node that is listed by name.
func insightsIn(built *updatev1alpha1.UpdateStatusStatus) []updatev1alpha1.Insight {
	var all []updatev1alpha1.Insight
	for _, part := range partsOf(built) {
		for _, informer := range part.Informers {
			all = append(all, insight.WithListedNodes(informer.Insights)...)
		}
	}
	return all
}

var names = []string{"node", "ip-10-0-128-7.ec2.internal", strings.Repeat("long.", 45) + "node"}
