package integration_test

import (
	"crypto/tls"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	configclient "github.com/openshift/client-go/config/clientset/versioned"

	"github.com/openshift/cluster-version-operator/test/harness"
)

// TestTLSProfile: metrics and probes are served with the TLS security profile of the cluster.
func TestTLSProfile(t *testing.T) {
	for _, test := range []struct {
		profile configv1.TLSProfileType
		// accepts is whether a client with TLS 1.2 is served.
		accepts bool
	}{
		{configv1.TLSProfileIntermediateType, true},
		{configv1.TLSProfileModernType, false},
	} {
		t.Run(string(test.profile), func(t *testing.T) {
			w := newWorld(t)
			w.put(smallCluster()...)
			apiServer := &configv1.APIServer{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}, Spec: configv1.APIServerSpec{
				TLSSecurityProfile: &configv1.TLSSecurityProfile{Type: test.profile},
			}}
			if _, err := configclient.NewForConfigOrDie(w.plane.Admin()).ConfigV1().APIServers().Create(w.ctx, apiServer, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			p := w.startPod(harness.PodOptions{Name: "tls"})
			w.until("the first report", isAvailable)
			for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
				dialer := &tls.Dialer{Config: &tls.Config{RootCAs: p.trusts, ServerName: harness.ServingHost, MinVersion: version, MaxVersion: version}}
				connection, err := dialer.DialContext(w.ctx, "tcp", p.Address())
				if err == nil {
					_ = connection.Close()
				}
				if accepted := err == nil; accepted != (test.accepts || version == tls.VersionTLS13) {
					t.Errorf("%s: %v", tls.VersionName(version), err)
				}
			}
		})
	}
}
