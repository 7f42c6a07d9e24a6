package describe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// Changes returns what happened between two readings of a status, a line for each: progress of the control plane, its operators, the pools and
// the nodes, and health insights that appeared or are gone.
func Changes(before, after *update.Update) []string {
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
		return "resolved: " + f.what
	}
	return f.what + ": gone"
}

func factsOf(u *update.Update) map[fact]string {
	facts := map[fact]string{}
	if version := u.ControlPlane.Version; version != nil {
		facts[fact{about: aboutControlPlane, what: "control plane"}] = fmt.Sprintf("%s, to %s", insight.AssessmentText(version.Assessment), targetVersion(&u.ControlPlane))
	}
	for what, track := range map[string]*updatev1alpha1.ControlPlaneTrack{"management": u.ControlPlane.Management, "data plane": u.ControlPlane.DataPlane} {
		if track != nil {
			facts[fact{about: aboutControlPlane, what: what}] = insight.TrackProgress(track)
		}
	}
	for _, operator := range u.ControlPlane.Operators {
		facts[fact{about: aboutOperator, what: "operator " + operator.Name}] = operatorState(operator)
	}
	addNodes(facts, u.ControlPlane.Nodes)
	for _, pool := range u.Pools {
		facts[fact{about: aboutPool, what: "pool " + pool.Name}] = fmt.Sprintf("%s, %s", poolAssessment(pool), poolCompletion(pool))
		addNodes(facts, pool.Nodes)
	}
	for _, health := range u.Health {
		key := fact{about: aboutHealth, what: health.Health.Impact.Summary, uid: string(health.Health.Impact.Level)}
		facts[key] = fmt.Sprintf("%s, %s", health.Health.Impact.Level, insight.Words(health.Health.Impact.Type))
	}
	return facts
}

func operatorState(operator update.Operator) string {
	state := operator.State
	text := string(state.Progress)
	if state.Unhealthy {
		text += ", " + strings.ToLower(meta.FindStatusCondition(operator.Conditions, updatev1alpha1.ConditionHealthy).Reason)
	}
	return text
}

func addNodes(facts map[fact]string, nodes []update.Node) {
	for _, node := range nodes {
		text := strings.ToLower(phaseOf(node.State))
		if node.NeedsAttention() {
			text += ", " + strings.ToLower(string(node.State.Assessment()))
		}
		facts[fact{about: aboutNode, what: "node " + node.Name}] = text
	}
}
