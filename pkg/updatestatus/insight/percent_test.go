package insight_test

import (
	"testing"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

func TestPercent(t *testing.T) {
	for _, tc := range []struct{ done, total, want int32 }{
		{0, 3, 0}, {1, 3, 33}, {2, 3, 67}, {1, 8, 12}, {3, 8, 38}, {299, 300, 99}, {300, 300, 100},
	} {
		if got := insight.Percent(tc.done, tc.total); got != tc.want {
			t.Errorf("%d of %d: %d %%, want %d", tc.done, tc.total, got, tc.want)
		}
	}
}
