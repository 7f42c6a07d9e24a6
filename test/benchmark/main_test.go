package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-version-operator/test/benchmark/report"
)

func TestInvalidFlags(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"--nodes", "60,many"}, "many"},
		{[]string{"--nodes", "60,3"}, "3 nodes"},
		{[]string{"--nodes", "60", "--odd", "round:60"}, "round"},
		{[]string{"--odd", "one-pool"}, "SHAPE:NODES"},
		{[]string{"--odd", "one-pool:2"}, "2 nodes"},
		{[]string{"60"}, "60"},
	} {
		t.Run(strings.Join(tc.args, " "), func(t *testing.T) {
			command := newCommand()
			command.SetArgs(append(tc.args, "--runs", t.TempDir()))
			command.SetOut(io.Discard)
			command.SetErr(io.Discard)
			if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error about %q", err, tc.want)
			}
		})
	}
}

// TestDocumentIsWrittenFromRuns writes two runs, and the document without measuring another one.
func TestDocumentIsWrittenFromRuns(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "runs")
	document := filepath.Join(t.TempDir(), "benchmark.md")
	for name, measured := range map[string]report.Run{
		"one.json":   {Shape: "plain", Nodes: 60, ColdStart: 0.25, Settled: ptr.To(1.0)},
		"other.json": {Shape: "one-pool", Nodes: 250, ColdStart: 99, Settled: ptr.To(1.0)},
	} {
		if err := (&options{folder: folder}).writeRun(name, measured); err != nil {
			t.Fatal(err)
		}
	}
	var output strings.Builder
	command := newCommand()
	command.SetArgs([]string{"--runs", folder, "--document", document})
	command.SetErr(&output)
	if err := command.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| 60 nodes |", "| 250ms (≤ 1.5s) |", "one-pool: 250 nodes", "missed: ≤ 1.5s"} {
		if !strings.Contains(string(content), want) {
			t.Errorf("there is no %q in\n%s", want, content)
		}
	}
	if !strings.Contains(output.String(), "2 runs, 1 bounds missed") {
		t.Errorf("printed %s", output.String())
	}
}

// TestDocumentIsUpToDate compares docs/benchmark.md with the runs beside it.
func TestDocumentIsUpToDate(t *testing.T) {
	document := filepath.Join(t.TempDir(), "benchmark.md")
	command := newCommand()
	command.SetArgs([]string{"--runs", "../../docs/benchmark", "--document", document})
	command.SetErr(io.Discard)
	if err := command.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	generated, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	current, err := os.ReadFile("../../docs/benchmark.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(current), string(generated)); diff != "" {
		t.Errorf("docs/benchmark.md is not up to date, run make benchmark NODES= (-current +generated):\n%s", diff)
	}
}
