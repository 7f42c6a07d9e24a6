package faults_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/faults"
)

var pool = controlplane.NewPool(controlplane.Options{})

func TestMain(m *testing.M) { os.Exit(pool.Main(m)) }

// length is the length of an update.
const length = 5 * time.Second

// TestScenarios plays the short form of each scenario. FAULTS_SEED sets another seed.
func TestScenarios(t *testing.T) {
	t.Parallel()
	seed := seedOf(t)
	for _, scenario := range append([]faults.Scenario{faults.Undisturbed()}, faults.Scenarios()...) {
		t.Run(scenario.Name, func(t *testing.T) {
			in := faults.Input{Plane: planeOf(t, scenario), Seed: seed, Length: length}
			report, err := faults.Play(t.Context(), scenario, in)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			t.Logf("right %s after the last fault; %d versions, %d starts", report.Settled.Round(time.Millisecond), report.Versions, report.Starts)
		})
	}
}

// planeOf returns a control plane for a scenario, without MachineConfigPools if it installs these.
func planeOf(t *testing.T, scenario faults.Scenario) *controlplane.ControlPlane {
	t.Helper()
	if scenario.Before == nil {
		return pool.Take(t)
	}
	t.Parallel()
	return pool.Start(t, controlplane.Options{Without: controlplane.MachineConfigResources()})
}

// seedOf returns FAULTS_SEED, 1 if it is not set.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	value := os.Getenv("FAULTS_SEED")
	if value == "" {
		return 1
	}
	seed, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		t.Fatalf("FAULTS_SEED is no number: %v", err)
	}
	return seed
}
