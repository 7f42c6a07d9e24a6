package describe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Changes returns what happened between two statuses, a line for each: progress of the control plane, its operators, the pools and
// the nodes, and health insights that appeared or are gone.
func Changes(before, after *updatev1alpha1.UpdateStatus) []string {
	was, is := factsOf(before), factsOf(after)
	var lines []string
	for _, key := range slices.SortedFunc(maps.Keys(is), compareFacts) {
		if was[key] != is[key] {
			lines = append(lines, OneLine(key.what+": "+is[key]))
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(was), compareFacts) {
		if _, ok := is[key]; !ok {
			lines = append(lines, OneLine(key.gone()))
		}
	}
	return lines
}

// The kinds of facts, in the order in which their changes are told.
const (
	aboutHealth = iota
	aboutControlPlane
	aboutOperator
	aboutPool
	aboutNode
)

// fact identifies what can change.
type fact struct {
	about int
	what  string
	// uid tells health insights apart.
	uid string
}

func compareFacts(a, b fact) int {
	return cmp.Or(cmp.Compare(a.about, b.about), strings.Compare(a.what, b.what), strings.Compare(a.uid, b.uid))
}

// gone returns the line about a fact that is there no more.
func (f fact) gone() string {
	if f.about == aboutHealth {
		return "no longer: " + f.what
	}
	return f.what + ": gone"
}

func factsOf(us *updatev1alpha1.UpdateStatus) map[fact]string {
	c := readCluster(&us.Status)
	facts := map[fact]string{}
	if version := c.controlPlane.version; version != nil {
		facts[fact{about: aboutControlPlane, what: "control plane"}] = fmt.Sprintf("%s, to %s", version.Assessment, c.controlPlane.target())
	}
	for _, operator := range c.controlPlane.operators {
		facts[fact{about: aboutOperator, what: "operator " + operator.Name}] = operatorState(operator)
	}
	addNodes(facts, c.controlPlane.nodes)
	for _, pool := range c.workerPools {
		facts[fact{about: aboutPool, what: "pool " + pool.name}] = fmt.Sprintf("%s, %s", pool.assessment(), pool.completion())
		addNodes(facts, pool.nodes)
	}
	for _, health := range c.health {
		key := fact{about: aboutHealth, what: health.Impact.Summary, uid: string(health.Impact.Level)}
		facts[key] = fmt.Sprintf("%s, %s", health.Impact.Level, health.Impact.Type)
	}
	return facts
}

func operatorState(operator *updatev1alpha1.ClusterOperatorInsight) string {
	state := insight.OperatorStateOf(operator)
	text := string(state.Progress)
	if state.Unhealthy {
		text += ", " + strings.ToLower(meta.FindStatusCondition(operator.Conditions, updatev1alpha1.ConditionHealthy).Reason)
	}
	return text
}

func addNodes(facts map[fact]string, nodes []*updatev1alpha1.NodeInsight) {
	for _, node := range nodes {
		state := insight.StateOf(node)
		text := strings.ToLower(phaseOf(state))
		if needsAttention(state) {
			text += ", " + strings.ToLower(string(state.Assessment()))
		}
		facts[fact{about: aboutNode, what: "node " + node.Name}] = text
	}
}
