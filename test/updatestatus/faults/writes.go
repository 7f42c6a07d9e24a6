package faults

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
)

const (
	// refusals is how many writes of the status fail at least while they are refused.
	refusals = 3
	// longRefusal is for how long they are refused in the long form.
	longRefusal = time.Minute
	// denied is the name of what denies the writes of the status.
	denied = "denied.example.com"
)

// refuseByCode refuses some writes of the status, and then all of them until the controller has tried to write the last change.
func refuseByCode(ctx context.Context, w *World) error {
	w.Proxy.Set(
		Rule{Matches: IsStatusWrite, Every: 3, Do: Respond(http.StatusConflict)},
		Rule{Matches: IsStatusWrite, Every: 5, Do: Respond(http.StatusInternalServerError)},
	)
	w.Pause(ctx, maxPause)
	w.Proxy.Set(
		Rule{Matches: IsStatusWrite, Every: 2, Do: Respond(http.StatusConflict)},
		Rule{Matches: IsStatusWrite, Do: Respond(http.StatusInternalServerError)},
	)
	<-ctx.Done()
	return playback.RealTime(context.WithoutCancel(ctx), time.Now().Add(maxPause))
}

// refuseWrites lets something in the cluster refuse the writes of the status, from one of them on, and removes it after some have failed.
func (w *World) refuseWrites(ctx context.Context, refuse, allow func(context.Context) error) error {
	w.Pause(ctx, maxPause)
	ctx = context.WithoutCancel(ctx)
	refused := sync.OnceValue(func() error { return refuse(ctx) })
	writes := &responses{}
	counted := writes.count(IsStatusWrite)
	w.Proxy.Set(Rule{Matches: IsStatusWrite, Do: func(response http.ResponseWriter, r *http.Request, next http.Handler) {
		_ = refused() // it is returned below
		counted.Do(response, r, next)
	}})
	err := w.await(ctx, "writes to be refused", func(context.Context) (bool, error) { return writes.failed.Load() >= refusals, nil })
	if err == nil && w.Long {
		err = playback.RealTime(ctx, time.Now().Add(longRefusal))
	}
	return errors.Join(err, refused(), allow(ctx))
}

// fillEtcd lets etcd reach its quota: writes fail, those of the cluster's own components as well, and reads do not.
func fillEtcd(ctx context.Context, w *World) error {
	return w.refuseWrites(ctx, w.Plane.FillEtcd, w.Plane.FreeEtcd)
}

// awaitDenied waits until the API server denies the writes of the status, by anybody.
func (w *World) awaitDenied(ctx context.Context) error {
	return w.await(ctx, "writes to be denied", func(ctx context.Context) (bool, error) {
		us, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		_, err = w.client.UpdateStatus(ctx, us, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
		return err != nil && !apierrors.IsConflict(err), nil
	})
}

// statusWrites are the requests that write the status of an UpdateStatus.
var statusWrites = admissionregistrationv1.RuleWithOperations{
	Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Update},
	Rule: admissionregistrationv1.Rule{
		APIGroups: []string{"update.openshift.io"}, APIVersions: []string{"*"}, Resources: []string{"updatestatuses/status"},
	},
}

// withWebhook lets the writes of the status be decided by a webhook, as that of a policy engine.
func withWebhook(handler http.HandlerFunc, timeoutSeconds int32) func(context.Context, *World) error {
	return func(ctx context.Context, w *World) error {
		server := httptest.NewUnstartedServer(handler)
		server.Config.ErrorLog = quiet()
		server.StartTLS()
		defer server.Close()
		defer server.CloseClientConnections()
		webhooks := w.kube.AdmissionregistrationV1().ValidatingWebhookConfigurations()
		configuration := &admissionregistrationv1.ValidatingWebhookConfiguration{
			ObjectMeta: metav1.ObjectMeta{Name: denied},
			Webhooks: []admissionregistrationv1.ValidatingWebhook{{
				Name: denied, Rules: []admissionregistrationv1.RuleWithOperations{statusWrites},
				ClientConfig: admissionregistrationv1.WebhookClientConfig{
					URL:      &server.URL,
					CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}),
				},
				FailurePolicy: ptr.To(admissionregistrationv1.Fail), TimeoutSeconds: &timeoutSeconds,
				SideEffects: ptr.To(admissionregistrationv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
			}},
		}
		return w.refuseWrites(ctx, func(ctx context.Context) error {
			_, err := webhooks.Create(ctx, configuration, metav1.CreateOptions{})
			return errors.Join(err, w.awaitDenied(ctx))
		}, func(ctx context.Context) error { return webhooks.Delete(ctx, denied, metav1.DeleteOptions{}) })
	}
}

// deny is a webhook that denies everything.
func deny(w http.ResponseWriter, request *http.Request) {
	review := &admissionv1.AdmissionReview{}
	if err := json.NewDecoder(request.Body).Decode(review); err != nil || review.Request == nil {
		http.Error(w, "no review", http.StatusBadRequest)
		return
	}
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Result: &metav1.Status{Message: "denied by a test", Code: http.StatusForbidden}}
	review.Request = nil
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}

// hang is a webhook that does not respond.
func hang(_ http.ResponseWriter, request *http.Request) {
	// The end of the connection is noticed when the body has been read.
	_, _ = io.Copy(io.Discard, request.Body)
	<-request.Context().Done()
}

// denyByPolicy denies the writes of the status by a policy. Without a reason it denies with the code of a schema (422, Invalid).
func denyByPolicy(ctx context.Context, w *World) error {
	policies := w.kube.AdmissionregistrationV1().ValidatingAdmissionPolicies()
	bindings := w.kube.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings()
	policy := &admissionregistrationv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: denied},
		Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: &admissionregistrationv1.MatchResources{
				ResourceRules: []admissionregistrationv1.NamedRuleWithOperations{{RuleWithOperations: statusWrites}},
			},
			Validations: []admissionregistrationv1.Validation{{Expression: "false", Message: "denied by a test"}},
		},
	}
	binding := &admissionregistrationv1.ValidatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: denied},
		Spec: admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: denied, ValidationActions: []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny},
		},
	}
	return w.refuseWrites(ctx, func(ctx context.Context) error {
		_, errPolicy := policies.Create(ctx, policy, metav1.CreateOptions{})
		_, errBinding := bindings.Create(ctx, binding, metav1.CreateOptions{})
		return errors.Join(errPolicy, errBinding, w.awaitDenied(ctx))
	}, func(ctx context.Context) error {
		return errors.Join(bindings.Delete(ctx, denied, metav1.DeleteOptions{}), policies.Delete(ctx, denied, metav1.DeleteOptions{}))
	})
}
