package integration_test

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-base/metrics/testutil"

	configv1 "github.com/openshift/api/config/v1"
	configclient "github.com/openshift/client-go/config/clientset/versioned"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
)

// served is a cluster with running binaries, and with users who may and may not get what they serve.
type served struct {
	*world

	// token is that of a user who may get everything, and forbidden that of one who may not.
	token, forbidden string
}

// TestScrape scrapes the running binary over TLS, with and without permission: its metrics, and the paths that docs/updatestatus/security.md lists. A standby
// exports nothing. It is served with the TLS security profile of the cluster.
func TestScrape(t *testing.T) {
	s := newServed(t)
	modern := &configv1.APIServer{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}, Spec: configv1.APIServerSpec{
		TLSSecurityProfile: &configv1.TLSSecurityProfile{Type: configv1.TLSProfileModernType},
	}}
	s.put(smallCluster()...)
	s.observe()
	leader := s.startBinary("leader")
	s.until("the first report", isAvailable)
	s.expectTLS(leader, tls.VersionTLS12)
	s.expectAccess(leader)
	requireSamples(t, s.samples(leader),
		`update_status_available{} 1`,
		`update_status_control_plane_info{previous_version="4.20.1",target_version="4.20.2"} 1`,
		`update_status_control_plane_updating{} 1`,
		`update_status_control_plane_stalled{} 0`,
		`update_status_control_plane_completion_ratio{} 0.5`,
		fmt.Sprintf(`update_status_control_plane_start_timestamp_seconds{} %v`, float64(startTime.Add(-time.Minute).Unix())),
		`update_status_pool_completion_ratio{pool="worker"} 0.5`,
		`update_status_pool_completion_ratio{pool="infra"} 0`,
		`update_status_pool_nodes{phase="Completed",pool="worker"} 1`,
		`update_status_pool_nodes{phase="Pending",pool="infra"} 1`,
		`update_status_pool_stalled{pool="worker"} 0`,
		`update_status_insights{source="control-plane-informer",type="ClusterOperator"} 2`,
		`update_status_insights{source="node-informer",type="Node"} 4`,
		`update_status_insights_left_out{} 0`,
		`update_status_health_insights{impact="DataLoss",level="Critical",reason=""} 0`,
		`update_status_writes_total{result="success"}`,
		`update_status_written_bytes_total{}`,
		`update_status_write_duration_seconds{}`,
		`update_status_write_lag_seconds{}`,
		`update_status_object_size_bytes{}`,
		`update_status_source_last_report_timestamp_seconds{source="node-informer"}`,
		// Metrics of libraries that docs/updatestatus/metrics.md lists.
		`openshift_update_status_controller_build_info{`,
		`leader_election_master_status{name=""} 1`,
		`workqueue_queue_duration_seconds{name="control-plane-informer"}`,
		`workqueue_work_duration_seconds{name="node-informer"}`,
		`rest_client_requests_total{`,
		`process_resident_memory_bytes{}`,
	)
	s.remove(builders.MachineConfigPool("infra"))
	s.until("a pool to go", func(us *updatev1alpha1.UpdateStatus) bool { return len(us.Status.WorkerPools) == 1 })
	requireNoSamples(t, s.samples(leader), `pool="infra"`)
	documented := documentedPaths(t)
	s.expectPaths(leader, documented)

	if _, err := configclient.NewForConfigOrDie(s.plane.Admin()).ConfigV1().APIServers().Create(s.ctx, modern, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	standby := s.startBinary("standby", "--profiling")
	s.expectTLS(standby, tls.VersionTLS13)
	waiting := s.samples(standby)
	requireSamples(t, waiting, `openshift_update_status_controller_build_info{`)
	if slices.ContainsFunc(waiting, func(line string) bool { return strings.HasPrefix(line, "update_status_") }) {
		t.Errorf("the standby exports\n%s", harness.Cut(t, matching(waiting, "update_status_")))
	}
	for _, path := range profilingPaths {
		documented[path] = false
	}
	s.expectPaths(standby, documented)
	for _, process := range []*harness.Process{standby, leader} {
		if err := process.Stop(); err != nil {
			t.Errorf("a process ended with %v", err)
		}
	}
}

// newServed creates the users, and waits until the API server knows them: the controller caches a refusal for seconds.
func newServed(t *testing.T) *served {
	t.Helper()
	s := &served{world: newWorld(t)}
	access := authorizationv1.SelfSubjectAccessReviewSpec{NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: "/metrics", Verb: "get"}}
	everything := []rbacv1.PolicyRule{{NonResourceURLs: []string{"*"}, Verbs: []string{"get"}}}
	s.token = s.newAccount(types.NamespacedName{Namespace: controlplane.Namespace, Name: "metrics-reader"}, everything, access).BearerToken
	s.forbidden = s.newAccount(types.NamespacedName{Namespace: controlplane.Namespace, Name: "no-metrics-reader"}, nil, access).BearerToken
	return s
}

// startBinary starts a process, and waits until it is healthy.
func (s *served) startBinary(name string, flags ...string) *harness.Process {
	s.t.Helper()
	process, err := harness.StartProcess(s.ctx, s.plane, harness.ProcessOptions{Logs: harness.LogFile(s.t, name), Flags: flags})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(process.Kill)
	s.await(name+" to be healthy", func() bool { return probe(s.ctx, process) == nil })
	return process
}

// get sends a request with a token, if it is not empty. The controller serves a self-signed certificate.
func (s *served) get(process *harness.Process, path, token string) (code int, body string) {
	s.t.Helper()
	code, body, err := get(s.ctx, &tls.Config{InsecureSkipVerify: true}, "https://"+process.Address()+path, token)
	if err != nil {
		s.t.Fatal(err)
	}
	return code, body
}

// expectAccess checks who may get the metrics.
func (s *served) expectAccess(process *harness.Process) {
	s.t.Helper()
	for _, test := range []struct {
		name, token string
		want        int
	}{
		{name: "allowed", token: s.token, want: http.StatusOK},
		{name: "forbidden", token: s.forbidden, want: http.StatusForbidden},
		{name: "invalid token", token: "none", want: http.StatusUnauthorized},
		{name: "no token", token: "", want: http.StatusForbidden},
	} {
		if code, body := s.get(process, "/metrics", test.token); code != test.want || code != http.StatusOK && strings.Contains(body, "update_status_") {
			s.t.Errorf("%s: got %d, want %d:\n%s", test.name, code, test.want, harness.Cut(s.t, body))
		}
	}
}

// expectTLS checks with which versions of TLS a process serves.
func (s *served) expectTLS(process *harness.Process, least uint16) {
	s.t.Helper()
	for _, version := range []uint16{tls.VersionTLS11, tls.VersionTLS12, tls.VersionTLS13} {
		dialer := &tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, MinVersion: version, MaxVersion: version}}
		connection, err := dialer.DialContext(s.ctx, "tcp", process.Address())
		if err == nil {
			_ = connection.Close()
		}
		if (err == nil) != (version >= least) {
			s.t.Errorf("%s: %v", tls.VersionName(version), err)
		}
	}
}

// profilingPaths are served with --profiling.
var profilingPaths = []string{"/debug/flags", "/debug/flags/", "/debug/flags/v", "/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/symbol"}

// unlistedPaths are those that servers of k8s.io/apiserver can have without listing them.
var unlistedPaths = append([]string{
	"/api", "/apis", "/configz", "/debug/api_priority_and_fairness/dump_requests", "/flagz", "/index.html", "/logs", "/openapi/v2",
	"/openapi/v3", "/statusz", "/swagger.json", "/validate",
}, profilingPaths...)

// documentedPaths returns the paths of the table in docs/updatestatus/security.md, and for each whether everyone may get it.
func documentedPaths(t *testing.T) map[string]bool {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(repositoryRoot(t), "docs", "updatestatus", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`/.*?) \\| (.*) \\|$").FindAllStringSubmatch(string(content), -1) {
		for _, path := range regexp.MustCompile("`(.+?)`").FindAllStringSubmatch(row[1], -1) {
			paths[path[1]] = strings.Contains(row[2], "everyone")
		}
	}
	return paths
}

// expectPaths checks the paths that a process serves, and for each whether everyone may get it.
func (s *served) expectPaths(process *harness.Process, want map[string]bool) {
	s.t.Helper()
	var index struct{ Paths []string }
	if _, body := s.get(process, "/", s.token); json.Unmarshal([]byte(body), &index) != nil {
		s.t.Fatalf("this is no list of paths: %s", body)
	}
	check := regexp.MustCompile("^/(healthz|livez|readyz)/.*")
	paths := map[string]bool{}
	for _, path := range slices.Concat([]string{"/"}, index.Paths, unlistedPaths) {
		if code, _ := s.get(process, path, s.token); code == http.StatusNotFound {
			continue
		}
		code, _ := s.get(process, path, "")
		if code != http.StatusOK && code != http.StatusForbidden {
			s.t.Errorf("%s without a token: %d", path, code)
		}
		paths[check.ReplaceAllString(path, "/$1/*")] = code == http.StatusOK
	}
	if diff := cmp.Diff(want, paths); diff != "" {
		s.t.Errorf("paths, and whether everyone may get them (-want +process):\n%s", diff)
	}
}

// samples returns the metrics of a process as "name{label="value",…} value"; for histograms, the number of observations.
func (s *served) samples(process *harness.Process) []string {
	w := s.world
	w.t.Helper()
	_, body := s.get(process, "/metrics", s.token)
	families, err := testutil.TextToMetricFamilies(bytes.NewBufferString(body))
	if err != nil {
		w.t.Fatal(err)
	}
	var lines []string
	for name, family := range families {
		for _, metric := range family.GetMetric() {
			var labels []string
			for _, label := range metric.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", label.GetName(), label.GetValue()))
			}
			value := metric.GetGauge().GetValue() + metric.GetCounter().GetValue() + float64(metric.GetHistogram().GetSampleCount())
			lines = append(lines, fmt.Sprintf("%s{%s} %v", name, strings.Join(labels, ","), value))
		}
	}
	return lines
}

// requireSamples fails the test unless each sample is there: a whole line; a line without its value, for any value but zero;
// or the name of a metric with an opening brace, for any labels and value.
func requireSamples(t *testing.T, lines []string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		found := false
		for _, line := range lines {
			if strings.HasSuffix(want, "}") {
				found = found || strings.HasPrefix(line, want) && line != want+" 0"
			} else {
				found = found || line == want || strings.HasSuffix(want, "{") && strings.HasPrefix(line, want)
			}
		}
		if name, _, _ := strings.Cut(want, "{"); !found {
			t.Errorf("%s is missing in\n%s", want, matching(lines, name))
		}
	}
}

// requireNoSamples fails the test if a line contains a text.
func requireNoSamples(t *testing.T, lines []string, what string) {
	t.Helper()
	if found := matching(lines, what); found != "" {
		t.Errorf("unwanted samples:\n%s", found)
	}
}

func matching(lines []string, what string) string {
	var found []string
	for _, line := range lines {
		if strings.Contains(line, what) {
			found = append(found, line)
		}
	}
	return strings.Join(found, "\n")
}
