package schema_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	assesshosted "github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hosted"
	"github.com/openshift/cluster-version-operator/test/updatestatus/schema"
)

func readSchema(tb testing.TB, resource string) *schema.Schema {
	tb.Helper()
	validator, err := schema.Read("../../..", resource)
	if err != nil {
		tb.Fatal(err)
	}
	return validator
}

// tester is what is used of testing.T and rapid.T.
type tester interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
}

// expectValid expects that an API server accepts an UpdateStatus with a status.
func expectValid(t tester, validator *schema.Schema, built *updatev1alpha1.UpdateStatusStatus) {
	t.Helper()
	us := &updatev1alpha1.UpdateStatus{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateStatus"},
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
		Status:     *built,
	}
	if err := validator.Validate(t.Context(), us); err != nil {
		t.Errorf("an API server refuses it: %v", err)
	}
}

// TestLongAnyCluster: whatever an API server holds, it accepts the object that is built of it. The seeds of FuzzCluster are its short form.
func TestLongAnyCluster(t *testing.T) {
	t.Parallel()
	rapid.Check(t, anyCluster(t))
}

// FuzzCluster looks for a cluster for which that is not so.
func FuzzCluster(f *testing.F) {
	for seed := range uint64(8) {
		// A cluster is drawn from such bytes.
		begin := make([]byte, 256<<10)
		_, _ = rand.NewChaCha8([32]byte{byte(seed)}).Read(begin)
		f.Add(begin)
	}
	f.Fuzz(rapid.MakeFuzz(anyCluster(f)))
}

func anyCluster(tb testing.TB) func(*rapid.T) {
	tb.Helper()
	validator := readSchema(tb, "updatestatuses")
	return func(t *rapid.T) {
		said, builder := ledger.New(), status.NewBuilder()
		for step := range rapid.IntRange(1, 3).Draw(t, "clusters") {
			now := builders.Noon.Add(time.Duration(step) * time.Minute)
			for _, message := range standalone.Assess(builders.HostileCluster().Draw(t, "cluster"), now) {
				said.Apply(message)
			}
			builder.Build(said.View(), now)
			expectValid(t, validator, builder.Fit().Status)
		}
	}
}

// TestTimes: the object is accepted without each of the times of a cluster's objects, with times that cannot be true, and after
// one that was stored with such a time. That the latter are treated as none is a test of pkg/updatestatus/status.
func TestTimes(t *testing.T) {
	t.Parallel()
	validator := readSchema(t, "updatestatuses")
	for name, cluster := range builders.TimedClusters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := cluster()
			for _, path := range slices.Sorted(maps.Keys(builders.Times(&in))) {
				changed := cluster()
				*builders.Times(&changed)[path] = time.Time{}
				expectValid(t, validator, status.NewBuilder().Build(builders.View(standalone.Assess(changed, builders.Noon)), builders.Noon))
			}
		})
	}
	for _, hostile := range builders.HostileTimes(builders.Noon) {
		messages := standalone.Assess(builders.TimedCluster(), builders.Noon)
		for _, message := range messages {
			for _, report := range message.Reports {
				for at := range report.Insights {
					for _, moment := range builders.Times(&report.Insights[at].Insight) {
						*moment = hostile
					}
				}
			}
		}
		expectValid(t, validator, status.NewBuilder().Build(builders.View(messages), builders.Noon))
	}
}

// TestStoredTimes: see TestTimes. Each stored time is one of those that have no year of four digits in UTC, in turn: a schema rejects them.
func TestStoredTimes(t *testing.T) {
	expectStoredTimesValid(t, func(now time.Time, path int) []time.Time { return builders.HostileTimes(now)[path%2:][:1] })
}

// TestLongStoredTimes: each stored time is each of the hostile times.
func TestLongStoredTimes(t *testing.T) {
	t.Parallel()
	expectStoredTimesValid(t, builders.EachHostileTime)
}

func expectStoredTimesValid(t *testing.T, hostileTimes func(now time.Time, path int) []time.Time) {
	t.Helper()
	validator := readSchema(t, "updatestatuses")
	view := builders.View(standalone.Assess(builders.TimedCluster(), builders.Noon))
	stored := func() *updatev1alpha1.UpdateStatusStatus {
		return status.NewBuilder().Build(view, builders.Noon.Add(-time.Minute)).DeepCopy()
	}
	for at, path := range slices.Sorted(maps.Keys(builders.Times(stored()))) {
		for _, hostile := range hostileTimes(builders.Noon, at) {
			read := stored()
			*builders.Times(read)[path] = hostile
			insight.DropUnknownTimes(read, builders.Noon, metav1.NewTime(builders.Noon))
			builder := status.NewBuilder()
			builder.Stored(read)
			for _, view := range []ledger.View{{}, view} {
				expectValid(t, validator, builder.Build(view, builders.Noon))
			}
		}
	}
}

// TestHosted: an API server accepts the object after some of the writes of the updates of hosted clusters.
func TestHosted(t *testing.T) {
	t.Parallel()
	expectHostedValid(t, 12)
}

// TestLongHosted is TestHosted for each write.
func TestLongHosted(t *testing.T) {
	t.Parallel()
	expectHostedValid(t, 1)
}

// expectHostedValid plays updates of hosted clusters, and looks at the object after every so many writes.
func expectHostedValid(t *testing.T, every int) {
	t.Helper()
	validator, summaries := readSchema(t, "hostedclusterupdatestatuses"), readSchema(t, "hostedclusterupdatestatussummaries")
	for name, pools := range map[string][]hosted.Pool{
		"pools":          hosted.DefaultPools(),
		"no pools":       nil,
		"a paused pool":  {{Name: "paused", UpgradeType: hosted.Replace, Nodes: 2, Paused: true}},
		"a failing pool": {{Name: "failing", UpgradeType: hosted.InPlace, Nodes: 3, Failing: true}},
		"a stuck pool":   {{Name: "stuck", UpgradeType: hosted.Replace, Nodes: 2, Stuck: hosted.Draining}},
		"another pool":   {{Name: "old", UpgradeType: hosted.InPlace, Nodes: 2, Version: "4.21.9"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			played := hosted.Play(hosted.Script{Start: builders.Noon, Pools: pools})
			world, builder := hosted.NewWorld(played.Before...), status.NewBuilder()
			var last *updatev1alpha1.UpdateStatusSummaryStatus
			for at, write := range played.Update {
				world.Apply(write)
				if at%every > 0 {
					continue
				}
				built := builder.Build(builders.View(assesshosted.Assess(world.Input(), write.Time)), write.Time)
				last = summary.Of(summary.Input{Update: update.Read(built), Previous: last, Now: write.Time})
				if err := validator.Validate(t.Context(), &updatev1alpha1.HostedClusterUpdateStatus{
					TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "HostedClusterUpdateStatus"},
					ObjectMeta: metav1.ObjectMeta{Namespace: hosted.Namespace, Name: hosted.Name},
					Status:     *insight.ToHosted(builder.Fit().Status),
				}); err != nil {
					t.Errorf("%s: %v", write.Step, err)
				}
				if err := summaries.Validate(t.Context(), &updatev1alpha1.HostedClusterUpdateStatusSummary{
					TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "HostedClusterUpdateStatusSummary"},
					ObjectMeta: metav1.ObjectMeta{Namespace: hosted.Namespace, Name: hosted.Name},
					Status:     *last,
				}); err != nil {
					t.Errorf("%s: summary: %v", write.Step, err)
				}
			}
		})
	}
}
