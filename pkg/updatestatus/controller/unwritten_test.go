package controller

import (
	"errors"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	clienttesting "k8s.io/client-go/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// failing is a settled fixture whose requests fail while failure is not nil.
type failing struct {
	*fixture

	failure error
	// confirmed is when the object was last as it should be.
	confirmed time.Time
}

func newFailing(t *testing.T, verb string, failure error) *failing {
	t.Helper()
	f := &failing{fixture: settled(t), failure: failure}
	f.refreshCache()
	f.mustSync(0)
	f.confirmed = f.clock.Now()
	f.client.PrependReactor(verb, "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
		return f.failure != nil, nil, f.failure
	})
	return f
}

// attempt syncs after some time, and compares the condition Available of what was built last: its message has a text, none if that is empty.
func (f *failing) attempt(after time.Duration, want string) {
	f.t.Helper()
	f.passTime(after)
	if err := f.syncAndRequeue(f.t.Context(), &queueOf{}); err != nil {
		f.t.Fatal(err)
	}
	built := f.in.Built.Load()
	available := meta.FindStatusCondition(built.Conditions, updatev1alpha1.ConditionAvailable)
	isRight := available.Status == metav1.ConditionTrue
	if want != "" {
		isRight = available.Status == metav1.ConditionFalse && available.Reason == updatev1alpha1.ReasonNotWritten && strings.Contains(available.Message, want)
	}
	if read, _ := f.state(f.t.Context()); sampled(read) != boolValue(want == "") {
		f.t.Errorf("the metric is %v, want it for %q", sampled(read), want)
	}
	if !isRight || !built.ConfirmedAt.Equal(f.confirmed) {
		f.t.Errorf("at %s: %v, confirmed at %s, want %q and %s", f.clock.Now(), available, built.ConfirmedAt, want, f.confirmed)
	}
}

func sampled(read state) float64 {
	return available(read)[0].value
}

// TestNotWritten: an object that can't be written for thirty seconds, whatever the error, is not confirmed, and what was built last says so
// with the server's words until it is written.
func TestNotWritten(t *testing.T) {
	resource := updatev1alpha1.Resource("updatestatuses")
	for name, test := range map[string]struct {
		verb    string
		failure error
		want    string
	}{
		"forbidden":     {"update", apierrors.NewForbidden(resource, "cluster", errors.New("no role")), "the object may be outdated: updatestatuses.update.openshift.io \"cluster\" is forbidden: no role"},
		"webhook":       {"update", errors.New("admission webhook \"deny\" denied the request:\nno"), "denied the request: no"},
		"no connection": {"update", errors.New("connection refused"), "connection refused"},
		"conflict":      {"*", apierrors.NewConflict(resource, "cluster", errors.New("changed")), "changed"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFailing(t, test.verb, test.failure)
			f.send(message("a", "two"))
			started := f.clock.Now()
			f.attempt(0, "")
			f.attempt(unwrittenAfter-time.Second, "")
			f.attempt(time.Second, test.want)
			if since := f.in.Built.Load().Conditions[0].LastTransitionTime; !since.Time.Equal(started) {
				t.Errorf("since %s, want %s", since, started)
			}
			notified := 0
			f.in.OnBuild = func() { notified++ }
			f.schedule.notBefore = f.clock.Now().Add(time.Hour)
			f.attempt(time.Second, test.want)
			if notified != 0 {
				t.Errorf("%d notifications without news", notified)
			}
			f.schedule.notBefore = time.Time{}
			f.failure = errors.New("another error")
			f.attempt(time.Minute, "another error")
			f.failure = nil
			f.confirmed = f.clock.Now().Add(time.Minute)
			f.attempt(time.Minute, "")
			if got := nodeMessage(f.refreshCache()); got != "two" {
				t.Errorf("stored %s", got)
			}
			// The thirty seconds start again with the next failure.
			f.failure = test.failure
			f.send(message("a", "three"))
			f.attempt(time.Minute, "")
		})
	}
}

// TestNotReadable: an object that was changed by another client and can't be read is not confirmed either, until it is known to be as it
// should be.
func TestNotReadable(t *testing.T) {
	f := newFailing(t, "get", nil)
	changed := f.refreshCache()
	changed.ResourceVersion = "99"
	f.setCached(changed)
	f.failure = errors.New("denied")
	f.attempt(0, "")
	f.attempt(unwrittenAfter, "reading UpdateStatus/cluster: ")
	f.failure = nil
	f.client.ClearActions()
	f.confirmed = f.clock.Now().Add(time.Minute)
	f.attempt(time.Minute, "")
	f.expectWrites()
}

// TestNotWrittenYet: before anything was built no condition is published, and what the API server rejects has a condition of its own.
func TestNotWrittenYet(t *testing.T) {
	f := newFixture(t)
	for range 2 {
		f.recordFailure(errors.New("denied"))
		f.passTime(unwrittenAfter)
	}
	if f.in.Built.Load() != nil {
		t.Error("something was built")
	}
	f = settled(t)
	f.refreshCache()
	f.reject(func(*updatev1alpha1.UpdateStatusStatus) field.ErrorList {
		return field.ErrorList{field.Invalid(field.NewPath("status"), "x", "must be empty")}
	})
	f.send(message("a", "two"))
	for range 2 {
		if err := f.syncAndRequeue(t.Context(), &queueOf{}); err != nil {
			t.Fatal(err)
		}
		f.passTime(2 * rejectedRetry)
	}
	if reason := f.in.Built.Load().Conditions[0].Reason; reason != updatev1alpha1.ReasonRejected {
		t.Errorf("reason %s", reason)
	}
}
