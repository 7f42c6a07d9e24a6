package snapshot

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestCertificateRequests: must-gathers have those of kubelets, each in a file.
func TestCertificateRequests(t *testing.T) {
	text, err := json.Marshal(builders.CertificateRequest("csr-1", "a", time.Date(2025, time.March, 1, 10, 0, 0, 0, time.UTC)))
	if err != nil {
		t.Fatal(err)
	}
	read := load(t, write(t, map[string]string{
		"cluster.yaml": degradedCluster, "cluster-scoped-resources/certificates.k8s.io/certificatesigningrequests/csr-1.yaml": string(text),
	}))
	if requests := read.ClusterInput().CertificateRequests; len(requests) != 1 || len(requests[0].Spec.Request) == 0 {
		t.Errorf("got %v", requests)
	}
}
