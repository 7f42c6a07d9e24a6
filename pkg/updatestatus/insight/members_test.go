package insight_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// TestRead reads a status with insights of every kind in two parts, and with two versions, which a status has when it was edited.
func TestRead(t *testing.T) {
	version := func(assessment updatev1alpha1.Assessment) updatev1alpha1.Insight {
		return updatev1alpha1.Insight{ClusterVersion: &updatev1alpha1.ClusterVersionInsight{Assessment: assessment}}
	}
	operator := updatev1alpha1.Insight{ClusterOperator: &updatev1alpha1.ClusterOperatorInsight{Name: "etcd"}}
	health := updatev1alpha1.Insight{UID: "one", Health: &updatev1alpha1.HealthInsight{}}
	members := func(pool string) []updatev1alpha1.Insight {
		return []updatev1alpha1.Insight{
			{MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Name: pool}},
			{Node: &updatev1alpha1.NodeInsight{Name: "node of " + pool}},
			{Type: "New"},
		}
	}
	status := &updatev1alpha1.UpdateStatusStatus{
		ControlPlane: &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{
			{Name: "a", Insights: []updatev1alpha1.Insight{version("first"), version("second"), operator}},
			{Name: "b", Insights: append(members("master"), health)},
		}},
		WorkerPools: []updatev1alpha1.WorkerPool{{Informers: []updatev1alpha1.Informer{{Name: "c", Insights: members("worker")}}}},
	}
	text := func(read insight.Contents) string {
		var words []string
		if read.Version != nil {
			words = append(words, "version "+string(read.Version.Assessment))
		}
		for _, one := range read.Operators {
			words = append(words, "operator "+one.Name)
		}
		for _, one := range read.Pools {
			words = append(words, "pool "+one.Name)
		}
		for _, one := range read.Nodes {
			words = append(words, one.Name)
		}
		for _, one := range read.Health {
			words = append(words, "health "+one.UID+" of "+one.Informer)
		}
		return strings.Join(words, ", ")
	}
	for _, tc := range []struct {
		name string
		read insight.Contents
		want string
	}{
		{"nothing", insight.ReadAll(&updatev1alpha1.UpdateStatusStatus{}), ""},
		{
			"the control plane", insight.Read(status.ControlPlane.Informers),
			"version first, operator etcd, pool master, node of master, health one of b",
		},
		{"a worker pool", insight.Read(status.WorkerPools[0].Informers), "pool worker, node of worker"},
		{
			"everything", insight.ReadAll(status),
			"version first, operator etcd, pool master, pool worker, node of master, node of worker, health one of b",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, text(tc.read)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWithPool: the insight that another pool is given to stays what it was.
func TestWithPool(t *testing.T) {
	before := updatev1alpha1.Insight{UID: "one", MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Name: "before"}}
	after := insight.WithPool(before, &updatev1alpha1.MachineConfigPoolInsight{Name: "after"})
	if got := []string{insight.PoolOf(&before).Name, insight.PoolOf(&after).Name, after.UID}; !slices.Equal(got, []string{"before", "after", "one"}) {
		t.Error(got)
	}
}

func TestOperatorState(t *testing.T) {
	since := metav1.Unix(1700000000, 0)
	for _, tc := range []struct {
		name       string
		conditions []metav1.Condition
		want       insight.OperatorState
	}{
		{name: "no conditions", want: insight.OperatorState{Progress: insight.OperatorUnknown}},
		{
			name:       "unknown, with a reason that says otherwise",
			conditions: []metav1.Condition{{Type: "Updating", Status: "Unknown", Reason: "Updated", LastTransitionTime: since}},
			want:       insight.OperatorState{Progress: insight.OperatorUnknown, Since: since},
		},
		{
			name:       "updating",
			conditions: []metav1.Condition{{Type: "Updating", Status: "True", Reason: "Progressing", LastTransitionTime: since}},
			want:       insight.OperatorState{Progress: insight.OperatorUpdating, Since: since},
		},
		{
			name:       "updated",
			conditions: []metav1.Condition{{Type: "Updating", Status: "False", Reason: "Updated", LastTransitionTime: since}},
			want:       insight.OperatorState{Progress: insight.OperatorUpdated, Since: since},
		},
		{
			name: "waiting and unhealthy",
			conditions: []metav1.Condition{
				{Type: "Updating", Status: "False", Reason: "Pending", LastTransitionTime: since}, {Type: "Healthy", Status: "False"},
			},
			want: insight.OperatorState{Progress: insight.OperatorWaiting, Since: since, Unhealthy: true},
		},
		{
			name:       "its health is not known",
			conditions: []metav1.Condition{{Type: "Healthy", Status: "Unknown"}},
			want:       insight.OperatorState{Progress: insight.OperatorUnknown},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := insight.OperatorStateOf(&updatev1alpha1.ClusterOperatorInsight{Conditions: tc.conditions})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
