package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// TestDocumentIsUpToDate compares docs/updatestatus/benchmark.md with the runs beside it.
func TestDocumentIsUpToDate(t *testing.T) {
	document := filepath.Join(t.TempDir(), "benchmark.md")
	command := newCommand()
	command.SetArgs([]string{"--runs", "../../../docs/updatestatus/benchmark", "--document", document})
	command.SetErr(io.Discard)
	if err := command.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	generated, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	current, err := os.ReadFile("../../../docs/updatestatus/benchmark.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(current), string(generated)); diff != "" {
		t.Errorf("docs/updatestatus/benchmark.md is not up to date, run make benchmark NODES= (-current +generated):\n%s", diff)
	}
}

// TestWrong: an object that lags behind the cluster is wrong, an older assessment of the same cluster is not.
func TestWrong(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	simulation := simulator.NewSimulation(simulator.Update{Seed: 1, Start: start})
	before, err := invariants.Expected(simulation.Objects(), start)
	if err != nil {
		t.Fatal(err)
	}
	if wrong := insightsOf(before).wrong(before); wrong != 0 {
		t.Errorf("%d are wrong", wrong)
	}
	// The first operators are updated, and each of the others waits for its update.
	for write, more := simulation.Next(); more && write.Time.Before(start.Add(10*time.Minute)); write, more = simulation.Next() {
		continue
	}
	after, err := invariants.Expected(simulation.Objects(), start.Add(10*time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if wrong := insightsOf(after).wrong(before); wrong < 33 {
		t.Errorf("%d are wrong after the start of the update", wrong)
	}
}
