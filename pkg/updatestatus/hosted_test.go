package updatestatus

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

var hostedName = types.NamespacedName{Namespace: "clusters", Name: "east"}

// hostedSources are the sources of a hosted cluster, on an API server for each cluster.
type hostedSources struct {
	t                  *testing.T
	management, hosted *apiServer
	sent               *recorder
	starters           []*sourceStarter
}

func newHostedSources(t *testing.T) *hostedSources {
	t.Helper()
	s := &hostedSources{t: t, management: newAPIServer(), hosted: newAPIServer(), sent: &recorder{}}
	from, inHosted := clientsOf(t, s.management), clientsOf(t, s.hosted)
	if err := from.addHosted(""); err != nil {
		t.Fatal(err)
	}
	from.hosted = &inHosted
	resources := newHostedResources(hostedName, "clusters-east", true)
	health := newHostedHealth(resources)
	all := resources.sources(hostedState(health))
	informers, err := newInformers(from, resourcesOf(resources.object, all)...)
	if err != nil {
		t.Fatal(err)
	}
	informers.healths = append(informers.healths, health)
	s.starters, err = newSourceStarters(s.sent.withPrimary(sourceInput{
		ControllerContext: contextOf(s.management), clients: from, informers: informers,
	}), all)
	if err != nil {
		t.Fatal(err)
	}
	health.resync = (&controllers{starters: s.starters}).resync
	return s
}

// TestHostedSources: the sources of a hosted cluster start without what the management cluster may lack, go on while the hosted API
// server is away, and stop reporting while what they need can't be watched.
func TestHostedSources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newHostedSources(t)
		lacking := map[string]*apierrors.StatusError{"controlplanecomponents": apierrors.NewNotFound(kinds.ControlPlaneComponents.Served().GroupResource(), "")}
		s.management.refuse(lacking)
		s.hosted.away = true
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		for _, starter := range s.starters {
			running.Go(func() { starter.run(ctx) })
		}
		refusing := map[string]*apierrors.StatusError{"nodepools": apierrors.NewForbidden(kinds.NodePools.Served().GroupResource(), "", nil)}
		last := ""
		for _, step := range []struct {
			name   string
			change func()
			wait   time.Duration
			// want are the states that were reported, without those that repeat the one before.
			want []string
		}{
			{"the hosted API server is awaited", func() {}, hostedPatience - time.Second, nil},
			{"it is away", func() {}, 2 * time.Second, []string{"HostedClusterUnreachable"}},
			{"it is back", func() { s.hosted.refuse(nil) }, time.Minute, []string{"Complete"}},
			{"it is away for a moment", func() { s.hosted.change(func() { s.hosted.away = true }) }, 20 * time.Second, nil},
			{"it was", func() { s.hosted.refuse(nil) }, time.Minute, nil},
			{"it is away for long", func() { s.hosted.change(func() { s.hosted.away = true }) }, time.Minute, []string{"HostedClusterUnreachable"}},
			{"node pools can't be watched", func() { s.management.refuse(refusing) }, time.Minute, []string{"CannotListNodePools"}},
			{"they can", func() { s.management.refuse(lacking) }, time.Minute, []string{"HostedClusterUnreachable"}},
			{"both are back", func() { s.hosted.refuse(nil) }, time.Minute, []string{"Complete"}},
		} {
			step.change()
			time.Sleep(step.wait) // in the bubble
			synctest.Wait()
			var got []string
			for _, state := range s.sent.take() {
				if state != last {
					got, last = append(got, state), state
				}
			}
			if diff := cmp.Diff(step.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step.name, diff)
			}
		}
		stop()
		s.management.change(func() {})
		s.hosted.change(func() {})
		running.Wait()
	})
}

// TestHostedSourceNames: a source reports under its own name, before it has started and afterwards, what the other one may be able to do.
func TestHostedSourceNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newHostedSources(t)
		refuse := func(resources ...string) {
			refusals := map[string]*apierrors.StatusError{}
			for _, one := range resources {
				refusals[one] = apierrors.NewForbidden(schema.GroupResource{Resource: one}, "", nil)
			}
			s.management.refuse(refusals)
		}
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		for _, starter := range s.starters {
			running.Go(func() { starter.run(ctx) })
		}
		type reasons = map[insight.Source]string
		for _, step := range []struct {
			name   string
			refuse []string
			want   reasons
		}{
			{"none can start", []string{"nodepools"}, reasons{insight.ControlPlaneInformer: "CannotListNodePools", insight.NodeInformer: "CannotListNodePools"}},
			{"nodes can't start", []string{"machines"}, reasons{insight.ControlPlaneInformer: "", insight.NodeInformer: "CannotListMachines"}},
			{"both run", nil, reasons{insight.NodeInformer: ""}},
			{"nodes fail", []string{"machines"}, reasons{insight.NodeInformer: "CannotListMachines"}},
			{"both run again", nil, reasons{insight.NodeInformer: ""}},
			{"both fail", []string{"nodepools"}, reasons{insight.ControlPlaneInformer: "CannotListNodePools", insight.NodeInformer: "CannotListNodePools"}},
		} {
			refuse(step.refuse...)
			time.Sleep(2 * time.Minute) // in the bubble
			synctest.Wait()
			if diff := cmp.Diff(step.want, s.sent.takeReasons()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step.name, diff)
			}
		}
		stop()
		s.management.change(func() {})
		s.hosted.change(func() {})
		running.Wait()
	})
}

// TestHostedResources: what is watched in the management cluster is in one of the two namespaces.
func TestHostedResources(t *testing.T) {
	for _, hasKubeconfig := range []bool{true, false} {
		resources := newHostedResources(hostedName, "clusters-east", hasKubeconfig)
		var got []string
		for _, r := range resourcesOf(resources.object, resources.sources(nil)) {
			got = append(got, strings.TrimRight(r.namespace+"/"+r.Resource()+"/"+r.name, "/"))
		}
		want := []string{
			"clusters/hostedclusterupdatestatuses/east", "clusters/hostedclusters/east", "clusters/nodepools",
			"clusters-east/controlplanecomponents",
		}
		if hasKubeconfig {
			want = append(want, "/clusteroperators", "/nodes")
		}
		want = append(want, "clusters-east/machines", "clusters-east/machinedeployments", "clusters-east/machinesets", "clusters-east/updateinformers")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("kubeconfig %t (-want +got):\n%s", hasKubeconfig, diff)
		}
	}
}

func TestHostedState(t *testing.T) {
	without := hostedState(newHostedHealth(newHostedResources(hostedName, "clusters-east", false)))()
	if without == nil || !without.Complete || without.Reason != updatev1alpha1.ReasonHostedClusterUnreachable {
		t.Errorf("without a kubeconfig: %+v", without)
	}
	if with := hostedState(newHostedHealth(newHostedResources(hostedName, "clusters-east", true)))(); with != nil {
		t.Errorf("with a kubeconfig: %+v", with)
	}
}

// TestHostedKubeconfig: without one there are no clients of the hosted cluster, and a file that can't be read is an error.
func TestHostedKubeconfig(t *testing.T) {
	const content = `{"clusters": [{"name": "a", "cluster": {"server": "https://hosted"}}], "contexts": [{"name": "a", "context": {"cluster": "a"}}], "current-context": "a"}`
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		file string
		want bool
		err  error
	}{
		"none":         {},
		"one":          {file: file, want: true},
		"missing file": {file: file + "-missing", err: os.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			clients := clientsOf(t, newAPIServer())
			err := clients.addHosted(test.file)
			if !errors.Is(err, test.err) || (clients.hosted != nil) != test.want {
				t.Errorf("clients of the hosted cluster: %t, error %v", clients.hosted != nil, err)
			}
		})
	}
}

// TestHostedDrains: the pods that block drains are read by the source of nodes alone, beside it, and only with a kubeconfig. They are no
// resource that a source waits for: that they may not be read stops nothing.
func TestHostedDrains(t *testing.T) {
	for _, hasKubeconfig := range []bool{true, false} {
		from, inHosted := clientsOf(t, newAPIServer()), clientsOf(t, newAPIServer())
		if err := from.addHosted(""); err != nil {
			t.Fatal(err)
		}
		if hasKubeconfig {
			from.hosted = &inHosted
		}
		resources := newHostedResources(hostedName, "clusters-east", hasKubeconfig)
		all := resources.sources(nil)
		informers, err := newInformers(from, resourcesOf(resources.object, all)...)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range all {
			_, beside, err := entry.build((&recorder{}).withPrimary(sourceInput{clients: from, informers: informers}))
			if want := hasKubeconfig && entry.name == insight.NodeInformer; err != nil || (beside != nil) != want {
				t.Errorf("kubeconfig %t, %s: something runs beside it: %t, error %v", hasKubeconfig, entry.name, beside != nil, err)
			}
		}
	}
}

// TestOtherVersion: a resource is listed in the version that is served, first in the one in which it was listed last.
func TestOtherVersion(t *testing.T) {
	r := watched(kinds.Machines)
	gone, away := missing(r), apierrors.NewServiceUnavailable("away")
	for _, step := range []struct {
		name       string
		v1beta1    error
		v1beta2    error
		want       error
		wantListed string
		wantServed string
	}{
		{"both", nil, nil, nil, "v1beta1", "v1beta1"},
		{"neither", gone, gone, gone, "v1beta1 v1beta2", "v1beta1"},
		{"away", away, nil, away, "v1beta1", "v1beta1"},
		{"the other one alone", gone, nil, nil, "v1beta1 v1beta2", "v1beta2"},
		{"both, later", nil, nil, nil, "v1beta2", "v1beta2"},
		{"this one alone, and that is away", away, gone, away, "v1beta2 v1beta1", "v1beta1"},
	} {
		var listed []string
		err := r.list(func(version schema.GroupVersionResource) error {
			listed = append(listed, version.Version)
			if version.Version == "v1beta1" {
				return step.v1beta1
			}
			return step.v1beta2
		})
		if got := strings.Join(listed, " "); got != step.wantListed || err != step.want || r.served().Version != step.wantServed { //nolint:errorlint // it is passed on
			t.Errorf("%s: listed %s, %v, serves %s", step.name, got, err, r.served().Version)
		}
	}
	without := watched(kinds.NodePools)
	if err := without.list(func(schema.GroupVersionResource) error { return gone }); err != error(gone) { //nolint:errorlint // it is passed on
		t.Errorf("got %v", err)
	}
}
