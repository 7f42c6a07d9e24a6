package hosted_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	assesshosted "github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hosted"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// playedUpdate is an update that is played, and how it ends.
type playedUpdate struct {
	name   string
	pools  []hosted.Pool
	paused bool
	// from, to and byTag are those of the script.
	from, to string
	byTag    bool
	reason   string
	want     []string
	// record is how the record ends, with its pools, and operators how many operators it has at least, 30 by default.
	record    string
	operators int
}

// betweenVersions returns an update of two pools, of whose record some operators are known.
func betweenVersions(from, to string, operators int) playedUpdate {
	return playedUpdate{
		name: from + " to " + to, pools: hosted.DefaultPools(), from: from, to: to, reason: "Completed " + to,
		want: []string{"surge Completed 100%", "metal Completed 100%"}, record: "Completed metal surge", operators: operators,
	}
}

var playedUpdates = []playedUpdate{
	{
		name: "both kinds of pools", pools: hosted.DefaultPools(), reason: "Completed 4.22.4",
		want: []string{"surge Completed 100%", "metal Completed 100%"}, record: "Completed metal surge",
	},
	// The operators can't be updated without nodes: the payload does not complete.
	{name: "no pools", reason: "ControlPlane 4.22.3", record: "InProgress"},
	{
		name: "a node fails", pools: []hosted.Pool{{Name: "metal", UpgradeType: hosted.InPlace, Nodes: 3, Failing: true}}, reason: "Workers 4.22.3",
		want: []string{"metal Degraded 33%"}, record: "InProgress metal",
	},
	{
		name: "a drain is blocked", pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 2, Stuck: hosted.Draining}}, reason: "Workers 4.22.3",
		want: []string{"surge Progressing 50%"}, record: "InProgress surge",
	},
	{
		name: "a paused pool", pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 2, Paused: true}}, reason: "Paused 4.22.3",
		want: []string{"surge Excluded 0%"}, record: "InProgress surge",
	},
	{
		name: "the update that brings a history of the components", pools: hosted.DefaultPools(), from: "4.21.9", reason: "Completed 4.22.4",
		want: []string{"surge Completed 100%", "metal Completed 100%"}, record: "Completed metal surge",
	},
	{
		name: "by a tag", pools: hosted.DefaultPools(), byTag: true, reason: "Completed 4.22.4",
		want: []string{"surge Completed 100%", "metal Completed 100%"}, record: "Completed metal surge",
	},
	{
		name: "a paused hosted cluster, whose pools are updated in place", pools: hosted.DefaultPools(), paused: true, reason: "Paused 4.22.3",
		want: []string{"surge Excluded 0%", "metal Completed 100%"}, record: "InProgress metal surge",
	},
	{
		name:   "a pool of an older version that is not updated",
		pools:  []hosted.Pool{{Name: "old", UpgradeType: hosted.Replace, Nodes: 2, Version: "4.20.9"}, {Name: "surge", UpgradeType: hosted.Replace, Nodes: 1}},
		reason: "Completed", want: []string{"old Completed 100%", "surge Completed 100%"}, record: "Completed surge",
	},
	betweenVersions("4.18.11", "4.19.2", withoutComponents),
}

// withoutComponents is the number of operators of releases that have no ControlPlaneComponents.
const withoutComponents = 13

var longPlayedUpdates = []playedUpdate{
	{
		name: "by a tag, with the history", pools: hosted.DefaultPools(), from: "4.21.9", byTag: true, reason: "Completed 4.22.4",
		want: []string{"surge Completed 100%", "metal Completed 100%"}, record: "Completed metal surge",
	},
	{
		name: "volumes are not detached", pools: []hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 2, Stuck: hosted.Detaching}}, reason: "Workers 4.22.3",
		want: []string{"surge Progressing 50%"}, record: "InProgress surge",
	},
	betweenVersions("4.18.10", "4.18.11", withoutComponents),
	betweenVersions("4.19.2", "4.19.3", withoutComponents),
	betweenVersions("4.19.3", "4.20.1", 0),
	betweenVersions("4.20.1", "4.20.2", 0),
	betweenVersions("4.20.2", "4.21.1", 0),
	betweenVersions("4.21.1", "4.21.2", 0),
	betweenVersions("4.22.4", "4.23.1", 0),
	betweenVersions("4.23.1", "5.0.1", 0),
	betweenVersions("5.0.1", "5.2.3", 0),
}

// TestPlay plays updates through the rules alone, and checks how they end, that the whole update only goes
// forward, its record, and the invariants.
func TestPlay(t *testing.T) {
	for _, one := range playedUpdates {
		t.Run(one.name, one.play)
	}
}

// TestLongPlay plays more of them: between most versions.
func TestLongPlay(t *testing.T) {
	for _, one := range longPlayedUpdates {
		t.Run(one.name, one.play)
	}
}

func (p playedUpdate) play(t *testing.T) {
	t.Helper()
	played := hosted.Play(hosted.Script{
		Start: start, Pools: p.pools, Paused: p.paused, From: p.from, To: p.to, ByTag: p.byTag,
	})
	w := hosted.NewWorld(played.Before...)
	builder, fold := status.NewBuilder(), record.Resume(nil)
	var whole *updatev1alpha1.UpdateStatusSummaryStatus
	var built *updatev1alpha1.UpdateStatusStatus
	var watcher invariants.Watcher
	stage := 0
	for _, write := range append([]hosted.Write{played.Before[0]}, played.Update...) {
		w.Apply(write)
		before := built
		built = builder.Build(builders.View(assesshosted.Assess(w.Input(), write.Time)), write.Time)
		if before == nil || !reflect.DeepEqual(before, built) {
			for _, problem := range watcher.Next(&updatev1alpha1.UpdateStatus{Status: *built.DeepCopy()}) {
				t.Errorf("at %s, %s: %s", write.Time, write.Step, problem)
			}
		}
		if health := insight.ReadAll(built).Health; len(health) > 0 && strings.HasPrefix(p.record, "Completed") {
			t.Errorf("at %s, %s: a healthy update has an insight: %s", write.Time, write.Step, health[0].Health.Impact.Summary)
		}
		whole = summary.Of(summary.Input{Update: update.Read(built), Previous: whole, Now: write.Time})
		for _, problem := range invariants.CheckKstatus(whole) {
			t.Errorf("at %s, %s: %s", write.Time, write.Step, problem)
		}
		fold.Observe(update.Read(built), write.Time)
		next := stageOf(whole, cmp.Or(p.to, hosted.DefaultTo))
		if next < stage {
			t.Errorf("at %s, %s: back from stage %d to %d", write.Time, write.Step, stage, next)
		}
		stage = next
	}
	p.expectEnd(t, built, whole, fold.Record().Status)
}

// expectEnd compares how an update ends: its summary, its pools, and its record.
func (p playedUpdate) expectEnd(t *testing.T, built *updatev1alpha1.UpdateStatusStatus, whole *updatev1alpha1.UpdateStatusSummaryStatus, made updatev1alpha1.UpdateRecordStatus) {
	t.Helper()
	updating := meta.FindStatusCondition(whole.Conditions, updatev1alpha1.ConditionUpdating)
	if got := strings.TrimSpace(updating.Reason + " " + whole.CompletedVersion); got != p.reason {
		t.Errorf("got %q, want %q: %s", got, p.reason, updating.Message)
	}
	var pools []string
	for _, one := range insight.ReadAll(built).Pools {
		pools = append(pools, fmt.Sprintf("%s %s %d%%", one.Name, one.Assessment, one.Completion))
	}
	slices.Sort(pools)
	slices.Sort(p.want)
	if diff := gocmp.Diff(p.want, pools); diff != "" {
		t.Errorf("pools (-want +got):\n%s", diff)
	}
	got := string(made.Result)
	for _, one := range made.Pools {
		got += " " + one.Name
	}
	if got != p.record || len(made.Operators) < cmp.Or(p.operators, 30) {
		t.Errorf("the record is %q with %d operators, want %q", got, len(made.Operators), p.record)
	}
}

// stageOf returns how far an update is: before it, its control plane, its nodes, its end.
func stageOf(whole *updatev1alpha1.UpdateStatusSummaryStatus, to string) int {
	updating := meta.FindStatusCondition(whole.Conditions, updatev1alpha1.ConditionUpdating)
	switch {
	case whole.CompletedVersion == to, updating.Reason == updatev1alpha1.ReasonPaused:
		return 3
	case updating.Reason == updatev1alpha1.ReasonControlPlane, updating.Reason == updatev1alpha1.ReasonControlPlaneAndWorkers:
		return 1
	case whole.Versions.Target == to:
		return 2
	default:
		return 0
	}
}
