package describe_test

import (
	"fmt"
	"os"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
)

// A web console can show the same text as the client.
func ExampleWrite() {
	us := &updatev1alpha1.UpdateStatus{}
	us.Status.ControlPlane = &updatev1alpha1.ControlPlane{}
	if err := describe.Write(os.Stdout, us, describe.Options{Now: time.Now(), Details: describe.DetailsAll}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// = Control Plane =
	// Unable to tell whether the control plane is updating: the controller has not reported it
	//
	// = Update Health =
	// SINCE   LEVEL     IMPACT    MESSAGE
	// -       Unknown   Unknown   The progress of the update is unknown
}
