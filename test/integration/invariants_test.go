package integration_test

import (
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/invariants"
)

// The versions of played updates.
const (
	oldVersion = "4.20.1"
	newVersion = "4.20.2"
)

func stageOf(us *updatev1alpha1.UpdateStatus) invariants.Stage {
	return invariants.StageOf(us, newVersion)
}

// checkVersions asserts the invariants on all versions of the UpdateStatus in a complete update of some operators.
func checkVersions(t *testing.T, versions []*updatev1alpha1.UpdateStatus, operators int) {
	t.Helper()
	if last := checkSteps(t, versions, operators); last != invariants.StageEverything {
		t.Errorf("the update ended at stage %d", last)
	}
}

// checkSteps asserts the invariants on all versions, and returns the stage of the last one.
func checkSteps(t *testing.T, versions []*updatev1alpha1.UpdateStatus, operators int) invariants.Stage {
	t.Helper()
	last, problems := invariants.Update{Target: newVersion, Operators: operators}.Check(versions)
	for _, problem := range problems {
		t.Error(problem)
	}
	return last
}
