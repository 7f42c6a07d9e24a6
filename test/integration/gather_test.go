package integration_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/harness"
)

// TestGather checks that the files of hack/gather.sh, assessed without a cluster, give the text of the controller's object.
func TestGather(t *testing.T) {
	w := newWorld(t)
	const secret = "what it configures"
	// oc apply stores the whole object in an annotation.
	applied := builders.MachineConfig("99-worker-mine", "")
	applied.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: secret}
	w.put(append(smallCluster(), applied)...)
	w.start()
	w.until("the first report", isAvailable)
	folder := t.TempDir()
	command, stderr := userCommand(t, "hack/gather.sh", folder)
	if err := command.Run(); err != nil {
		t.Fatalf("%v:\n%s", err, stderr)
	}
	client, err := harness.Binary("oc-update-status")
	if err != nil {
		t.Fatal(err)
	}
	show := func(arguments ...string) string {
		arguments = append(arguments, "--now", startTime.Format("2006-01-02T15:04:05Z07:00"))
		output, err := exec.CommandContext(t.Context(), client, arguments...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", arguments, err, output)
		}
		return string(output)
	}
	object, assessed := show("--must-gather", folder), show("--must-gather", filepath.Join(folder, "cluster"))
	if diff := cmp.Diff(object, assessed); diff != "" {
		t.Errorf("text (-of the object +of the files):\n%s", diff)
	}
	if size := len(assessed); size < 500 {
		t.Errorf("the text is short:\n%s", assessed)
	}
	moment, err := os.ReadFile(filepath.Join(folder, "collected-at"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := time.Parse(time.RFC3339, strings.TrimSpace(string(moment))); err != nil {
		t.Errorf("collected-at: %v", err)
	}
	collected, err := os.ReadFile(filepath.Join(folder, "cluster", "machineconfigs.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(collected), secret) {
		t.Errorf("the content of a MachineConfig was collected:\n%s", collected)
	}
	errors, err := os.ReadFile(filepath.Join(folder, "errors.log"))
	if err != nil {
		t.Fatal(err)
	}
	const missing = `Error from server (NotFound): deployments.apps "machine-config-operator" not found` + "\n"
	if string(errors) != missing {
		t.Errorf("errors:\n%s", errors)
	}
}
