package invariants_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	assesshosted "github.com/openshift/cluster-version-operator/pkg/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/hosted"
	"github.com/openshift/cluster-version-operator/test/invariants"
)

// hostedOperators are the components and cluster operators that are played.
const hostedOperators = 41

// playedHosted returns the versions of the status in the played update of a hosted cluster.
func playedHosted(pools []hosted.Pool) []*updatev1alpha1.UpdateStatus {
	played := hosted.Play(hosted.Script{Start: time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), Pools: pools})
	world, builder := hosted.NewWorld(played.Before...), status.NewBuilder()
	var versions []*updatev1alpha1.UpdateStatus
	for _, write := range append(played.Before[:1:1], played.Update...) {
		world.Apply(write)
		reported := ledger.New()
		for _, message := range assesshosted.Assess(world.Input(), write.Time) {
			reported.Apply(message)
		}
		built := builder.Build(reported.View(), write.Time)
		if len(versions) == 0 || !equality.Semantic.DeepEqual(versions[len(versions)-1].Status, *built) {
			versions = append(versions, &updatev1alpha1.UpdateStatus{Status: *built.DeepCopy()})
		}
	}
	return versions
}

// TestWatcherHosted: the invariants hold in updates of hosted clusters, of which the version is not known at first.
func TestWatcherHosted(t *testing.T) {
	for name, test := range map[string]struct {
		pools []hosted.Pool
		done  bool
	}{
		"pools":         {hosted.DefaultPools(), true},
		"no pools":      {nil, false},
		"a paused pool": {[]hosted.Pool{{Name: "paused", UpgradeType: hosted.Replace, Nodes: 2, Paused: true}}, false},
		"a drain":       {[]hosted.Pool{{Name: "surge", UpgradeType: hosted.Replace, Nodes: 2, Stuck: hosted.Draining}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			watcher := invariants.Watcher{Operators: hostedOperators}
			for at, us := range playedHosted(test.pools) {
				for _, problem := range watcher.Next(us) {
					t.Errorf("version %d: %s", at, problem)
				}
			}
			if watcher.Done() != test.done {
				t.Errorf("done is %t", watcher.Done())
			}
		})
	}
}

// TestWatcherFindsHosted puts a fault into versions of the update of a hosted cluster: it is found.
func TestWatcherFindsHosted(t *testing.T) {
	versions := playedHosted(hosted.DefaultPools())
	for name, test := range map[string]struct {
		spoil func(*updatev1alpha1.UpdateStatus)
		want  string
	}{
		"a component is missing": {func(us *updatev1alpha1.UpdateStatus) {
			informer := &us.Status.ControlPlane.Informers[0]
			at := slices.IndexFunc(informer.Insights, func(one updatev1alpha1.Insight) bool { return one.ControlPlaneComponent != nil })
			informer.Insights = slices.Delete(informer.Insights, at, at+1)
		}, "operators are told of"},
		"a wrong completion": {func(us *updatev1alpha1.UpdateStatus) { hostedVersion(us).Completion++ }, "counted are"},
		"a pool counts one more": {func(us *updatev1alpha1.UpdateStatus) {
			insight.ReadAll(&us.Status).Pools[0].Summaries[0].Count++
		}, "its nodes are"},
		"the target is forgotten": {func(us *updatev1alpha1.UpdateStatus) { hostedVersion(us).Versions.Target = nil }, "steps back"},
	} {
		t.Run(name, func(t *testing.T) {
			before, us := versions[len(versions)-1], versions[len(versions)-1].DeepCopy()
			test.spoil(us)
			watcher := invariants.Watcher{Operators: hostedOperators}
			if problems := watcher.Next(before); len(problems) > 0 {
				t.Errorf("before: %v", problems)
			}
			if problems := watcher.Next(us); !strings.Contains(strings.Join(problems, "; "), test.want) {
				t.Errorf("got %v", problems)
			}
		})
	}
}

func hostedVersion(us *updatev1alpha1.UpdateStatus) *updatev1alpha1.ClusterVersionInsight {
	return insight.ReadAll(&us.Status).Version
}
