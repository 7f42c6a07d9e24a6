package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// recordedCluster is a recorded cluster, which has no UpdateStatus.
var recordedCluster = filepath.Join("..", "..", "..", "test", "updatestatus", "conformance", "testdata", "made-up")

// serveRecorded serves the objects of the recorded cluster, but for those at some paths.
func serveRecorded(t *testing.T, without ...string) *apiServer {
	t.Helper()
	return serveRecordedWith(t, "", "", without...)
}

// serveRecordedWith serves an UpdateStatus and its summary as well, those that are not empty.
func serveRecordedWith(t *testing.T, status, summary string, without ...string) *apiServer {
	t.Helper()
	responses := recordedResponses(t, map[string]string{updateStatusPath: status, summaryPath: summary})
	for _, path := range without {
		responses[path] = errorResponse(t, http.StatusForbidden, "Forbidden")
	}
	return serve(t, responses)
}

// recordedResponses returns the objects of the recorded cluster, with those at some paths that are not empty.
func recordedResponses(t *testing.T, objects map[string]string) map[string]response {
	t.Helper()
	responses := map[string]response{
		updateStatusPath:   noResource,
		clusterVersionPath: objectResponse(t, content(t, recordedCluster+"-cv.yaml")),
	}
	for path, object := range objects {
		if object != "" {
			responses[path] = objectResponse(t, object)
		}
	}
	for path, file := range map[string]string{
		"/apis/config.openshift.io/v1/clusteroperators":                 "-co.yaml",
		"/apis/machineconfiguration.openshift.io/v1/machineconfigpools": "-mcp.yaml",
		"/apis/machineconfiguration.openshift.io/v1/machineconfigs":     "-mc.yaml",
		"/api/v1/nodes": "-node.yaml",
	} {
		responses[path] = objectResponse(t, content(t, recordedCluster+file))
	}
	return responses
}

// TestLive checks that a cluster without an UpdateStatus is shown as the files of the same cluster are.
func TestLive(t *testing.T) {
	api := serveRecorded(t)
	folder := t.TempDir()
	for _, file := range []string{"-cv.yaml", "-co.yaml", "-mcp.yaml", "-mc.yaml", "-node.yaml"} {
		if err := os.WriteFile(filepath.Join(folder, "a"+file), []byte(content(t, recordedCluster+file)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := run(t, "", "--must-gather", folder, "--classic")
	_, rest, _ := strings.Cut(files.errOut, "as of ")
	evalTime, _, _ := strings.Cut(rest, ",")
	got := run(t, "", "--server", api.url, "--classic", "--now", evalTime)
	if diff := cmp.Diff(files.out, got.out); diff != "" {
		t.Errorf("(-files +cluster):\n%s", diff)
	}
	for _, want := range []string{notServed, "unable to read alerts: ", "unable to read the Deployment machine-config-operator: "} {
		if !strings.Contains(got.errOut, want) {
			t.Errorf("standard error lacks %q:\n%s", want, got.errOut)
		}
	}
	if requests := api.requests.Load(); requests > 12 {
		t.Errorf("%d requests", requests)
	}
}

// TestLiveWithoutPermission checks that what the user may not read is said, and is an error.
func TestLiveWithoutPermission(t *testing.T) {
	got := run(t, "", "--server", serveRecorded(t, "/api/v1/nodes").url)
	if got.err == nil || !strings.Contains(got.err.Error(), "Nodes") || !strings.Contains(got.errOut, "unable to read Nodes: from the server") {
		t.Errorf("error %v, warnings:\n%s", got.err, got.errOut)
	}
	got = run(t, "", "--server", serveRecorded(t, clusterVersionPath).url)
	if got.err == nil || !strings.Contains(got.err.Error(), "its ClusterVersion can't be read") || got.out != "" {
		t.Errorf("error %v\n%s", got.err, got.out)
	}
}

// alertsOf shows a cluster whose route for alerts leads to a querier, to a user with a token.
func alertsOf(t *testing.T, querier *httptest.Server, token string) outcome {
	t.Helper()
	route := fmt.Sprintf("{apiVersion: route.openshift.io/v1, kind: Route, metadata: {name: thanos-querier}, spec: {host: %q}}", hostOf(querier))
	// A token is sent over TLS only.
	api := httptest.NewTLSServer(handlerOf(map[string]response{
		clusterVersionPath: objectResponse(t, content(t, recordedCluster+"-cv.yaml")),
		"/apis/route.openshift.io/v1/namespaces/openshift-monitoring/routes/thanos-querier": objectResponse(t, route),
	}))
	t.Cleanup(api.Close)
	config := filepath.Join(t.TempDir(), "kubeconfig")
	kubeconfig := "apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{name: a, context: {cluster: a, user: a}}]\n" +
		"clusters: [{name: a, cluster: {server: " + api.URL + ", insecure-skip-tls-verify: true}}]\nusers: [{name: a, user: {token: " + token + "}}]\n"
	if err := os.WriteFile(config, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	return run(t, "", "--kubeconfig", config)
}

func hostOf(server *httptest.Server) string {
	return strings.TrimPrefix(server.URL, "https://")
}

// TestLiveAlerts checks that the alerts of the route are shown, for users with a token only.
func TestLiveAlerts(t *testing.T) {
	querier := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" || r.URL.Path != "/api/v1/alerts" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		_, _ = w.Write([]byte(`{"status":"success","data":{"alerts":[]}}`))
	}))
	t.Cleanup(querier.Close)
	for name, tc := range map[string]struct{ token, want string }{
		"token":         {"secret", ""},
		"another token": {"other", "unable to read alerts: " + hostOf(querier) + " responded with 403"},
	} {
		got := alertsOf(t, querier, tc.token)
		if hasWarning := strings.Contains(got.errOut, "unable to read alerts"); hasWarning != (tc.want != "") || !strings.Contains(got.errOut, tc.want) {
			t.Errorf("%s: warnings:\n%s", name, got.errOut)
		}
	}
}

// TestRedirectedAlerts checks that a redirect of the route is not followed: it would send the token elsewhere.
func TestRedirectedAlerts(t *testing.T) {
	for name, start := range map[string]func(http.Handler) *httptest.Server{"https": httptest.NewTLSServer, "http": httptest.NewServer} {
		t.Run(name, func(t *testing.T) {
			other := start(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				t.Errorf("a request for %s, with Authorization %q", r.URL, r.Header.Get("Authorization"))
			}))
			t.Cleanup(other.Close)
			querier := httptest.NewTLSServer(http.RedirectHandler(other.URL+"/api/v1/alerts", http.StatusFound))
			t.Cleanup(querier.Close)
			got := alertsOf(t, querier, "secret")
			if want := "the server redirects to " + other.URL + ", which would get the credentials"; !strings.Contains(got.errOut, want) {
				t.Errorf("standard error lacks %q:\n%s", want, got.errOut)
			}
		})
	}
}

// TestBadAlerts checks that a response that is endless, or no list of alerts, is a warning.
func TestBadAlerts(t *testing.T) {
	for want, respond := range map[string]http.HandlerFunc{
		"the response is larger than 10 MiB":                          writeEndlessly,
		"the response is not a list of alerts as Prometheus sends it": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") },
	} {
		querier := httptest.NewTLSServer(respond)
		t.Cleanup(querier.Close)
		got := alertsOf(t, querier, "secret")
		if want = "unable to read alerts: " + hostOf(querier) + ": " + want; !strings.Contains(got.errOut, want) {
			t.Errorf("standard error lacks %q:\n%s", want, got.errOut)
		}
	}
}

// TestSilentServer checks that the command says what it waits for, and not for ever.
func TestSilentServer(t *testing.T) {
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-ended:
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(ended) })
	streams, _, _, errOut := genericiooptions.NewTestIOStreams()
	o := newOptions(nil, streams)
	o.patience, o.requestTimeout = time.Millisecond, 100*time.Millisecond
	from, err := newCluster(&rest.Config{Host: server.URL}, target{}, o.clock)
	if err != nil {
		t.Fatal(err)
	}
	o.source = from
	err = o.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "has not responded within 100ms") || !strings.Contains(errOut.String(), "waiting for the API server "+server.URL) {
		t.Errorf("error %v, warnings:\n%s", err, errOut)
	}
}

// TestLiveRequests: the client sends as many requests as it needs, and writes nothing about them into a terminal.
func TestLiveRequests(t *testing.T) {
	klog.SetLogger(funcr.New(func(_, entry string) { t.Error(entry) }, funcr.Options{}))
	t.Cleanup(klog.ClearLogger)
	from, err := newCluster(newFakeCluster(t, content(t, updateStatusFile)).config(), target{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var requests sync.WaitGroup
	// More than client-go sends at once by default.
	for range 2 * rest.DefaultBurst {
		requests.Go(func() {
			if _, err := from.statuses.Get(t.Context(), "cluster", metav1.GetOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
	requests.Wait()
}
