package truncate_test

import (
	"fmt"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/truncate"
)

// TestMaxWorkerPools checks that a status has no more pools than its schema allows, also where more would fit.
func TestMaxWorkerPools(t *testing.T) {
	for pools, want := range map[int]int{1024: 1024, 1025: 1024} {
		status := &updatev1alpha1.UpdateStatusStatus{}
		for at := range pools {
			status.WorkerPools = append(status.WorkerPools, updatev1alpha1.WorkerPool{Name: fmt.Sprintf("pool-%04d", at)})
		}
		result := truncate.Fit(truncate.Input{
			Status: status, Previous: &updatev1alpha1.UpdateStatusStatus{}, Complete: true, NodesComplete: true,
			Rejected: func(insight.Source, string) string { return "" },
		})
		if got := len(result.Status.WorkerPools); got != want {
			t.Errorf("%d of %d pools are in the status", got, pools)
		}
	}
}
