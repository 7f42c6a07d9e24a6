package updatestatus

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// TestSourceStarter: a source starts when all it watches is served, and reports why not until then.
func TestSourceStarter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, sent := newAPIServer(), &recorder{}
		watching := sourceEntry{
			name: insight.NodeInformer, resources: []*resource{machineConfigPools, clusterNodes}, secondary: []*resource{deployments},
			missing: &insight.State{Complete: true, Reason: "NoMachineConfigPools"},
		}
		clients := clientsOf(t, server)
		informers, err := newInformers(clients, machineConfigPools, clusterNodes, deployments)
		if err != nil {
			t.Fatal(err)
		}
		health := newSourceHealth(watching, newAPIServerHealth())
		informers.healths = []*sourceHealth{health}
		starter := &sourceStarter{
			source: watching, metadata: clients.metadata, informers: informers, health: health, send: sent.send, loop: sent,
		}
		type refusals = map[string]*apierrors.StatusError
		server.refuse(refusals{"nodes": forbidden(clusterNodes), "deployments": forbidden(deployments)})
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { starter.run(ctx) })
		for _, step := range []struct {
			name   string
			change func()
			wait   time.Duration
			want   []string
		}{
			{"forbidden for a moment", func() {}, probeInterval, nil},
			{"forbidden", func() {}, refusalPatience, []string{"CannotListNodes"}},
			{"still forbidden", func() {}, time.Hour, nil},
			{
				"without pools", func() {
					server.refuse(refusals{"machineconfigpools": missing(machineConfigPools), "deployments": forbidden(deployments)})
				},
				2 * probeInterval,
				[]string{"NoMachineConfigPools"},
			},
			{
				"pools may not be listed", func() { server.refuse(refusals{"machineconfigpools": forbidden(machineConfigPools)}) },
				2 * optionalProbeInterval,
				[]string{"CannotListMachineConfigPools"},
			},
			{"unavailable", func() { server.refuse(refusals{"machineconfigpools": unavailable}) }, 8 * probeInterval, nil},
			{
				"served, without a secondary resource", func() { server.refuse(refusals{"deployments": forbidden(deployments)}) },
				probeInterval + 4*time.Second, nil,
			},
			{"secondary resources have had their time", func() {}, 3 * time.Second, []string{"started"}},
			{"nothing is probed any more", func() {}, time.Hour, nil},
		} {
			step.change()
			time.Sleep(step.wait) // in the bubble
			synctest.Wait()
			if diff := cmp.Diff(step.want, sent.take()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step.name, diff)
			}
		}
		stop()
		server.change(func() {})
		running.Wait()
		if diff := cmp.Diff([]string{"ended"}, sent.take()); diff != "" {
			t.Errorf("the end (-want +got):\n%s", diff)
		}
	})
}

// TestOptionalSecondaryResource: a source does not wait for a secondary resource that the cluster does not have, such as MachineConfigNodes
// before 4.19, and does for one that it has and can't list, however long the API server takes to say so.
func TestOptionalSecondaryResource(t *testing.T) {
	for name, test := range map[string]struct {
		answer       *apierrors.StatusError
		delay, waits time.Duration
	}{
		"missing":                {missing(machineConfigNodes), 0, 0},
		"missing, after a while": {missing(machineConfigNodes), 7 * time.Second, 7 * time.Second},
		"forbidden":              {forbidden(machineConfigNodes), 0, secondaryPatience},
		"forbidden, after more than its patience": {forbidden(machineConfigNodes), 7 * time.Second, 7*time.Second + secondaryPatience},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, sent := newAPIServer(), &recorder{}
				watching := sourceEntry{name: insight.NodeInformer, resources: []*resource{clusterNodes}, secondary: []*resource{machineConfigNodes}}
				clients := clientsOf(t, server)
				informers, err := newInformers(clients, clusterNodes, machineConfigNodes)
				if err != nil {
					t.Fatal(err)
				}
				health := newSourceHealth(watching, newAPIServerHealth())
				informers.healths = []*sourceHealth{health}
				starter := &sourceStarter{
					source: watching, metadata: clients.metadata, informers: informers, health: health, send: sent.send, loop: sent,
				}
				server.delays = map[string]time.Duration{"machineconfignodes": test.delay}
				server.refuse(map[string]*apierrors.StatusError{"machineconfignodes": test.answer})
				ctx, stop := context.WithCancel(t.Context())
				var running sync.WaitGroup
				running.Go(func() { starter.run(ctx) })
				const moment = 500 * time.Millisecond
				if test.waits > 0 {
					time.Sleep(test.waits - moment) // in the bubble
					synctest.Wait()
					if early := sent.take(); len(early) > 0 {
						t.Errorf("%v before %s", early, test.waits)
					}
				}
				time.Sleep(2 * moment)
				synctest.Wait()
				if diff := cmp.Diff([]string{"started"}, sent.take()); diff != "" {
					t.Errorf("after %s (-want +got):\n%s", test.waits, diff)
				}
				stop()
				server.change(func() {})
				running.Wait()
			})
		})
	}
}

// TestFailingWatches: an object that can't be decoded is reported, whether the source has started or not. The
// source reports nothing else until it can be, and then everything, also what was deleted meanwhile.
func TestFailingWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tooLarge = 3000000000
		server, sent := newAPIServer(), &recorder{}
		server.setPool("worker", 1)
		server.setPool("infra", tooLarge)
		clients := clientsOf(t, server)
		informers, err := newInformers(clients, watchedResources()...)
		if err != nil {
			t.Fatal(err)
		}
		starters, err := newSourceStarters(sent.withPrimary(sourceInput{
			ControllerContext: contextOf(server), clients: clients, informers: informers,
		}), sources())
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		for _, starter := range starters {
			running.Go(func() { starter.run(ctx) })
		}
		for _, step := range []struct {
			name   string
			change func()
			want   []string
		}{
			{"undecodable at the start", func() {}, []string{"CannotListMachineConfigPools"}},
			{"decodable", func() { server.setPool("infra", 1) }, []string{"infra worker Complete"}},
			{"another pool", func() { server.setPool("extra", 1) }, []string{"extra Complete"}},
			{"undecodable", func() { server.setPool("infra", tooLarge) }, []string{"CannotListMachineConfigPools"}},
			{"another one is deleted", func() { server.deletePool("worker") }, nil},
			{"decodable again", func() { server.setPool("infra", 2) }, []string{"-worker Complete"}},
		} {
			step.change()
			time.Sleep(2 * time.Minute) // in the bubble: a reflector waits for up to a minute
			synctest.Wait()
			// At its start a source may report twice what it starts with.
			if diff := cmp.Diff(step.want, slices.Compact(sent.take())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step.name, diff)
			}
		}
		stop()
		server.change(func() {})
		running.Wait()
	})
}

// pathOf returns the path at which a kind is listed, with its field selector.
func pathOf(kind *kinds.Kind) string {
	root, namespace, selector := "/apis/"+kind.GroupVersion().String(), "", ""
	if kind.Group == "" {
		root = "/api/v1"
	}
	if kind.Namespace != "" {
		namespace = "/namespaces/" + kind.Namespace
	}
	if kind.Name != "" {
		selector = "metadata.name=" + kind.Name
	}
	return root + namespace + "/" + kind.Resource() + " " + selector
}

// TestInformers: there is an informer of each kind of the table that is watched, which lists what the roles of manifests/ grant, and each
// source observes whether its watches fail.
func TestInformers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newAPIServer()
		informers, err := newInformers(clientsOf(t, server), watchedResources()...)
		if err != nil {
			t.Fatal(err)
		}
		health := newAPIServerHealth()
		for _, each := range sources() {
			informers.healths = append(informers.healths, newSourceHealth(each, health))
		}
		refusals := map[string]*apierrors.StatusError{}
		for _, each := range watchedResources() {
			refusals[each.Resource()] = unavailable
		}
		server.refuse(refusals)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		informers.start(ctx, &running, watchedResources()...)
		time.Sleep(time.Second) // in the bubble
		synctest.Wait()
		for _, health := range informers.healths {
			if len(health.failures) != len(health.source.resources) {
				t.Errorf("%s observes %v", health.source.name, health.failures)
			}
		}
		server.refuse(nil)
		time.Sleep(time.Minute) // in the bubble
		synctest.Wait()
		if !informers.haveSynced(watchedResources()...) {
			t.Error("not all caches are filled")
		}
		for _, health := range informers.healths {
			if len(health.failures) > 0 {
				t.Errorf("%s still observes %v", health.source.name, health.failures)
			}
		}
		var want []string
		for kind := range kinds.All() {
			if strings.Contains(kind.Verbs[kinds.Cluster], "watch") {
				want = append(want, pathOf(kind))
			}
		}
		slices.Sort(want)
		if !slices.Contains(want, "/apis/apps/v1/namespaces/openshift-machine-config-operator/deployments metadata.name=machine-config-operator") {
			t.Errorf("to be listed: %v", want)
		}
		if diff := cmp.Diff(want, server.listed()); diff != "" {
			t.Errorf("listed (-want +got):\n%s", diff)
		}
		stop()
		server.change(func() {})
		running.Wait()
	})
}

func TestAwaitListable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newAPIServer()
		server.refuse(map[string]*apierrors.StatusError{"updatestatuses": missing(updateStatuses)})
		started := time.Now()
		time.AfterFunc(probeInterval/2, func() { server.refuse(nil) })
		awaitListable(t.Context(), clientsOf(t, server).metadata, updateStatuses)
		if waited := time.Since(started); waited != probeInterval {
			t.Errorf("waited for %s", waited)
		}
	})
}
