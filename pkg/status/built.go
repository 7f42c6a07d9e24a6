package status

import (
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Built is a status that the controller built, with an insight about every node, and nothing left out.
type Built struct {
	// Status must not be changed.
	Status *updatev1alpha1.UpdateStatusStatus
	// At is when the controller last found that the sources report it, by the clock of what is observed, and ConfirmedAt by that
	// of real traffic.
	At, ConfirmedAt time.Time
}
