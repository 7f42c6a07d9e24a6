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
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// withConditions adds the conditions that say what is left out of a status, and of each part of it. The status is changed.
func (f *fitter) withConditions(status *updatev1alpha1.UpdateStatusStatus, out leftOut) *updatev1alpha1.UpdateStatusStatus {
	before := map[insight.Part]*metav1.Condition{}
	for _, p := range partsOf(f.Previous) {
		before[p.Part] = truncation(*p.conditions)
	}
	counts, total, rejected := map[insight.Part]map[string]int{}, map[string]int{}, []string(nil)
	for _, one := range out {
		if counts[one.part] == nil {
			counts[one.part] = map[string]int{}
		}
		counts[one.part][one.name]++
		total[one.name]++
	}
	for _, p := range partsOf(status) {
		complete := f.Complete || p.Part != insight.ControlPlane && f.NodesComplete
		f.addCondition(p.conditions, before[p.Part], complete, counts[p.Part], f.rejected[p.Part])
		rejected = append(rejected, f.rejected[p.Part]...)
	}
	f.addCondition(&status.Conditions, truncation(f.Previous.Conditions), f.Complete, total, rejected)
	if truncation(status.Conditions) == nil {
		status.Conditions = append(status.Conditions, f.whole())
	}
	return status
}

// whole returns the condition that says that nothing is left out.
func (f *fitter) whole() metav1.Condition {
	before := meta.FindStatusCondition(f.Previous.Conditions, updatev1alpha1.ConditionInsightsComplete)
	if before != nil && before.Status == metav1.ConditionTrue {
		return *before
	}
	return metav1.Condition{
		Type: updatev1alpha1.ConditionInsightsComplete, Status: metav1.ConditionTrue, Reason: updatev1alpha1.ReasonAsExpected, LastTransitionTime: f.Now,
	}
}

// addCondition adds the condition that says what is left out, if anything is. Until all is reported, it stays as it was.
func (f *fitter) addCondition(conditions *[]metav1.Condition, before *metav1.Condition, complete bool, counts map[string]int, rejected []string) {
	if before != nil && !complete && len(rejected) == 0 {
		*conditions = append(*conditions, *before)
		return
	}
	reason, texts := updatev1alpha1.ReasonTruncated, make([]string, 0, 2)
	if len(rejected) > 0 {
		reason = updatev1alpha1.ReasonRejected
		texts = append(texts, fmt.Sprintf("Left out, since the API server rejects it: %s, the first is %s", insight.Count(len(rejected), "insight"), rejected[0]))
	}
	if len(counts) > 0 {
		texts = append(texts, "Left out, since the object would be too large: "+list(counts))
	}
	if len(texts) == 0 {
		return
	}
	since := f.Now
	if before != nil {
		since = before.LastTransitionTime
	}
	*conditions = append(*conditions, metav1.Condition{
		Type: updatev1alpha1.ConditionInsightsComplete, Status: metav1.ConditionFalse, Reason: reason,
		Message: strings.Join(texts, ". "), LastTransitionTime: since,
	})
}

// list lists counts, the largest first.
func list(counts map[string]int) string {
	names := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(names, func(a, b string) int { return -cmp.Compare(counts[a], counts[b]) })
	for at, name := range names {
		names[at] = insight.Count(counts[name], name)
	}
	return strings.Join(names, ", ")
}

// truncation returns the condition that says that something is left out, nil if nothing is.
func truncation(conditions []metav1.Condition) *metav1.Condition {
	condition := meta.FindStatusCondition(conditions, updatev1alpha1.ConditionInsightsComplete)
	if condition == nil || condition.Status != metav1.ConditionFalse {
		return nil
	}
	return condition
}
