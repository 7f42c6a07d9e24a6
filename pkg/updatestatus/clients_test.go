package updatestatus

import (
	"context"
	"encoding/pem"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-logr/logr/funcr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/klog/v2"

	"github.com/openshift/library-go/pkg/config/client"

	"github.com/openshift/cluster-version-operator/pkg/coalesce"
	"github.com/openshift/cluster-version-operator/pkg/nodes"
)

// TestUnlimited: a rate limit of its own must never be what delays a write. Zero would be client-go's five a second.
func TestUnlimited(t *testing.T) {
	given := &rest.Config{QPS: 5, Burst: 10}
	if got := unlimited(given); got.QPS >= 0 || got.RateLimiter != nil || got.UserAgent == "" {
		t.Errorf("got %+v", got)
	}
	if given.QPS != 5 {
		t.Error("the configuration that was given has changed")
	}
}

// TestRedialed: a client that is made from what library-go reads has a connection of its own, by the dialer that is given. What
// library-go makes of a configuration replaces its dialer.
func TestRedialed(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.EnableHTTP2 = true
	var connections atomic.Int32
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.StartTLS()
	defer server.Close()
	config := configured(t, server)
	asked := 0
	own := redialed(t.Context(), config, func(by coalesce.DialFunc) coalesce.DialFunc {
		return func(ctx context.Context, network, address string) (net.Conn, error) {
			asked++
			return by(ctx, network, address)
		}
	})
	for name, config := range map[string]*rest.Config{"its own": own, "that of all others": config} {
		t.Run(name, func(t *testing.T) {
			client, err := nodes.NewClient(config)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := client.Nodes().Get(t.Context(), "node", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
				t.Errorf("the server didn't answer: %v", err)
			}
		})
	}
	if asked != 1 || connections.Load() != 2 {
		t.Errorf("of %d connections the dialer made %d", connections.Load(), asked)
	}
	if config.Dial != nil {
		t.Error("the configuration that was given has changed")
	}
}

// TestNotRedialed: a transport that has no dialer to replace works as it is, and the log says what is amiss.
func TestNotRedialed(t *testing.T) {
	var logged []string
	logger := funcr.New(func(_, line string) { logged = append(logged, line) }, funcr.Options{Verbosity: 2})
	ctx := klog.NewContext(t.Context(), logger)
	wrapped := &onePool{changed: make(chan struct{})}
	for _, tc := range []struct {
		name string
		by   http.RoundTripper
		want int
	}{
		{"a transport", &http.Transport{}, 0},
		{"another one", wrapped, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			logged = nil
			config := redialed(ctx, &rest.Config{}, func(coalesce.DialFunc) coalesce.DialFunc { return (&net.Dialer{}).DialContext })
			if got := config.WrapTransport(tc.by); got != tc.by {
				t.Errorf("made a transport %T of %T", got, tc.by)
			}
			if len(logged) != tc.want || tc.want > 0 && !strings.Contains(logged[0], "onePool") {
				t.Errorf("logged %q", logged)
			}
		})
	}
}

// configured returns what library-go makes of a kubeconfig.
func configured(t *testing.T, server *httptest.Server) *rest.Config {
	t.Helper()
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"one": {Server: server.URL, CertificateAuthorityData: authority}},
		Contexts:       map[string]*clientcmdapi.Context{"one": {Cluster: "one"}},
		CurrentContext: "one",
	}, file); err != nil {
		t.Fatal(err)
	}
	config, err := client.GetKubeConfigOrInClusterConfig(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return config
}
