package controller

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// poolOfOne is what the node informer says of a pool with one node, which is in a phase.
func poolOfOne(updating metav1.ConditionStatus, phase string) insight.Message {
	part := insight.Part{WorkerPool: "worker"}
	conditions := func() []metav1.Condition {
		return []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: updating, Reason: phase}}
	}
	ref := updatev1alpha1.ResourceRef{Resource: "machineconfigpools", Name: "worker"}
	return insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{
		{Subject: insight.Subject{Kind: "MachineConfigPool", Name: "worker"}, Insights: []insight.ScopedInsight{{Part: part, MaxUnavailable: 1, Insight: updatev1alpha1.Insight{
			UID: "mcp-worker", Type: updatev1alpha1.InsightMachineConfigPool,
			MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Name: "worker", Resource: ref, Conditions: conditions()},
		}}}},
		{Subject: insight.Subject{Kind: "Node", Name: "a"}, Insights: []insight.ScopedInsight{{Part: part, Insight: updatev1alpha1.Insight{
			UID: "node-a", Type: updatev1alpha1.InsightNode,
			Node: &updatev1alpha1.NodeInsight{Name: "a", PoolResource: ref, Conditions: conditions()},
		}}}},
	}}
}

func saidOfPool(t *testing.T, us *updatev1alpha1.UpdateStatus) *updatev1alpha1.MachineConfigPoolInsight {
	t.Helper()
	for _, one := range us.Status.WorkerPools[0].Informers[0].Insights {
		if one.MachineConfigPool != nil {
			return one.MachineConfigPool
		}
	}
	t.Fatal("nothing is said of the pool")
	return nil
}

// TestSaysThatAPoolIsStuck: that time has passed is said although no source says anything, also if it can't be written at
// once, and it is said once.
func TestSaysThatAPoolIsStuck(t *testing.T) {
	b := newBench(t)
	pass := func(time time.Duration) { b.clock.SetTime(b.clock.Now().Add(time)) }
	b.say(complete(insight.ControlPlaneInformer), complete(insight.NodeInformer), poolOfOne(metav1.ConditionFalse, updatev1alpha1.ReasonPending))
	b.keep(0)
	b.look()
	if got := b.untilDue(); got != 0 {
		t.Errorf("a pool that has not begun is due in %s", got)
	}
	pass(time.Minute)
	b.say(poolOfOne(metav1.ConditionTrue, updatev1alpha1.ReasonDraining))
	b.keep(0)
	if said := saidOfPool(t, b.look()); said.EstimatedCompletedAt == nil {
		t.Fatalf("no estimate: %+v", said.Conditions)
	}
	b.writes()
	due := b.untilDue()
	if due <= 20*time.Minute {
		t.Fatalf("due in %s", due)
	}

	pass(due - time.Second)
	b.keep(0)
	b.wrote()
	pass(time.Second)
	b.pacer.reserve(b.clock.Now(), 1) // somebody has used up the pace
	wait, err := b.Controller.keep(t.Context())
	if err != nil || wait == 0 {
		t.Fatalf("wait %s, error %v", wait, err)
	}
	b.wrote()
	pass(wait)
	b.keep(0)
	b.wrote("update status")
	said := saidOfPool(t, b.look())
	if said.EstimatedCompletedAt != nil || !strings.Contains(said.Conditions[0].Message, "node a") {
		t.Errorf("estimate %v, message %q", said.EstimatedCompletedAt, said.Conditions[0].Message)
	}
	if got := b.untilDue(); got != 0 {
		t.Errorf("a stuck pool is due in %s", got)
	}
	pass(24 * time.Hour)
	b.keep(0)
	b.wrote()
}
