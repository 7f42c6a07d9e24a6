package faults

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
)

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

// issueToken writes a new token of the controller to its file.
func (w *World) issueToken(ctx context.Context) error {
	accounts := w.kube.CoreV1().ServiceAccounts(controlplane.Namespace)
	response, err := accounts.CreateToken(ctx, controlplane.ServiceAccount.Name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("requesting a token: %w", err)
	}
	// A kubelet replaces the file as well.
	if err := os.WriteFile(w.tokenFile()+".new", []byte(response.Status.Token), 0o600); err != nil {
		return fmt.Errorf("writing the token: %w", err)
	}
	return os.Rename(w.tokenFile()+".new", w.tokenFile())
}

// revokeToken makes the token invalid, by replacing the ServiceAccount, and waits until the API server refuses it: it caches for some seconds
// that it is valid.
func (w *World) revokeToken(ctx context.Context) error {
	accounts := w.kube.CoreV1().ServiceAccounts(controlplane.Namespace)
	account, err := accounts.Get(ctx, controlplane.ServiceAccount.Name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading the ServiceAccount: %w", err)
	}
	next := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: account.Name, Annotations: account.Annotations, Labels: account.Labels}}
	errDelete := accounts.Delete(ctx, account.Name, metav1.DeleteOptions{})
	_, errCreate := accounts.Create(ctx, next, metav1.CreateOptions{})
	if err := errors.Join(errDelete, errCreate); err != nil {
		return fmt.Errorf("replacing the ServiceAccount: %w", err)
	}
	config := rest.AnonymousClientConfig(w.Plane.Admin())
	config.BearerTokenFile = w.tokenFile()
	controller, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("building a client: %w", err)
	}
	return w.await(ctx, "the token to be refused", func(ctx context.Context) (bool, error) {
		return apierrors.IsUnauthorized(reviews(controller).Do(ctx).Error()), nil
	})
}
