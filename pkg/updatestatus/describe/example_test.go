package describe_test

import (
	"fmt"
	"os"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// A web console can show the same text as the client.
func ExampleWrite() {
	us, now := &updatev1alpha1.UpdateStatus{}, time.Now()
	us.Status.ControlPlane = &updatev1alpha1.ControlPlane{}
	if err := describe.Write(os.Stdout, update.ReadAt(&us.Status, now), describe.Options{Now: now, Details: describe.DetailsAll}); err != nil {
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
