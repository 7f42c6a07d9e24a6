package story

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Expected is how many of each an UpdateStatus is to tell of.
type Expected struct {
	Operators, Pools, Nodes int
}

// Available returns nil when the controller can tell of the cluster, otherwise why it can't.
func Available(us *updatev1alpha1.UpdateStatus) error {
	if f := read(us); !f.available {
		return fmt.Errorf("the controller is not available: %s", f.why)
	}
	return nil
}

// Known returns nil when the controller can tell of everything that is expected, otherwise what is missing.
func Known(us *updatev1alpha1.UpdateStatus, want Expected) error {
	if err := Available(us); err != nil {
		return err
	}
	f := read(us)
	got := Expected{Operators: len(f.operators), Pools: len(f.pools), Nodes: len(f.nodes)}
	switch {
	case f.leftOut:
		return errors.New("the controller left insights out")
	case f.version == nil:
		return errors.New("the status does not tell of the ClusterVersion")
	case got != want:
		return fmt.Errorf("the status tells of %d operators, %d pools and %d nodes, and there are %d, %d and %d",
			got.Operators, got.Pools, got.Nodes, want.Operators, want.Pools, want.Nodes)
	default:
		return nil
	}
}

// Updated returns nil when the status has everything that is expected, and all of it is updated to the newest
// version; otherwise what is not.
func Updated(us *updatev1alpha1.UpdateStatus, want Expected) error {
	if err := Known(us, want); err != nil {
		return err
	}
	f := read(us)
	switch {
	case !f.controlPlaneDone():
		return fmt.Errorf("the control plane is not updated to %s", f.target())
	case trueOf(f.operators) < want.Operators:
		return fmt.Errorf("these operators are not updated: %s", falseOf(f.operators))
	case trueOf(f.pools) < want.Pools:
		return fmt.Errorf("these pools are not updated: %s", falseOf(f.pools))
	case len(f.alarms) > 0:
		return fmt.Errorf("this still needs attention: %s", f.alarms[f.alarmUIDs[0]].Summary)
	default:
		return nil
	}
}

// falseOf names those of which something is not true.
func falseOf(of map[string]bool) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if !of[name] {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
