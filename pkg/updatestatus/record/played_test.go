package record_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// repaired is an update with a degraded node, which is repaired when nothing else is left to do.
type repaired struct {
	*played.Update

	node string
	done bool
}

func (r *repaired) next() (time.Time, bool) {
	now, more := r.Next()
	if !more && !r.done {
		r.done = true
		r.Simulation.Repair(r.node)
		return r.Next()
	}
	return now, more
}

// accepted returns when the Cluster Version Operator accepted the release, minutes after the request: the history starts with it.
func (r *repaired) accepted() time.Time {
	for _, object := range r.Objects() {
		if version, is := object.(*configv1.ClusterVersion); is {
			return version.Status.History[0].StartedTime.Time
		}
	}
	return time.Time{}
}

// watched is an update that was played.
type watched struct {
	record updatev1alpha1.UpdateRecordStatus
	// accepted is when the release was accepted, and moments is how many there were.
	accepted time.Time
	moments  int
}

// killsAt draws some of the moments of an update.
func killsAt(random *rand.Rand, moments, kills int) map[int]bool {
	killed := map[int]bool{}
	for len(killed) < kills {
		killed[1+random.IntN(moments-1)] = true
	}
	return killed
}

// play plays an update, and kills the controller at some moments, each time for some time.
func play(t *testing.T, seed uint64, random *rand.Rand, killed map[int]bool) watched {
	t.Helper()
	degraded := simulator.NodeName("infra", 1)
	script := simulator.Update{Seed: seed, Start: start, Degraded: map[string]string{degraded: "disk full"}}
	playing, fold := &repaired{Update: played.New(script), node: degraded}, record.Resume(nil)
	var stored *record.Named
	var storedAt, backAt, lastAt time.Time
	at := 0
	for now, more := playing.next(); more; now, more = playing.next() {
		at++
		lastAt = now
		if killed[at] {
			if err := playing.Restart(); err != nil {
				t.Fatal(err)
			}
			fold, backAt = record.Resume(stored), now.Add(time.Duration(random.IntN(90))*time.Second)
		}
		if now.Before(backAt) {
			continue
		}
		fold.Observe(update.Read(playing.Status(now)), now)
		// The controller writes a record at its start and at its end, and else once a minute.
		if made := fold.Record(); made != nil && (stored == nil || now.Sub(storedAt) >= time.Minute || made.Status.Result != stored.Status.Result) {
			stored, storedAt = &record.Named{}, now
			if err := played.Store(made, stored); err != nil {
				t.Fatal(err)
			}
		}
	}
	if backAt.After(lastAt) {
		lastAt = backAt
	}
	fold.Observe(update.Read(playing.Status(lastAt)), lastAt)
	last := updatev1alpha1.UpdateRecordStatus{}
	if err := played.Store(&fold.Record().Status, &last); err != nil {
		t.Fatal(err)
	}
	return watched{last, playing.accepted(), at}
}

// expectWhole reads the record of an update that was watched from its start to its end.
func expectWhole(t *testing.T, seed uint64, whole watched) {
	t.Helper()
	got, accepted := whole.record, whole.accepted
	if got.Result != updatev1alpha1.ResultCompleted || got.Took.Total == nil || got.Took.ControlPlane == nil || len(got.Gaps) != 0 {
		t.Errorf("seed %d: %s after %v, control plane %v, gaps %v", seed, got.Result, got.Took.Total, got.Took.ControlPlane, got.Gaps)
	}
	if !got.StartedAt.Time.Equal(accepted) || !accepted.After(start.Add(time.Minute)) || got.Took.Total.Duration != got.CompletedAt.Sub(got.StartedAt.Time) {
		t.Errorf("seed %d: %+v", seed, got.RecordTimes)
	}
	if len(got.Operators) != 33 || len(got.Pools) != 3 || len(got.Nodes) != 9 {
		t.Errorf("seed %d: %d operators, %d pools, %d nodes", seed, len(got.Operators), len(got.Pools), len(got.Nodes))
	}
	for _, one := range got.Operators {
		if one.CompletedAt == nil || one.StartedAt != nil && one.CompletedAt.Before(one.StartedAt) {
			t.Errorf("seed %d: %+v", seed, one)
		}
	}
	for _, one := range got.Pools {
		if one.StartedAt == nil || one.CompletedAt == nil || one.NodeDurations[0].Count != one.Nodes {
			t.Errorf("seed %d: %+v", seed, one)
		}
	}
	for _, one := range got.Nodes {
		if len(one.Phases) != 3 || one.CompletedAt == nil {
			t.Errorf("seed %d: %+v", seed, one)
		}
	}
	if len(got.Episodes) == 0 || got.Episodes[0].StartedAt == nil || got.Episodes[0].EndedAt == nil {
		t.Errorf("seed %d: %+v", seed, got.Episodes)
	}
}

// TestKills checks that the record of an update in which the controller is killed fifty times is that of one in which it is not,
// but for what the gaps hide.
func TestKills(t *testing.T) {
	expectSameRecord(t, 0)
}

// TestLongKills is TestKills for more updates.
func TestLongKills(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			expectSameRecord(t, seed)
		})
	}
}

func expectSameRecord(t *testing.T, seed uint64) {
	t.Helper()
	uninterrupted := play(t, seed, nil, nil)
	expectWhole(t, seed, uninterrupted)
	random := rand.New(rand.NewPCG(seed, 2))
	whole := uninterrupted.record
	killed := play(t, seed, random, killsAt(random, uninterrupted.moments, 50)).record
	if len(killed.Gaps) < 10 {
		t.Fatalf("%d gaps", len(killed.Gaps))
	}
	c := comparison{T: t, gaps: killed.Gaps}
	c.compare("update", killed.RecordTimes, whole.RecordTimes)
	c.compare("control plane", killed.ControlPlane, whole.ControlPlane)
	if killed.Result != whole.Result || killed.Versions != whole.Versions {
		t.Errorf("%s %+v, want %s %+v", killed.Result, killed.Versions, whole.Result, whole.Versions)
	}
	c.operators(killed, whole)
	c.pools(killed, whole)
	c.nodes(killed, whole)
}

// comparison compares a record with one that has no gaps.
type comparison struct {
	*testing.T

	gaps []updatev1alpha1.RecordGap
}

// compare compares times: one that is there is right, one that is missing is in a gap.
func (c comparison) compare(what string, got, want updatev1alpha1.RecordTimes) {
	c.Helper()
	c.compareTime(what+" start", got.StartedAt, want.StartedAt)
	c.compareTime(what+" end", got.CompletedAt, want.CompletedAt)
	if got.CompletedBy != nil && (got.CompletedAt != nil || got.CompletedBy.Before(want.CompletedAt)) {
		c.Errorf("%s: completed by %s, want %s", what, got.CompletedBy, want.CompletedAt)
	}
	if got.CompletedBy == nil && got.CompletedAt == nil {
		c.Errorf("%s: no end", what)
	}
}

func (c comparison) compareTime(what string, got, want *metav1.Time) {
	c.Helper()
	switch {
	case got == nil && want == nil:
	case want == nil:
		c.Errorf("%s: at %s, and not known without gaps", what, got)
	case got == nil && !c.isInGap(want):
		c.Errorf("%s: at %s, which is in no gap, and not known", what, want)
	case got != nil && got.Sub(want.Time).Abs() > 10*time.Second: // a restart within ten seconds is no gap
		c.Errorf("%s: at %s, want %s", what, got, want)
	}
}

func (c comparison) isInGap(at *metav1.Time) bool {
	for _, gap := range c.gaps {
		if !at.Before(&gap.From) && !gap.To.Before(at) {
			return true
		}
	}
	return false
}

func (c comparison) operators(got, want updatev1alpha1.UpdateRecordStatus) {
	c.Helper()
	byName := map[string]updatev1alpha1.OperatorRecord{}
	for _, one := range got.Operators {
		byName[one.Name] = one
	}
	for _, one := range want.Operators {
		c.compare(one.Name, byName[one.Name].RecordTimes, one.RecordTimes)
	}
}

func (c comparison) pools(got, want updatev1alpha1.UpdateRecordStatus) {
	c.Helper()
	byName := map[string]updatev1alpha1.PoolRecord{}
	for _, one := range got.Pools {
		byName[one.Name] = one
	}
	for _, one := range want.Pools {
		c.compare(one.Name, byName[one.Name].RecordTimes, one.RecordTimes)
		if byName[one.Name].Nodes != one.Nodes || byName[one.Name].ScopeType != one.ScopeType {
			c.Errorf("%s: %+v", one.Name, byName[one.Name])
		}
	}
}

func (c comparison) nodes(got, want updatev1alpha1.UpdateRecordStatus) {
	c.Helper()
	byName := map[string]updatev1alpha1.NodeRecord{}
	for _, one := range want.Nodes {
		byName[one.Name] = one
	}
	for _, one := range got.Nodes {
		whole := byName[one.Name]
		c.compareTime(one.Name, one.CompletedAt, whole.CompletedAt)
		phases := map[updatev1alpha1.NodeUpdatePhase]metav1.Time{}
		for _, phase := range whole.Phases {
			phases[phase.Phase] = phase.StartedAt
		}
		for _, phase := range one.Phases {
			want, has := phases[phase.Phase]
			if !has {
				c.Errorf("%s has no phase %s without gaps", one.Name, phase.Phase)
			}
			// In a gap the start of the drain is that of the cordon, some seconds after the node is given its configuration.
			c.compareTime(one.Name+" "+string(phase.Phase), &phase.StartedAt, &want)
		}
	}
}
