package rehearsal_test

import (
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/rehearsal"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestAnyCluster rehearses updates of clusters of any kind: twice with the same result, whose ranges are such, and whose text has no character
// that could move a cursor.
func TestAnyCluster(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rehearsal.Input{Cluster: builders.HostileCluster().Draw(t, "cluster"), To: "4.21.0", Now: now, Until: now.Add(3 * time.Hour)}
		in.Cluster.ClusterVersion = builders.ClusterVersion(builders.Completed("4.20.1", now.Add(-2*time.Hour), now.Add(-time.Hour)))
		if rapid.Bool().Draw(t, "has a record") {
			in.History = estimate.History{{Pools: []updatev1alpha1.PoolRecord{{Name: "worker", NodeDurations: []updatev1alpha1.NodeDurations{
				{Phase: updatev1alpha1.PhaseDraining, Count: 3, Seconds: rapid.SliceOfN(rapid.Int32(), 0, 20).Draw(t, "seconds")},
			}}}}}
		}
		r := rehearsal.Of(in)
		if again := rehearsal.Of(in); !reflect.DeepEqual(r, again) {
			t.Errorf("another time it is\n%+v\nafter\n%+v", again, r)
		}
		ranges := []estimate.Range{r.Takes, r.ControlPlane}
		for _, pool := range r.Pools {
			if pool.Takes != nil {
				ranges = append(ranges, *pool.Takes, *pool.Starts)
			}
			if pool.Places > pool.AtATime || pool.Places < 0 {
				t.Errorf("%d of %d places are left", pool.Places, pool.AtATime)
			}
		}
		for _, one := range ranges {
			if one.LeastSeconds < 0 || one.MostSeconds < one.LeastSeconds {
				t.Errorf("a range is %+v", one)
			}
		}
		for _, pool := range r.Until.Pools {
			if pool.LeastNodes < 0 || pool.MostNodes < pool.LeastNodes || pool.MostNodes > pool.Nodes {
				t.Errorf("%d to %d of %d nodes", pool.LeastNodes, pool.MostNodes, pool.Nodes)
			}
			if pool.PauseBy != nil && (pool.PauseBy.Time.Before(now) || pool.InProgressUntil.Before(pool.PauseBy) || pool.PauseBy.Time.After(in.Until)) {
				t.Errorf("pause by %s, then in progress until %s", pool.PauseBy, pool.InProgressUntil)
			}
		}
		var text strings.Builder
		if err := describe.WriteRehearsal(&text, r, describe.Options{Now: now}); err != nil {
			t.Fatal(err)
		}
		if at := strings.IndexFunc(text.String(), func(c rune) bool { return c != '\n' && unicode.IsControl(c) }); at >= 0 {
			t.Errorf("there is a control character at %d:\n%q", at, text.String())
		}
	})
}
