package status

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// leftOut counts what is left out.
type leftOut struct {
	pools, operators int
	// nodes are counted by phase (degraded and unavailable ones as that), health insights by level.
	nodes, health map[string]int
}

func newLeftOut() *leftOut {
	return &leftOut{nodes: map[string]int{}, health: map[string]int{}}
}

func (l *leftOut) count(one *item) {
	switch {
	case one.one.Node != nil:
		l.nodes[one.word]++
	case one.one.Health != nil:
		l.health[one.word]++
	case one.one.ClusterOperator != nil:
		l.operators++
	}
}

func (l *leftOut) add(other *leftOut) {
	l.pools += other.pools
	l.operators += other.operators
	for word, count := range other.nodes {
		l.nodes[word] += count
	}
	for word, count := range other.health {
		l.health[word] += count
	}
}

func wordOfNode(node *updatev1alpha1.NodeInsight) string {
	state := insight.StateOf(node)
	switch assessment := state.Assessment(); assessment {
	case insight.NodeDegraded, insight.NodeUnavailable:
		return string(assessment)
	default:
		return string(state.Phase)
	}
}

// String says what is left out, and is empty if nothing is.
func (l *leftOut) String() string {
	var said []string
	say := func(count int, what, plural string, words map[string]int) {
		if count == 0 {
			return
		}
		if count > 1 {
			what = plural
		}
		said = append(said, fmt.Sprintf("%d %s%s", count, what, inParentheses(words)))
	}
	say(l.pools, "worker pool", "worker pools", nil)
	say(l.operators, "cluster operator", "cluster operators", nil)
	say(sum(l.nodes), "node", "nodes", l.nodes)
	say(sum(l.health), "health insight", "health insights", l.health)
	if len(said) == 0 {
		return ""
	}
	return "Left out, since the object would be too large: " + strings.Join(said, ", ")
}

func sum(counts map[string]int) int {
	total := 0
	for _, count := range counts {
		total += count
	}
	return total
}

// inParentheses lists counts, the largest first.
func inParentheses(counts map[string]int) string {
	words := sortedKeys(counts)
	if len(words) == 0 {
		return ""
	}
	slices.SortStableFunc(words, func(a, b string) int { return -cmp.Compare(counts[a], counts[b]) })
	for at, word := range words {
		words[at] = fmt.Sprintf("%d %s", counts[word], word)
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// roomToSay takes the room for the conditions that say what is left out, as long as they may become.
func (d *draft) roomToSay() {
	all := newLeftOut()
	for _, p := range d.parts {
		left := newLeftOut()
		for _, items := range p.items {
			for _, one := range items {
				left.count(one)
			}
		}
		say := sizeToSay(left)
		if p.pool != nil {
			p.pool.size.add(&say)
			left.pools++
		} else {
			d.frame.add(&say)
		}
		all.add(left)
	}
	say := sizeToSay(all)
	d.frame.add(&say)
}

func sizeToSay(left *leftOut) size {
	var s size
	s.conditions([]metav1.Condition{truncated(left)})
	s.fixed += s.texts[0]
	s.texts = [len(textLimits)]int{}
	s.managedConditions(1)
	return s
}

// say adds the conditions that say what is left out. While a source is not complete its insights are those of the previous
// status, and what is missing was missing there already: what that says is kept.
func (d *draft) say(previous *updatev1alpha1.UpdateStatusStatus, view ledger.View, clock moment) {
	before := map[string][]metav1.Condition{}
	for _, pool := range previous.WorkerPools {
		before[pool.Name] = pool.Conditions
	}
	nodesComplete, allComplete := view[insight.NodeInformer].Complete, allComplete(view)
	all := newLeftOut()
	for _, p := range d.parts {
		left := d.leftOutOf(p)
		all.add(left)
		switch {
		case p.worker != nil:
			saying{left, before[p.worker.Name], nodesComplete, clock}.to(p.conditions)
		case previous.ControlPlane != nil:
			saying{left, previous.ControlPlane.Conditions, allComplete, clock}.to(p.conditions)
		default:
			saying{left, nil, allComplete, clock}.to(p.conditions)
		}
	}
	saying{all, previous.Conditions, allComplete, clock}.to(&d.made.Conditions)
}

func allComplete(view ledger.View) bool {
	return !slices.ContainsFunc(insight.Watching(), func(source insight.Source) bool { return !view[source].Complete })
}

// roomForSaid takes the room for what is kept of what the previous status says is left out.
func (d *draft) roomForSaid(previous *updatev1alpha1.UpdateStatusStatus, view ledger.View) {
	if allComplete(view) {
		return
	}
	take := func(conditions []metav1.Condition) {
		if said := truncationOf(conditions); said != nil {
			d.frame.conditions([]metav1.Condition{*said})
			d.frame.managedConditions(1)
		}
	}
	take(previous.Conditions)
	if previous.ControlPlane != nil {
		take(previous.ControlPlane.Conditions)
	}
	for _, pool := range previous.WorkerPools {
		take(pool.Conditions)
	}
}

func (d *draft) leftOutOf(p *part) *leftOut {
	left := newLeftOut()
	if !d.leavingOut {
		return left
	}
	gone := p.pool != nil && !p.pool.in
	if gone {
		left.pools++
	}
	for _, items := range p.items {
		for _, one := range items {
			if gone || !one.in {
				left.count(one)
			}
		}
	}
	return left
}

// saying is what there is to be said of what is left out of a part of the cluster, and what was said before.
type saying struct {
	left   *leftOut
	before []metav1.Condition
	// complete is whether the sources are.
	complete bool
	clock    moment
}

func (s saying) to(conditions *[]metav1.Condition) {
	said := truncationOf(s.before)
	switch {
	case !s.complete && said != nil:
		*conditions = append(*conditions, *said)
	case s.left.String() != "":
		*conditions = append(*conditions, keepTime(truncated(s.left), s.before, s.clock))
	}
}

func truncated(left *leftOut) metav1.Condition {
	return condition(updatev1alpha1.ConditionInsightsComplete, metav1.ConditionFalse, updatev1alpha1.ReasonTruncated, left.String())
}

// truncationOf returns the condition that says that something is left out, nil if nothing is.
func truncationOf(conditions []metav1.Condition) *metav1.Condition {
	said := meta.FindStatusCondition(conditions, updatev1alpha1.ConditionInsightsComplete)
	if said == nil || said.Status != metav1.ConditionFalse {
		return nil
	}
	return said
}
