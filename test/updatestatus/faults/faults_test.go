package faults_test

import (
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/klog/v2"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/faults"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
)

var pool = controlplane.NewPool(controlplane.Options{})

func TestMain(m *testing.M) {
	// That of controllers with a clock of their own, and of clients.
	log, err := harness.CreateLog("faults.log")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	klog.SetSlogLogger(slog.New(slog.NewTextHandler(log, nil)))
	os.Exit(pool.Main(m))
}

// TestScenarios plays the first scenario of each kind. FAULTS_SEED sets another seed.
func TestScenarios(t *testing.T) { //nolint:tparallel // play calls t.Parallel
	t.Parallel()
	firsts := slices.CompactFunc(faults.Scenarios(), func(a, b faults.Scenario) bool { return a.Kind == b.Kind })
	for _, scenario := range firsts {
		t.Run(scenario.Name, func(t *testing.T) {
			play(t, scenario, faults.Input{Seed: seedsOf(t, 1)[0], Length: 2 * time.Second})
		})
	}
}

// TestLongScenarios plays each scenario, in longer updates, with other seeds or that of FAULTS_SEED.
func TestLongScenarios(t *testing.T) { //nolint:tparallel // likewise
	t.Parallel()
	for _, seed := range seedsOf(t, 2) {
		for _, scenario := range append(faults.Scenarios(), faults.Undisturbed()) {
			t.Run(fmt.Sprintf("%s/seed_%d", scenario.Name, seed), func(t *testing.T) {
				play(t, scenario, faults.Input{Seed: seed, Length: 5 * time.Second})
			})
		}
	}
}

func play(t *testing.T, scenario faults.Scenario, in faults.Input) {
	t.Helper()
	in.Plane = pool.Take(t)
	var err error
	if in.Log, err = harness.CreateLog("faults/" + t.Name() + ".log"); err != nil {
		t.Fatal(err)
	}
	defer in.Log.Close()
	report, err := faults.Play(t.Context(), scenario, in)
	if err != nil {
		name := strings.ReplaceAll(t.Name(), "/", "$/^")
		t.Fatalf("%v\nThe log of the controller is %s. To play this again: FAULTS_SEED=%d go test ./test/updatestatus/faults -run '^%s$'",
			err, in.Log.Name(), in.Seed, name)
	}
	settled := report.Settled.Round(time.Millisecond)
	if _, err := fmt.Fprintf(in.Log, "right %s after the last fault; %d versions, %d starts\n", settled, report.Versions, report.Starts); err != nil {
		t.Error(err)
	}
}

// seedsOf returns FAULTS_SEED, or these seeds if it is not set.
func seedsOf(t *testing.T, seeds ...uint64) []uint64 {
	t.Helper()
	value := os.Getenv("FAULTS_SEED")
	if value == "" {
		return seeds
	}
	seed, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		t.Fatalf("FAULTS_SEED is no number: %v", err)
	}
	return []uint64{seed}
}
