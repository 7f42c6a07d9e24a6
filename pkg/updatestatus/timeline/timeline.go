package timeline

import (
	"cmp"
	"errors"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Input is what a timeline is made from.
type Input struct {
	// Record is the record of an update.
	Record *updatev1alpha1.UpdateRecordStatus
	// Now is the present moment.
	Now time.Time
	// ConfirmedAt is when the controller last confirmed what it knows, the record included; nil if only the record tells. It has
	// no need to write a record that nothing changes.
	ConfirmedAt *metav1.Time
	// Health are the present health insights, nil for an update that is over.
	Health []causes.Insight
}

// Timeline is an update over time.
type Timeline struct {
	// Start is when the update started, and End when it was over, or the present moment.
	Start, End time.Time
	// InProgress is whether the update goes on, as far as is known.
	InProgress bool

	ControlPlane Lane
	// Operators and Pools are those that were updated, by their start.
	Operators []Lane
	Pools     []Pool
	// Episodes are the health insights, by their start.
	Episodes []Episode
	// Gaps are when the cluster was not observed.
	Gaps []Span

	// observed is up to when anything is known, and isOver whether the update is.
	observed time.Time
	isOver   bool
}

// Lane is what happened to something.
type Lane struct {
	// Name is the name of the object, without what is not visible in it.
	Name string
	// Bars are in their order and don't overlap. There are none if no time is known.
	Bars []Bar
}

// Pool is the lane of a pool, with those of its nodes.
type Pool struct {
	Lane

	ScopeType updatev1alpha1.ScopeType
	// Size is the number of nodes of the pool, of which Nodes has those that took longest, by their start.
	Size  int
	Nodes []Lane
	// PausedFor is how long the pool was paused.
	PausedFor time.Duration
	// Progress is how many nodes were in which phase, from each of these moments to the next one. It is known of large pools.
	Progress []Counts
}

// Counts is how many nodes of a pool are in which phase from a moment on. All others have not started.
type Counts struct {
	At                                       time.Time
	Draining, Updating, Rebooting, Completed int
}

// Episode is the lane of a health insight; its name is its summary.
type Episode struct {
	Lane

	Level updatev1alpha1.HealthLevel
	// IsCaused is whether others caused it.
	IsCaused bool
}

// longestSilence is how long a controller that works writes nothing of an update: ten minutes, and some for a slow write.
const longestSilence = 11 * time.Minute

var errNoStart = errors.New("the record has no start that can be true")

// New returns the timeline of a record.
func New(in Input) (*Timeline, error) {
	record := in.Record
	if record.StartedAt == nil || !insight.IsKnown(record.StartedAt.Time, in.Now) || record.StartedAt.After(in.Now) {
		return nil, errNoStart
	}
	t := &Timeline{Start: record.StartedAt.Time, isOver: record.Result != updatev1alpha1.ResultInProgress}
	t.InProgress = !t.isOver
	t.setEnd(in)
	for _, gap := range record.Gaps {
		t.addGap(Span{gap.From.Time, gap.To.Time})
	}
	t.ControlPlane = Lane{Name: "control plane", Bars: t.barOf(record.ControlPlane)}
	t.addOperators(record.Operators)
	t.addPools(record)
	t.addEpisodes(in)
	return t, nil
}

// setEnd sets up to when the axis goes, and up to when anything is known.
func (t *Timeline) setEnd(in Input) {
	end := in.Now
	t.observed = t.Start
	for _, at := range []*metav1.Time{in.Record.ObservedAt, in.ConfirmedAt} {
		if at != nil && at.After(t.observed) && !at.After(in.Now) {
			t.observed = at.Time
		}
	}
	if t.isOver {
		// Without an end of its own, the record ends with what was last observed.
		end = t.observed
		for _, at := range []*metav1.Time{in.Record.CompletedAt, in.Record.CompletedBy} {
			if at != nil && at.After(t.Start) && !at.After(in.Now) {
				end = at.Time
				break
			}
		}
		t.observed = end
	}
	if in.Now.Sub(t.observed) <= longestSilence && !t.isOver {
		t.observed = end
	}
	t.End = end
	if t.observed.Before(end) {
		t.addGap(Span{t.observed, end})
	}
}

// addGap adds the part of a gap that is within the axis.
func (t *Timeline) addGap(gap Span) {
	if gap.From.Before(t.Start) {
		gap.From = t.Start
	}
	if gap.To.After(t.End) {
		gap.To = t.End
	}
	if gap.From.Before(gap.To) {
		t.Gaps = append(t.Gaps, gap)
	}
	slices.SortStableFunc(t.Gaps, func(a, b Span) int { return a.From.Compare(b.From) })
}

// Share returns where a moment is on the axis, from 0 at its start to 1 at its end.
func (t *Timeline) Share(at time.Time) float64 {
	length := t.End.Sub(t.Start)
	if length <= 0 {
		return 0
	}
	return min(max(float64(at.Sub(t.Start))/float64(length), 0), 1)
}

// Took returns how long a lane took from its start, and whether that is known: false for a lane whose start is not known.
func (l Lane) Took() (time.Duration, bool) {
	if len(l.Bars) == 0 || l.Bars[0].StartUnknown {
		return 0, false
	}
	return l.Bars[len(l.Bars)-1].To.Sub(l.Bars[0].Started), true
}

// AtLeastMark is before a duration that may have been longer.
const AtLeastMark = ">"

// TookText returns how long a lane took: "?" if that is not known, "<" before what is at most as long, ">" before what is at least as long,
// as its start may be earlier, "~" before what may be either; and "+" behind what goes on, or did not end in the update.
func (l Lane) TookText(duration func(time.Duration) string) string {
	took, known := l.Took()
	if !known {
		return "?"
	}
	mark := ""
	if l.Bars[0].StartObserved {
		mark = AtLeastMark
	}
	switch l.Bars[len(l.Bars)-1].End {
	case EndBy:
		if mark != "" {
			return "~" + duration(took)
		}
		return "<" + duration(took)
	case EndOpen, EndNever:
		return mark + duration(took) + "+"
	case EndKnown:
	}
	return mark + duration(took)
}

// Slowest returns the lanes that took longest, at most count of them, in the order in which they are.
func Slowest(lanes []Lane, count int) []Lane {
	if len(lanes) <= count {
		return lanes
	}
	bySpeed := make([]int, len(lanes))
	for at := range lanes {
		bySpeed[at] = at
	}
	slices.SortStableFunc(bySpeed, func(a, b int) int {
		tookA, _ := lanes[a].Took()
		tookB, _ := lanes[b].Took()
		return cmp.Compare(tookB, tookA)
	})
	chosen := bySpeed[:count]
	slices.Sort(chosen)
	slowest := make([]Lane, 0, count)
	for _, at := range chosen {
		slowest = append(slowest, lanes[at])
	}
	return slowest
}
