package thanos

import (
	"context"
	"net/http"
	"slices"
	"sync"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// AlertsAccess is the access that kube-rbac-proxy reviews before it forwards a request for alerts.
var AlertsAccess = authorizationv1.ResourceAttributes{
	Namespace: "openshift-monitoring", Verb: "get", Group: "monitoring.coreos.com", Version: "v1",
	Resource: "prometheuses", Subresource: "api", Name: "k8s",
}

// Authorizer decides with the API server which client may read alerts, as kube-rbac-proxy does.
type Authorizer struct {
	kube kubernetes.Interface

	lock    sync.Mutex
	allowed []authenticationv1.UserInfo
}

// NewAuthorizer returns an Authorizer with a client that may review tokens and access.
func NewAuthorizer(kube kubernetes.Interface) *Authorizer {
	return &Authorizer{kube: kube}
}

// Authorize is an Authorize.
func (a *Authorizer) Authorize(ctx context.Context, token string) int {
	review, err := a.kube.AuthenticationV1().TokenReviews().Create(ctx, &authenticationv1.TokenReview{
		Spec: authenticationv1.TokenReviewSpec{Token: token},
	}, metav1.CreateOptions{})
	switch {
	case err != nil:
		return http.StatusInternalServerError
	case !review.Status.Authenticated:
		return http.StatusUnauthorized
	}
	user := review.Status.User
	extra := map[string]authorizationv1.ExtraValue{}
	for key, values := range user.Extra {
		extra[key] = authorizationv1.ExtraValue(values)
	}
	access, err := a.kube.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{
		Spec: authorizationv1.SubjectAccessReviewSpec{
			ResourceAttributes: &AlertsAccess, User: user.Username, UID: user.UID, Groups: user.Groups, Extra: extra,
		},
	}, metav1.CreateOptions{})
	switch {
	case err != nil:
		return http.StatusInternalServerError
	case !access.Status.Allowed:
		return http.StatusForbidden
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	a.allowed = append(a.allowed, user)
	return http.StatusOK
}

// Allowed returns the users whose requests were allowed, in their order.
func (a *Authorizer) Allowed() []authenticationv1.UserInfo {
	a.lock.Lock()
	defer a.lock.Unlock()
	return slices.Clone(a.allowed)
}
