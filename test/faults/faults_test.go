package faults_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/faults"
)

// planes are the control planes that no scenario uses now.
var planes = make(chan *controlplane.ControlPlane, 3)

func TestMain(m *testing.M) {
	os.Exit(controlplane.RunParallelTests(m, planes, controlplane.Options{}))
}

// length is the length of an update.
const length = 5 * time.Second

// TestScenarios plays the short form of each scenario. FAULTS_SEED sets another seed.
func TestScenarios(t *testing.T) {
	t.Parallel()
	seed := seedOf(t)
	for _, scenario := range append([]faults.Scenario{faults.Undisturbed()}, faults.Scenarios()...) {
		t.Run(scenario.Name, func(t *testing.T) {
			t.Parallel()
			plane := <-planes
			defer func() { planes <- plane }()
			in := faults.Input{Plane: plane, Seed: seed, Length: length}
			if scenario.Before != nil {
				in.Plane = withoutPools(t)
			}
			report, err := faults.Play(t.Context(), scenario, in)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			t.Logf("right %s after the last fault; %d versions, %d starts", report.Settled.Round(time.Millisecond), report.Versions, report.Starts)
		})
	}
}

// withoutPools returns a control plane without MachineConfigPools.
func withoutPools(t *testing.T) *controlplane.ControlPlane {
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
