package assess_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
	pool := func(name string, nodes ...insight.NodeState) insight.Message {
		in := assess.MachineConfigPoolInput{
			Pool: builders.MachineConfigPool(name), Nodes: assess.CountNodes(nodes...), Target: assess.Target{Known: true, Version: target},
		}
		return insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{assess.MachineConfigPool(in).Report}}
	}
	done := insight.NodeState{Phase: insight.PhaseCompleted, Available: true, VersionKnown: true}
	behind := insight.NodeState{Phase: insight.PhasePending, Available: true, VersionKnown: true}
	joined := insight.NodeState{Phase: insight.PhasePending}
	for _, step := range []struct {
		name    string
		message insight.Message
		want    assess.Update
	}{
		{"nothing", insight.Message{Source: insight.AlertInformer, State: &insight.State{Complete: true}}, assess.Update{}},
		{"the control plane is updated", version(assess.ClusterVersionInput{ClusterVersion: notFailing()}), assess.Update{Updating: true, Started: start}},
		{"the nodes can't be seen", insight.Message{Source: insight.NodeInformer, State: &insight.State{Reason: "CannotListNodes"}}, assess.Update{Updating: true, Started: start}},
		{"a pool is updated", pool("worker", done, behind), assess.Update{Updating: true, Started: start}},
		{"the control plane is done", version(assess.ClusterVersionInput{ClusterVersion: finished}), assess.Update{Updating: true, Started: start}},
		{"all nodes are told", insight.Message{Source: insight.NodeInformer, State: &insight.State{Complete: true}}, assess.Update{Known: true, Updating: true, Started: start}},
		{"the nodes can't be seen any more", insight.Message{Source: insight.NodeInformer, State: &insight.State{}}, assess.Update{Known: true, Updating: true, Started: start}},
		{"the pool is done", pool("worker", done, done), assess.Update{Known: true, Started: start}},
		{"the pool has a new node", pool("worker", done, joined), assess.Update{Known: true, Started: start}},
		{"all nodes of the pool are new", pool("worker", joined), assess.Update{Known: true, Started: start}},
		{"a pool of the control plane is behind", pool("master", done, behind), assess.Update{Known: true, Started: start}},
		{"the pool has an old node", pool("worker", done, behind), assess.Update{Known: true, Updating: true, Started: start}},
		{"the pool is gone", insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{{Subject: assess.MachineConfigPoolSubject("worker")}}}, assess.Update{Known: true, Started: start}},
		{"the ClusterVersion is gone", version(assess.ClusterVersionInput{}), assess.Update{Known: true}},
	} {
		progress.Apply(step.message)
		if diff := cmp.Diff(step.want, progress.Update()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}
