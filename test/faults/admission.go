package faults

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// denied is the name of what denies the writes of the status.
const denied = "denied.example.com"

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
			if _, err := webhooks.Create(ctx, configuration, metav1.CreateOptions{}); err != nil {
				return fmt.Errorf("installing the webhook: %w", err)
			}
			return nil
		}, func(ctx context.Context) error {
			if err := webhooks.Delete(ctx, denied, metav1.DeleteOptions{}); err != nil {
				return fmt.Errorf("removing the webhook: %w", err)
			}
			return nil
		})
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
		if _, err := policies.Create(ctx, policy, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating the policy: %w", err)
		}
		if _, err := bindings.Create(ctx, binding, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("binding the policy: %w", err)
		}
		return nil
	}, func(ctx context.Context) error {
		if err := bindings.Delete(ctx, denied, metav1.DeleteOptions{}); err != nil {
			return fmt.Errorf("removing the binding of the policy: %w", err)
		}
		if err := policies.Delete(ctx, denied, metav1.DeleteOptions{}); err != nil {
			return fmt.Errorf("removing the policy: %w", err)
		}
		return nil
	})
}
