package controlplane

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

// Namespace is the namespace of the Update Status Controller.
const Namespace = "openshift-update-status-controller"

// ServiceAccount is who the Update Status Controller is by the manifests.
var ServiceAccount = types.NamespacedName{Namespace: Namespace, Name: "update-status-controller"}

const (
	clusterName   = "test"
	tokenLifetime = 24 * 60 * 60
)

// As returns a client configuration of a ServiceAccount, with the rate limit that clients have by default.
func (c *ControlPlane) As(ctx context.Context, account types.NamespacedName) (*rest.Config, error) {
	kube, err := kubernetes.NewForConfig(c.admin)
	if err != nil {
		return nil, err
	}
	request := &authenticationv1.TokenRequest{
		Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: ptr.To[int64](tokenLifetime)},
	}
	accounts := kube.CoreV1().ServiceAccounts(account.Namespace)
	answer, err := accounts.CreateToken(ctx, account.Name, request, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("token of %s: %w", account, err)
	}
	config := rest.AnonymousClientConfig(c.admin)
	config.QPS = 0
	config.BearerToken = answer.Status.Token
	return config, nil
}

// AwaitAccess waits until the API server tells somebody, by their client configuration, that they may do something, or that
// they may not. It learns of a ServiceAccount and of its roles a moment after they were written.
func AwaitAccess(ctx context.Context, somebody *rest.Config, asked authorizationv1.SelfSubjectAccessReviewSpec, allowed bool) error {
	kube, err := kubernetes.NewForConfig(somebody)
	if err != nil {
		return err
	}
	review := &authorizationv1.SelfSubjectAccessReview{Spec: asked}
	var last error
	err = pace.Poll(ctx, readyPolling, readyPatience, func(ctx context.Context) (bool, error) {
		answer, err := kube.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		if last = err; err != nil {
			return false, nil
		}
		return answer.Status.Allowed == allowed, nil
	})
	if err != nil {
		return fmt.Errorf("waiting until %s is allowed: %t: %w", asked.String(), allowed, errors.Join(err, last))
	}
	return nil
}

// Kubeconfig writes a kubeconfig file for a ServiceAccount and returns its path. Stop removes it.
func (c *ControlPlane) Kubeconfig(ctx context.Context, account types.NamespacedName) (string, error) {
	config, err := c.As(ctx, account)
	if err != nil {
		return "", err
	}
	return c.writeKubeconfig(account.Namespace+"_"+account.Name, config)
}

// AdminKubeconfig writes a kubeconfig file for one who may do everything and returns its path. Stop removes it.
func (c *ControlPlane) AdminKubeconfig() (string, error) {
	return c.writeKubeconfig("admin", c.admin)
}

// KubeconfigOf writes a kubeconfig file for somebody's client configuration and returns its path. Stop removes it.
func (c *ControlPlane) KubeconfigOf(user string, config *rest.Config) (string, error) {
	return c.writeKubeconfig(user, config)
}

// Kubectl returns the path of kubectl, which is built with the control plane.
func (c *ControlPlane) Kubectl() string {
	return c.environment.ControlPlane.KubectlPath
}

func (c *ControlPlane) writeKubeconfig(user string, config *rest.Config) (string, error) {
	content := clientcmdapi.Config{
		Clusters: map[string]*clientcmdapi.Cluster{
			clusterName: {Server: config.Host, CertificateAuthorityData: config.CAData},
		},
		AuthInfos: map[string]*clientcmdapi.AuthInfo{
			user: {
				Token:                 config.BearerToken,
				TokenFile:             config.BearerTokenFile,
				ClientCertificateData: config.CertData,
				ClientKeyData:         config.KeyData,
			},
		},
		Contexts:       map[string]*clientcmdapi.Context{clusterName: {Cluster: clusterName, AuthInfo: user}},
		CurrentContext: clusterName,
	}
	path := filepath.Join(c.dir, user+".kubeconfig")
	return path, clientcmd.WriteToFile(content, path)
}
