package describe

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/timeline"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

var updateStart = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

// recordedUpdates returns what is recorded some minutes after the start of an update in which a node is degraded, which is accepted, and
// so starts, three minutes after its request. The controller does not run from minute 20 to 36, and after 500 the update is over.
var recordedUpdates = sync.OnceValue(func() map[int]timeline.Input {
	fold, last := record.Resume(nil), updateStart
	const acceptance = 3 * time.Minute
	script := simulator.Update{
		Seed: 1, Start: updateStart.Add(-acceptance), Acceptance: acceptance, AtLeast: acceptance + time.Hour,
		Degraded: map[string]string{simulator.NodeName("worker", 2): "no space left"},
	}
	recorded := map[int]timeline.Input{}
	keepUntil := func(minute int) {
		for _, end := range []int{1, 10, 40, 65, 500} {
			if minute >= end && recorded[end].Record == nil {
				recorded[end] = timeline.Input{Record: fold.Record().Status.DeepCopy(), Now: last}
			}
		}
	}
	played.New(script).Play(func(status *updatev1alpha1.UpdateStatusStatus, now time.Time) {
		minute := int(now.Sub(updateStart).Minutes())
		keepUntil(minute)
		if minute < 20 || minute > 36 {
			fold.Observe(update.Read(status), now)
			last = now
		}
	})
	keepUntil(500)
	return recorded
})

func writeTimeline(t *testing.T, in timeline.Input, options Options) string {
	t.Helper()
	var written bytes.Buffer
	if err := WriteTimeline(&written, in, options); err != nil {
		t.Fatal(err)
	}
	return written.String()
}

// TestTimeline compares the timeline of an update with testdata: on a terminal, in full, and what is known of a cluster that is
// looked at once.
func TestTimeline(t *testing.T) {
	in := recordedUpdates()[65]
	compare(t, filepath.Join("testdata", "timeline.terminal.txt"), writeTimeline(t, in, Options{Width: 80, Rows: 24}))
	compare(t, filepath.Join("testdata", "timeline.details.txt"), writeTimeline(t, in, Options{Details: DetailsAll}))
	in.Now = in.Now.Add(time.Hour)
	outdated := Options{Width: 80, Rows: 24, Outdated: "no controller has confirmed it", Incomplete: []string{"nodes are missing"}}
	compare(t, filepath.Join("testdata", "timeline.outdated.txt"), writeTimeline(t, in, outdated))
}

// TestTimelineFits checks that a timeline fits every terminal: its width, and its rows from 24 on.
func TestTimelineFits(t *testing.T) {
	for minutes, in := range recordedUpdates() {
		for width := 60; width < 240; width += 7 {
			for rows := 24; rows < 70; rows += 9 {
				lines := strings.Split(strings.TrimSuffix(writeTimeline(t, in, Options{Width: width, Rows: rows}), "\n"), "\n")
				for _, line := range lines {
					if ansi.StringWidth(line) > width {
						t.Errorf("after %d minutes, a line has more than %d columns: %s", minutes, width, line)
					}
				}
				if len(lines) >= rows {
					t.Errorf("after %d minutes, on a terminal of %d × %d the timeline has %d lines:\n%s", minutes, width, rows, len(lines), strings.Join(lines, "\n"))
				}
			}
		}
	}
}

// TestTimelineOfManyPools checks that rows are left out and counted.
func TestTimelineOfManyPools(t *testing.T) {
	started := metav1.NewTime(updateStart)
	status := updatev1alpha1.UpdateRecordStatus{RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &started}, ObservedAt: &started}
	for number := range 40 {
		status.Pools = append(status.Pools, updatev1alpha1.PoolRecord{Name: fmt.Sprint("pool-", number), PausedSeconds: 3600})
		status.Episodes = append(status.Episodes, updatev1alpha1.EpisodeRecord{Level: []updatev1alpha1.HealthLevel{"Info", "Error", "Warning", "Critical"}[number%4], Summary: "failure"})
	}
	in := timeline.Input{Record: &status, Now: updateStart.Add(time.Hour)}
	got := writeTimeline(t, in, Options{Width: 80, Rows: 24})
	for _, want := range []string{"and 37 more pools\n", "paused for 1h\n", "! Critical", "and 38 more health insights\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the timeline lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "! Error") {
		t.Errorf("the timeline has errors and leaves critical insights out:\n%s", got)
	}
	all := writeTimeline(t, in, Options{Details: DetailsAll})
	if lines := strings.Count(all, "pool-") + strings.Count(all, "failure"); lines != 80 {
		t.Errorf("with details there are %d pools and health insights:\n%s", lines, all)
	}
}

// TestTimelineWithoutReboot checks that a node that is updated without a reboot shows none, nor does the legend, and that one that is
// updated since before the update is cut off at its start.
func TestTimelineWithoutReboot(t *testing.T) {
	minute := func(minutes int) metav1.Time {
		return metav1.NewTime(updateStart.Add(time.Duration(minutes) * time.Minute))
	}
	started, done := minute(0), minute(60)
	drained, updated, rebooted := minute(-10), minute(30), minute(45)
	status := updatev1alpha1.UpdateRecordStatus{
		RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &started}, Result: "InProgress", ObservedAt: &done,
		Pools: []updatev1alpha1.PoolRecord{{Name: "worker", Nodes: 1}},
		Nodes: []updatev1alpha1.NodeRecord{{Name: "node", Pool: "worker", CompletedAt: &done, Phases: []updatev1alpha1.NodePhase{
			{Phase: updatev1alpha1.PhaseDraining, StartedAt: drained}, {Phase: updatev1alpha1.PhaseUpdating, StartedAt: updated},
		}}},
	}
	in := timeline.Input{Record: &status, Now: done.Time}
	for _, want := range []string{`node +D{25,30}U{25,30} +1h\nD draining, U updating\n`, `node +D{25,30}U{12,15}R{12,15} +1h\nD draining, U updating, R rebooting\n`} {
		if got := writeTimeline(t, in, Options{Width: 83}); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("the timeline lacks %q:\n%s", want, got)
		}
		status.Nodes[0].Phases = append(status.Nodes[0].Phases, updatev1alpha1.NodePhase{Phase: updatev1alpha1.PhaseRebooting, StartedAt: rebooted})
	}
}

// TestRecordTitle checks how a record says how an update went.
func TestRecordTitle(t *testing.T) {
	started, ended := metav1.NewTime(updateStart), metav1.NewTime(updateStart.Add(90*time.Minute))
	took := func(minutes int) *metav1.Duration {
		return &metav1.Duration{Duration: time.Duration(minutes) * time.Minute}
	}
	versions := updatev1alpha1.SummaryVersions{Previous: "4.20.1", Target: "4.20.2"}
	for _, test := range []struct {
		name   string
		record updatev1alpha1.UpdateRecordStatus
		want   string
	}{
		{name: "nothing", want: "Update to an unknown version: "},
		{
			name: "in progress", want: "Update from 4.20.1 to 4.20.2: in progress\nStarted at 2026-03-02T14:00:00Z, 2h ago.",
			record: updatev1alpha1.UpdateRecordStatus{Versions: versions, Result: "InProgress", RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &started}},
		},
		{
			name: "completed", want: "Update from 4.20.1 to 4.20.2: completed\nStarted at 2026-03-02T14:00:00Z, the control plane took 50m, the whole cluster 1h30m.",
			record: updatev1alpha1.UpdateRecordStatus{
				Versions: versions, Result: "Completed", RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &started, CompletedAt: &ended},
				Took: updatev1alpha1.RecordTook{ControlPlane: took(50), Total: took(90)},
			},
		},
		{
			name: "completed in a gap", want: "Update from 4.20.1 to 4.20.2: completed\nStarted at 2026-03-02T14:00:00Z, the whole cluster at most 1h30m.",
			record: updatev1alpha1.UpdateRecordStatus{
				Versions: versions, Result: "Completed", RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &started, CompletedBy: &ended},
			},
		},
		{
			name:   "partial",
			want:   "Update from 4.20.1 to 4.20.2: completed in the control plane only\nStarted at 2026-03-02T14:00:00Z, the next update started at 2026-03-02T15:30:00Z.",
			record: updatev1alpha1.UpdateRecordStatus{Versions: versions, Result: "Partial", RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &started, CompletedAt: &ended}},
		},
		{
			name: "superseded", want: "Update from 4.20.1 to 4.20.2: superseded by the next update",
			record: updatev1alpha1.UpdateRecordStatus{Versions: versions, Result: "Superseded"},
		},
		{name: "a result of another version", want: "Update to 4.20.2: Odd", record: updatev1alpha1.UpdateRecordStatus{Result: "Odd\x1b[2J", Versions: updatev1alpha1.SummaryVersions{Target: "4.20.2"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(RecordTitle(&test.record, updateStart.Add(2*time.Hour)), "\n")
			if got != strings.TrimSpace(test.want) {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestHistory checks the line of each record.
func TestHistory(t *testing.T) {
	started := metav1.NewTime(updateStart)
	records := []updatev1alpha1.UpdateRecord{
		{
			ObjectMeta: metav1.ObjectMeta{Name: "second"},
			Status: updatev1alpha1.UpdateRecordStatus{
				Versions: updatev1alpha1.SummaryVersions{Previous: "4.20.1", Target: "4.20.2"}, Result: "Completed", RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &started},
				Took:     updatev1alpha1.RecordTook{ControlPlane: &metav1.Duration{Duration: 52 * time.Minute}, Total: &metav1.Duration{Duration: 91 * time.Minute}},
				Episodes: []updatev1alpha1.EpisodeRecord{{Level: "Warning"}, {Level: "Error"}, {Level: "Error"}, {Level: "Info"}},
				Expected: &updatev1alpha1.SummaryEstimate{Earliest: metav1.NewTime(updateStart.Add(71 * time.Minute)), Latest: metav1.NewTime(updateStart.Add(2 * time.Hour))},
			},
		},
		{ObjectMeta: metav1.ObjectMeta{Name: "first"}, Status: updatev1alpha1.UpdateRecordStatus{Episodes: []updatev1alpha1.EpisodeRecord{{Level: "Info"}}}},
	}
	var written bytes.Buffer
	if err := WriteHistory(&written, records, Options{Now: updateStart}); err != nil {
		t.Fatal(err)
	}
	const want = `NAME     FROM     TO       RESULT      STARTED                CONTROL PLANE   TOTAL                          HEALTH
second   4.20.1   4.20.2   Completed   2026-03-02T14:00:00Z   52m             1h31m (expected 1h10m to 2h)   2 Error
first    -        ?        ?           -                      -               -                              -
`
	if got := written.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	written.Reset()
	if err := WriteHistory(&written, nil, Options{}); err != nil {
		t.Fatal(err)
	}
	if got := written.String(); got != "No update of the cluster has been recorded.\n" {
		t.Errorf("got %q", got)
	}
}
