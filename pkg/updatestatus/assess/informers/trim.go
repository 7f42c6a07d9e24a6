package informers

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// tooLarge is an annotation of the cached form of an informer that exceeds updatev1alpha1.InformerMaxBytes, which has no insights.
const tooLarge = "too-large"

// Trimmed returns what is read of an UpdateInformer.
func Trimmed(full *updatev1alpha1.UpdateInformer) *updatev1alpha1.UpdateInformer {
	trimmed := &updatev1alpha1.UpdateInformer{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: full.Namespace, Name: full.Name, UID: full.UID, ResourceVersion: full.ResourceVersion,
			CreationTimestamp: full.CreationTimestamp,
		},
		Status: full.Status,
	}
	if assess.EncodedSize(full.Status) > updatev1alpha1.InformerMaxBytes {
		trimmed.Annotations = map[string]string{tooLarge: "true"}
		trimmed.Status.Insights = nil
	}
	return trimmed
}

// isTooLarge returns whether the cached form of an informer has no insights because they are too large.
func isTooLarge(informer *updatev1alpha1.UpdateInformer) bool {
	return informer.Annotations[tooLarge] != ""
}
