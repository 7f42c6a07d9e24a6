package controller

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// TestReadForeignWrites: the content of the object is not read after the controller's own writes.
func TestReadForeignWrites(t *testing.T) {
	f := settled(t)
	object := f.refreshCache()
	syncLater := func() {
		t.Helper()
		f.passTime(time.Hour)
		f.client.ClearActions()
		f.mustSync(0)
	}
	for _, text := range []string{"two", "three"} {
		f.send(message("a", text))
		syncLater()
		f.passTime(cacheTimeout - time.Second)
		f.mustSync(0) // the cache is behind
		if reads := f.reads(); reads != 0 {
			t.Errorf("read %d times after its own write", reads)
		}
		object = f.refreshCache()
		built := f.in.Built.Load().Update
		syncLater()
		if reads := f.reads(); reads != 0 || f.in.Built.Load().Update != built {
			t.Errorf("its own write caused %d reads or a build", reads)
		}
	}

	object.Labels = map[string]string{"some": "label"}
	object.ResourceVersion = "77"
	if err := f.client.Tracker().Update(updateStatuses, object, ""); err != nil {
		t.Fatal(err)
	}
	f.refreshCache()
	syncLater()
	if reads := f.reads(); reads != 1 {
		t.Errorf("read %d times what another client wrote", reads)
	}
}

// TestConflict: the cache may be behind what another client wrote.
func TestConflict(t *testing.T) {
	f := settled(t)
	cached := f.refreshCache()
	conflicts := true
	f.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
		if !conflicts {
			return false, nil, nil
		}
		conflicts = false
		return true, nil, apierrors.NewConflict(updatev1alpha1.Resource("updatestatuses"), "cluster", errors.New("changed"))
	})
	newer := cached.DeepCopy()
	newer.ResourceVersion = "77"
	if err := f.client.Tracker().Update(updateStatuses, newer, ""); err != nil {
		t.Fatal(err)
	}
	f.send(message("a", "two"))
	if _, err := f.sync(t.Context()); !apierrors.IsConflict(err) {
		t.Fatalf("error %v", err)
	}
	f.passTime(time.Minute)
	var sent string
	f.client.PrependReactor("update", "updatestatuses", func(action clienttesting.Action) (bool, runtime.Object, error) {
		sent = action.(clienttesting.UpdateAction).GetObject().(*updatev1alpha1.UpdateStatus).ResourceVersion
		return false, nil, nil
	})
	f.mustSync(0)
	if sent != "77" {
		t.Errorf("written with the version %s", sent)
	}
}

// TestWriteReadVersion: a write must not overwrite what another client wrote in the meantime.
func TestWriteReadVersion(t *testing.T) {
	f := settled(t)
	read := f.refreshCache().ResourceVersion
	f.send(message("a", "two"))
	var sent string
	f.client.PrependReactor("update", "updatestatuses", func(action clienttesting.Action) (bool, runtime.Object, error) {
		sent = action.(clienttesting.UpdateAction).GetObject().(*updatev1alpha1.UpdateStatus).ResourceVersion
		return true, nil, errors.New("enough")
	})
	if _, err := f.sync(t.Context()); err == nil || sent != read {
		t.Errorf("sent resourceVersion %q, read was %q, error %v", sent, read, err)
	}
}

// TestReadsARecreatedObject: an object that was deleted and created again has versions of its own, newer or not.
func TestReadsARecreatedObject(t *testing.T) {
	f := settled(t)
	f.refreshCache()
	f.send(message("a", "two"))
	f.mustSync(0) // the cache is behind
	recreated := &updatev1alpha1.UpdateStatus{ObjectMeta: metav1.ObjectMeta{Name: "cluster", UID: "another", ResourceVersion: "1"}}
	if err := f.client.Tracker().Update(updateStatuses, recreated, ""); err != nil {
		t.Fatal(err)
	}
	f.setCached(recreated)
	current, err := f.object.current(t.Context())
	if err != nil || current.UID != "another" {
		t.Errorf("the current object is %v, error %v", current, err)
	}
}

// TestCacheStaysBehind checks that the object is read again when the cache does not catch up.
func TestCacheStaysBehind(t *testing.T) {
	t.Run("deleted before the cache had it", func(t *testing.T) {
		f := newFixture(t)
		f.sendComplete()
		f.send(message("a", "one"))
		f.mustSync(0)
		if err := f.client.Tracker().Delete(updateStatuses, "", "cluster"); err != nil {
			t.Fatal(err)
		}
		f.passTime(cacheTimeout - time.Second)
		f.mustSync(0)
		if delay := f.object.readAfter(); delay != time.Second {
			t.Errorf("read after %s", delay)
		}
		f.passTime(time.Second)
		f.mustSync(0)
		if created := f.refreshCache(); len(created.Status.Conditions) == 0 {
			t.Error("the object has no status")
		}
	})
	t.Run("restored from a backup", func(t *testing.T) {
		f := settled(t)
		backup := f.refreshCache().DeepCopy()
		f.send(message("a", "two"))
		f.passTime(time.Minute)
		f.mustSync(0)
		want := f.refreshCache().Status
		f.passTime(time.Second)
		f.mustSync(0)
		if delay := f.object.readAfter(); delay != 0 {
			t.Errorf("with a cache that is not behind, read after %s", delay)
		}
		if err := f.client.Tracker().Update(updateStatuses, backup, ""); err != nil {
			t.Fatal(err)
		}
		f.setCached(backup)
		f.mustSync(0)
		f.passTime(cacheTimeout)
		f.mustSync(0)
		if diff := cmp.Diff(want, f.refreshCache().Status); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
