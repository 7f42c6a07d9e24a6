package invariants

import (
	"bytes"
	"encoding/json"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// TB is what these functions need of a test; rapid.T has it as well.
type TB interface {
	Helper()
	Fatal(args ...any)
	Errorf(format string, args ...any)
}

// JSON encodes a value.
func JSON(t TB, value any) []byte {
	t.Helper()
	content, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// ExpectSame compares encoded statuses, and shows the first difference only: they are large.
func ExpectSame(t TB, when string, want, got []byte) {
	t.Helper()
	if bytes.Equal(want, got) {
		return
	}
	for at := range min(len(want), len(got)) {
		if want[at] != got[at] {
			t.Errorf("%s, at byte %d:\nwant …%.300s\ngot  …%.300s", when, at, want[max(0, at-200):], got[max(0, at-200):])
			return
		}
	}
	t.Errorf("%s: %d bytes, want %d", when, len(got), len(want))
}

// UIDs returns the uids of all insights of a status, and those of the nodes that are listed by name.
func UIDs(status *updatev1alpha1.UpdateStatusStatus) map[string]bool {
	uids := map[string]bool{}
	for _, one := range Insights(insight.StatusWithListedNodes(status)) {
		uids[one.UID] = true
	}
	return uids
}
