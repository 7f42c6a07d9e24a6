package controller

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

func TestCreateAndWrite(t *testing.T) {
	f := newFixture(t)
	f.mustSync(startupPatience)
	f.expectWrites("create")
	f.refreshCache()

	f.send(complete(insight.ControlPlaneInformer), message("a", "one"))
	f.mustSync(startupPatience)
	f.expectWrites()
	f.sendComplete()
	f.mustSync(0)
	f.expectWrites("update status")
	f.mustSync(buildInterval) // statuses are not built one after the other
	f.passTime(buildInterval)
	f.mustSync(0)
	f.expectWrites() // in sync, although the cache is behind the write
	f.refreshCache()
	f.mustSync(0)
	f.expectWrites()
}

func TestMissingReport(t *testing.T) {
	f := newFixture(t)
	f.send(complete(insight.ControlPlaneInformer))
	f.mustSync(startupPatience)
	f.passTime(startupPatience)
	f.refreshCache()
	f.mustSync(0)
	f.expectWrites("create", "update status")
	if available := f.refreshCache().Status.Conditions[0]; available.Reason != updatev1alpha1.ReasonWaitingForInformers {
		t.Errorf("Available is %s %s", available.Status, available.Reason)
	}
}

// TestDisagreeingSources: when an update starts, one source reports it before the other. A status that has the new
// version of the control plane and completed nodes would be wrong.
func TestDisagreeingSources(t *testing.T) {
	about := func(source insight.Source, target string) insight.Message {
		return insight.Message{Source: source, State: &insight.State{Complete: true, Target: target}}
	}
	f := settled(t)
	f.refreshCache()
	f.send(about(insight.ControlPlaneInformer, "4.20.1"), about(insight.NodeInformer, "4.20.1"), message("a", "two"))
	f.mustSync(0)
	f.expectWrites("update status")
	f.refreshCache()

	f.passTime(time.Hour)
	f.send(about(insight.ControlPlaneInformer, "4.20.2"), message("a", "three"))
	f.mustSync(agreementPatience)
	f.passTime(time.Second)
	f.mustSync(agreementPatience - time.Second)
	f.expectWrites()
	f.send(about(insight.NodeInformer, "4.20.2"))
	f.mustSync(0)
	f.expectWrites("update status")
	f.refreshCache()

	f.passTime(time.Hour)
	f.send(about(insight.NodeInformer, "4.20.3"), message("a", "four"))
	f.mustSync(agreementPatience)
	f.passTime(agreementPatience)
	f.mustSync(0)
	f.expectWrites("update status") // a contradiction is better than an old status
}

func TestRepairsEditedStatus(t *testing.T) {
	f := settled(t)
	want := f.refreshCache()
	for name, edit := range map[string]func(*updatev1alpha1.UpdateStatusStatus){
		"emptied": func(status *updatev1alpha1.UpdateStatusStatus) { *status = updatev1alpha1.UpdateStatusStatus{} },
		"times": func(status *updatev1alpha1.UpdateStatusStatus) {
			status.Conditions[0].LastTransitionTime = metav1.Now()
		},
		"times too long ago": func(status *updatev1alpha1.UpdateStatusStatus) {
			longAgo := metav1.NewTime(builders.HostileTimes(f.clock.Now())[3])
			status.Conditions[0].LastTransitionTime, status.ControlPlane.Informers[0].Insights[0].AcquiredAt = longAgo, longAgo
		},
		"times too far ahead": func(status *updatev1alpha1.UpdateStatusStatus) {
			ahead := metav1.NewTime(builders.HostileTimes(f.clock.Now())[2])
			status.Conditions[0].LastTransitionTime, status.ControlPlane.Informers[0].Insights[0].AcquiredAt = ahead, ahead
		},
		"content": func(status *updatev1alpha1.UpdateStatusStatus) {
			status.ControlPlane.Informers[0].Insights[0].Node.Message = "fine"
		},
	} {
		edited := want.DeepCopy()
		edit(&edited.Status)
		if _, err := f.client.UpdateV1alpha1().UpdateStatuses().UpdateStatus(t.Context(), edited, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		f.refreshCache()
		f.passTime(time.Minute)
		f.mustSync(0)
		if diff := cmp.Diff(want.Status, f.refreshCache().Status); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestKeepsEarlierTimes: where another process of this controller has observed something earlier, its times stay.
func TestKeepsEarlierTimes(t *testing.T) {
	f := settled(t)
	other := f.refreshCache().DeepCopy()
	earlier := metav1.NewTime(f.clock.Now().Add(-2 * time.Hour))
	other.Status.Conditions[0].LastTransitionTime, other.Status.ControlPlane.Informers[0].Insights[0].AcquiredAt = earlier, earlier
	if _, err := f.client.UpdateV1alpha1().UpdateStatuses().UpdateStatus(t.Context(), other, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	f.refreshCache()
	f.writes()
	f.passTime(time.Minute)
	f.mustSync(0)
	f.expectWrites()
	if diff := cmp.Diff(other.Status, f.refreshCache().Status); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
}

// TestConfirms: a status that stays is confirmed by each sync, without a write. What follows shows by it that the controller runs.
func TestConfirms(t *testing.T) {
	f := settled(t)
	confirmed := 0
	f.in.OnBuild = func() { confirmed++ }
	before := f.in.Built.Load()
	for minute := range 3 {
		f.passTime(confirmInterval)
		f.mustSync(0)
		f.expectWrites()
		if built := f.in.Built.Load(); built.Update != before.Update || !built.ConfirmedAt.Equal(f.clock.Now()) || !built.At.Equal(f.clock.Now()) || confirmed != minute+1 {
			t.Errorf("confirmed %d times, at %s, of %s", confirmed, built.ConfirmedAt, built.At)
		}
	}
}

func TestRecreatesDeletedObject(t *testing.T) {
	f := settled(t)
	want := f.refreshCache()
	if err := f.client.UpdateV1alpha1().UpdateStatuses().Delete(t.Context(), "cluster", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := f.cache.Delete(want); err != nil {
		t.Fatal(err)
	}
	f.writes()
	f.passTime(time.Minute)
	f.mustSync(0)
	f.expectWrites("create", "update status")
	if diff := cmp.Diff(want.Status, f.refreshCache().Status); diff != "" {
		t.Errorf("status (-before +after):\n%s", diff)
	}
}

// TestCreatesOnlyOnce: the object is not created again while the cache does not have it yet, unless a write fails because it was
// deleted.
func TestCreatesOnlyOnce(t *testing.T) {
	f := newFixture(t)
	f.sendComplete()
	f.send(message("a", "one"))
	f.mustSync(0)
	f.passTime(time.Minute)
	f.send(message("a", "two"))
	f.mustSync(0)
	f.expectWrites("create", "update status", "update status")

	if err := f.client.UpdateV1alpha1().UpdateStatuses().Delete(t.Context(), "cluster", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	f.writes()
	f.passTime(cacheTimeout - time.Second)
	f.send(message("a", "three"))
	if _, err := f.sync(t.Context()); !apierrors.IsNotFound(err) {
		t.Fatalf("error %v", err)
	}
	f.passTime(time.Minute)
	f.mustSync(0)
	f.expectWrites("update status", "create", "update status")
}

// TestPace: changes are collected, and the last one is always written.
func TestPace(t *testing.T) {
	f := settled(t)
	f.refreshCache()
	f.send(message("a", "two"))
	f.mustSync(0)
	f.expectWrites("update status")
	f.refreshCache()
	f.send(message("a", "three"))
	f.mustSync(buildInterval)
	f.send(message("a", "four"))
	f.mustSync(buildInterval)
	f.expectWrites()
	f.passTime(buildInterval)
	f.mustSync(0)
	f.expectWrites("update status")
	if got := nodeMessage(f.refreshCache()); got != "four" {
		t.Errorf("the last write has %s", got)
	}
}

// TestRequeuesForThePace: a write that has to wait is queued for when it may happen.
func TestRequeuesForThePace(t *testing.T) {
	f := settled(t)
	for _, text := range []string{"two", "three"} {
		f.refreshCache()
		f.send(message("a", text))
		queue := &queueOf{}
		if err := f.syncAndRequeue(t.Context(), queue); err != nil {
			t.Fatal(err)
		}
		if text == "three" && (len(queue.delays) != 1 || queue.delays[0] != buildInterval) {
			t.Errorf("queued with the delays %v", queue.delays)
		}
	}
}

// TestUpdate: Update has changed when the notification arrives, which is sent for changes only.
func TestUpdate(t *testing.T) {
	f := newFixture(t)
	var got []ledger.Update
	f.in.OnUpdateChange = func() { got = append(got, f.Update()) }
	if got := f.Update(); got != (ledger.Update{}) {
		t.Errorf("before the first status: %+v", got)
	}
	f.sendComplete()
	for _, message := range []insight.Message{
		message("a", "one"),
		clusterVersion(unchanged),
		clusterVersion(func(one *updatev1alpha1.ClusterVersionInsight) { one.Completion++ }),
		clusterVersion(func(one *updatev1alpha1.ClusterVersionInsight) { one.Conditions[0].Status = metav1.ConditionFalse }),
	} {
		f.send(message)
		f.mustBuild()
	}
	started := time.Unix(1_000_000, 0)
	want := []ledger.Update{
		{Known: true, Unfinished: true},
		{Known: true, Unfinished: true, Started: started},
		{Known: true, Started: started},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("updates (-want +got):\n%s", diff)
	}
}

// TestRunWritesLastStatus: what is pending is written when the controller ends, without regard to the pace.
func TestRunWritesLastStatus(t *testing.T) {
	f := newStoppedFixture(t)
	written := make(chan string, 10)
	f.client.PrependReactor("update", "updatestatuses", func(action clienttesting.Action) (bool, runtime.Object, error) {
		sent := action.(clienttesting.UpdateAction).GetObject().(*updatev1alpha1.UpdateStatus)
		for _, one := range sent.Status.ControlPlane.Informers[0].Insights {
			if one.Node != nil {
				written <- one.Node.Message
			}
		}
		return false, nil, nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	informerContext, stopInformer := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go f.informer.RunWithContext(informerContext)
	go func() {
		defer close(ended)
		f.Run(ctx)
	}()
	f.sendComplete()
	f.send(message("a", "one"))
	if got := <-written; got != "one" {
		t.Errorf("the first write has %s", got)
	}
	last := healthMessage("Error")
	last.Reports[0].Insights[0].Insight.Node.Message = "two"
	f.send(last) // the clock of the pace does not move
	cancel()
	<-ended
	stopInformer()
	select {
	case got := <-written:
		if got != "two" {
			t.Errorf("the last write has %s", got)
		}
	default:
		t.Error("nothing was written at the end")
	}
	if recorded := len(f.recorder.Events()); recorded != 1 {
		t.Errorf("%d events were recorded at the end", recorded)
	}
}
