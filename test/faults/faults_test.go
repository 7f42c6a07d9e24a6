package faults_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/faults"
)

var plane *controlplane.ControlPlane

func TestMain(m *testing.M) {
	os.Exit(controlplane.RunTests(m, &plane, controlplane.Options{}))
}

// length is how long each update takes.
const length = 5 * time.Second

// TestScenarios plays the short form of each scenario. FAULTS_SEED plays another one.
func TestScenarios(t *testing.T) {
	seed := seedOf(t)
	for _, scenario := range append([]faults.Scenario{faults.Undisturbed()}, faults.Scenarios()...) {
		t.Run(scenario.Name, func(t *testing.T) {
			in := faults.Input{Plane: plane, Seed: seed, Length: length}
			if scenario.Before != nil {
				in.Plane = without(t)
			}
			report, err := faults.Play(t.Context(), scenario, in)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			t.Logf("right %s after all was over; %d versions, %d starts", report.Settled.Round(time.Millisecond), report.Versions, report.Starts)
		})
	}
}

// without returns a control plane without MachineConfigPools.
func without(t *testing.T) *controlplane.ControlPlane {
	t.Helper()
	other, err := controlplane.Start(t.Context(), controlplane.Options{Without: controlplane.MachineConfigResources()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := other.Stop(); err != nil {
			t.Error(err)
		}
	})
	return other
}

// seedOf returns the seed that is asked for, and 1 if none is.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	asked := os.Getenv("FAULTS_SEED")
	if asked == "" {
		return 1
	}
	seed, err := strconv.ParseUint(asked, 10, 64)
	if err != nil {
		t.Fatalf("FAULTS_SEED is no number: %v", err)
	}
	return seed
}
