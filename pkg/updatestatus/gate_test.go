package updatestatus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
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

	mu       sync.Mutex
	refusals map[string]error
	happened []string
}

// refuse makes the cluster answer lists with these errors, by resource, and all others with success.
func (b *bench) refuse(refusals map[string]error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refusals = refusals
}

func (b *bench) refusal(resource string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refusals[resource]
}

func (b *bench) note(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.happened = append(b.happened, what)
}

// noted returns what has happened since it was called last.
func (b *bench) noted() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	noted := b.happened
	b.happened = nil
	return noted
}

func newBench(t *testing.T) *bench {
	t.Helper()
	scheme := metadatafake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	client := metadatafake.NewSimpleMetadataClient(scheme)
	made := &bench{}
	client.PrependReactor("list", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if err := made.refusal(action.GetResource().Resource); err != nil {
			return true, nil, err
		}
		return true, &metav1.List{}, nil
	})
	var err error
	made.gate, err = newGate(gate{
		source: insight.NodeInformer, metadata: client, resources: []resource{machineConfigPools, nodeResource},
		optional: []resource{machineConfigPools},
		troubles: newTroubles(),
		sight: newSight(func(_ context.Context, message insight.Message) error {
			if message.State == nil {
				made.note(fmt.Sprintf("reported %v", message.Reports))
				return nil
			}
			made.note("said " + message.State.Reason)
			return nil
		}),
		open: func(ctx context.Context) {
			made.note("opened")
			<-ctx.Done()
			made.note("ended")
		},
		resync: func() { made.note("resynced") },
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
			if diff := cmp.Diff(want, b.noted()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step, diff)
			}
		}
		pass := func() { time.Sleep(probeEvery) } // in the bubble
		watchRefused := func(err error) { b.watchFailed(ctx, cache.NewReflector(&cache.ListWatch{}, nil, nil, 0), err) }

		b.refuse(map[string]error{"nodes": forbidden("nodes")})
		go func() {
			b.run(ctx)
			ended = true
		}()
		look("may not list", "said CannotListNodes")
		pass()
		look("still may not", "said CannotListNodes")
		b.refuse(map[string]error{"machineconfigpools": missing("machineconfigpools")})
		pass()
		look("has no pools", "said NoMachineConfigPools")
		b.refuse(map[string]error{"nodes": missing("nodes")})
		pass()
		look("looks rarely for what it is complete without")
		time.Sleep(rarely - probeEvery)
		look("has no nodes, which can not be", "said CannotListNodes")
		b.refuse(nil)
		pass()
		look("may", "opened")
		pass()
		look("nothing is polled while all is well")

		watchRefused(context.DeadlineExceeded)
		look("a watch that ends is no reason to look")
		b.refuse(map[string]error{"machineconfigpools": forbidden("machineconfigpools")})
		watchRefused(forbidden("machineconfigpools"))
		watchRefused(forbidden("machineconfigpools"))
		pass()
		look("may not for a moment, in which an API server may have started")
		pass()
		look("may not any more", "said CannotListMachineConfigPools")
		source := func(reports ...insight.Report) {
			message := insight.Message{State: &insight.State{Complete: true, Reason: "Complete"}, Reports: reports}
			if err := b.sight.Send(ctx, message); err != nil {
				t.Error(err)
			}
		}
		says := func(node string, insights ...insight.ScopedInsight) insight.Report {
			return insight.Report{Subject: insight.Subject{Kind: "Node", Name: node}, Insights: insights}
		}
		source(says("a"), says("b", insight.ScopedInsight{}), says("c"), says("d"))
		source(says("a", insight.ScopedInsight{}), says("d"))
		look("what a blind source says does not count")
		b.refuse(nil)
		pass()
		look("may again", "reported [{{Node c} []} {{Node d} []}]", "resynced")
		source()
		look("what it says counts again", "said Complete")

		trouble := b.troubles.of(nodeResource)
		lasts := func(probes int) { time.Sleep(time.Duration(probes)*probeEvery - time.Nanosecond) }
		trouble(errors.New("can not be decoded"))
		lasts(hiccups - 1)
		trouble(nil)
		pass()
		look("an informer had trouble for a while")
		trouble(errors.New("can not be decoded"))
		lasts(hiccups)
		look("an informer has trouble for long, while lists are answered", "said CannotListNodes")
		trouble(nil)
		pass()
		look("it has none any more", "resynced")
		b.refuse(map[string]error{"nodes": context.DeadlineExceeded, "machineconfigpools": context.DeadlineExceeded})
		trouble(context.DeadlineExceeded)
		lasts(1000)
		look("the API server is away")
		b.refuse(map[string]error{"nodes": context.DeadlineExceeded})
		lasts(hiccups)
		look("of one resource only", "said CannotListNodes")
		b.refuse(nil)
		trouble(nil)
		pass()
		look("all is well", "resynced")
		cancel()
		look("the end", "ended")
		if !ended {
			t.Error("the gate did not end with its context")
		}
	})
}

func TestReasonsAreShort(t *testing.T) {
	b := newBench(t)
	b.refuse(map[string]error{"nodes": forbidden(strings.Repeat("long", 10000))})
	failed, err := b.probe(t.Context())
	if state := b.judge(failed, err, 1, false); len(state.Message) > reasonLength+3 {
		t.Errorf("a message of %d bytes", len(state.Message))
	}
}

// TestHiccups: an API server that restarts answers otherwise soon, and is no reason to say anything.
func TestHiccups(t *testing.T) {
	b := newBench(t)
	busy := apierrors.NewServiceUnavailable("restarting")
	for _, test := range []struct {
		name      string
		failed    resource
		err       error
		times     int
		isPassing bool
		want      string
	}{
		{"busy", nodeResource, busy, hiccups - 1, false, ""},
		{"busy for long", nodeResource, busy, hiccups, false, "CannotListNodes"},
		{"a watch that is too old", nodeResource, apierrors.NewResourceExpired("too old"), hiccups - 1, false, ""},
		{"forbidden", nodeResource, forbidden("nodes"), 1, false, "CannotListNodes"},
		{"forbidden for a moment", nodeResource, forbidden("nodes"), hiccups - 1, true, ""},
		{"forbidden after it was busy for long", nodeResource, forbidden("nodes"), hiccups, true, "CannotListNodes"},
		{"without a valid token", nodeResource, apierrors.NewUnauthorized("expired"), 1, false, "CannotListNodes"},
		{"missing", nodeResource, missing("nodes"), 1, false, "CannotListNodes"},
		{"no pools at first sight", machineConfigPools, missing("machineconfigpools"), 1, false, ""},
		{"no pools", machineConfigPools, missing("machineconfigpools"), 2, false, "NoMachineConfigPools"},
	} {
		got := ""
		if state := b.judge(test.failed, test.err, test.times, test.isPassing); state != nil {
			got = state.Reason
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestForbiddenAtItsStart: an API server that starts forbids everything until it has read the roles. A source that sees has nothing
// to say of that.
func TestForbiddenAtItsStart(t *testing.T) {
	denied, busy := forbidden("nodes"), apierrors.NewServiceUnavailable("restarting")
	for _, tc := range []struct {
		name string
		// answers are those to lists of nodes, each for a probe or two.
		answers []error
		want    []string
	}{
		{name: "for a moment", answers: []error{denied, nil}},
		{name: "without a valid token for a moment", answers: []error{apierrors.NewUnauthorized("expired"), nil}},
		{name: "one server and then the next", answers: []error{denied, nil, denied, nil}},
		{name: "and away in between", answers: []error{denied, errAway, denied, nil}},
		{name: "and busy in between", answers: []error{denied, busy, denied, nil}},
		{name: "for long", answers: []error{denied, denied, nil}, want: []string{"said CannotListNodes", "resynced"}},
		{name: "missing", answers: []error{missing("nodes"), nil}, want: []string{"said CannotListNodes", "said CannotListNodes", "resynced"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				ctx, stop := context.WithCancel(t.Context())
				var running sync.WaitGroup
				running.Go(func() { b.run(ctx) })
				synctest.Wait()
				b.noted()
				for _, answer := range tc.answers {
					refusals := map[string]error{"nodes": answer}
					if errors.Is(answer, errAway) {
						refusals["machineconfigpools"] = answer
					}
					b.refuse(refusals)
					notify(b.lost)
					// In the bubble, and never at the moment of a probe.
					time.Sleep(probeEvery + probeEvery/6)
					synctest.Wait()
				}
				if diff := cmp.Diff(tc.want, b.noted()); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				stop()
				running.Wait()
			})
		})
	}
}

// TestForbiddenWithoutPools: the same of a source that lacks only what a cluster is complete without, and looks rarely.
func TestForbiddenWithoutPools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		b.refuse(map[string]error{"machineconfigpools": missing("machineconfigpools")})
		running.Go(func() { b.run(ctx) })
		// In the bubble, and never at the moment of a probe.
		time.Sleep(probeEvery + time.Second)
		b.noted()
		for _, probe := range []struct {
			answer error
			want   string
		}{
			{forbidden("machineconfigpools"), ""},
			{missing("machineconfigpools"), "said NoMachineConfigPools"},
			{forbidden("machineconfigpools"), ""},
			{forbidden("machineconfigpools"), "said CannotListMachineConfigPools"},
		} {
			b.refuse(map[string]error{"machineconfigpools": probe.answer})
			time.Sleep(rarely)
			if got := strings.Join(b.noted(), ", "); got != probe.want {
				t.Errorf("%q, want %q", got, probe.want)
			}
		}
		stop()
		running.Wait()
	})
}

func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.refuse(map[string]error{"updatestatuses": missing("updatestatuses")})
		began := time.Now()
		go func() {
			time.Sleep(probeEvery / 2)
			b.refuse(nil)
		}()
		await(t.Context(), b.metadata, updateStatuses)
		if waited := time.Since(began); waited != probeEvery {
			t.Errorf("waited for %s", waited)
		}
	})
}
