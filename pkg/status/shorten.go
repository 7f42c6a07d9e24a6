package status

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// shortened returns an insight with its long texts cut to a size: a copy, or the insight itself if nothing is cut.
func shortened(one *updatev1alpha1.Insight, limit int) updatev1alpha1.Insight {
	if !slices.ContainsFunc(textsOf(one), func(text *string) bool { return cut(*text, limit) != *text }) {
		return *one
	}
	short := one.DeepCopy()
	for _, text := range textsOf(short) {
		*text = cut(*text, limit)
	}
	return *short
}

// textsOf returns the texts of an insight that may be cut.
func textsOf(one *updatev1alpha1.Insight) []*string {
	conditions := conditionsOf(one)
	texts := make([]*string, 0, len(conditions)+1)
	for at := range conditions {
		texts = append(texts, &conditions[at].Message)
	}
	if one.Node != nil {
		texts = append(texts, &one.Node.Message)
	}
	if one.Health != nil {
		texts = append(texts, &one.Health.Impact.Description)
	}
	return texts
}

func shortenConditions(conditions []metav1.Condition, limit int) {
	for at := range conditions {
		conditions[at].Message = cut(conditions[at].Message, limit)
	}
}
