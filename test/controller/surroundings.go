package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/cert"

	"github.com/openshift/cluster-version-operator/test/controlplane"
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
	_, err = kube.CoreV1().ConfigMaps(controlplane.Namespace).Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "kube-root-ca.crt"}, Data: map[string]string{"ca.crt": string(plane.Admin().CAData)},
	}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return nil, fmt.Errorf("publishing the authority of the API server: %w", err)
	}
	return PutServingCertificate(ctx, plane)
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
