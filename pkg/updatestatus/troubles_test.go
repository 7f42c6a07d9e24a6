package updatestatus

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/openshift/library-go/pkg/controller/controllercmd"
)

// TestTroubles: what a source sees by an informer is told when that informer does not get it.
func TestTroubles(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		response.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer server.Close()
	config := &rest.Config{Host: server.URL}
	clients, err := newClients(t.Context(), &controllercmd.ControllerContext{KubeConfig: config, ProtoKubeConfig: config})
	if err != nil {
		t.Fatal(err)
	}
	troubles := newTroubles()
	told := make(chan struct{}, 1)
	troubles.tell(told)
	informers, err := newInformers(clients, troubles)
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	running.Go(func() {
		runAll(ctx, informers.clusterVersions.RunWithContext, informers.clusterOperators.RunWithContext,
			informers.machineConfigPools.RunWithContext, informers.machineConfigs.RunWithContext, informers.nodes.RunWithContext)
	})
	watched := []resource{clusterVersions, clusterOperators, machineConfigPools, machineConfigs, nodeResource}
	for slices.ContainsFunc(watched, func(one resource) bool { return troubles.with(one) == nil }) {
		<-told
	}
	stop()
	running.Wait()
	for _, one := range watched {
		troubles.of(one)(nil)
		if err := troubles.with(one); err != nil {
			t.Errorf("%s: still %v", one.kinds, err)
		}
	}
}
