package cli

import (
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestErrors checks the messages of errors, which are one line and have what to do.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	const clusterVersion = "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\n"
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n"
	const broken = "kind: UpdateStatus\napiVersion: update.openshift.io/v1alpha1\nmetadata: {name: cluster}\nstatus: {\n"
	for _, tc := range []struct {
		name string
		args []string
		want []string
	}{
		{name: "argument", args: []string{"cluster"}, want: []string{`unexpected argument "cluster"`, "--must-gather"}},
		{name: "empty filename", args: []string{"-f", ""}, want: []string{"--filename is empty"}},
		{name: "empty must-gather", args: []string{"--must-gather", ""}, want: []string{"--must-gather is empty", "omit the flag"}},
		{name: "empty contexts", args: []string{"--contexts", ""}, want: []string{"--contexts is empty"}},
		{name: "empty time", args: []string{"--now="}, want: []string{`"--now"`, "invalid time"}},
		{name: "two sources", args: []string{"-f", "a", "--must-gather", "b"}, want: []string{"can't be used together"}},
		{name: "watch of a file", args: []string{"-f", "a", "--watch"}, want: []string{"files don't change"}},
		{name: "watch with a time", args: []string{"--watch", "--now", "2025-03-01T12:00:00Z"}, want: []string{"can't be used with --now"}},
		{name: "invalid color", args: []string{"--color", "pink"}, want: []string{`"pink"`, "auto, always, never"}},
		{name: "invalid format", args: []string{"-o", "xml"}, want: []string{`"xml"`, "json, jsonpath", "markdown"}},
		{name: "invalid columns", args: []string{"-o", "custom-columns=A"}, want: []string{`"custom-columns=A"`}},
		{name: "invalid part", args: []string{"--watch", "--for", "pool/"}, want: []string{`"pool/"`, "all, control-plane, management, data-plane, workers, pool/NAME"}},
		{name: "part without a watch", args: []string{"--for", "workers"}, want: []string{"--for, --wait-for-start, --timeout and --remind need --watch"}},
		{name: "management without a hosted cluster", args: []string{"--watch", "--for", "management"}, want: []string{"--for=management and --for=data-plane need --hosted-cluster"}},
		{name: "data plane without a hosted cluster", args: []string{"--watch", "--for", "data-plane"}, want: []string{"--for=management and --for=data-plane need --hosted-cluster"}},
		{name: "contexts and a file", args: []string{"--contexts", "a", "-f", "a"}, want: []string{"--contexts can't be used with -f"}},
		{name: "invalid details", args: []string{"--details", "some"}, want: []string{`"some"`, "none, all, nodes, health, operators"}},
		{name: "invalid time", args: []string{"--now", "noon"}, want: []string{`"noon"`, "2006-01-02T15:04:05Z"}},
		{name: "no file", args: []string{"-f", filepath.Join(dir, "none.yaml")}, want: []string{"none.yaml", "no such file"}},
		{name: "no directory", args: []string{"--must-gather", filepath.Join(dir, "none")}, want: []string{"no such file or directory", "none"}},
		{name: "empty file", args: []string{"-f", file("empty.yaml", "")}, want: []string{"empty.yaml contains no UpdateStatus"}},
		{name: "another object", args: []string{"-f", file("cv.yaml", clusterVersion)}, want: []string{"cv.yaml contains no UpdateStatus", "--must-gather"}},
		{name: "broken object", args: []string{"-f", file("bad.yaml", broken)}, want: []string{"bad.yaml:4: decoding UpdateStatus"}},
		{name: "empty input", args: []string{"-f", "-"}, want: []string{"standard input contains no UpdateStatus"}},
		{
			name: "nothing to assess", args: []string{"--must-gather", file("node.yaml", node)},
			want: []string{"node.yaml contains neither an UpdateStatus nor a ClusterVersion"},
		},
		{name: "no configuration", want: []string{"the API server http://localhost:8080 is unreachable", "oc login", "--must-gather"}},
		{name: "no such context", args: []string{"--context", "missing"}, want: []string{"the kubeconfig has no such context", "missing"}},
		{name: "a password in the address", args: []string{"--server", "http://admin:S3CRET@127.0.0.1:1"}, want: []string{"the API server http://127.0.0.1:1 is unreachable"}},
		{name: "a password that breaks the address", args: []string{"--server", "http://admin:S3C/RET@127.0.0.1:1"}, want: []string{"the address of the API server is no URL"}},
		{
			name: "a password in the address of a proxy", args: []string{"--kubeconfig", file("kubeconfig", "apiVersion: v1\nkind: Config\ncurrent-context: a\n"+
				"contexts: [{name: a, context: {cluster: a}}]\nclusters: [{name: a, cluster: {server: 'https://127.0.0.1:1', proxy-url: 'http://u:S3C RET@127.0.0.1:2'}}]\n")},
			want: []string{"the configuration of the cluster can't be used", "invalid 'proxy-url'"},
		},
		{name: "no API server", args: []string{"--server", "http://127.0.0.1:1"}, want: []string{"the API server http://127.0.0.1:1 is unreachable", "oc login"}},
	} {
		t.Run(tc.name, func(t *testing.T) { checkError(t, tc.args, tc.want) })
	}
}

// TestAPIErrors checks the messages of the errors of an API server.
func TestAPIErrors(t *testing.T) {
	for _, tc := range []struct {
		name     string
		response response
		want     []string
	}{
		{name: "another server", response: noResource, want: []string{"is not the API server of an OpenShift cluster", "check the address"}},
		{
			name: "login page", response: response{http.StatusOK, "text/html", "<!DOCTYPE html><html>Log in</html>"},
			want: []string{"perhaps with a login page", "check the address"},
		},
		{
			name: "forbidden", response: errorResponse(t, http.StatusForbidden, metav1.StatusReasonForbidden),
			want: []string{"not allowed to read", "permission to get updatestatuses.update.openshift.io", "from the server"},
		},
		{
			name: "unauthorized", response: errorResponse(t, http.StatusUnauthorized, metav1.StatusReasonUnauthorized),
			want: []string{"authentication failed", "oc login", "from the server"},
		},
		{
			name: "another error", response: errorResponse(t, http.StatusBadRequest, metav1.StatusReasonBadRequest),
			want: []string{"reading UpdateStatus/cluster: from the server"},
		},
		{
			name: "another form", response: objectResponse(t, "{kind: UpdateStatus, apiVersion: update.openshift.io/v1, status: {controlPlane: none}}"),
			want: []string{"unable to decode the UpdateStatus/cluster", "oc get updatestatuses -o yaml"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			api := serve(t, map[string]response{updateStatusPath: tc.response})
			checkError(t, []string{"--server", api.url}, tc.want)
		})
	}
}

func checkError(t *testing.T, args, want []string) {
	t.Helper()
	got := run(t, "", args...)
	if got.err == nil {
		t.Fatalf("no error:\n%s", got.out)
	}
	if strings.Contains(got.err.Error()+got.errOut+got.out, "S3C") {
		t.Errorf("a password is printed: %v", got.err)
	}
	for _, part := range want {
		if !strings.Contains(got.err.Error(), part) {
			t.Errorf("the error lacks %q: %v", part, got.err)
		}
	}
	if got.out != "" || strings.Contains(got.err.Error(), "\n") {
		t.Errorf("the error is more than one line: %v\n%s", got.err, got.out)
	}
}

// TestIncompleteError checks that it names the first thing that files lack, and the number of the others.
func TestIncompleteError(t *testing.T) {
	const first = "incomplete, so the update may be behind what is shown: no nodes"
	for want, missing := range map[string][]string{
		first: {"no nodes"}, first + " (and 1 more)": {"no nodes", "no pools"}, first + " (and 2 more)": {"no nodes", "no pools", "no operators"},
	} {
		if got := incompleteError(missing).Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestWrongName: to a server whose certificate is for another name no request is sent, whatever is asked.
func TestWrongName(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) { t.Errorf("the server received %s", request.URL) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	authority := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"--watch"}, {"-o", "json"}} {
		checkError(t, append(args, "--server", server.URL, "--certificate-authority", authority, "--tls-server-name", "api.example.net", "--token", "secret"),
			[]string{"the certificate of " + server.URL + " can't be trusted", "tls-server-name", "not api.example.net"})
	}
}
