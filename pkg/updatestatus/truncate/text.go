package truncate

import (
	"math"
	"slices"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// textLimits are the sizes, as JSON, that the long texts are cut to, one after the other, until everything fits. The first
// cuts nothing.
var textLimits = [...]int{math.MaxInt, 2048, 1024, 512, 256}

const (
	ellipsis = "…"
	// longestEscape is the most bytes that a byte of a text takes as JSON.
	longestEscape = len(`\u0000`)
)

// fits is whether a text takes no more than some bytes as JSON.
func fits(text string, limit int) bool {
	return len(text) <= (limit-len(`""`))/longestEscape || len(text) < limit && len(encode(text)) <= limit
}

// cut cuts a text to a size as JSON. It ends with an ellipsis then.
func cut(text string, limit int) string {
	if fits(text, limit) {
		return text
	}
	end := sort.Search(len(text), func(end int) bool { return !fits(text[:end], limit-len(ellipsis)) })
	return strings.ToValidUTF8(text[:max(end-1, 0)], "") + ellipsis
}

// shorten returns an insight with its long texts cut to a size: a copy, or the insight itself if nothing is cut.
func shorten(one *updatev1alpha1.Insight, limit int) *updatev1alpha1.Insight {
	isLast := limit == textLimits[len(textLimits)-1]
	if !slices.ContainsFunc(insight.Texts(one), func(text *string) bool { return !fits(*text, limit) }) && (!isLast || !hasExtras(one)) {
		return one
	}
	short := one.DeepCopy()
	for _, text := range insight.Texts(short) {
		*text = cut(*text, limit)
	}
	if isLast {
		dropExtras(short)
	}
	return short
}

// hasExtras returns whether an insight has what is only of help: what to do about a problem.
func hasExtras(one *updatev1alpha1.Insight) bool {
	return one.Health != nil && len(one.Health.Remediation.Commands) > 0
}

func dropExtras(one *updatev1alpha1.Insight) {
	if one.Health != nil {
		one.Health.Remediation.Commands = nil
	}
}

// IsShortened is whether an insight is what truncation left of another one.
func IsShortened(short, whole *updatev1alpha1.Insight) bool {
	return slices.ContainsFunc(textLimits[1:], func(limit int) bool {
		cut := shorten(whole, limit)
		return cut != whole && equality.Semantic.DeepEqual(cut, short)
	})
}

// shortened returns a status with its long texts cut to a size. What others wrote is not cut.
func shortened(status *updatev1alpha1.UpdateStatusStatus, limit int) *updatev1alpha1.UpdateStatusStatus {
	status = changeInsights(status, func(_ insight.Part, _ insight.Source, insights []updatev1alpha1.Insight) []updatev1alpha1.Insight {
		insights = slices.Clone(insights)
		for at := range insights {
			insights[at] = *shorten(&insights[at], limit)
		}
		return insights
	})
	shortenConditions(status.Conditions, limit)
	for _, p := range partsOf(status) {
		shortenConditions(*p.conditions, limit)
	}
	return status
}

func shortenConditions(conditions []metav1.Condition, limit int) {
	for at := range conditions {
		conditions[at].Message = cut(conditions[at].Message, limit)
	}
}

// limitOf returns the index of the smallest limit that all texts of a status are within: the one that they were cut to, or
// one that makes no difference.
func limitOf(status *updatev1alpha1.UpdateStatusStatus) int {
	last := len(textLimits) - 1
	eachInsight(status, func(_ part, one *updatev1alpha1.Insight) {
		if hasExtras(one) {
			last = min(last, len(textLimits)-2)
		}
		for _, text := range insight.Texts(one) {
			for !fits(*text, textLimits[last]) {
				last--
			}
		}
	})
	return last
}
