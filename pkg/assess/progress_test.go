package assess_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// TestProgress tells a story message by message.
func TestProgress(t *testing.T) {
	progress := assess.NewProgress()
	finished := builders.ClusterVersion(builders.Completed(target, start, start), progressing("False"))
	version := func(in assess.ClusterVersionInput) insight.Message {
		in.ClusterOperators = fleet(4, 4)
		return insight.Message{
			Source: insight.ControlPlaneInformer, State: &insight.State{Complete: true},
			Reports: []insight.Report{assess.ClusterVersion(in, start).Report},
		}
	}
	pool := func(completion int32) insight.Message {
		return insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{{
			Subject: assess.MachineConfigPoolSubject("worker"), Insights: []insight.Placed{{Insight: updatev1alpha1.Insight{
				MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Completion: completion},
			}}},
		}}}
	}
	for _, step := range []struct {
		name    string
		message insight.Message
		want    assess.Update
	}{
		{"nothing", insight.Message{Source: insight.AlertInformer, State: &insight.State{Complete: true}}, assess.Update{}},
		{"the control plane is updated", version(assess.ClusterVersionInput{ClusterVersion: notFailing()}), assess.Update{Updating: true, Started: start}},
		{"the nodes can't be seen", insight.Message{Source: insight.NodeInformer, State: &insight.State{Reason: "CannotListNodes"}}, assess.Update{Updating: true, Started: start}},
		{"a pool is updated", pool(99), assess.Update{Updating: true, Started: start}},
		{"the control plane is done", version(assess.ClusterVersionInput{ClusterVersion: finished}), assess.Update{Updating: true, Started: start}},
		{"all nodes are told", insight.Message{Source: insight.NodeInformer, State: &insight.State{Complete: true}}, assess.Update{Known: true, Updating: true, Started: start}},
		{"the nodes can't be seen any more", insight.Message{Source: insight.NodeInformer, State: &insight.State{}}, assess.Update{Known: true, Updating: true, Started: start}},
		{"the pool is done", pool(100), assess.Update{Known: true, Started: start}},
		{"the pool has a new node", pool(0), assess.Update{Known: true, Updating: true, Started: start}},
		{"the pool is gone", insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{{Subject: assess.MachineConfigPoolSubject("worker")}}}, assess.Update{Known: true, Started: start}},
		{"the ClusterVersion is gone", version(assess.ClusterVersionInput{}), assess.Update{Known: true}},
	} {
		progress.Apply(step.message)
		if diff := cmp.Diff(step.want, progress.Update()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}
