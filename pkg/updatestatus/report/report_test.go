package report

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
)

var began = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

// at returns a moment some minutes after the start.
func at(minutes int) *metav1.Time {
	return &metav1.Time{Time: began.Add(time.Duration(minutes) * time.Minute)}
}

// timesOf returns those of something that took from one minute to another.
func timesOf(from, to int) updatev1alpha1.RecordTimes {
	return updatev1alpha1.RecordTimes{StartedAt: at(from), CompletedAt: at(to)}
}

// completed returns the record of an update that took 100 minutes, so that a minute is a percent of the axis.
func completed() *updatev1alpha1.UpdateRecordStatus {
	return &updatev1alpha1.UpdateRecordStatus{
		RecordTimes: timesOf(0, 100), Result: updatev1alpha1.ResultCompleted, ObservedAt: at(100),
		Versions:     updatev1alpha1.SummaryVersions{Previous: "4.20.1", Target: "4.20.2"},
		ControlPlane: timesOf(0, 50),
	}
}

// pageOf returns the report of a record at a minute.
func pageOf(t *testing.T, record *updatev1alpha1.UpdateRecordStatus, minute int) *Page {
	t.Helper()
	p := New(Input{Record: record, RecordName: "r", Options: describe.Options{Now: at(minute).Time}})
	if p.Chart == nil {
		t.Fatal(p.NoChart)
	}
	return p
}

func TestLanes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		times updatev1alpha1.RecordTimes
		// isOver is whether the update is, at minute 100.
		isOver bool
		want   Lane
	}{
		{"known", timesOf(10, 30), true, Lane{
			Bars: []Shape{{X: "10%", Width: "20%", Class: "running", Text: "14:10:00 to 14:30:00 (20m)"}},
			Took: "20m", Text: "14:10:00 to 14:30:00 (20m)",
		}},
		{"short", updatev1alpha1.RecordTimes{StartedAt: at(10), CompletedAt: &metav1.Time{Time: at(10).Add(6 * time.Second)}}, true, Lane{
			Bars:  []Shape{{X: "10%", Width: "0.1%", Class: "running", Text: "14:10:00 to 14:10:06 (6s)"}},
			Marks: []Mark{{Name: "short", X: "10.1%", Class: "running", Text: "14:10:00 to 14:10:06 (6s)"}},
			Took:  "6s", Text: "14:10:00 to 14:10:06 (6s)",
		}},
		{"ended by", updatev1alpha1.RecordTimes{StartedAt: at(10), CompletedBy: at(30)}, true, Lane{
			Bars:  []Shape{{X: "10%", Width: "20%", Class: "running", Text: "14:10:00 to 14:30:00 at the latest (at most 20m)"}},
			Marks: []Mark{{Name: "by", X: "30%", Class: "running", Text: "14:10:00 to 14:30:00 at the latest (at most 20m)"}},
			Took:  "<20m", Text: "14:10:00 to 14:30:00 at the latest (at most 20m)",
		}},
		{"goes on", updatev1alpha1.RecordTimes{StartedAt: at(90)}, false, Lane{
			Bars:  []Shape{{X: "90%", Width: "10%", Class: "running", Text: "since 15:30:00 (10m so far)"}},
			Marks: []Mark{{Name: "open", X: "100%", Class: "running", Text: "since 15:30:00 (10m so far)"}},
			Took:  "10m+", Text: "since 15:30:00 (10m so far)",
		}},
		{"never", updatev1alpha1.RecordTimes{StartedAt: at(90)}, true, Lane{
			Bars:  []Shape{{X: "90%", Width: "10%", Class: "running", Text: "since 15:30:00, not completed before the end of the update (10m)"}},
			Marks: []Mark{{Name: "never", X: "100%", Class: "running", Text: "since 15:30:00, not completed before the end of the update (10m)"}},
			Took:  "10m+", Text: "since 15:30:00, not completed before the end of the update (10m)",
		}},
		{"start unknown", updatev1alpha1.RecordTimes{CompletedAt: at(30)}, true, Lane{
			Marks: []Mark{{Name: "unknown-start", X: "30%", Class: "running", Text: "ended at 14:30:00; start unknown"}},
			Took:  "?", Text: "ended at 14:30:00; start unknown",
		}},
		{"start unknown, ended by", updatev1alpha1.RecordTimes{CompletedBy: at(30)}, true, Lane{
			Marks: []Mark{
				{Name: "unknown-start", X: "30%", Class: "running", Text: "ended at 14:30:00 or before; start unknown"},
				{Name: "by", X: "30%", Class: "running", Text: "ended at 14:30:00 or before; start unknown"},
			},
			Took: "?", Text: "ended at 14:30:00 or before; start unknown",
		}},
		{"nothing known", updatev1alpha1.RecordTimes{}, true, Lane{Took: "?", Text: "no time is known"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			record := completed()
			if !test.isOver {
				record.Result, record.RecordTimes = updatev1alpha1.ResultInProgress, updatev1alpha1.RecordTimes{StartedAt: at(0)}
			}
			record.Operators = []updatev1alpha1.OperatorRecord{{Name: "etcd", RecordTimes: test.times}}
			test.want.Name, test.want.Label = "etcd", "etcd"
			if diff := cmp.Diff(test.want, pageOf(t, record, 100).Chart.Groups[0].Lanes[0]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPhasesOfANode(t *testing.T) {
	t.Parallel()
	phase := func(phase updatev1alpha1.NodeUpdatePhase, minute int) updatev1alpha1.NodePhase {
		return updatev1alpha1.NodePhase{Phase: phase, StartedAt: *at(minute)}
	}
	drain, update := phase(updatev1alpha1.PhaseDraining, 10), phase(updatev1alpha1.PhaseUpdating, 30)
	for _, test := range []struct {
		name   string
		phases []updatev1alpha1.NodePhase
		want   string
		// isRebooting is whether the legend has the color of reboots.
		isRebooting bool
	}{
		{"all", []updatev1alpha1.NodePhase{drain, update, phase(updatev1alpha1.PhaseRebooting, 40)}, "draining 10% 20%, updating 30% 10%, rebooting 40% 20%", true},
		{"no reboot", []updatev1alpha1.NodePhase{drain, update}, "draining 10% 20%, updating 30% 30%", false},
		{"no drain and no reboot", []updatev1alpha1.NodePhase{update}, "updating 30% 30%", false},
		{"of a newer controller", []updatev1alpha1.NodePhase{drain, update, phase("Resting", 40)}, "draining 10% 20%, updating 30% 10%, running 40% 20%", false},
		{"since before the update", []updatev1alpha1.NodePhase{phase(updatev1alpha1.PhaseDraining, -10), update}, "draining 0% 30%, updating 30% 30%", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			record := completed()
			record.Pools = []updatev1alpha1.PoolRecord{{Name: "worker", Nodes: 1, RecordTimes: timesOf(10, 60)}}
			record.Nodes = []updatev1alpha1.NodeRecord{{Name: "w", Pool: "worker", CompletedAt: at(60), Phases: test.phases}}
			chart := pageOf(t, record, 100).Chart
			var bars []string
			for _, bar := range chart.Groups[1].Lanes[0].Bars {
				bars = append(bars, bar.Class+" "+bar.X+" "+bar.Width)
			}
			if got := strings.Join(bars, ", "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if got := slices.ContainsFunc(chart.Legend, func(one Legend) bool { return one.Class == "rebooting" }); got != test.isRebooting {
				t.Errorf("the legend has reboots: %t", got)
			}
		})
	}
}

func TestPoolGroups(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name                         string
		size, listed                 int
		paused                       time.Duration
		progress                     bool
		lanes                        int
		wantNote, wantFolded, wantBy string
	}{
		{name: "one", size: 1, listed: 1, lanes: 1, wantNote: "1 node"},
		{name: "as many as are open", size: 20, listed: 20, lanes: 20, wantNote: "20 nodes"},
		{name: "more", size: 21, listed: 21, lanes: 21, wantNote: "21 nodes", wantFolded: "21 nodes, by their start"},
		{name: "paused", size: 2, paused: time.Hour, wantNote: "2 nodes, paused for 1h"},
		{
			name: "large", size: 300, listed: 30, progress: true, lanes: 10, wantNote: "300 nodes",
			wantBy: "The 10 nodes that took longest, by their start:",
		},
		{name: "not all have started", size: 4, listed: 3, lanes: 3, wantNote: "4 nodes"},
		{name: "large without nodes", size: 300, progress: true, wantNote: "300 nodes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			record := completed()
			pool := updatev1alpha1.PoolRecord{Name: "worker", Nodes: int32(test.size), RecordTimes: timesOf(10, 60)}
			if test.paused > 0 {
				pool.PausedSeconds = int32(test.paused / time.Second)
			}
			if test.progress {
				pool.Progress = []updatev1alpha1.PoolProgress{{At: *at(10), Draining: 1}}
			}
			record.Pools = []updatev1alpha1.PoolRecord{pool}
			for number := range test.listed {
				record.Nodes = append(record.Nodes, updatev1alpha1.NodeRecord{
					Name: fmt.Sprint("w", number), Pool: "worker", CompletedAt: at(60),
					Phases: []updatev1alpha1.NodePhase{{Phase: updatev1alpha1.PhaseDraining, StartedAt: *at(20)}},
				})
			}
			got := pageOf(t, record, 100).Chart.Groups[1]
			if len(got.Lanes) != test.lanes || got.Note != test.wantNote || got.Folded != test.wantFolded || got.Below != test.wantBy || (got.Area != nil) != test.progress {
				t.Errorf("%d lanes, %q, %q, %q, area %v", len(got.Lanes), got.Note, got.Folded, got.Below, got.Area)
			}
			if got.Whole.Label != "Pool worker" || got.Whole.Bars[0].X != "10%" {
				t.Errorf("%+v", got.Whole)
			}
		})
	}
}

// TestArea checks that counts hold until the next moment, the last ones until the pool is complete.
func TestArea(t *testing.T) {
	t.Parallel()
	record := completed()
	record.Pools = []updatev1alpha1.PoolRecord{{Name: "worker", Nodes: 400, RecordTimes: timesOf(10, 60), Progress: []updatev1alpha1.PoolProgress{
		{At: *at(10), Draining: 100}, {At: *at(20), Completed: 100, Rebooting: 40, Updating: 20, Draining: 40}, {At: *at(40), Completed: 400}, {At: *at(60), Completed: 400},
	}}}
	got := pageOf(t, record, 100).Chart.Groups[1].Area
	want := &Area{
		Shapes: []Shape{
			{X: "10%", Width: "10%", Y: "75%", Height: "25%", Class: "draining", Text: "14:10:00 to 14:20:00 (10m): 100 nodes draining"},
			{X: "20%", Width: "20%", Y: "75%", Height: "25%", Class: "completed", Text: "14:20:00 to 14:40:00 (20m): 100 nodes completed"},
			{X: "20%", Width: "20%", Y: "65%", Height: "10%", Class: "rebooting", Text: "14:20:00 to 14:40:00 (20m): 40 nodes rebooting"},
			{X: "20%", Width: "20%", Y: "60%", Height: "5%", Class: "updating", Text: "14:20:00 to 14:40:00 (20m): 20 nodes updating"},
			{X: "20%", Width: "20%", Y: "50%", Height: "10%", Class: "draining", Text: "14:20:00 to 14:40:00 (20m): 40 nodes draining"},
			{X: "40%", Width: "20%", Y: "0%", Height: "100%", Class: "completed", Text: "14:40:00 to 15:00:00 (20m): 400 nodes completed"},
		},
		Text: "25% of the nodes completed by 14:20:00, 50% of the nodes completed by 14:40:00, 75% of the nodes completed by 14:40:00, " +
			"100% of the nodes completed by 14:40:00; last: 400 of 400 completed, 0 draining, 0 updating, 0 rebooting",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTicks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		minutes int
		live    bool
		want    []string
	}{
		{"minutes", 5, false, []string{"0% 14:00 start", "20% 14:01 middle minor", "40% 14:02 middle", "60% 14:03 middle minor", "80% 14:04 middle", "100% 14:05 end minor"}},
		{"live: the last one gives way to the word now", 5, true, []string{"0% 14:00 start", "20% 14:01 middle minor", "40% 14:02 middle", "60% 14:03 middle minor", "80% 14:04 middle", "100%  middle minor"}},
		{"live: one near the word now is not on a narrow page", 7, true, []string{
			"0% 14:00 start", "14.2857% 14:01 middle minor", "28.5714% 14:02 middle", "42.8571% 14:03 middle minor",
			"57.1429% 14:04 middle", "71.4286% 14:05 middle minor", "85.7143% 14:06 middle minor", "100%  middle minor",
		}},
		{"days", 2 * 24 * 60, false, []string{"20.8333% Mar 3 middle", "45.8333% 12:00 middle minor", "70.8333% Mar 4 middle", "95.8333% 12:00 middle minor"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			record := completed()
			record.RecordTimes, record.ObservedAt = timesOf(0, test.minutes), at(test.minutes)
			if test.live {
				record.Result, record.CompletedAt = updatev1alpha1.ResultInProgress, nil
			}
			var got []string
			for _, tick := range pageOf(t, record, test.minutes).Chart.Ticks {
				text := tick.X + " " + tick.Text + " " + tick.Align
				if tick.IsMinor {
					text += " minor"
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNow checks that the line for now is there only while the update goes on.
func TestNow(t *testing.T) {
	t.Parallel()
	goesOn := completed()
	goesOn.Result, goesOn.CompletedAt = updatev1alpha1.ResultInProgress, nil
	if !pageOf(t, goesOn, 101).Chart.IsLive {
		t.Error("an update that goes on has no line for now")
	}
	if pageOf(t, completed(), 100).Chart.IsLive {
		t.Error("an update that is over has a line for now")
	}
}

func TestHealthAndGaps(t *testing.T) {
	t.Parallel()
	record := completed()
	record.Gaps = []updatev1alpha1.RecordGap{{From: *at(20), To: *at(30)}}
	record.Episodes = []updatev1alpha1.EpisodeRecord{
		{UID: "a", Level: "Warning", Summary: "Node w does not drain", StartedAt: at(40), EndedAt: at(60)},
		{UID: "b", Level: "Odd", Summary: "Something new", StartedAt: at(50), CausedBy: []updatev1alpha1.HealthCause{{UID: "a"}}},
	}
	p := pageOf(t, record, 100)
	lanes := p.Chart.Groups[1].Lanes
	if p.Chart.Groups[1].Note != "2 health insights" || lanes[0].Label != "Warning: Node w does not drain" || lanes[0].Bars[0].Class != "warning" || lanes[0].IsCaused {
		t.Errorf("%+v", lanes[0])
	}
	if lanes[1].Tone != "unknown" || lanes[1].Marks[0].Class != "unknown" || !lanes[1].IsCaused {
		t.Errorf("%+v", lanes[1])
	}
	if diff := cmp.Diff([]Shape{{X: "20%", Width: "10%", Text: "14:20:00 to 14:30:00 (10m)"}}, p.Chart.Gaps); diff != "" {
		t.Error(diff)
	}
	if last := p.Chart.Legend[len(p.Chart.Legend)-1]; last.Class != "gap" {
		t.Errorf("%+v", p.Chart.Legend)
	}
	if plain := pageOf(t, completed(), 100).Chart; len(plain.Groups) != 1 || len(plain.Legend) != 1 {
		t.Errorf("%+v", plain)
	}
}

// TestEpisodeTimes checks that a health insight has the time that texts have: rounded, at least since it was first observed, and from
// before the update.
func TestEpisodeTimes(t *testing.T) {
	t.Parallel()
	record := completed()
	record.Result, record.RecordTimes = updatev1alpha1.ResultInProgress, updatev1alpha1.RecordTimes{StartedAt: at(0)}
	record.Episodes = []updatev1alpha1.EpisodeRecord{
		{UID: "health-node-degraded-a", Level: "Error", StartedAt: &metav1.Time{Time: at(40).Add(29 * time.Second)}},
		{UID: "health-node-not-ready-a", Level: "Error", StartedAt: at(-24 * 60)},
	}
	p := pageOf(t, record, 100)
	var got []string
	for at, lane := range p.Chart.Groups[1].Lanes {
		row := p.Tables[0].Rows[at]
		got = append(got, lane.Took+" | "+lane.Text+" | "+strings.Join(row[2:], " "))
	}
	want := []string{
		"1d1h+ | since Mar 1 14:00:00 (1d1h so far) | Mar 1 14:00:00 in progress 1d1h+",
		">1h+ | since 14:40:29 or before (59m31s so far) | 14:40:29 or before in progress >1h+",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestCluster checks that a report identifies its cluster, as far as that is known.
func TestCluster(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		about About
		want  []describe.Row
	}{
		{About{}, nil},
		{About{ClusterID: "1-2-3", APIAddress: "https://api.example.com:6443\x1b"}, []describe.Row{{Label: "Cluster ID", Value: "1-2-3"}, {Label: "API", Value: "https://api.example.com:6443"}}},
		{About{ClusterID: "1-2-3"}, []describe.Row{{Label: "Cluster ID", Value: "1-2-3"}}},
	} {
		p := New(Input{Record: completed(), RecordName: "r", Options: describe.Options{Now: at(100).Time}, About: test.about})
		if diff := cmp.Diff(test.want, p.Cluster); diff != "" {
			t.Error(diff)
		}
		written := &strings.Builder{}
		if err := p.Write(written); err != nil {
			t.Fatal(err)
		}
		for _, row := range test.want {
			if !strings.Contains(written.String(), "<dt>"+row.Label+"</dt><dd>"+row.Value+"</dd>") {
				t.Errorf("the page has no %s", row.Label)
			}
		}
	}
}

// TestWithoutRecord checks that a report that is made from a status alone has no page of what was not observed, but a table of operators,
// with the times that are known.
func TestWithoutRecord(t *testing.T) {
	t.Parallel()
	record := completed()
	record.Result, record.RecordTimes = updatev1alpha1.ResultInProgress, updatev1alpha1.RecordTimes{StartedAt: at(0)}
	record.Gaps = []updatev1alpha1.RecordGap{{From: *at(0), To: *at(100)}}
	record.Operators = []updatev1alpha1.OperatorRecord{operatorOf("dns", 90, 0, 0), operatorOf("etcd", 0, 0, 100), operatorOf("network", 0, 0, 0)}
	record.Pools = []updatev1alpha1.PoolRecord{{Name: "worker", Nodes: 2}}
	record.Nodes = []updatev1alpha1.NodeRecord{
		{Name: "w", Pool: "worker", Phases: []updatev1alpha1.NodePhase{{Phase: updatev1alpha1.PhaseDraining, StartedAt: *at(95)}}}, {Name: "x", Pool: "worker"},
	}
	record.Episodes = []updatev1alpha1.EpisodeRecord{{UID: "a", Level: "Error", Summary: "s", StartedAt: at(40)}}
	p := New(Input{Record: record, Options: describe.Options{Now: at(100).Time}})
	var got []string
	for _, table := range p.Tables {
		got = append(got, fmt.Sprintf("%s %t %q", table.Title, table.IsOpen, table.Rows))
	}
	want := []string{
		`Operators true [["dns" "since 15:30:00 (10m so far)"]]`,
		`Nodes false [["w" "worker" "Draining since 15:35:00 (5m so far)"]]`,
	}
	if diff := cmp.Diff(want, got); p.Chart != nil || diff != "" {
		t.Errorf("chart %v, tables:\n%s", p.Chart, diff)
	}
}

func TestPageWithoutStatus(t *testing.T) {
	t.Parallel()
	incomplete := describe.Options{Now: at(100).Time, Outdated: "it is old", Incomplete: []string{"a file is missing"}, AsOf: "the end of gathering"}
	for _, test := range []struct {
		name    string
		in      Input
		title   string
		notices int
		noChart string
		footer  string
	}{
		{
			"a record",
			Input{Record: completed(), RecordName: "r", Options: describe.Options{Now: at(100).Time}},
			"Update from 4.20.1 to 4.20.2: completed", 0, "", "As of 2026-03-02T15:40:00Z; the timeline is from UpdateRecord r.",
		},
		{
			"notices",
			Input{Record: completed(), RecordName: "r", Options: incomplete},
			"Update from 4.20.1 to 4.20.2: completed", 2, "",
			"As of 2026-03-02T15:40:00Z, the end of gathering; the timeline is from UpdateRecord r.",
		},
		{
			"made from a status",
			Input{Record: completed(), Options: describe.Options{Now: at(100).Time}},
			"Update from 4.20.1 to 4.20.2: completed", 0,
			"There is no timeline, since there is no record of this update. The Update Status Controller keeps one, and a must-gather collects it. " +
				"The times that the objects of the cluster have are in the tables.",
			"As of 2026-03-02T15:40:00Z.",
		},
		{
			"made at a time",
			Input{Options: describe.Options{Now: at(0).Time}, About: About{MadeAt: at(7).Time, Client: "oc update report v1.2.3"}},
			"No update is known.", 0,
			"There is no timeline, since there is no record of this update. The Update Status Controller keeps one, and a must-gather collects it.",
			"As of 2026-03-02T14:00:00Z. Made at 2026-03-02T14:07:00Z by oc update report v1.2.3.",
		},
		{
			"made by an unknown command",
			Input{Options: describe.Options{Now: at(0).Time}, About: About{MadeAt: at(7).Time}},
			"No update is known.", 0,
			"There is no timeline, since there is no record of this update. The Update Status Controller keeps one, and a must-gather collects it.",
			"As of 2026-03-02T14:00:00Z. Made at 2026-03-02T14:07:00Z.",
		},
		{
			"no start",
			Input{Record: &updatev1alpha1.UpdateRecordStatus{}, Options: describe.Options{Now: at(0).Time}},
			"Update to an unknown version: ", 0, "There is no timeline: the record has no start that can be true.", "As of 2026-03-02T14:00:00Z.",
		},
		{
			"nothing",
			Input{Options: describe.Options{Now: at(0).Time}},
			"No update is known.", 0,
			"There is no timeline, since there is no record of this update. The Update Status Controller keeps one, and a must-gather collects it.",
			"As of 2026-03-02T14:00:00Z.",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := New(test.in)
			if strings.TrimSpace(p.Title[0]) != strings.TrimSpace(test.title) || len(p.Notices) != test.notices || p.NoChart != test.noChart || p.Footer != test.footer {
				t.Errorf("%q, %q, %q, %q", p.Title, p.Notices, p.NoChart, p.Footer)
			}
			written := &strings.Builder{}
			if err := p.Write(written); err != nil {
				t.Fatal(err)
			}
			for _, notice := range p.Notices {
				if strings.Index(written.String(), notice) > strings.Index(written.String(), "<h1>") || !strings.Contains(written.String(), notice) {
					t.Errorf("%q is not first", notice)
				}
			}
		})
	}
}

// TestPolicy checks that the policy of the page allows its style and nothing else.
func TestPolicy(t *testing.T) {
	t.Parallel()
	written := &strings.Builder{}
	if err := pageOf(t, completed(), 100).Write(written); err != nil {
		t.Fatal(err)
	}
	html := written.String()
	_, style, _ := strings.Cut(html, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	hash := sha256.Sum256([]byte(style))
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
	if escaped := strings.NewReplacer("'", "&#39;", "+", "&#43;").Replace(policy); !strings.Contains(html, escaped) {
		t.Errorf("no policy %s", escaped)
	}
	for _, forbidden := range []string{"<script", " style=", "unsafe", "ZgotmplZ"} {
		if strings.Contains(html, forbidden) {
			t.Errorf("the page has %s", forbidden)
		}
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteFails(t *testing.T) {
	t.Parallel()
	if err := pageOf(t, completed(), 100).Write(fullDisk{}); !errors.Is(err, errFull) {
		t.Error(err)
	}
}
