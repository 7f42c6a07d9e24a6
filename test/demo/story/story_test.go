package story

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/snapshot"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

var (
	began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	whole = Expected{Operators: 33, Pools: 3, Nodes: 9}
)

// assessed returns the status of some objects.
func assessed(objects []simulator.Object, now time.Time) *updatev1alpha1.UpdateStatus {
	cluster := &snapshot.Snapshot{}
	for _, object := range objects {
		switch object := object.(type) {
		case *configv1.ClusterVersion:
			cluster.ClusterVersion = object
		case *configv1.ClusterOperator:
			cluster.ClusterOperators = append(cluster.ClusterOperators, object)
		case *machineconfigv1.MachineConfigPool:
			cluster.MachineConfigPools = append(cluster.MachineConfigPools, object)
		case *machineconfigv1.MachineConfig:
			config := &metav1.PartialObjectMetadata{ObjectMeta: object.ObjectMeta}
			cluster.MachineConfigs = append(cluster.MachineConfigs, config)
		case *corev1.Node:
			cluster.Nodes = append(cluster.Nodes, object)
		case *machineconfigv1.MachineConfigNode:
			cluster.MachineConfigNodes = append(cluster.MachineConfigNodes, object)
		}
	}
	return cluster.Assess(now)
}

// TestHeadlines checks the headlines of the demo.
func TestHeadlines(t *testing.T) {
	played := New(1, began, time.Hour)
	simulation := simulator.NewSimulation(played.Update)
	teller := &Teller{}
	us := assessed(simulation.Objects(), began)
	got := teller.Tell(us)
	if err := played.Play(simulation, func(until func(simulator.Write) bool) (bool, error) {
		for write, more := simulation.Next(); more; write, more = simulation.Next() {
			us = assessed(simulation.Objects(), write.Time)
			got = append(got, teller.Tell(us)...)
			if until(write) {
				return true, nil
			}
		}
		return false, nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"The update to 4.20.2 is asked for",
		"Warning: The update to 4.20.2 is not accepted (RetrievePayload)",
		"The update to 4.20.2 begins",
		"Warning: Outdated nodes in a paused pool 'infra' will not be updated",
		"No longer: The update to 4.20.2 is not accepted (RetrievePayload)",
		"Operator etcd is updated",
		"Operator kube-apiserver is updated",
		"More than half of the operators are updated",
		"The first nodes are being updated",
		"The control plane is updated",
		"No longer: Outdated nodes in a paused pool 'infra' will not be updated",
		"Error: Node worker-1.cluster.example.com is degraded",
		// Its state stays until it is done.
		"Warning: Node worker-1.cluster.example.com is recovering from a failed update",
		"All nodes of pool infra are updated",
		"No longer: Node worker-1.cluster.example.com is recovering from a failed update",
		"All nodes of pool worker are updated",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headlines (-want +got):\n%s", diff)
	}
	if err := Updated(us, whole); err != nil {
		t.Errorf("at the end: %v", err)
	}
}

// TestAvailable: what a recorded cluster waits for.
func TestAvailable(t *testing.T) {
	if err := Available(version()); err != nil {
		t.Error(err)
	}
	waits := version(func(us *updatev1alpha1.UpdateStatus) {
		us.Status.Conditions = []metav1.Condition{{
			Type: updatev1alpha1.ConditionAvailable, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonWaitingForInformers,
		}}
	})
	if err := Available(waits); err == nil || !strings.Contains(err.Error(), updatev1alpha1.ReasonWaitingForInformers) {
		t.Errorf("got %v, wanted the reason", err)
	}
}

// version builds an UpdateStatus from changes of one that is updated completely.
func version(changes ...func(*updatev1alpha1.UpdateStatus)) *updatev1alpha1.UpdateStatus {
	us := assessed(simulator.NewSimulation(simulator.Update{Start: began}).Objects(), began)
	for _, change := range changes {
		change(us)
	}
	return us
}

func insights(us *updatev1alpha1.UpdateStatus, visit func(*updatev1alpha1.Insight)) {
	all := [][]updatev1alpha1.Informer{us.Status.ControlPlane.Informers}
	for _, pool := range us.Status.WorkerPools {
		all = append(all, pool.Informers)
	}
	for _, informers := range all {
		for i := range informers {
			for j := range informers[i].Insights {
				visit(&informers[i].Insights[j])
			}
		}
	}
}

func updating(us *updatev1alpha1.UpdateStatus) {
	insights(us, func(one *updatev1alpha1.Insight) {
		if one.ClusterVersion != nil {
			one.ClusterVersion.Conditions[0].Status = metav1.ConditionTrue
			one.ClusterVersion.Completion = 0
			one.ClusterVersion.CompletedAt = nil
		}
	})
}

func incomplete(pool string) func(*updatev1alpha1.UpdateStatus) {
	return func(us *updatev1alpha1.UpdateStatus) {
		insights(us, func(one *updatev1alpha1.Insight) {
			if one.MachineConfigPool != nil && one.MachineConfigPool.Name == pool {
				one.MachineConfigPool.Completion = 50
			}
		})
	}
}

func outdated(operator string) func(*updatev1alpha1.UpdateStatus) {
	return func(us *updatev1alpha1.UpdateStatus) {
		insights(us, func(one *updatev1alpha1.Insight) {
			if one.ClusterOperator != nil && one.ClusterOperator.Name == operator {
				one.ClusterOperator.Conditions[0].Reason = updatev1alpha1.ReasonPending
			}
		})
	}
}

func alarm(level updatev1alpha1.HealthLevel) func(*updatev1alpha1.UpdateStatus) {
	return func(us *updatev1alpha1.UpdateStatus) {
		informer := &us.Status.ControlPlane.Informers[0]
		informer.Insights = append(slices.Clone(informer.Insights), updatev1alpha1.Insight{
			UID: "alarm", Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
				Impact: updatev1alpha1.HealthImpact{Level: level, Summary: "smoke"},
			},
		})
	}
}

// TestHeadlinesIgnoreStaleState: right after the start of the update, a version can still have of operators and pools what was
// true before.
func TestHeadlinesIgnoreStaleState(t *testing.T) {
	teller := &Teller{}
	var got []string
	for _, us := range []*updatev1alpha1.UpdateStatus{
		version(),
		version(updating),
		version(updating, outdated("etcd")),
		version(updating, outdated("etcd"), incomplete("worker")),
		version(updating, incomplete("worker")),
		version(updating, incomplete("worker")),
		version(updating),
	} {
		got = append(got, strings.Join(teller.Tell(us), "; "))
	}
	want := []string{
		"", "The update to 4.20.1 begins", "", "", "Operator etcd is updated", "", "All nodes of pool worker are updated",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headlines (-want +got):\n%s", diff)
	}
}

func TestSevereInsights(t *testing.T) {
	teller := &Teller{}
	var got []string
	for _, us := range []*updatev1alpha1.UpdateStatus{
		version(alarm(updatev1alpha1.LevelCritical)),
		version(updating),
		version(updating, alarm(updatev1alpha1.LevelInfo)),
		version(updating, alarm(updatev1alpha1.LevelWarning)),
		version(updating, alarm(updatev1alpha1.LevelWarning)),
		version(updating, alarm(updatev1alpha1.LevelError)),
		version(updating),
	} {
		got = append(got, strings.Join(teller.Tell(us), "; "))
	}
	want := []string{"", "The update to 4.20.1 begins", "", "Warning: smoke", "", "Error: smoke", "No longer: smoke"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headlines (-want +got):\n%s", diff)
	}
}

func TestUpdated(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*updatev1alpha1.UpdateStatus)
		want   string
	}{
		{"all is well", func(*updatev1alpha1.UpdateStatus) {}, ""},
		{"nothing is known", func(us *updatev1alpha1.UpdateStatus) { us.Status = updatev1alpha1.UpdateStatusStatus{} }, "not available"},
		{"something was left out", func(us *updatev1alpha1.UpdateStatus) {
			us.Status.Conditions = append(us.Status.Conditions, metav1.Condition{
				Type: updatev1alpha1.ConditionInsightsComplete, Status: metav1.ConditionFalse,
			})
		}, "left insights out"},
		{"a pool is missing", func(us *updatev1alpha1.UpdateStatus) { us.Status.WorkerPools = us.Status.WorkerPools[1:] }, "2 pools"},
		{"no control plane", func(us *updatev1alpha1.UpdateStatus) { us.Status.ControlPlane = nil }, "ClusterVersion"},
		{"the control plane goes on", updating, "control plane"},
		{"an operator is behind", outdated("etcd"), "etcd"},
		{"a pool is behind", incomplete("infra"), "infra"},
		{"something needs attention", alarm(updatev1alpha1.LevelCritical), "smoke"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := Updated(version(tc.change), whole)
			if tc.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, wanted something about %q", err, tc.want)
			}
		})
	}
}
