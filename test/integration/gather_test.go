package integration_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/test/controlplane"
)

// TestGather: what hack/gather.sh collects gives, without a cluster, the text that the controller's object gave.
func TestGather(t *testing.T) {
	w := newWorld(t)
	w.put(small()...)
	w.start()
	w.until("the first report", isAvailable)
	folder := t.TempDir()
	command, said := asSomebody(t, "hack/gather.sh", folder)
	if err := command.Run(); err != nil {
		t.Fatalf("%v:\n%s", err, said)
	}
	root, err := controlplane.Root()
	if err != nil {
		t.Fatal(err)
	}
	show := func(arguments ...string) string {
		arguments = append(arguments, "--now", began.Format("2006-01-02T15:04:05Z07:00"))
		output, err := exec.CommandContext(t.Context(), filepath.Join(root, "bin", "oc-update-status"), arguments...).CombinedOutput()
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
	errors, err := os.ReadFile(filepath.Join(folder, "errors.log"))
	if err != nil {
		t.Fatal(err)
	}
	const missing = `Error from server (NotFound): deployments.apps "machine-config-operator" not found` + "\n"
	if string(errors) != missing {
		t.Errorf("errors:\n%s", errors)
	}
}
