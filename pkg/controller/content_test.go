package controller

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// TestContent: an object put together with its encoded status is the one that is encoded as a whole.
func TestContent(t *testing.T) {
	full := updatev1alpha1.UpdateStatus{
		ObjectMeta: metav1.ObjectMeta{
			Name: "cluster", ResourceVersion: "7", UID: "u", CreationTimestamp: metav1.Unix(5, 0), Labels: map[string]string{"<a>": "&\""},
		},
		Status: updatev1alpha1.UpdateStatusStatus{Conditions: []metav1.Condition{{
			Type: "Available", Message: "<\u2028>\x00\"\n", LastTransitionTime: metav1.NewTime(time.Unix(6, 0).UTC()),
		}}},
	}
	for name, object := range map[string]updatev1alpha1.UpdateStatus{"empty": {}, "full": full} {
		t.Run(name, func(t *testing.T) {
			status, err := json.Marshal(object.Status)
			if err != nil {
				t.Fatal(err)
			}
			got, err := contentOf(&object, status)
			if err != nil {
				t.Fatal(err)
			}
			object.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus"))
			want, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got.whole)); diff != "" {
				t.Errorf("the object (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(string(status), string(got.status)); diff != "" {
				t.Errorf("its status (-want +got):\n%s", diff)
			}
		})
	}
}
