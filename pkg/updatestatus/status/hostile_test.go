package status_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

const (
	// mostOfANode is what one node can put into the object at most, in bytes as JSON.
	mostOfANode = 48 << 10
	// mostDisplaced is how many insights of others it can displace, in an object that is full.
	mostDisplaced = 4
)

// TestHostileNode: the annotations of a node, which the node itself can write, change the insights of that node
// and the counts of its pool, within bounds, and no others.
func TestHostileNode(t *testing.T) {
	t.Parallel()
	of := &builders.Fleet{Pools: 3, Operators: 5, Name: names[1], Message: "a message", Nodes: []byte(strings.Repeat("cpdurD!", 9))}
	const hostile = 9 // of the pool of the first one
	honest := statusOf(of.Cluster(noon))
	rapid.Check(t, func(t *rapid.T) {
		cluster := of.Cluster(noon)
		node := cluster.Nodes[hostile]
		for _, annotation := range []string{
			builders.AnnotationCurrentConfig, builders.AnnotationDesiredConfig, builders.AnnotationCurrentImage,
			builders.AnnotationDesiredImage, builders.AnnotationReason, builders.AnnotationDesiredDrain,
			builders.AnnotationLastAppliedDrain, builders.AnnotationState,
		} {
			lie := rapid.OneOf(builders.AnyText(), rapid.SampledFrom([]string{
				builders.StateDegraded, builders.StateWorking, "drain-x", node.Annotations[annotation], strings.Repeat("<", 256<<10),
			}))
			node.Annotations[annotation] = lie.Draw(t, annotation)
		}
		built := statusOf(cluster)
		want, got := contentOf(t, honest, node.Name), contentOf(t, built, node.Name)
		for uid, content := range want.others {
			if !bytes.Equal(content, got.others[uid]) {
				t.Errorf("what is said about another changed:\n%s\n%s", content, got.others[uid])
			}
		}
		if len(want.others) != len(got.others) {
			t.Errorf("%d insights about others, %d before", len(got.others), len(want.others))
		}
		if got.own > mostOfANode {
			t.Errorf("the node put %d bytes into the object", got.own)
		}
	})
}

// TestHostileNodeSpace: in an object that is full, a node with the longest texts displaces a few others at most.
func TestHostileNodeSpace(t *testing.T) {
	t.Parallel()
	of := &builders.Fleet{Pools: 4, Operators: 33, Name: names[2], Nodes: []byte(strings.Repeat("cpp", 1500))}
	o := builders.Observe(of)
	before := invariants.UIDs(o.Built)
	if len(before) > 4400 {
		t.Fatalf("%d insights are kept: nothing is left out", len(before))
	}
	cluster := of.Cluster(noon)
	builders.DegradedBecause(strings.Repeat("<", 256<<10))(cluster.Nodes[1])
	for _, message := range standalone.Assess(cluster, noon) {
		o.Ledger.Apply(message)
	}
	o.Build(2)
	after := invariants.UIDs(o.Built)
	displaced := 0
	for uid := range before {
		if !after[uid] {
			displaced++
		}
	}
	if displaced > mostDisplaced {
		t.Errorf("%d insights of others are displaced", displaced)
	}
	if !after[insight.UID("node", cluster.Nodes[1].Name)] {
		t.Error("the degraded node itself is left out")
	}
}

func statusOf(cluster standalone.Input) *updatev1alpha1.UpdateStatusStatus {
	all := ledger.New()
	for _, message := range standalone.Assess(cluster, noon) {
		all.Apply(message)
	}
	return status.NewBuilder().Build(all.View(), noon)
}

// content is the bytes that an object has about a node, and its insights about everything else, by uid.
type content struct {
	own    int
	others map[string][]byte
}

func contentOf(t invariants.TB, built *updatev1alpha1.UpdateStatusStatus, name string) content {
	found := content{others: map[string][]byte{}}
	for _, one := range insightsIn(built) {
		encoded := invariants.JSON(t, one)
		switch {
		case one.MachineConfigPool != nil && one.MachineConfigPool.Name == "worker":
			// The counts are with the pool.
		case one.Node != nil && one.Node.Name == name, one.Health != nil && one.Health.Scope.Resources[0].Name == name:
			found.own += len(encoded)
		default:
			found.others[one.UID] = encoded
		}
	}
	return found
}
