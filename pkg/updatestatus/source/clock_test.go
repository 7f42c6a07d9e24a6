package source

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/tools/cache"
	cachetesting "k8s.io/client-go/tools/cache/testing"
	"k8s.io/utils/clock"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestThresholdsWithoutEvents runs the real controller in a bubble of time: an operator turns degraded and never sends an
// event again. It is reported and raised on time to the second, and at those moments only.
func TestThresholdsWithoutEvents(t *testing.T) {
	const degraded = "health-cluster-operator-degraded"
	for _, test := range []struct {
		name string
		// recovers is when the operator is well again, zero if never.
		recovers time.Duration
		want     []string
	}{
		{"for ever", 0, []string{"0s etcd", "5m0s etcd Warning", "40m0s etcd Error"}},
		{"at 4:59", 299 * time.Second, []string{"0s etcd", "4m59s etcd"}},
		{"at 10:00", 10 * time.Minute, []string{"0s etcd", "5m0s etcd Warning", "10m0s etcd"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now().Add(time.Second)
				well := builders.ClusterOperator("etcd", builders.OperatorVersion("4.20.2"), builders.Healthy(begin))
				bad := builders.ClusterOperator("etcd", builders.OperatorVersion("4.20.2"), builders.Healthy(begin),
					builders.OperatorCondition(builders.Condition(configv1.OperatorDegraded, configv1.ConditionTrue, begin, "Bad", "")))
				operators := cachetesting.NewFakeControllerSource()
				operators.Add(well)

				var got []string
				stop := runControlPlane(t, operators, func(message insight.Message) {
					for _, report := range message.Reports {
						if report.Subject.Name != "etcd" {
							continue
						}
						line := fmt.Sprintf("%s etcd", time.Since(begin).Truncate(time.Second))
						for _, placed := range report.Insights {
							if placed.Insight.Health != nil {
								line += " " + string(placed.Insight.Health.Impact.Level)
							}
						}
						got = append(got, line)
					}
				})
				pass(time.Second)
				got = nil // the start

				operators.Modify(bad)
				synctest.Wait()
				if test.recovers > 0 {
					pass(test.recovers)
					operators.Modify(well)
				}
				pass(3 * time.Hour)
				stop()
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("reports of the operator, and %s (-want +got):\n%s", degraded, diff)
				}
			})
		})
	}
}

// runControlPlane runs the loop of the control plane on a source of operators, and returns how to stop it.
func runControlPlane(t *testing.T, operators *cachetesting.FakeControllerSource, sent func(insight.Message)) (stop func()) {
	t.Helper()
	versions, deployments := cachetesting.NewFakeControllerSource(), cachetesting.NewFakeControllerSource()
	versions.Add(builders.ClusterVersion(builders.Completed("4.20.2", time.Now().Add(-time.Hour), time.Now())))
	byKind := map[*kinds.Kind]cache.SharedIndexInformer{}
	for kind, from := range map[*kinds.Kind]cache.ListerWatcher{
		kinds.ClusterVersions: versions, kinds.ClusterOperators: operators, kinds.MachineConfigOperator: deployments,
	} {
		byKind[kind] = cache.NewSharedIndexInformer(from, kind.New(), 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	}
	caches := ControlPlane{
		Caches:             func(kind *kinds.Kind) cache.SharedIndexInformer { return byKind[kind] },
		Pods:               func([]podstate.Wanted, time.Time) (map[string]*assess.Pods, time.Time) { return nil, time.Time{} },
		PreviouslyObserved: func(context.Context) (assess.Observed, error) { return assess.Observed{}, nil },
	}
	informers := slices.Collect(maps.Values(byKind))
	loop, err := New(Input{
		Source: insight.ControlPlaneInformer, Clock: clock.RealClock{}, Informers: informers, Assess: caches.Assess,
		Recorder: events.NewInMemoryRecorder("test", clock.RealClock{}),
		Health:   func() *insight.State { return nil },
		Send: func(_ context.Context, message insight.Message) error {
			sent(message)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	for _, one := range informers {
		go one.RunWithContext(ctx)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		loop.Run(ctx, 1)
	}()
	return func() {
		cancel()
		<-ended
		for _, source := range []*cachetesting.FakeControllerSource{versions, operators, deployments} {
			source.Broadcaster.Shutdown()
		}
		synctest.Wait()
	}
}
