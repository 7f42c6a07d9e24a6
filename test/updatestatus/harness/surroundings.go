package harness

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/cert"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
)

const (
	// ServingHost is the name of the Service of manifests/, which its certificate is for.
	ServingHost = "update-status-controller.openshift-update-status-controller.svc"

	servingSecret = "update-status-controller-serving-cert"
)

// PrepareForPods does what controllers of a cluster do before the pod of the Deployment can run: it publishes the authority
// of the API server in the namespace, and makes a certificate for the Service (PutServingCertificate), which it returns.
func PrepareForPods(ctx context.Context, plane *controlplane.ControlPlane) (certificate []byte, err error) {
	kube, err := kubernetes.NewForConfig(plane.Admin())
	if err != nil {
		return nil, err
	}
	if err := publish(ctx, kube, "kube-root-ca.crt", "ca.crt", plane.Admin().CAData); err != nil {
		return nil, err
	}
	return PutServingCertificate(ctx, plane)
}

// PutServiceAuthority publishes in the namespace the authority of the certificates of services, as a cluster does. Without
// one, what was published is withdrawn.
func PutServiceAuthority(ctx context.Context, plane *controlplane.ControlPlane, authority []byte) error {
	const name = "openshift-service-ca.crt"
	kube, err := kubernetes.NewForConfig(plane.Admin())
	if err != nil {
		return err
	}
	if len(authority) > 0 {
		return publish(ctx, kube, name, "service-ca.crt", authority)
	}
	err = kube.CoreV1().ConfigMaps(controlplane.Namespace).Delete(ctx, name, metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("withdrawing an authority: %w", err)
	}
	return nil
}

func publish(ctx context.Context, kube kubernetes.Interface, name, key string, authority []byte) error {
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{key: string(authority)}}
	configMaps := kube.CoreV1().ConfigMaps(controlplane.Namespace)
	_, err := configMaps.Create(ctx, configMap, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		_, err = configMaps.Update(ctx, configMap, metav1.UpdateOptions{})
	}
	if err != nil {
		return fmt.Errorf("publishing an authority in %s: %w", name, err)
	}
	return nil
}

// PutServingCertificate makes a certificate for the Service, as the service-ca operator does, and returns it as PEM. It is
// its own authority.
func PutServingCertificate(ctx context.Context, plane *controlplane.ControlPlane) (certificate []byte, err error) {
	kube, err := kubernetes.NewForConfig(plane.Admin())
	if err != nil {
		return nil, err
	}
	certificate, key, err := cert.GenerateSelfSignedCertKey(ServingHost, nil, nil)
	if err != nil {
		return nil, err
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: servingSecret}, Type: corev1.SecretTypeTLS,
		Data: map[string][]byte{corev1.TLSCertKey: certificate, corev1.TLSPrivateKeyKey: key},
	}
	secrets := kube.CoreV1().Secrets(controlplane.Namespace)
	_, err = secrets.Create(ctx, secret, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		_, err = secrets.Update(ctx, secret, metav1.UpdateOptions{})
	}
	if err != nil {
		return nil, fmt.Errorf("publishing a certificate: %w", err)
	}
	return certificate, nil
}
