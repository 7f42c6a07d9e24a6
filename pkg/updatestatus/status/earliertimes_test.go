package status_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
)

// TestKeepEarlierTimes checks that two processes of the controller which both write agree after a write each.
func TestKeepEarlierTimes(t *testing.T) {
	reports := []insight.Message{
		nodesReport(nodeReport("a", "worker", "True", "Draining"), poolReport("worker", "True"), healthReport("a", updatev1alpha1.LevelError, nil)),
		controlPlaneReports(versionReport(at(60)), operatorReport("etcd")),
	}
	first, second := status.NewBuilder(), status.NewBuilder()
	earlier := first.Build(view(reports...), after(1))
	later := second.Build(view(reports...), after(3))
	if cmp.Equal(earlier, later) {
		t.Fatal("both have the same times")
	}
	first.KeepEarlierTimes(later)
	if diff := cmp.Diff(earlier, first.Build(view(reports...), after(4))); diff != "" {
		t.Errorf("the first process (-want +got):\n%s", diff)
	}
	second.KeepEarlierTimes(earlier)
	if diff := cmp.Diff(earlier, second.Build(view(reports...), after(4))); diff != "" {
		t.Errorf("the second process (-want +got):\n%s", diff)
	}
	// What the other wrote of another state is not taken over.
	changed := []insight.Message{nodesReport(nodeReport("a", "worker", "False", "Completed"), poolReport("worker", "True")), reports[1]}
	third := status.NewBuilder()
	want := third.Build(view(changed...), after(5))
	third.KeepEarlierTimes(earlier)
	got := third.Build(view(changed...), after(6))
	if since := got.WorkerPools[0].Informers[0].Insights[1].Node.Conditions[0].LastTransitionTime; !since.Equal(at(5)) {
		t.Errorf("completed since %s, want %s", since, want.WorkerPools[0].Informers[0].Insights[1].Node.Conditions[0].LastTransitionTime)
	}
}

// TestKeepEarlierTimesOfParts checks that they agree as well on conditions of the control plane and of pools, and on those that Fit adds.
func TestKeepEarlierTimesOfParts(t *testing.T) {
	// Without a ClusterVersion and a pool it is not known whether the parts are updating.
	reported := view(
		nodesReport(nodeReport("a", "worker", "True", "Draining"), nodeReport("b", "worker", "True", "Draining")),
		controlPlaneReports(operatorReport("etcd"), operatorReport("dns")),
	)
	observe := func(minute int) (*status.Builder, *updatev1alpha1.UpdateStatusStatus) {
		builder := status.NewBuilder()
		buildAndFit(builder, reported, after(minute))
		builder.Reject([]metav1.StatusCause{cause("status.controlPlane.informers[0].insights[0]", "No"), cause("status.workerPools[0].informers[0].insights[0]", "No")})
		return builder, buildAndFit(builder, reported, after(minute+1))
	}
	first, earlier := observe(1)
	second, later := observe(3)
	if cmp.Equal(earlier, later) {
		t.Fatal("both have the same times")
	}
	first.KeepEarlierTimes(later)
	if diff := cmp.Diff(earlier, buildAndFit(first, reported, after(9))); diff != "" {
		t.Errorf("the first process (-want +got):\n%s", diff)
	}
	second.KeepEarlierTimes(earlier)
	if diff := cmp.Diff(earlier, buildAndFit(second, reported, after(9))); diff != "" {
		t.Errorf("the second process (-want +got):\n%s", diff)
	}
}

// TestEditedTimes checks that what others edit in the object takes no time away that was observed.
func TestEditedTimes(t *testing.T) {
	reported := view(nodesReport(nodeReport("a", "worker", "True", "Draining"), poolReport("worker", "True"), healthReport("b", updatev1alpha1.LevelError, nil)),
		controlPlaneReports(versionReport(at(60)), operatorReport("etcd")))
	for name, edit := range map[string]func(edited *updatev1alpha1.UpdateStatusStatus, node, health *updatev1alpha1.Insight){
		"no start": func(_ *updatev1alpha1.UpdateStatusStatus, _, health *updatev1alpha1.Insight) {
			health.Health.StartedAt = nil
		},
		"later start": func(_ *updatev1alpha1.UpdateStatusStatus, _, health *updatev1alpha1.Insight) {
			health.Health.StartedAt = at(5)
		},
		"later transition": func(edited *updatev1alpha1.UpdateStatusStatus, node, _ *updatev1alpha1.Insight) {
			edited.Conditions[0].LastTransitionTime, node.Node.Conditions[0].LastTransitionTime = *at(5), *at(5)
		},
		"earlier transition to another status": func(edited *updatev1alpha1.UpdateStatusStatus, _, _ *updatev1alpha1.Insight) {
			edited.Conditions[0].Status, edited.Conditions[0].LastTransitionTime = metav1.ConditionFalse, *at(-5)
		},
		"no start, acquired earlier in another state": func(_ *updatev1alpha1.UpdateStatusStatus, _, health *updatev1alpha1.Insight) {
			health.Health.StartedAt, health.Health.Impact.Level, health.AcquiredAt = nil, updatev1alpha1.LevelInfo, *at(-5)
		},
		"later transition, acquired earlier in another state": func(_ *updatev1alpha1.UpdateStatusStatus, node, _ *updatev1alpha1.Insight) {
			node.Node.Conditions[0].LastTransitionTime, node.Node.Message, node.AcquiredAt = *at(5), "fine", *at(-5)
		},
		"emptied": func(edited *updatev1alpha1.UpdateStatusStatus, _, _ *updatev1alpha1.Insight) {
			*edited = updatev1alpha1.UpdateStatusStatus{}
		},
	} {
		t.Run(name, func(t *testing.T) {
			builder := status.NewBuilder()
			want := builder.Build(reported, after(1))
			edited := want.DeepCopy()
			insights := edited.WorkerPools[0].Informers[0].Insights
			edit(edited, &insights[1], &insights[2])
			builder.KeepEarlierTimes(edited)
			if diff := cmp.Diff(want, builder.Build(reported, after(9))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
