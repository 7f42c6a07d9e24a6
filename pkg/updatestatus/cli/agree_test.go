package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	assesshosted "github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hosted"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// agreement compares what the summary, the texts, a watch, the exit status and the record say about an update.
type agreement struct {
	fold *record.Recorder
	// states are those that were seen, in their order.
	states []update.State
}

func newAgreement() *agreement {
	return &agreement{fold: record.Resume(nil)}
}

// check returns where the answers to "is the update over, and for whom?" differ.
func (a *agreement) check(us *updatev1alpha1.UpdateStatus, now time.Time) error {
	u := update.ReadAt(&us.Status, now)
	state := u.State
	if last := len(a.states) - 1; last < 0 || a.states[last] != state {
		a.states = append(a.states, state)
	}
	head := describe.Head(u, now)
	updating := meta.FindStatusCondition(head.Conditions, updatev1alpha1.ConditionUpdating)
	return errors.Join(
		same("reason of the summary", updating.Reason, string(state)),
		same("status of the summary", updating.Status, state.Status()),
		same("exit status", min(codeOf(exitCode(head, needsAttention(head, failOnNever))), exitInProgress), map[metav1.ConditionStatus]int{
			metav1.ConditionTrue: exitInProgress, metav1.ConditionFalse: 0, metav1.ConditionUnknown: 1,
		}[state.Status()]+map[bool]int{true: exitInProgress}[state == update.Paused || state.IsAsked()]),
		a.checkWatch(us, state, now), checkTexts(u, head, state, now), a.checkRecord(us, state, now),
	)
}

func same[T comparable](what string, got, want T) error {
	if got == want {
		return nil
	}
	return fmt.Errorf("%s: %v, want %v", what, got, want)
}

func (a *agreement) checkWatch(us *updatev1alpha1.UpdateStatus, state update.State, now time.Time) error {
	shown := observed(us, now)
	if shown.check(now) != nil {
		return nil
	}
	ends, err := (&until{part: forAll, started: true}).reached(shown, now)
	return errors.Join(err, same("a watch ends", ends, state.Status() == metav1.ConditionFalse && !state.IsAsked()),
		same("it ends at a pause", ends && len(pausedPools(shown, forAll)) > 0, state == update.Paused))
}

func checkTexts(u *update.Update, head *updatev1alpha1.UpdateStatusSummaryStatus, state update.State, now time.Time) error {
	var whole, classic, markdown bytes.Buffer
	options := describe.Options{Now: now, Head: head}
	err := errors.Join(describe.Write(&whole, u, options), describe.Write(&classic, u, describe.Options{Now: now}), describe.WriteMarkdown(&markdown, u, options))
	title, isIdle := describe.Title(head, now)[0], state.IsComplete() || state.IsAsked()
	const notUpdating, sections = "The cluster is not updating", "= Control Plane ="
	isDone := func(text string) bool {
		return strings.HasPrefix(text, notUpdating) || strings.HasPrefix(text, "Updated to ")
	}
	return errors.Join(err,
		same("title", isDone(title), state.IsComplete()),
		same("title of a paused update", strings.Contains(title, "paused pools"), state == update.Paused),
		same("title of a request", strings.Contains(title, " was requested"), state.IsAsked()),
		same("whole text", isDone(whole.String()), state.IsComplete()),
		same("progress", strings.Contains(whole.String(), "\nControl plane "), !isIdle && head.ControlPlane != nil),
		same("classic text", strings.Contains(classic.String(), notUpdating), isIdle),
		same("classic sections", strings.Contains(classic.String(), sections), !isIdle),
		same("Markdown", isDone(strings.TrimPrefix(markdown.String(), "### ")), state.IsComplete()),
		same("screen", isDone(strings.Join(describe.Screen(u, options, nil, 100), "\n")), state.IsComplete()),
	)
}

// checkRecord checks that a record is complete from the moment on at which the update is. What happens afterwards is no part of it.
func (a *agreement) checkRecord(us *updatev1alpha1.UpdateStatus, state update.State, now time.Time) error {
	before := a.fold.Head().Result
	a.fold.Observe(update.Read(&us.Status), now)
	version := update.Read(&us.Status).ControlPlane.Version
	if version == nil || version.CompletedAt == nil || version.Versions.Previous == nil || !version.StartedAt.Equal(a.fold.Head().StartedAt) {
		return nil
	}
	switch after := a.fold.Head().Result; {
	case after == updatev1alpha1.ResultInProgress:
		return same("the record goes on, complete", state.IsComplete(), false)
	case after == updatev1alpha1.ResultCompleted && before == updatev1alpha1.ResultInProgress:
		return same("the record is complete", state.IsOver(), true)
	}
	return nil
}

func statusFrom(built *updatev1alpha1.UpdateStatusStatus) *updatev1alpha1.UpdateStatus {
	us := &updatev1alpha1.UpdateStatus{Status: *built}
	us.Name = updatev1alpha1.SingletonName
	return us
}

func pools(paused bool) []simulator.Pool {
	return []simulator.Pool{{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 3}, {Name: "infra", Nodes: 2, Paused: paused}}
}

// play plays an update, and calls a function with the status at each moment.
type play func(each func(built *updatev1alpha1.UpdateStatusStatus, now time.Time))

// playPaused plays an update that ends with a paused pool.
func playPaused(each func(built *updatev1alpha1.UpdateStatusStatus, now time.Time)) {
	played.New(simulator.Update{Seed: 2, Start: builders.Noon, From: "4.20.1", To: "4.20.2", Pools: pools(true)}).Play(each)
}

// TestPlayedUpdate plays an update that ends with a paused pool, and that of a hosted cluster with its node pools. At every fourth moment,
// and when the state of the update changes, all answers agree, and nodes that are listed by name are shown as others.
func TestPlayedUpdate(t *testing.T) {
	t.Parallel()
	expectAgreement(t, playPaused, 16, update.Paused)
	expectAgreement(t, playHosted, 16, update.Completed)
}

// TestLongPlayedUpdates is TestPlayedUpdate for each moment, and for other updates.
func TestLongPlayedUpdates(t *testing.T) {
	t.Parallel()
	expectAgreement(t, playPaused, 1, update.Paused)
	expectAgreement(t, playHosted, 1, update.Completed)
	for _, script := range []simulator.Update{
		{Seed: 1},
		{Seed: 3, Pools: pools(false)[:1]},
		{Seed: 4, Pools: pools(false), SlowOperators: map[string]time.Duration{"ingress": time.Hour}},
	} {
		script.Start, script.From, script.To = builders.Noon, "4.20.1", "4.20.2"
		expectAgreement(t, played.New(script).Play, 1, update.Completed)
	}
}

// expectAgreement plays an update that ends in a state, and looks at one of some moments.
func expectAgreement(t *testing.T, play play, oneOf int, last update.State) {
	t.Helper()
	all, moment, listed := newAgreement(), 0, 0
	play(func(built *updatev1alpha1.UpdateStatusStatus, now time.Time) {
		moment++
		if moment%oneOf > 0 && len(all.states) > 0 && update.Read(built).State == all.states[len(all.states)-1] {
			return
		}
		if err := all.check(statusFrom(built), now); err != nil {
			t.Fatalf("%s: %v", now, err)
		}
		listed += expectListedNodes(t, built, now)
	})
	if got := all.states[len(all.states)-1]; got != last || listed == 0 {
		t.Errorf("the states are %v, want %s at last; %d nodes were listed by name", all.states, last, listed)
	}
}

// playHosted plays the update of a hosted cluster with its node pools.
func playHosted(each func(built *updatev1alpha1.UpdateStatusStatus, now time.Time)) {
	play := hosted.Play(hosted.Script{Start: builders.Noon, Pools: hosted.DefaultPools()})
	world, builder := hosted.NewWorld(play.Before...), status.NewBuilder()
	for _, write := range play.Update {
		world.Apply(write)
		said := ledger.New() // objects that are gone are not reported
		for _, message := range assesshosted.Assess(world.Input(), write.Time) {
			said.Apply(message)
		}
		each(builder.Build(said.View(), write.Time), write.Time)
	}
}

// TestRecordedClustersAgree: EXAMPLES is a folder with recorded clusters.
func TestRecordedClustersAgree(t *testing.T) {
	folder := os.Getenv("EXAMPLES")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "test", "updatestatus", "conformance", "testdata")
	}
	names, err := snapshot.Clusters(folder)
	if err != nil || len(names) == 0 {
		t.Fatalf("%d clusters in %s: %v", len(names), folder, err)
	}
	for _, name := range names {
		files, err := snapshot.Load(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		now := files.NewestTransition(builders.Noon)
		if err := newAgreement().check(files.Assess(now), now); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAnyClusterAgrees: whatever an API server holds, and whatever changes then. It is a few clusters, always the same.
func TestAnyClusterAgrees(t *testing.T) {
	t.Parallel()
	clusters := builders.HostileCluster()
	for seed := range 8 {
		if err := checkClusters(clusters.Example(seed), clusters.Example(seed+1)); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// TestLongAnyClusterAgrees is TestAnyClusterAgrees for many clusters, always others.
func TestLongAnyClusterAgrees(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		if err := checkClusters(rapid.SliceOfN(builders.HostileCluster(), 1, 3).Draw(t, "clusters")...); err != nil {
			t.Fatal(err)
		}
	})
}

// checkClusters checks what is said of one cluster after the other.
func checkClusters(clusters ...standalone.Input) error {
	said, builder, all := ledger.New(), status.NewBuilder(), newAgreement()
	for step, cluster := range clusters {
		now := builders.Noon.Add(time.Duration(step) * time.Minute)
		for _, message := range standalone.Assess(cluster, now) {
			said.Apply(message)
		}
		if err := all.check(statusFrom(builder.Build(said.View(), now)), now); err != nil {
			return err
		}
	}
	return nil
}
