package lag

import (
	"fmt"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Summary is the kind of the counts of the summary: of completed nodes and of updated operators.
const Summary Kind = "summary"

var (
	completedNodes   = Subject{Kind: Summary, Name: "nodes"}
	updatedOperators = Subject{Kind: Summary, Name: "operators"}
)

// Counts returns the counts that the summary of some states has.
func (s States) Counts() States {
	nodes, operators := 0, 0
	for subject, state := range s {
		switch {
		case subject.Kind == Nodes && strings.HasPrefix(state, string(insight.PhaseCompleted)):
			nodes++
		case subject.Kind == Operators && strings.HasPrefix(state, updatev1alpha1.ReasonUpdated+" "):
			operators++
		}
	}
	return States{completedNodes: fmt.Sprint(nodes), updatedOperators: fmt.Sprint(operators)}
}

// SeeSummary returns the counts of a version of the summary.
func SeeSummary(summary *updatev1alpha1.UpdateStatusSummary, at time.Time) Sighting {
	seen := Sighting{At: at, States: States{}}
	if nodes := summary.Status.Nodes; nodes != nil {
		seen.States[completedNodes] = fmt.Sprint(nodes.Completed)
	}
	if controlPlane := summary.Status.ControlPlane; controlPlane != nil {
		seen.States[updatedOperators] = fmt.Sprint(controlPlane.Operators.Updated)
	}
	return seen
}
