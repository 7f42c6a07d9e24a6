package timeline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/timeline"
)

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// at returns a moment some minutes after the start of the update.
func at(minutes int) *metav1.Time {
	return &metav1.Time{Time: start.Add(time.Duration(minutes) * time.Minute)}
}

// new returns the timeline of a record at a minute.
func newTimeline(t *testing.T, record updatev1alpha1.UpdateRecordStatus, now int) *timeline.Timeline {
	t.Helper()
	if record.StartedAt == nil {
		record.StartedAt = at(0)
	}
	made, err := timeline.New(timeline.Input{Record: &record, Now: at(now).Time})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

var endTexts = map[timeline.End]string{timeline.EndKnown: "", timeline.EndBy: " by", timeline.EndOpen: " open", timeline.EndNever: " never"}

// text returns the bars of a lane in minutes.
func text(lane timeline.Lane) string {
	var bars []string
	for _, bar := range lane.Bars {
		from := fmt.Sprint(bar.From.Sub(start).Minutes())
		if bar.StartUnknown {
			from = "?"
		}
		phase := ""
		if bar.Phase != "" {
			phase = string(bar.Phase) + " "
		}
		bars = append(bars, fmt.Sprintf("%s%s-%v%s", phase, from, bar.To.Sub(start).Minutes(), endTexts[bar.End]))
	}
	return strings.Join(bars, ", ")
}

func inProgress() updatev1alpha1.UpdateRecordStatus {
	return updatev1alpha1.UpdateRecordStatus{Result: updatev1alpha1.ResultInProgress, ObservedAt: at(60)}
}

func ended() updatev1alpha1.UpdateRecordStatus {
	record := updatev1alpha1.UpdateRecordStatus{Result: updatev1alpha1.ResultPartial, ObservedAt: at(60)}
	record.CompletedAt = at(60)
	return record
}

// TestBars checks the bar of an operator at minute 60 of an update.
func TestBars(t *testing.T) {
	for _, test := range []struct {
		name   string
		record updatev1alpha1.UpdateRecordStatus
		times  updatev1alpha1.RecordTimes
		want   string
	}{
		{name: "nothing is known", record: inProgress()},
		{name: "both ends", record: inProgress(), times: updatev1alpha1.RecordTimes{StartedAt: at(5), CompletedAt: at(9)}, want: "5-9"},
		{name: "it ended in a gap", record: inProgress(), times: updatev1alpha1.RecordTimes{StartedAt: at(5), CompletedBy: at(9)}, want: "5-9 by"},
		{name: "it started in a gap", record: inProgress(), times: updatev1alpha1.RecordTimes{CompletedAt: at(9)}, want: "?-9"},
		{name: "it started and ended in a gap", record: inProgress(), times: updatev1alpha1.RecordTimes{CompletedBy: at(9)}, want: "?-9 by"},
		{name: "it goes on", record: inProgress(), times: updatev1alpha1.RecordTimes{StartedAt: at(5)}, want: "5-60 open"},
		{name: "the update ended before", record: ended(), times: updatev1alpha1.RecordTimes{StartedAt: at(5)}, want: "5-60 never"},
		{name: "the update ended before it started", record: ended()},
		{name: "it started before the update", record: inProgress(), times: updatev1alpha1.RecordTimes{StartedAt: at(-5), CompletedAt: at(9)}, want: "?-9"},
		{name: "it starts in the future", record: inProgress(), times: updatev1alpha1.RecordTimes{StartedAt: at(70)}},
		{name: "it ends in the future", record: inProgress(), times: updatev1alpha1.RecordTimes{StartedAt: at(5), CompletedAt: at(70)}, want: "5-60 open"},
		{name: "it ended before it started", record: inProgress(), times: updatev1alpha1.RecordTimes{StartedAt: at(9), CompletedAt: at(5)}, want: "9-9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.record.Operators = []updatev1alpha1.OperatorRecord{{Name: "etcd", RecordTimes: test.times}}
			if got := text(newTimeline(t, test.record, 60).Operators[0]); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestPhases checks the bars of a node.
func TestPhases(t *testing.T) {
	phase := func(phase updatev1alpha1.NodeUpdatePhase, minute int) updatev1alpha1.NodePhase {
		return updatev1alpha1.NodePhase{Phase: phase, StartedAt: *at(minute)}
	}
	drain, update, reboot := phase("Draining", 1), phase("Updating", 4), phase("Rebooting", 6)
	for _, test := range []struct {
		name string
		node updatev1alpha1.NodeRecord
		want string
	}{
		{name: "nothing"},
		{name: "its first phase", node: updatev1alpha1.NodeRecord{Phases: []updatev1alpha1.NodePhase{drain}}, want: "Draining 1-60 open"},
		{
			name: "all phases", node: updatev1alpha1.NodeRecord{Phases: []updatev1alpha1.NodePhase{drain, update, reboot}, CompletedAt: at(9)},
			want: "Draining 1-4, Updating 4-6, Rebooting 6-9",
		},
		{
			name: "one was in a gap, and its end too", node: updatev1alpha1.NodeRecord{Phases: []updatev1alpha1.NodePhase{drain, reboot}, CompletedBy: at(9)},
			want: "Draining 1-6, Rebooting 6-9 by",
		},
		{
			name: "without a reboot", node: updatev1alpha1.NodeRecord{Phases: []updatev1alpha1.NodePhase{drain, update}, CompletedAt: at(5)},
			want: "Draining 1-4, Updating 4-5",
		},
		{
			name: "without a drain and a reboot", node: updatev1alpha1.NodeRecord{Phases: []updatev1alpha1.NodePhase{update}, CompletedAt: at(5)},
			want: "Updating 4-5",
		},
		{
			name: "drained since before the update", node: updatev1alpha1.NodeRecord{Phases: []updatev1alpha1.NodePhase{phase("Draining", -30)}},
			want: "Draining 0-60 open",
		},
		{
			name: "updated since before the update", node: updatev1alpha1.NodeRecord{Phases: []updatev1alpha1.NodePhase{phase("Draining", -30), phase("Updating", -5), reboot}},
			want: "Updating 0-6, Rebooting 6-60 open",
		},
		{name: "only its end", node: updatev1alpha1.NodeRecord{CompletedAt: at(9)}, want: "?-9"},
		{
			name: "in a wrong order", node: updatev1alpha1.NodeRecord{Phases: []updatev1alpha1.NodePhase{update, drain, reboot}, CompletedAt: at(9)},
			want: "Updating 4-6, Rebooting 6-9",
		},
		{
			name: "before the update", node: updatev1alpha1.NodeRecord{Phases: []updatev1alpha1.NodePhase{phase("Draining", -1), reboot}, CompletedAt: at(9)},
			want: "Draining 0-6, Rebooting 6-9",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			record := inProgress()
			test.node.Pool = "worker"
			record.Nodes = []updatev1alpha1.NodeRecord{test.node}
			record.Pools = []updatev1alpha1.PoolRecord{{Name: "worker"}}
			if got := text(newTimeline(t, record, 60).Pools[0].Nodes[0]); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestAxis checks when the axis ends, up to when something that goes on has a bar, and what was not observed.
func TestAxis(t *testing.T) {
	for _, test := range []struct {
		name      string
		record    updatev1alpha1.UpdateRecordStatus
		confirmed *metav1.Time
		now       int
		want      string
	}{
		{name: "a record that was just written", record: inProgress(), now: 60, want: "end 60, bar 0-60 open, gaps []"},
		{name: "a record that nothing changes", record: inProgress(), now: 71, want: "end 71, bar 0-71 open, gaps []"},
		{name: "a record that is not kept", record: inProgress(), now: 72, want: "end 72, bar 0-60 open, gaps [60-72]"},
		{name: "the controller confirms it", record: inProgress(), confirmed: at(79), now: 80, want: "end 80, bar 0-80 open, gaps []"},
		{name: "the controller confirms it no more", record: inProgress(), confirmed: at(65), now: 80, want: "end 80, bar 0-65 open, gaps [65-80]"},
		{name: "confirmed in the future", record: inProgress(), confirmed: at(90), now: 80, want: "end 80, bar 0-60 open, gaps [60-80]"},
		{name: "the update has ended", record: ended(), now: 500, want: "end 60, bar 0-60 never, gaps []"},
		{
			name: "by a time", now: 500, want: "end 50, bar 0-50 never, gaps []",
			record: updatev1alpha1.UpdateRecordStatus{Result: "Completed", ObservedAt: at(60), RecordTimes: updatev1alpha1.RecordTimes{CompletedBy: at(50)}},
		},
		{name: "without an end", record: updatev1alpha1.UpdateRecordStatus{Result: "Other", ObservedAt: at(60)}, now: 500, want: "end 60, bar 0-60 never, gaps []"},
		{name: "ended in the future", record: ended(), now: 30, want: "end 0, bar 0-0 never, gaps []"},
		{
			name: "gaps that are partly within", now: 60, want: "end 60, bar 0-60 open, gaps [0-5 10-20 50-60]",
			record: updatev1alpha1.UpdateRecordStatus{Result: "InProgress", ObservedAt: at(60), Gaps: []updatev1alpha1.RecordGap{
				{From: *at(10), To: *at(20)}, {From: *at(-5), To: *at(5)}, {From: *at(50), To: *at(70)}, {From: *at(70), To: *at(80)}, {From: *at(30), To: *at(25)},
			}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.record.StartedAt = at(0)
			test.record.ControlPlane.StartedAt = at(0)
			made, err := timeline.New(timeline.Input{Record: &test.record, Now: at(test.now).Time, ConfirmedAt: test.confirmed})
			if err != nil {
				t.Fatal(err)
			}
			var gaps []string
			for _, gap := range made.Gaps {
				gaps = append(gaps, fmt.Sprintf("%v-%v", gap.From.Sub(start).Minutes(), gap.To.Sub(start).Minutes()))
			}
			got := fmt.Sprintf("end %v, bar %s, gaps %v", made.End.Sub(start).Minutes(), text(made.ControlPlane), gaps)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNoStart checks that a record whose start can't be true has no timeline.
func TestNoStart(t *testing.T) {
	for name, started := range map[string]*metav1.Time{"none": nil, "in the future": at(70), "before 1970": {Time: time.Unix(-1, 0)}} {
		record := inProgress()
		record.StartedAt = started
		if _, err := timeline.New(timeline.Input{Record: &record, Now: at(60).Time}); err == nil {
			t.Errorf("%s: there is a timeline", name)
		}
	}
}

// TestEpisodes checks that a health insight that was there before the update is cut off at its start, and that texts are clean.
func TestEpisodes(t *testing.T) {
	record := inProgress()
	record.Episodes = []updatev1alpha1.EpisodeRecord{
		{Level: "Error", Summary: "later\x1b[2J\n", StartedAt: at(7), CausedBy: []updatev1alpha1.HealthCause{{}}},
		{Level: "Warning", Summary: "before", StartedAt: at(-7), EndedAt: at(9)},
	}
	var got []string
	for _, one := range newTimeline(t, record, 60).Episodes {
		got = append(got, fmt.Sprintf("%s %q %v %s", one.Level, one.Name, one.IsCaused, text(one.Lane)))
	}
	want := []string{`Warning "before" false 0-9`, `Error "later" true 7-60 open`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestEpisodesTook checks that the duration of a health insight is the one in the texts about present insights, also if it started before
// the update, or when it was first observed.
func TestEpisodesTook(t *testing.T) {
	const own, observed = "health-node-not-ready-w", "health-node-degraded-w"
	present := func(uid string, startedAt *metav1.Time) causes.Insight {
		return causes.Insight{Informer: "i", Insight: &updatev1alpha1.Insight{UID: uid, Health: &updatev1alpha1.HealthInsight{StartedAt: startedAt}}}
	}
	for _, test := range []struct {
		name, uid               string
		startedAt, ended, endBy *metav1.Time
		present                 []causes.Insight
		bars, took              string
	}{
		{"it goes on", own, at(50), nil, nil, nil, "50-60 open", "10m0s+"},
		{"observed", observed, at(50), nil, nil, nil, "50-60 open", ">10m0s+"},
		{"observed, ended", observed, at(50), at(55), nil, nil, "50-55", ">5m0s"},
		{"observed, ended by", observed, at(50), nil, at(55), nil, "50-55 by", "~5m0s"},
		{"ended by", own, at(50), nil, at(55), nil, "50-55 by", "<5m0s"},
		{"before the update", own, at(-20), nil, nil, nil, "0-60 open", "1h20m0s+"},
		{"at a time that can't be true", own, &metav1.Time{Time: time.Unix(-1, 0)}, nil, nil, nil, "0-60 open", "1h0m0s+"},
		{"the insight has another start", own, at(50), nil, nil, []causes.Insight{present(own, at(40))}, "40-60 open", "20m0s+"},
		{"only the insight has a start", own, nil, nil, nil, []causes.Insight{present(own, at(40))}, "40-60 open", "20m0s+"},
		{"only the record has a start", own, at(50), nil, nil, []causes.Insight{present(own, nil)}, "50-60 open", "10m0s+"},
		{"another insight", own, at(50), nil, nil, []causes.Insight{present(observed, at(40))}, "50-60 open", "10m0s+"},
		{"an earlier episode, ended", own, at(50), at(55), nil, []causes.Insight{present(own, at(57))}, "50-55", "5m0s"},
		{"an earlier episode, ended by", own, at(50), nil, at(55), []causes.Insight{present(own, at(57))}, "50-55 by", "<5m0s"},
		{"nothing is known", observed, nil, nil, nil, nil, "", "?"},
		{"only the end is known", observed, nil, at(55), nil, nil, "?-55", "?"},
	} {
		record := inProgress()
		record.StartedAt, record.ObservedAt = at(0), at(60)
		record.Episodes = []updatev1alpha1.EpisodeRecord{{Informer: "i", UID: test.uid, StartedAt: test.startedAt, EndedAt: test.ended, EndedBy: test.endBy}}
		made, err := timeline.New(timeline.Input{Record: &record, Now: at(60).Time, Health: test.present})
		if err != nil {
			t.Fatal(err)
		}
		lane := made.Episodes[0].Lane
		if bars, took := text(lane), lane.TookText(time.Duration.String); bars != test.bars || took != test.took {
			t.Errorf("%s: %q took %s, want %q and %s", test.name, bars, took, test.bars, test.took)
		}
	}
}

// TestSlowest checks that those that took longest stay in their order.
func TestSlowest(t *testing.T) {
	record := inProgress()
	for minute, name := range []string{"a", "b", "c", "d"} {
		record.Operators = append(record.Operators, updatev1alpha1.OperatorRecord{
			Name: name, RecordTimes: updatev1alpha1.RecordTimes{StartedAt: at(minute), CompletedAt: at(minute + []int{3, 1, 9, 2}[minute])},
		})
	}
	record.Operators = append(record.Operators, updatev1alpha1.OperatorRecord{Name: "unknown"})
	lanes := newTimeline(t, record, 60).Operators
	for count, want := range map[int]string{1: "c", 2: "a c", 3: "a c d", 9: "a b c d unknown"} {
		var names []string
		for _, lane := range timeline.Slowest(lanes, count) {
			names = append(names, lane.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("of %d got %s, want %s", count, got, want)
		}
	}
}

// TestTicks checks that ticks are round, and as many as fit.
func TestTicks(t *testing.T) {
	for _, test := range []struct {
		minutes, most int
		want          string
	}{
		{minutes: 0, most: 5, want: "08:00"},
		{minutes: 90, most: 0},
		{minutes: 90, most: 7, want: "08:00 08:15 08:30 08:45 09:00 09:15 09:30"},
		{minutes: 90, most: 4, want: "08:00 08:30 09:00 09:30"},
		{minutes: 90, most: 1, want: "08:00"},
		{minutes: 3 * 24 * 60, most: 4, want: "00:00 00:00 00:00"},
	} {
		record := inProgress()
		made := newTimeline(t, record, test.minutes)
		var ticks []string
		for _, tick := range made.Ticks(test.most) {
			ticks = append(ticks, tick.Format("15:04"))
		}
		if got := strings.Join(ticks, " "); got != test.want {
			t.Errorf("%d minutes, at most %d: got %q, want %q", test.minutes, test.most, got, test.want)
		}
	}
}

// TestAnyRecord checks of any record, as a file may have it, that its bars are within the axis, in their order, and don't overlap.
func TestAnyRecord(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		anyTime := rapid.Custom(func(r *rapid.T) *metav1.Time {
			if rapid.IntRange(0, 3).Draw(r, "none") == 0 {
				return nil
			}
			return at(rapid.IntRange(-20, 120).Draw(r, "minute"))
		})
		times := func() updatev1alpha1.RecordTimes {
			return updatev1alpha1.RecordTimes{StartedAt: anyTime.Draw(r, "start"), CompletedAt: anyTime.Draw(r, "end"), CompletedBy: anyTime.Draw(r, "by")}
		}
		results := []updatev1alpha1.UpdateResult{updatev1alpha1.ResultInProgress, updatev1alpha1.ResultCompleted}
		record := updatev1alpha1.UpdateRecordStatus{
			RecordTimes: times(), ObservedAt: anyTime.Draw(r, "observed"), Result: rapid.SampledFrom(results).Draw(r, "result"), ControlPlane: times(),
			Pools: []updatev1alpha1.PoolRecord{{Name: "worker", RecordTimes: times()}},
		}
		record.StartedAt = at(0)
		node := updatev1alpha1.NodeRecord{Name: "node", Pool: "worker", CompletedAt: anyTime.Draw(r, "end"), CompletedBy: anyTime.Draw(r, "by")}
		for _, phase := range []updatev1alpha1.NodeUpdatePhase{"Draining", "Updating", "Rebooting"} {
			if started := anyTime.Draw(r, "phase"); started != nil {
				node.Phases = append(node.Phases, updatev1alpha1.NodePhase{Phase: phase, StartedAt: *started})
			}
		}
		record.Nodes = []updatev1alpha1.NodeRecord{node}
		made, err := timeline.New(timeline.Input{Record: &record, Now: at(rapid.IntRange(0, 100).Draw(r, "now")).Time, ConfirmedAt: anyTime.Draw(r, "confirmed")})
		if err != nil {
			r.Fatal(err)
		}
		for _, lane := range []timeline.Lane{made.ControlPlane, made.Pools[0].Lane, made.Pools[0].Nodes[0]} {
			last := made.Start
			for _, bar := range lane.Bars {
				if bar.From.Before(last) || bar.To.Before(bar.From) || bar.To.After(made.End) {
					r.Fatalf("%s is not in its order within the axis until %v", text(lane), made.End.Sub(start).Minutes())
				}
				last = bar.To
			}
		}
	})
}
