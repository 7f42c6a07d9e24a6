package invariants_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	assesshosted "github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hosted"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// hostedOperators are the components and cluster operators that are played.
const hostedOperators = 41

// TestWatcherFindsHosted puts a fault into the last version of the update of a hosted cluster: it is found.
func TestWatcherFindsHosted(t *testing.T) {
	played := hosted.Play(hosted.Script{Start: time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), Pools: hosted.DefaultPools()})
	world, end := hosted.NewWorld(append(played.Before, played.Update...)...), played.Update[len(played.Update)-1].Time
	before := &updatev1alpha1.UpdateStatus{Status: *status.NewBuilder().Build(builders.View(assesshosted.Assess(world.Input(), end)), end)}
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
			us := before.DeepCopy()
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
