package controller

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// TestShutdownDuringWrite: a write in progress and its events are completed.
func TestShutdownDuringWrite(t *testing.T) {
	f := settled(t)
	f.refreshCache()
	f.send(healthMessage("Error"))
	ctx, cancel := context.WithCancel(t.Context())
	f.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
		cancel()
		return false, nil, nil
	})
	if err := f.syncAndRequeue(ctx, &queueOf{}); err != nil {
		t.Fatal(err)
	}
	if recorded := len(f.recorded()); recorded != 1 {
		t.Errorf("%d events were recorded", recorded)
	}
}

func TestShutdownTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parent, cancelParent := context.WithCancel(t.Context())
		ctx, cancel := withShutdownTimeout(parent)
		defer cancel()
		cancelParent()
		started := time.Now()
		<-ctx.Done()
		if took := time.Since(started); took != shutdownTimeout {
			t.Errorf("ended after %s", took)
		}
	})
}

func TestFlushIgnoresThePace(t *testing.T) {
	f := settled(t)
	for _, text := range []string{"two", "three"} {
		f.refreshCache()
		f.send(message("a", text))
		if _, err := f.sync(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	f.refreshCache()
	f.flush(t.Context())
	f.expectWrites("update status", "update status")
}

func TestConflictIsRetried(t *testing.T) {
	resource := updatev1alpha1.Resource("updatestatuses")
	for name, refusal := range map[string]error{
		"conflict": apierrors.NewConflict(resource, "cluster", errors.New("changed")),
		"deleted":  apierrors.NewNotFound(resource, "cluster"),
	} {
		f := settled(t)
		f.refreshCache()
		f.send(message("a", "two"))
		f.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, refusal
		})
		queue := &queueOf{}
		if err := f.syncAndRequeue(t.Context(), queue); err != nil || len(queue.delays) != 1 {
			t.Errorf("%s: %v, queued with the delays %v", name, err, queue.delays)
		}
	}
}

func TestBackoff(t *testing.T) {
	f := settled(t)
	f.refreshCache()
	f.send(message("a", "two"))
	failing := true
	f.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
		return failing, nil, errors.New("broken")
	})
	queue := &queueOf{}
	for range 20 {
		f.passTime(time.Minute)
		if err := f.syncAndRequeue(t.Context(), queue); err != nil {
			t.Fatal(err)
		}
	}
	if len(queue.delays) != 20 || queue.delays[0] != firstRetry || queue.delays[19] != lastRetry {
		t.Errorf("retried after %v", queue.delays)
	}
	failing = false
	f.passTime(time.Minute)
	if err := f.syncAndRequeue(t.Context(), queue); err != nil {
		t.Fatal(err)
	}
	if got := nodeMessage(f.refreshCache()); got != "two" {
		t.Errorf("the last write has %s", got)
	}
}

// TestReportsDoNotBypassBackoff: each report queues the key, and hundreds of them would be as many attempts and log lines.
func TestReportsDoNotBypassBackoff(t *testing.T) {
	f := newFixture(t)
	attempts := 0
	f.client.PrependReactor("create", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
		attempts++
		return true, nil, errors.New("broken")
	})
	for at := range 20 {
		f.send(message("a", strconv.Itoa(at)))
		if err := f.syncAndRequeue(t.Context(), &queueOf{}); err != nil {
			t.Fatal(err)
		}
	}
	if attempts != 1 {
		t.Errorf("%d attempts at the same time", attempts)
	}
}

// TestCRDDeleted expects a deleted CRD to be logged as what it is, once until the object can be written again.
func TestCRDDeleted(t *testing.T) {
	f := newFixture(t)
	isServed := false
	f.client.PrependReactor("create", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
		return !isServed, nil, apierrors.NewNotFound(updatev1alpha1.Resource("updatestatuses"), "")
	})
	var logged []string
	logger := funcr.New(func(_, args string) {
		if strings.Contains(args, "Unable") || strings.Contains(args, "changed since") {
			logged = append(logged, args)
		}
	}, funcr.Options{Verbosity: 4})
	ctx := klog.NewContext(t.Context(), logger)
	sync := func(times int) {
		for range times {
			f.passTime(time.Minute)
			if err := f.syncAndRequeue(ctx, &queueOf{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	sync(5)
	if len(logged) != 1 || !strings.Contains(logged[0], "Unable to create the UpdateStatus until its CRD exists again") {
		t.Errorf("logged %q", logged)
	}
	isServed = true
	sync(1)
	f.refreshCache()
	sync(1)
	if err := f.client.UpdateV1alpha1().UpdateStatuses().Delete(ctx, "cluster", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	isServed = false
	if err := f.cache.Delete(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}}); err != nil {
		t.Fatal(err)
	}
	sync(3)
	if len(logged) != 2 {
		t.Errorf("logged after the second deletion: %q", logged)
	}
}
