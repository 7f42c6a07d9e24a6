package timeline

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

func (t *Timeline) addOperators(records []updatev1alpha1.OperatorRecord) {
	for _, one := range records {
		t.Operators = append(t.Operators, Lane{Name: insight.OneLine(one.Name), Bars: t.barOf(one.RecordTimes)})
	}
	sortLanes(t.Operators, func(lane Lane) Lane { return lane })
}

// sortLanes sorts by the start, what has none last, then by the name.
func sortLanes[T any](all []T, lane func(T) Lane) {
	slices.SortStableFunc(all, func(x, y T) int {
		a, b := lane(x), lane(y)
		switch {
		case len(a.Bars) > 0 && len(b.Bars) > 0:
			if order := a.Bars[0].From.Compare(b.Bars[0].From); order != 0 {
				return order
			}
		case len(a.Bars) > 0:
			return -1
		case len(b.Bars) > 0:
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
}

func (t *Timeline) addPools(record *updatev1alpha1.UpdateRecordStatus) {
	nodes := map[string][]Lane{}
	for at := range record.Nodes {
		one := &record.Nodes[at]
		nodes[one.Pool] = append(nodes[one.Pool], Lane{Name: insight.OneLine(one.Name), Bars: t.phases(one)})
	}
	for at := range record.Pools {
		one := &record.Pools[at]
		pool := Pool{
			Lane: Lane{Name: insight.OneLine(one.Name), Bars: t.barOf(one.RecordTimes)}, ScopeType: one.ScopeType,
			Size: int(one.Nodes), Nodes: nodes[one.Name], Progress: t.progress(one.Progress), PausedFor: time.Duration(one.PausedSeconds) * time.Second,
		}
		sortLanes(pool.Nodes, func(lane Lane) Lane { return lane })
		t.Pools = append(t.Pools, pool)
	}
	sortLanes(t.Pools, func(pool Pool) Lane { return pool.Lane })
}

// phases returns a bar for each phase of a node whose start is known. Each goes on until the next one. A node can be at work on an
// update before: what started before this one is cut off.
func (t *Timeline) phases(node *updatev1alpha1.NodeRecord) []Bar {
	var bars []Bar
	for _, phase := range node.Phases {
		start := t.startOf(&phase.StartedAt)
		if start == nil || len(bars) > 0 && start.Before(bars[len(bars)-1].From) {
			continue
		}
		if start.Equal(t.Start) {
			bars = nil // it was over before
		} else if len(bars) > 0 {
			last := &bars[len(bars)-1]
			last.To, last.End = *start, EndKnown
		}
		next := t.bar(start, node.CompletedAt, node.CompletedBy)
		next[0].Phase = phase.Phase
		bars = append(bars, next...)
	}
	if len(bars) == 0 {
		return t.bar(nil, node.CompletedAt, node.CompletedBy)
	}
	return bars
}

func (t *Timeline) progress(records []updatev1alpha1.PoolProgress) []Counts {
	var all []Counts
	for _, one := range records {
		at := t.known(&one.At)
		if at == nil || len(all) > 0 && at.Before(all[len(all)-1].At) {
			continue
		}
		all = append(all, Counts{
			At: *at, Draining: int(one.Draining), Updating: int(one.Updating), Rebooting: int(one.Rebooting), Completed: int(one.Completed),
		})
	}
	return all
}

// addEpisodes adds the health insights. One that goes on started when the present insight did, as far as that says so: the texts of a
// status have the same time.
func (t *Timeline) addEpisodes(in Input) {
	starts := map[updatev1alpha1.HealthCause]*metav1.Time{}
	for _, one := range in.Health {
		starts[one.Ref()] = one.Health.StartedAt
	}
	for at := range in.Record.Episodes {
		one := &in.Record.Episodes[at]
		started := one.StartedAt
		if own := starts[updatev1alpha1.HealthCause{Informer: one.Informer, UID: one.UID}]; own != nil && one.EndedAt == nil && one.EndedBy == nil {
			started = own
		}
		bars := t.bar(t.startOf(started), one.EndedAt, one.EndedBy)
		if len(bars) > 0 && !bars[0].StartUnknown {
			bars[0].StartObserved = checks.Of(one.UID).StartsWhenObserved
			if insight.IsKnown(started.Time, in.Now) {
				bars[0].Started = started.Time
			}
		}
		t.Episodes = append(t.Episodes, Episode{
			Lane: Lane{Name: insight.OneLine(one.Summary), Bars: bars}, Level: one.Level, IsCaused: len(one.CausedBy) > 0,
		})
	}
	sortLanes(t.Episodes, func(episode Episode) Lane { return episode.Lane })
}
