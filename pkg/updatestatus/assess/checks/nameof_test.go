package checks

import (
	"testing"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// TestOf checks that the name of each health check is found in the uids of its insights, of names of any length.
func TestOf(t *testing.T) {
	for _, check := range all {
		for _, name := range []string{"a", "worker-3.example.com", string(make([]byte, 253))} {
			if got := Of(insight.UID("health", check.Name+"/"+name)).Name; got != check.Name {
				t.Errorf("%s of %q is taken for %q", check.Name, name, got)
			}
		}
	}
	if got := Of("health-of-a-newer-controller-1").Name; got != "" {
		t.Errorf("an unknown check is taken for %s", got)
	}
}

// TestStartsWhenObserved compares insights of checks whose objects tell when their condition started, and others.
func TestStartsWhenObserved(t *testing.T) {
	for check, want := range map[string]bool{
		"node-degraded": true, "pool-paused": true, "hosted-cluster-paused": true, "node-not-ready": false, "pool-degraded": false, "of-a-newer-controller": false,
	} {
		if got := Of(insight.UID("health", check+"/worker-3")).StartsWhenObserved; got != want {
			t.Errorf("%s: %t, want %t", check, got, want)
		}
	}
}
