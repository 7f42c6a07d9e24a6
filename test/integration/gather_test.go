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

// TestGather: what hack/gather.sh collects gives, without a cluster, the text that the controller's object gave.
func TestGather(t *testing.T) {
	w := newWorld(t)
	const secret = "what it configures"
	// What oc apply leaves behind is all of an object.
	applied := builders.MachineConfig("99-worker-mine", "")
	applied.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: secret}
	w.put(append(small(), applied)...)
	w.start()
	w.until("the first report", isAvailable)
	folder := t.TempDir()
	command, said := asSomebody(t, "hack/gather.sh", folder)
	if err := command.Run(); err != nil {
		t.Fatalf("%v:\n%s", err, said)
	}
	client, err := harness.Binary("oc-update-status")
	if err != nil {
		t.Fatal(err)
	}
	show := func(arguments ...string) string {
		arguments = append(arguments, "--now", began.Format("2006-01-02T15:04:05Z07:00"))
		output, err := exec.CommandContext(t.Context(), client, arguments...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", arguments, err, output)
		}
		return string(output)
	}
	object, anew := show("--must-gather", folder), show("--must-gather", filepath.Join(folder, "cluster"))
	if diff := cmp.Diff(object, anew); diff != "" {
		t.Errorf("text (-of the object +assessed anew):\n%s", diff)
	}
	if size := len(anew); size < 500 {
		t.Errorf("the text is short:\n%s", anew)
	}
	moment, err := os.ReadFile(filepath.Join(folder, "collected-at"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := time.Parse(time.RFC3339, strings.TrimSpace(string(moment))); err != nil {
		t.Errorf("the moment of the collection: %v", err)
	}
	collected, err := os.ReadFile(filepath.Join(folder, "cluster", "machineconfigs.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(collected), secret) {
		t.Errorf("what a MachineConfig configures was collected:\n%s", collected)
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
