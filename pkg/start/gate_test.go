package start

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	metadatafake "k8s.io/client-go/metadata/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// bench is the gate of a source that watches nodes and pools, of a cluster that the test lets be forbidden or incomplete.
type bench struct {
	*gate

	refusals map[string]error
	happened []string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	scheme := metadatafake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	client := metadatafake.NewSimpleMetadataClient(scheme)
	made := &bench{refusals: map[string]error{}}
	client.PrependReactor("list", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if err := made.refusals[action.GetResource().Resource]; err != nil {
			return true, nil, err
		}
		return true, &metav1.List{}, nil
	})
	var err error
	made.gate, err = newGate(gate{
		source: insight.NodeInformer, metadata: client, resources: []resource{nodeResource, machineConfigPools},
		send: func(_ context.Context, message insight.Message) error {
			made.happened = append(made.happened, "said "+message.State.Reason)
			return nil
		},
		open: func(ctx context.Context) {
			made.happened = append(made.happened, "opened")
			<-ctx.Done()
			made.happened = append(made.happened, "ended")
		},
		resync: func() { made.happened = append(made.happened, "resynced") },
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func forbidden(resource string) error {
	return apierrors.NewForbidden(schema.GroupResource{Resource: resource}, "", nil)
}

func missing(resource string) error {
	return apierrors.NewNotFound(schema.GroupResource{Resource: resource}, "")
}

func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		ctx, cancel := context.WithCancel(t.Context())
		var ended bool
		look := func(step string, want ...string) {
			t.Helper()
			synctest.Wait()
			if diff := cmp.Diff(want, b.happened); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step, diff)
			}
			b.happened = nil
		}
		pass := func() { time.Sleep(probeEvery) } // in the bubble
		watchRefused := func(err error) { b.watchFailed(ctx, cache.NewReflector(&cache.ListWatch{}, nil, nil, 0), err) }

		b.refusals["nodes"] = forbidden("nodes")
		go func() {
			b.run(ctx)
			ended = true
		}()
		look("may not list", "said CannotListNodes")
		pass()
		look("still may not", "said CannotListNodes")
		b.refusals = map[string]error{"machineconfigpools": missing("machineconfigpools")}
		pass()
		look("has no pools", "said NoMachineConfigPools")
		b.refusals = nil
		pass()
		look("may", "opened")
		pass()
		look("nothing is polled while all is well")

		watchRefused(context.DeadlineExceeded)
		look("a watch that ends is no reason to look")
		b.refusals = map[string]error{"machineconfigpools": forbidden("machineconfigpools")}
		watchRefused(forbidden("machineconfigpools"))
		watchRefused(forbidden("machineconfigpools"))
		look("may not any more", "said CannotListMachineConfigPools")
		b.refusals = nil
		pass()
		look("may again", "resynced")
		cancel()
		look("the end", "ended")
		if !ended {
			t.Error("the gate did not end with its context")
		}
	})
}

func TestReasonsAreShort(t *testing.T) {
	b := newBench(t)
	b.refusals["nodes"] = forbidden(strings.Repeat("long", 10000))
	if state := b.probe(t.Context()); len(state.Message) > reasonLength+3 {
		t.Errorf("a message of %d bytes", len(state.Message))
	}
}

func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.refusals["updatestatuses"] = missing("updatestatuses")
		began := time.Now()
		go func() {
			time.Sleep(probeEvery / 2)
			b.refusals = nil
		}()
		await(t.Context(), b.metadata, updateStatuses)
		if waited := time.Since(began); waited != probeEvery {
			t.Errorf("waited for %s", waited)
		}
	})
}
