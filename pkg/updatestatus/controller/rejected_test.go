package controller

import (
	"net/http"
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

// reject makes the API server reject a status for the causes that a function returns.
func (f *fixture) reject(causesOf func(*updatev1alpha1.UpdateStatusStatus) field.ErrorList) (attempts *int) {
	attempts = new(int)
	f.client.PrependReactor("update", "updatestatuses", func(action clienttesting.Action) (bool, runtime.Object, error) {
		*attempts++
		sent := action.(clienttesting.UpdateAction).GetObject().(*updatev1alpha1.UpdateStatus)
		if causes := causesOf(&sent.Status); len(causes) > 0 {
			return true, nil, apierrors.NewInvalid(updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus").GroupKind(), "cluster", causes)
		}
		return false, nil, nil
	})
	return attempts
}

// longMessages rejects nodes with messages of more than ten bytes.
func longMessages(status *updatev1alpha1.UpdateStatusStatus) field.ErrorList {
	var causes field.ErrorList
	for at, one := range status.ControlPlane.Informers[0].Insights {
		if one.Node != nil && len(one.Node.Message) > 10 {
			path := field.NewPath("status", "controlPlane").Child("informers").Index(0).Child("insights").Index(at)
			causes = append(causes, field.TooLong(path.Child("node", "message"), one.Node.Message, 10))
		}
	}
	return causes
}

// TestRejectedInsight: an insight that the API server rejects does not stop the report about others.
func TestRejectedInsight(t *testing.T) {
	f := settled(t)
	f.refreshCache()
	attempts := f.reject(longMessages)
	f.send(message("a", "a message that is too long"), message("b", "short"))
	f.mustSync(buildInterval)
	f.passTime(buildInterval)
	f.mustSync(0)
	stored := f.refreshCache()
	if insights := stored.Status.ControlPlane.Informers[0].Insights; len(insights) != 1 || insights[0].UID != "b" {
		t.Errorf("insights %v", insights)
	}
	incomplete := meta.FindStatusCondition(stored.Status.Conditions, updatev1alpha1.ConditionInsightsComplete)
	if incomplete == nil || incomplete.Reason != updatev1alpha1.ReasonRejected || !strings.Contains(incomplete.Message, "a: node.message: Too long") {
		t.Errorf("condition %v", incomplete)
	}
	for range 5 {
		f.passTime(time.Hour)
		f.mustSync(0)
	}
	if *attempts != 2 {
		t.Errorf("%d attempts for the same content", *attempts)
	}

	f.send(message("a", "fine"))
	f.mustSync(0)
	stored = f.refreshCache()
	if insights := stored.Status.ControlPlane.Informers[0].Insights; len(insights) != 2 || meta.IsStatusConditionFalse(stored.Status.Conditions, updatev1alpha1.ConditionInsightsComplete) || *attempts != 3 {
		t.Errorf("after %d attempts: insights %v, conditions %v", *attempts, insights, stored.Status.Conditions)
	}
}

// TestRejectedStatus: if no insight is the cause, the object says so, keeps its insights, and is written again when it is accepted.
func TestRejectedStatus(t *testing.T) {
	f := settled(t)
	before := f.refreshCache()
	rejects := true
	attempts := f.reject(func(status *updatev1alpha1.UpdateStatusStatus) field.ErrorList {
		if rejects && nodeMessage(&updatev1alpha1.UpdateStatus{Status: *status}) == "two" {
			return field.ErrorList{field.Invalid(field.NewPath("status", "conditions").Index(0).Child("message"), "x", "must be\nempty")}
		}
		return nil
	})
	f.send(message("a", "two"))
	queue := &queueOf{}
	syncOnce := func() *updatev1alpha1.UpdateStatus {
		t.Helper()
		if err := f.syncAndRequeue(t.Context(), queue); err != nil {
			t.Fatal(err)
		}
		stored := f.refreshCache()
		f.passTime(queue.delays[len(queue.delays)-1])
		return stored
	}
	stored := syncOnce()
	available := stored.Status.Conditions[0]
	const want = `The API server rejects the status, so the insights may be outdated: status.conditions[0].message: Invalid value: "x": must be empty`
	if available.Reason != updatev1alpha1.ReasonRejected || available.Message != want || nodeMessage(stored) != nodeMessage(before) {
		t.Errorf("%v, node %s", available, nodeMessage(stored))
	}
	if queue.delays[0] != rejectedRetry || *attempts != 2 {
		t.Errorf("%d attempts, the next one after %v", *attempts, queue.delays)
	}
	syncOnce()
	if *attempts != 3 {
		t.Errorf("%d attempts after a minute, the condition is written once", *attempts)
	}
	f.schedule.oldestPending = time.Time{} // the next write repairs the object, and brings no report
	rejects = false
	queue.delays = append(queue.delays, 0)
	if stored := syncOnce(); stored.Status.Conditions[0].Reason != updatev1alpha1.ReasonAsExpected || nodeMessage(stored) != "two" {
		t.Errorf("%v, node %s", stored.Status.Conditions, nodeMessage(stored))
	}
}

// TestRejectedWithoutCause checks an error of the API server that names no cause, or has no details.
func TestRejectedWithoutCause(t *testing.T) {
	for name, details := range map[string]*metav1.StatusDetails{"no details": nil, "no cause": {}} {
		f := settled(t)
		f.refreshCache()
		rejects := true
		f.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
			if !rejects {
				return false, nil, nil
			}
			rejects = false
			return true, nil, &apierrors.StatusError{ErrStatus: metav1.Status{
				Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid, Details: details,
			}}
		})
		f.send(message("a", "two"))
		if _, err := f.sync(t.Context()); !apierrors.IsInvalid(err) {
			t.Errorf("%s: error %v", name, err)
		}
		if available := f.refreshCache().Status.Conditions[0]; !strings.HasSuffix(available.Message, ": no cause given") {
			t.Errorf("%s: %v", name, available)
		}
	}
}

// TestRetryOfRefusals: what names a field is refused again, and tried again after a minute. A policy that refuses everything responds with
// the same code, and is tried again at once, as other errors are.
func TestRetryOfRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		reason metav1.StatusReason
		cause  metav1.StatusCause
		want   time.Duration
	}{
		"a field":      {metav1.StatusReasonInvalid, metav1.StatusCause{Field: "status.conditions", Message: "must be empty"}, rejectedRetry},
		"no field":     {metav1.StatusReasonInvalid, metav1.StatusCause{Message: "denied by a policy"}, firstRetry},
		"another code": {metav1.StatusReasonForbidden, metav1.StatusCause{Field: "status.conditions"}, firstRetry},
	} {
		t.Run(name, func(t *testing.T) {
			f := settled(t)
			f.refreshCache()
			f.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
				return true, nil, &apierrors.StatusError{ErrStatus: metav1.Status{
					Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: test.reason,
					Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{test.cause}},
				}}
			})
			f.send(message("a", "two"))
			queue := &queueOf{}
			if err := f.syncAndRequeue(t.Context(), queue); err != nil {
				t.Fatal(err)
			}
			if len(queue.delays) != 1 || queue.delays[0] != test.want {
				t.Errorf("retried after %v, want %s", queue.delays, test.want)
			}
		})
	}
}
