package faults

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/test/controlplane"
)

// tokenSecret is the Secret without which the token of the controller is not valid.
const tokenSecret = "token"

// tokenFile is the file with the token of the controller, in scenarios with TokenFile.
func (w *World) tokenFile() string {
	return filepath.Join(w.folder, "token")
}

// expireToken makes the token of the controller invalid, and then replaces it in its file, as a kubelet does that was late. client-go
// reads the file again 50 seconds after it last did (k8s.io/client-go/transport, NewCachedFileTokenSource), whatever the API server
// responds.
func expireToken(ctx context.Context, w *World) error {
	return w.refuseWrites(ctx, w.revokeToken, w.issueToken)
}

// issueToken writes a new token of the controller to its file. It is valid as long as its Secret exists.
func (w *World) issueToken(ctx context.Context) error {
	secret, err := w.kube.CoreV1().Secrets(controlplane.Namespace).Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: tokenSecret}}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("creating the Secret of the token: %w", err)
	}
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
		BoundObjectRef: &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: "Secret", Name: tokenSecret, UID: secret.UID},
	}}
	accounts := w.kube.CoreV1().ServiceAccounts(controlplane.Namespace)
	response, err := accounts.CreateToken(ctx, controlplane.ServiceAccount.Name, request, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("requesting a token: %w", err)
	}
	// A kubelet replaces the file as well.
	if err := os.WriteFile(w.tokenFile()+".new", []byte(response.Status.Token), 0o600); err != nil {
		return fmt.Errorf("writing the token: %w", err)
	}
	return os.Rename(w.tokenFile()+".new", w.tokenFile())
}

// deleteTokenSecret deletes the Secret of the token.
func (w *World) deleteTokenSecret(ctx context.Context) error {
	if err := w.kube.CoreV1().Secrets(controlplane.Namespace).Delete(ctx, tokenSecret, metav1.DeleteOptions{}); err != nil {
		return fmt.Errorf("deleting the Secret of the token: %w", err)
	}
	return nil
}

// revokeToken makes the token invalid, and waits until the API server refuses it: it caches for some seconds that it is valid.
func (w *World) revokeToken(ctx context.Context) error {
	config := rest.AnonymousClientConfig(w.Plane.Admin())
	token, err := os.ReadFile(w.tokenFile())
	if err != nil {
		return fmt.Errorf("reading the token: %w", err)
	}
	config.BearerToken = string(token)
	controller, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("building a client: %w", err)
	}
	if err := w.deleteTokenSecret(ctx); err != nil {
		return err
	}
	err = wait.PollUntilContextTimeout(ctx, pollInterval, settleTimeout, true, func(ctx context.Context) (bool, error) {
		return apierrors.IsUnauthorized(reviews(controller).Do(ctx).Error()), nil
	})
	if err != nil {
		return fmt.Errorf("waiting until the token is refused: %w", err)
	}
	return nil
}
