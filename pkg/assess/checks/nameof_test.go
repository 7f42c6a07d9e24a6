package checks

import (
	"testing"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// TestNameOf checks that the name of each health check is found in the uids of its insights, of names of any length.
func TestNameOf(t *testing.T) {
	for _, check := range all {
		for _, name := range []string{"a", "worker-3.example.com", string(make([]byte, 253))} {
			if got := NameOf(insight.UID("health", check.Name+"/"+name)); got != check.Name {
				t.Errorf("%s of %q is taken for %q", check.Name, name, got)
			}
		}
	}
	if got := NameOf("health-of-a-newer-controller-1"); got != "" {
		t.Errorf("an unknown check is taken for %s", got)
	}
}
