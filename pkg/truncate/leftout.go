package truncate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// leftOut counts what is left out: worker pools, and insights by their kind and group.
type leftOut struct {
	// rejected are why the API server rejects insights.
	rejected []string
	pools    int
	insights map[*insight.Kind]map[string]int
}

// leftOutOf counts what is left out of some parts.
func leftOutOf(parts ...*part) leftOut {
	left := leftOut{insights: map[*insight.Kind]map[string]int{}}
	for _, p := range parts {
		left.rejected = append(left.rejected, p.rejected...)
		if p.whole != nil && !p.whole.in {
			left.pools++
		}
		for _, items := range p.insights {
			for _, one := range items {
				if !one.stays() && one.kind.Noun != "" {
					left.count(one)
				}
			}
		}
	}
	return left
}

func (l leftOut) count(one *placement) {
	groups := l.insights[one.kind]
	if groups == nil {
		groups = map[string]int{}
		l.insights[one.kind] = groups
	}
	groups[one.group]++
}

// String returns what is left out, empty if nothing is.
func (l leftOut) String() string {
	texts := []string{l.rejectedText(), l.truncatedText()}
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ". ")
}

func (l leftOut) rejectedText() string {
	if len(l.rejected) == 0 {
		return ""
	}
	return fmt.Sprintf("Left out, since the API server rejects it: %s, the first is %s", insight.Count(len(l.rejected), "insight"), l.rejected[0])
}

func (l leftOut) truncatedText() string {
	var texts []string
	if l.pools > 0 {
		texts = append(texts, insight.Count(l.pools, "worker pool"))
	}
	for _, kind := range insight.Kinds() {
		groups := l.insights[kind]
		if len(groups) == 0 {
			continue
		}
		total := 0
		for _, count := range groups {
			total += count
		}
		text := insight.Count(total, kind.Noun)
		if kind.Group != nil {
			text += " (" + list(groups) + ")"
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return ""
	}
	return "Left out, since the object would be too large: " + strings.Join(texts, ", ")
}

// list lists counts, the largest first.
func list(counts map[string]int) string {
	groups := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(groups, func(a, b string) int { return -cmp.Compare(counts[a], counts[b]) })
	for at, group := range groups {
		groups[at] = fmt.Sprintf("%d %s", counts[group], group)
	}
	return strings.Join(groups, ", ")
}

// reserveConditions reserves space in each part for the condition that it gets if everything is left out of it that is not in
// by now.
func (t *truncator) reserveConditions() {
	for _, p := range t.parts {
		p.reserved = 0
		if condition := t.condition(p); condition != nil {
			p.reserved = len(encode(condition)) + len(",") + managedCondition
		}
	}
}

// condition returns the condition that says what is left out of a part, nil if nothing is.
func (t *truncator) condition(p *part) *metav1.Condition {
	complete, parts := t.Complete, []*part{p}
	switch {
	case p.status != nil:
		parts = t.parts
	case p.pool != nil:
		complete = t.NodesComplete
	}
	before := truncation(t.before[p.name()])
	left := leftOutOf(parts...)
	if before != nil && !complete && len(left.rejected) == 0 {
		return before
	}
	message, reason := left.String(), updatev1alpha1.ReasonTruncated
	if message == "" {
		return nil
	}
	if len(left.rejected) > 0 {
		reason = updatev1alpha1.ReasonRejected
	}
	since := t.Now
	if before != nil {
		since = before.LastTransitionTime
	}
	return &metav1.Condition{
		Type: updatev1alpha1.ConditionInsightsComplete, Status: metav1.ConditionFalse, Reason: reason,
		Message: message, LastTransitionTime: since,
	}
}

// truncation returns the condition that says that something is left out, nil if nothing is.
func truncation(conditions []metav1.Condition) *metav1.Condition {
	condition := meta.FindStatusCondition(conditions, updatev1alpha1.ConditionInsightsComplete)
	if condition == nil || condition.Status != metav1.ConditionFalse {
		return nil
	}
	return condition
}
