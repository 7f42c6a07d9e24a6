package controller

import (
	"encoding/json"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// content is the status of an object as JSON. It is what is compared, since it is what is stored, and most of what is
// written: it is encoded once, and by far cheaper to compare than the status.
type content []byte

func contentOf(status *updatev1alpha1.UpdateStatusStatus) (content, error) {
	encoded, err := json.Marshal(status)
	if err != nil {
		return nil, fmt.Errorf("encoding the status of UpdateStatus/%s: %w", updatev1alpha1.SingletonName, err)
	}
	return encoded, nil
}

// in returns an object as JSON, with the type that a client leaves out, and with this status in place of its own.
func (c content) in(object *updatev1alpha1.UpdateStatus) ([]byte, error) {
	rest := struct {
		metav1.TypeMeta `json:",inline"`

		Metadata metav1.ObjectMeta               `json:"metadata"`
		Spec     updatev1alpha1.UpdateStatusSpec `json:"spec"`
	}{object.TypeMeta, object.ObjectMeta, object.Spec}
	rest.APIVersion, rest.Kind = updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus").ToAPIVersionAndKind()
	encoded, err := json.Marshal(rest)
	if err != nil {
		return nil, fmt.Errorf("encoding UpdateStatus/%s: %w", object.Name, err)
	}
	// A json.RawMessage would be read through once more.
	return slices.Concat(encoded[:len(encoded)-1], []byte(`,"status":`), c, []byte("}")), nil
}
