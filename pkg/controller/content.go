package controller

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// content is an object as JSON. It is what is stored, and so what is compared and written.
type content struct {
	// whole is all of it, with the type that a client leaves out.
	whole []byte
	// status is the status in it, as UpdateStatus/cluster has it.
	status []byte
	// summary is the summary in it, nil if it has none.
	summary *updatev1alpha1.UpdateStatusSummaryStatus
}

// contentOf encodes an object, whose status is encoded already.
func contentOf(object *updatev1alpha1.UpdateStatus, status []byte) (content, error) {
	frame := struct {
		metav1.TypeMeta `json:",inline"`

		Metadata metav1.ObjectMeta               `json:"metadata"`
		Spec     updatev1alpha1.UpdateStatusSpec `json:"spec"`
	}{object.TypeMeta, object.ObjectMeta, object.Spec}
	frame.APIVersion, frame.Kind = updatev1alpha1.SchemeGroupVersion.WithKind(kindStandalone).ToAPIVersionAndKind()
	whole, err := json.Marshal(frame)
	if err != nil {
		return content{}, fmt.Errorf("encoding UpdateStatus/%s: %w", object.Name, err)
	}
	whole = append(whole[:len(whole)-1], `,"status":`...)
	start := len(whole)
	whole = append(whole, status...)
	return content{whole: append(whole, '}'), status: whole[start:]}, nil
}
