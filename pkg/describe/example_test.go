package describe_test

import (
	"fmt"
	"os"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
)

// A console shows what the command line shows.
func ExampleWrite() {
	us := &updatev1alpha1.UpdateStatus{}
	us.Status.ControlPlane = &updatev1alpha1.ControlPlane{}
	if err := describe.Write(os.Stdout, us, describe.Options{Now: time.Now(), Details: describe.DetailsAll}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// = Control Plane =
	// It is not known whether the control plane is updating: the controller says nothing about it
	//
	// = Update Health =
	// SINCE   LEVEL     IMPACT    MESSAGE
	// -       Unknown   Unknown   It is not known how the update is proceeding
}
