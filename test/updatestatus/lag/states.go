package lag

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Kind is a kind of subjects.
type Kind string

// The kinds of subjects.
const (
	Nodes     Kind = "nodes"
	Operators Kind = "operators"
)

// Subject is a node or a cluster operator.
type Subject struct {
	Kind Kind
	Name string
}

// Degraded is the end of the state of a degraded node.
const Degraded = ", degraded"

// States are those of each subject.
type States map[Subject]string

// Transition is a change of the state of a subject.
type Transition struct {
	Subject Subject
	State   string
	// At is when what changed it was written.
	At time.Time
}

// Sighting is a version of the UpdateStatus.
type Sighting struct {
	// At is when it was seen.
	At     time.Time
	States States
}

// See returns the states of a version of the UpdateStatus.
func See(us *updatev1alpha1.UpdateStatus, at time.Time) Sighting {
	return Sighting{At: at, States: Of(us)}
}

// Of returns the states of an UpdateStatus.
func Of(us *updatev1alpha1.UpdateStatus) States {
	states, status := States{}, insight.StatusWithListedNodes(&us.Status)
	if status.ControlPlane != nil {
		states.addInformers(status.ControlPlane.Informers)
	}
	for _, pool := range status.WorkerPools {
		states.addInformers(pool.Informers)
	}
	return states
}

func (s States) addInformers(informers []updatev1alpha1.Informer) {
	for _, informer := range informers {
		for at := range informer.Insights {
			s.add(&informer.Insights[at])
		}
	}
}

func (s States) add(one *updatev1alpha1.Insight) {
	switch {
	case one.Node != nil:
		state := insight.StateOf(one.Node)
		text := string(state.Phase)
		if state.Degraded {
			text += Degraded
		}
		s[Subject{Kind: Nodes, Name: one.Node.Name}] = text
	case one.ClusterOperator != nil:
		conditions := one.ClusterOperator.Conditions
		text := ""
		for _, kind := range []string{updatev1alpha1.ConditionUpdating, updatev1alpha1.ConditionHealthy} {
			if condition := meta.FindStatusCondition(conditions, kind); condition != nil {
				text += condition.Reason + " "
			}
		}
		s[Subject{Kind: Operators, Name: one.ClusterOperator.Name}] = text
	}
}

// Between returns the transitions that lead from one set of states to another, by the order of their subjects.
func Between(before, after States, at time.Time) []Transition {
	var transitions []Transition
	for _, subject := range slices.SortedFunc(maps.Keys(after), compareSubjects) {
		if before[subject] != after[subject] {
			transitions = append(transitions, Transition{Subject: subject, State: after[subject], At: at})
		}
	}
	return transitions
}

func compareSubjects(a, b Subject) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
}
