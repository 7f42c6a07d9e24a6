package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// outcome is the result of a command.
type outcome struct {
	out, errOut string
	err         error
}

// withoutMoment returns the outcome without the warning about the time of files.
func (o outcome) withoutMoment() outcome {
	if strings.HasPrefix(o.errOut, "warning: the status is as of ") && strings.Count(o.errOut, "\n") == 1 {
		o.errOut = ""
	}
	return o
}

// run runs the command with an input and arguments, without the kubeconfig of the user.
func run(t *testing.T, input string, args ...string) outcome {
	t.Helper()
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	var out, errOut bytes.Buffer
	cmd := newPlugin(genericiooptions.IOStreams{In: strings.NewReader(input), Out: &out, ErrOut: &errOut})
	cmd.SetArgs(append([]string{}, args...)) // without any, cobra would take those of the test binary
	cmd.SetOut(io.Discard)
	err := cmd.ExecuteContext(t.Context())
	return outcome{out: out.String(), errOut: errOut.String(), err: err}
}

// newPlugin returns the command with the flags of a plugin.
func newPlugin(streams genericiooptions.IOStreams) *cobra.Command {
	flags := genericclioptions.NewConfigFlags(true)
	cmd := NewCommand(flags, streams)
	flags.AddFlags(cmd.PersistentFlags())
	return cmd
}

func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mustRead returns the UpdateStatus in a file.
func mustRead(t *testing.T, file string) *updatev1alpha1.UpdateStatus {
	t.Helper()
	us := &updatev1alpha1.UpdateStatus{}
	if err := yaml.Unmarshal([]byte(content(t, file)), us); err != nil {
		t.Fatal(err)
	}
	return us
}

func wantText(t *testing.T) string {
	t.Helper()
	return content(t, filepath.Join("testdata", "updatestatus.txt"))
}

const (
	updateStatusPath   = "/apis/update.openshift.io/v1alpha1/updatestatuses/cluster"
	summaryPath        = "/apis/update.openshift.io/v1alpha1/updatestatussummaries/cluster"
	clusterVersionPath = "/apis/config.openshift.io/v1/clusterversions/version"
)

// response is an HTTP response of an API server.
type response struct {
	code        int
	contentType string
	body        string
}

// objectResponse has an object, given as YAML.
func objectResponse(t *testing.T, object string) response {
	t.Helper()
	return response{http.StatusOK, "application/json", asJSON(t, object)}
}

// errorResponse has a Status with a reason.
func errorResponse(t *testing.T, code int, reason metav1.StatusReason) response {
	t.Helper()
	return response{code, "application/json", asJSON(t, "{kind: Status, apiVersion: v1, status: Failure, message: from the server, reason: "+string(reason)+"}")}
}

// noResource is the response of an API server without a resource.
var noResource = response{http.StatusNotFound, "text/plain", "404 page not found"}

// apiServer has fixed responses by path.
type apiServer struct {
	url      string
	requests atomic.Int32
}

func serve(t *testing.T, responses map[string]response) *apiServer {
	t.Helper()
	s := &apiServer{}
	withSummary(t, responses)
	handler := handlerOf(responses)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// withSummary adds the summary that a controller keeps beside an UpdateStatus, unless there is another response.
func withSummary(t *testing.T, responses map[string]response) {
	t.Helper()
	_, hasStatus := responses[updateStatusPath]
	if _, hasSummary := responses[summaryPath]; hasStatus && !hasSummary {
		responses[summaryPath] = objectResponse(t, confirmedSummary(time.Now()))
	}
}

// confirmedSummary is a summary of which only is known when it was confirmed.
func confirmedSummary(at time.Time) string {
	return "{apiVersion: update.openshift.io/v1alpha1, kind: UpdateStatusSummary, metadata: {name: cluster}, status: {observedAt: \"" +
		at.UTC().Format(time.RFC3339) + "\"}}"
}

// handlerOf returns what responds by path.
func handlerOf(responses map[string]response) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer, ok := responses[r.URL.Path]
		if !ok {
			answer = noResource
		}
		w.Header().Set("Content-Type", answer.contentType)
		w.WriteHeader(answer.code)
		_, _ = io.WriteString(w, answer.body)
	}
}

func asJSON(t *testing.T, object string) string {
	t.Helper()
	converted, err := yaml.YAMLToJSON([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	return string(converted)
}

// observed returns an observation of a status.
func observed(us *updatev1alpha1.UpdateStatus, now time.Time) *observation {
	shown := &observation{}
	shown.setShown(us, now)
	return shown
}
