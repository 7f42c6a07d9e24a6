package update_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

func TestAssessmentChanges(t *testing.T) {
	type phases = map[string]updatev1alpha1.Assessment
	statusWith := func(of phases) *updatev1alpha1.UpdateStatusStatus {
		built := &updatev1alpha1.UpdateStatusStatus{}
		for part, assessment := range of {
			if part == "" {
				version := updatev1alpha1.Insight{ClusterVersion: &updatev1alpha1.ClusterVersionInsight{Assessment: assessment}}
				built.ControlPlane = &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{
					{Name: string(insight.ControlPlaneInformer), Insights: []updatev1alpha1.Insight{version}},
				}}
				continue
			}
			pool := updatev1alpha1.Insight{MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Name: part, Assessment: assessment}}
			built.WorkerPools = append(built.WorkerPools, updatev1alpha1.WorkerPool{Name: part, Informers: []updatev1alpha1.Informer{
				{Name: string(insight.NodeInformer), Insights: []updatev1alpha1.Insight{pool}},
			}})
		}
		return built
	}
	for _, test := range []struct {
		name          string
		before, after phases
		want          []update.AssessmentChange
	}{
		{name: "nothing known"},
		{name: "nothing changes", before: phases{"": "Completed", "a": "Completed"}, after: phases{"": "Completed", "a": "Completed"}},
		{
			name: "at the start", after: phases{"": "Progressing", "a": "Pending"},
			want: []update.AssessmentChange{{Part: "control plane", After: "Progressing"}, {Part: "pool a", After: "Pending"}},
		},
		{
			name: "in a fixed order", before: phases{"": "Progressing", "b": "Pending", "a": "Pending"},
			after: phases{"": "Completed", "b": "Progressing", "a": "Degraded"},
			want: []update.AssessmentChange{
				{Part: "control plane", Before: "Progressing", After: "Completed"},
				{Part: "pool a", Before: "Pending", After: "Degraded"},
				{Part: "pool b", Before: "Pending", After: "Progressing"},
			},
		},
		{name: "a pool is gone", before: phases{"": "Completed", "a": "Pending"}, after: phases{"": "Completed"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, update.AssessmentChanges(update.Read(statusWith(test.before)), update.Read(statusWith(test.after)))); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
	if changes := update.AssessmentChanges(update.Read(&updatev1alpha1.UpdateStatusStatus{}), update.Read(statusWith(phases{"": "Completed"}))); len(changes) != 1 {
		t.Errorf("changes from nothing: %v", changes)
	}
}
