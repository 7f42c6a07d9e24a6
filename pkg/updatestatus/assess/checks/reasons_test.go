package checks_test

import (
	"testing"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// TestReasons: the reasons of which more is said are those of rows.
func TestReasons(t *testing.T) {
	rows := map[string]bool{}
	for _, check := range checks.All() {
		rows[assess.ReasonOf(check.Name)] = true
	}
	for _, reason := range []string{
		insight.ReasonClusterVersionFailing, insight.ReasonNodeDegraded, insight.ReasonNodeNotReturned, insight.ReasonNodeNotBegun, insight.ReasonNodeUpdateSlow,
		insight.ReasonPoolDegraded, insight.ReasonPoolNotStarting, insight.ReasonPoolSlowed,
	} {
		if !rows[reason] {
			t.Errorf("no row has the reason %s", reason)
		}
	}
}
