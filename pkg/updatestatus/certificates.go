package updatestatus

import (
	"context"
	"fmt"

	certificatesv1 "k8s.io/api/certificates/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
)

// kubeletSigners are the signers of the certificates of kubelets.
var kubeletSigners = []string{certificatesv1.KubeAPIServerClientKubeletSignerName, certificatesv1.KubeletServingSignerName}

// certificateRequests lists the requests of kubelets for certificates.
func (c clients) certificateRequests(ctx context.Context) ([]*certificatesv1.CertificateSigningRequest, error) {
	var requests []*certificatesv1.CertificateSigningRequest
	for _, signer := range kubeletSigners {
		found, err := c.kube.CertificatesV1().CertificateSigningRequests().List(ctx, metav1.ListOptions{
			FieldSelector: fields.OneTermEqualSelector("spec.signerName", signer).String(),
		})
		if err != nil {
			return nil, fmt.Errorf("listing the CertificateSigningRequests of %s: %w", signer, err)
		}
		for at := range found.Items {
			requests = append(requests, &found.Items[at])
		}
	}
	return requests, nil
}
