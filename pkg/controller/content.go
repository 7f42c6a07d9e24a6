package controller

import (
	"bytes"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// content is an object as JSON. It is what is stored, and so what is compared and written: it is encoded once, into one slice,
// and by far cheaper to compare than the object.
type content struct {
	// whole is all of it, with the type that a client leaves out.
	whole []byte
	// status is the status in it.
	status []byte
}

// contentOf encodes an object. Expected is about how many bytes it will take.
func contentOf(object *updatev1alpha1.UpdateStatus, expected int) (content, error) {
	rest := struct {
		metav1.TypeMeta `json:",inline"`

		Metadata metav1.ObjectMeta               `json:"metadata"`
		Spec     updatev1alpha1.UpdateStatusSpec `json:"spec"`
	}{object.TypeMeta, object.ObjectMeta, object.Spec}
	rest.APIVersion, rest.Kind = updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus").ToAPIVersionAndKind()
	encoded, err := json.Marshal(rest)
	if err != nil {
		return content{}, fmt.Errorf("encoding UpdateStatus/%s: %w", object.Name, err)
	}
	whole := bytes.NewBuffer(make([]byte, 0, expected+expected/8))
	whole.Write(encoded[:len(encoded)-1])
	whole.WriteString(`,"status":`)
	begin := whole.Len()
	if err := json.NewEncoder(whole).Encode(object.Status); err != nil {
		return content{}, fmt.Errorf("encoding the status of UpdateStatus/%s: %w", object.Name, err)
	}
	// An encoder ends with a new line.
	end := whole.Len() - 1
	whole.Truncate(end)
	whole.WriteByte('}')
	return content{whole: whole.Bytes(), status: whole.Bytes()[begin:end]}, nil
}
