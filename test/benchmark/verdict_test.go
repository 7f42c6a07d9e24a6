package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/invariants"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func objectOf(cluster standalone.Input, at time.Time) *updatev1alpha1.UpdateStatus {
	reports := ledger.New()
	for _, message := range standalone.Assess(cluster, at) {
		reports.Apply(message)
	}
	return &updatev1alpha1.UpdateStatus{Status: *status.NewBuilder().Build(reports.View(), at)}
}

func TestJudge(t *testing.T) {
	small := &builders.Fleet{Operators: 4, Pools: 2, Name: "node", Nodes: []byte("cpdurD"), Message: "syncing"}
	cluster := small.Cluster(now)
	// One pool of the two is that of the first nodes; the ClusterVersion counts with them.
	all := report.Verdict{Nodes: report.Count{Right: 6}, Operators: report.Count{Right: 4}, Pools: report.Count{Right: 3}}
	node := func(us *updatev1alpha1.UpdateStatus) *updatev1alpha1.Insight {
		return find(us, func(one *updatev1alpha1.Insight) bool { return one.Node != nil })
	}
	for _, tc := range []struct {
		name  string
		spoil func(*updatev1alpha1.UpdateStatus)
		want  func(*report.Verdict)
	}{
		{"right", func(*updatev1alpha1.UpdateStatus) {}, func(*report.Verdict) {}},
		{
			"a node with another time",
			func(us *updatev1alpha1.UpdateStatus) { node(us).AcquiredAt = metav1.NewTime(now.Add(time.Hour)) },
			func(*report.Verdict) {},
		},
		{
			"a node with another version",
			func(us *updatev1alpha1.UpdateStatus) { node(us).Node.Version = "4.0.0" },
			func(v *report.Verdict) { v.Nodes = report.Count{Right: 5, Wrong: 1} },
		},
		{
			"a node in another phase",
			func(us *updatev1alpha1.UpdateStatus) { node(us).Node.Conditions[0].Reason = "Sleeping" },
			func(v *report.Verdict) { v.Nodes = report.Count{Right: 5, Wrong: 1} },
		},
		{
			"a pool with a wrong count",
			func(us *updatev1alpha1.UpdateStatus) {
				pool := find(us, func(one *updatev1alpha1.Insight) bool { return one.MachineConfigPool != nil })
				pool.MachineConfigPool.Summaries[0].Count++
			},
			func(v *report.Verdict) { v.Pools = report.Count{Right: 2, Wrong: 1} },
		},
		{
			"a pool with other next nodes",
			func(us *updatev1alpha1.UpdateStatus) {
				pool := find(us, func(one *updatev1alpha1.Insight) bool { return one.MachineConfigPool != nil })
				pool.MachineConfigPool.NextNodes = []string{"the oldest"}
			},
			func(*report.Verdict) {},
		},
		{
			"a missing operator",
			func(us *updatev1alpha1.UpdateStatus) {
				find(us, func(one *updatev1alpha1.Insight) bool { return one.ClusterOperator != nil }).ClusterOperator.Name = "gone"
			},
			func(v *report.Verdict) { v.Operators = report.Count{Right: 3, Wrong: 1} },
		},
		{
			"control plane missing",
			func(us *updatev1alpha1.UpdateStatus) { us.Status.ControlPlane = nil },
			func(v *report.Verdict) {
				v.Operators = report.Count{Wrong: 4}
				v.Pools = report.Count{Right: 2, Wrong: 1}
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			us, want := objectOf(cluster, now), all
			tc.spoil(us)
			tc.want(&want)
			expected := expect(cluster, now.Add(time.Minute))
			if diff := cmp.Diff(want, expected.judge(us)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if expected.right(us) != (want.Wrong() == 0) {
				t.Errorf("right is %t", expected.right(us))
			}
		})
	}
}

func find(us *updatev1alpha1.UpdateStatus, is func(*updatev1alpha1.Insight) bool) *updatev1alpha1.Insight {
	for _, one := range invariants.Insights(&us.Status) {
		if is(one) {
			return one
		}
	}
	return nil
}

// TestJudgeLargeObject judges the object of 5,000 nodes, most of them listed by name.
func TestJudgeLargeObject(t *testing.T) {
	cluster := builders.Large().Cluster(now)
	got := expect(cluster, now).judge(objectOf(cluster, now))
	if got.Wrong() != 0 || got.Nodes.Right != 5000 {
		t.Errorf("got %+v", got)
	}
}
