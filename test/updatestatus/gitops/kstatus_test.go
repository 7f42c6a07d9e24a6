package gitops

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

// kstatus returns what kstatus makes of an object.
func kstatus(t *testing.T, object *unstructured.Unstructured) string {
	t.Helper()
	result, err := status.Compute(object)
	if err != nil {
		t.Fatal(err)
	}
	return result.Status.String()
}

// TestKstatusMessage checks what a tool that knows kstatus prints.
func TestKstatusMessage(t *testing.T) {
	objects := stored(t)
	for name, want := range map[string]string{
		"of the control plane":           "The control plane is being updated to 4.20.2",
		"a drain is blocked for an hour": "Node worker-0.cluster.example.com is taking long to drain",
	} {
		result, err := status.Compute(objects[name])
		if err != nil {
			t.Fatal(err)
		}
		if result.Message != want {
			t.Errorf("%s: %q, want %q", name, result.Message, want)
		}
	}
}
