package builders

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// nodeBootstrapper requests the first certificate of a kubelet: openshift/machine-config-operator,
// manifests/machineconfigserver/csr-bootstrap-role-binding.yaml.
const nodeBootstrapper = "system:serviceaccount:openshift-machine-config-operator:node-bootstrapper"

// CertificateRequest returns the request of a node's kubelet for the certificate with which it reaches the API server, which is not decided.
func CertificateRequest(name, node string, created time.Time, options ...func(*certificatesv1.CertificateSigningRequest)) *certificatesv1.CertificateSigningRequest {
	request := &certificatesv1.CertificateSigningRequest{
		TypeMeta:   metav1.TypeMeta{APIVersion: certificatesv1.SchemeGroupVersion.String(), Kind: "CertificateSigningRequest"},
		ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(created)},
		Spec: certificatesv1.CertificateSigningRequestSpec{
			Request: pemRequest("system:node:" + node), SignerName: certificatesv1.KubeAPIServerClientKubeletSignerName, Username: nodeBootstrapper,
			Usages: []certificatesv1.KeyUsage{certificatesv1.UsageDigitalSignature, certificatesv1.UsageClientAuth},
		},
	}
	for _, option := range options {
		option(request)
	}
	return request
}

// Serving makes the request one for the certificate with which the kubelet of a node serves.
func Serving(node string) func(*certificatesv1.CertificateSigningRequest) {
	return func(request *certificatesv1.CertificateSigningRequest) {
		request.Spec.SignerName, request.Spec.Username = certificatesv1.KubeletServingSignerName, "system:node:"+node
		request.Spec.Usages = []certificatesv1.KeyUsage{certificatesv1.UsageDigitalSignature, certificatesv1.UsageServerAuth}
	}
}

// Approved makes the request one that is approved.
func Approved(request *certificatesv1.CertificateSigningRequest) {
	request.Status.Conditions = []certificatesv1.CertificateSigningRequestCondition{{Type: certificatesv1.CertificateApproved, Status: "True"}}
}

func pemRequest(name string) []byte {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := x509.CertificateRequest{Subject: pkix.Name{CommonName: name, Organization: []string{"system:nodes"}}}
	request, err := x509.CreateCertificateRequest(rand.Reader, &template, key)
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: request})
}
