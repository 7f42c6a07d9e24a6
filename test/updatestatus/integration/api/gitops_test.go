package api_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

// TestWaitCommands runs each command for kubectl of docs/updatestatus/gitops.md on the summaries of several updates. It checks once instead of waiting.
func TestWaitCommands(t *testing.T) {
	root := repository.RootOf(t)
	content, err := os.ReadFile(filepath.Join(root, "docs/updatestatus/gitops.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(content), "```bash\n")
	block, _, isWhole := strings.Cut(block, "\n```")
	commands := strings.Split(block, " &&\n")
	if !isWhole || len(commands) != 3 {
		t.Fatalf("the page has the commands %q", commands)
	}
	kubeconfig, err := pool.Shared(t).AdminKubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	full := readFull(t, updateStatusSummary)
	store := newStore(t, updateStatusSummary, full)
	for name, test := range map[string]struct {
		conditions map[string]string
		completed  string
		want       []bool
	}{
		"before the request": {map[string]string{"Reconciling": "False", "Stalled": "False"}, "4.20.1", []bool{false, true, false}},
		"in progress":        {map[string]string{"Reconciling": "True", "Stalled": "False"}, "4.20.1", []bool{true, false, false}},
		"stalled":            {map[string]string{"Reconciling": "False", "Stalled": "True"}, "4.20.1", []bool{false, true, false}},
		"complete":           {map[string]string{"Reconciling": "False", "Stalled": "False"}, "4.20.2", []bool{false, true, true}},
	} {
		var conditions []any
		for _, kind := range slices.Sorted(maps.Keys(test.conditions)) {
			conditions = append(conditions, map[string]any{
				"type": kind, "status": test.conditions[kind], "reason": updatev1alpha1.ReasonAsExpected, "message": "", "lastTransitionTime": "2026-01-02T03:00:00Z",
			})
		}
		status := full.Object["status"].(map[string]any)
		status["conditions"], status["completedVersion"] = conditions, test.completed
		if _, err := store.write(t, full); err != nil {
			t.Fatal(err)
		}
		var got []bool
		var output strings.Builder
		for _, text := range commands {
			words := strings.Fields(strings.ReplaceAll(text, "'", ""))
			words[len(words)-1] = "--timeout=0"
			command := exec.CommandContext(t.Context(), pool.Shared(t).Kubectl(), append(words[1:], "--kubeconfig", kubeconfig)...)
			printed, err := command.CombinedOutput()
			output.Write(printed)
			got = append(got, err == nil)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s, commands that succeed (-want +got):\n%s%s", name, diff, &output)
		}
	}
}

// TestNewSummary: a summary without a status has the generation -1, so that kstatus does not take it for that of a complete update.
func TestNewSummary(t *testing.T) {
	for _, of := range []kind{updateStatusSummary, hostedClusterUpdateStatusSummary} {
		object := readFull(t, of)
		delete(object.Object, "status")
		read := newStore(t, of, object).last
		if diff := cmp.Diff(map[string]any{"observedGeneration": int64(-1)}, read.Object["status"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", of.name, diff)
		}
	}
}
