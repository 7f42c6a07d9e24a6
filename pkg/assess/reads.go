package assess

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Reads is what is read of an object besides its other fields: the types of its conditions, and its annotations.
type Reads struct {
	Conditions  []string
	Annotations []string
}

// ReadsOf returns what assessments of a kind read: what its health checks declare, and what is read beside. Trimming keeps both.
func ReadsOf[F any](checks []Check[F], all Reads) Reads {
	for _, one := range checks {
		all.Conditions = append(all.Conditions, one.Reads.Conditions...)
		all.Annotations = append(all.Annotations, one.Reads.Annotations...)
	}
	return all
}

// Pick returns the annotations that are read.
func (r Reads) Pick(annotations map[string]string) map[string]string {
	picked := make(map[string]string, len(r.Annotations))
	for _, key := range r.Annotations {
		if value, found := annotations[key]; found {
			picked[key] = value
		}
	}
	return picked
}

// TrimMeta returns what every assessment reads of an object's metadata.
func TrimMeta(full metav1.ObjectMeta) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: full.Name, Namespace: full.Namespace, UID: full.UID, ResourceVersion: full.ResourceVersion}
}
