package integration_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/component-base/metrics/testutil"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
)

const (
	mayRead    = "metrics-reader"
	mayNotRead = "no-metrics-reader"
)

// TestScrape scrapes the running binary over TLS, with and without permission.
func TestScrape(t *testing.T) {
	w := newWorld(t)
	tokens := createMetricsReaders(w, "/metrics")
	w.put(smallCluster()...)
	observer, err := harness.Observe(w.ctx, w.plane.Admin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	w.observer = observer
	leader := startBinary(w)
	w.until("the first report", isAvailable)
	awaitServer(w, leader)

	for _, test := range []struct {
		name, token string
		want        int
	}{
		{name: "allowed", token: tokens[mayRead], want: http.StatusOK},
		{name: "forbidden", token: tokens[mayNotRead], want: http.StatusForbidden},
		{name: "invalid token", token: "none", want: http.StatusUnauthorized},
		{name: "no token", token: "", want: http.StatusForbidden},
	} {
		if code, body := scrape(w, leader, test.token); code != test.want || code != http.StatusOK && strings.Contains(body, "update_status_") {
			t.Errorf("%s: got %d, want %d:\n%s", test.name, code, test.want, body)
		}
	}

	requireSamples(t, samples(w, leader, tokens[mayRead]),
		`update_status_available{} 1`,
		`update_status_control_plane_info{previous_version="4.20.1",target_version="4.20.2"} 1`,
		`update_status_control_plane_updating{} 1`,
		`update_status_control_plane_stalled{} 1`,
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
		`update_status_health_insights{impact="Data Loss",level="Critical",reason=""} 0`,
		`update_status_writes_total{result="success"}`,
		`update_status_written_bytes_total{}`,
		`update_status_write_duration_seconds{}`,
		`update_status_write_lag_seconds{}`,
		`update_status_object_size_bytes{}`,
		`update_status_source_last_report_timestamp_seconds{source="node-informer"}`,
		// Metrics of libraries that docs/metrics.md lists.
		`openshift_update_status_controller_build_info{`,
		`leader_election_master_status{name=""} 1`,
		`workqueue_queue_duration_seconds{name="control-plane-informer"}`,
		`workqueue_work_duration_seconds{name="node-informer"}`,
		`rest_client_requests_total{`,
		`process_resident_memory_bytes{}`,
	)

	w.remove(builders.MachineConfigPool("infra"))
	w.until("a pool to go", func(us *updatev1alpha1.UpdateStatus) bool { return len(us.Status.WorkerPools) == 1 })
	requireNoSamples(t, samples(w, leader, tokens[mayRead]), `pool="infra"`)

	standby := startBinary(w)
	awaitServer(w, standby)
	waiting := samples(w, standby, tokens[mayRead])
	requireSamples(t, waiting, `openshift_update_status_controller_build_info{`)
	for _, line := range waiting {
		if strings.HasPrefix(line, "update_status_") {
			t.Errorf("the standby exports %s", line)
		}
	}
	for _, process := range []*harness.Process{standby, leader} {
		if err := process.Stop(); err != nil {
			t.Errorf("a process ended with %v", err)
		}
	}
}

func startBinary(w *world, flags ...string) *harness.Process {
	w.t.Helper()
	output := &logs{}
	process, err := harness.StartProcess(w.ctx, w.plane, harness.ProcessOptions{Logs: output, Flags: flags})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		_ = process.Signal(os.Kill)
		if w.t.Failed() {
			w.t.Log(output)
		}
	})
	return process
}

// createMetricsReaders creates a ServiceAccount that may read paths, /metrics among them, and one that may not, and returns their tokens.
func createMetricsReaders(w *world, paths ...string) map[string]string {
	w.t.Helper()
	kube := kubernetes.NewForConfigOrDie(w.plane.Admin())
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: mayRead}, Rules: []rbacv1.PolicyRule{{
		NonResourceURLs: paths, Verbs: []string{"get"},
	}}}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: mayRead},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: mayRead},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: controlplane.Namespace, Name: mayRead}},
	}
	_, errRole := kube.RbacV1().ClusterRoles().Create(w.ctx, role, metav1.CreateOptions{})
	_, errBinding := kube.RbacV1().ClusterRoleBindings().Create(w.ctx, binding, metav1.CreateOptions{})
	w.t.Cleanup(func() {
		ctx := context.WithoutCancel(w.ctx)
		errRole := kube.RbacV1().ClusterRoles().Delete(ctx, mayRead, metav1.DeleteOptions{})
		errBinding := kube.RbacV1().ClusterRoleBindings().Delete(ctx, mayRead, metav1.DeleteOptions{})
		if errRole != nil || errBinding != nil {
			w.t.Error(errRole, errBinding)
		}
	})
	if errRole != nil || errBinding != nil {
		w.t.Fatal(errRole, errBinding)
	}
	scraping := authorizationv1.SelfSubjectAccessReviewSpec{
		NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: "/metrics", Verb: "get"},
	}
	tokens := map[string]string{}
	for _, name := range []string{mayRead, mayNotRead} {
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}
		_, err := kube.CoreV1().ServiceAccounts(controlplane.Namespace).Create(w.ctx, account, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			w.t.Fatal(err)
		}
		config, err := w.plane.As(w.ctx, types.NamespacedName{Namespace: controlplane.Namespace, Name: name})
		if err != nil {
			w.t.Fatal(err)
		}
		// The controller caches a refusal for seconds.
		if err := controlplane.AwaitAccess(w.ctx, config, scraping, name == mayRead); err != nil {
			w.t.Fatal(err)
		}
		tokens[name] = config.BearerToken
	}
	return tokens
}

func get(w *world, process *harness.Process, path, token string) (code int, body string, err error) {
	// The controller serves a self-signed certificate.
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(w.ctx, http.MethodGet, "https://"+process.Address()+path, http.NoBody)
	if err != nil {
		return 0, "", err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response.StatusCode, string(content), err
}

// awaitServer waits until a process is healthy.
func awaitServer(w *world, process *harness.Process) {
	w.t.Helper()
	err := wait.PollUntilContextCancel(w.ctx, 10*time.Millisecond, true, func(context.Context) (bool, error) {
		code, _, err := get(w, process, "/healthz", "")
		return err == nil && code == http.StatusOK, nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func scrape(w *world, process *harness.Process, token string) (code int, body string) {
	w.t.Helper()
	code, body, err := get(w, process, "/metrics", token)
	if err != nil {
		w.t.Fatal(err)
	}
	return code, body
}

// samples returns the metrics of a process as "name{label="value",…} value"; for histograms, the number of observations.
func samples(w *world, process *harness.Process, token string) []string {
	w.t.Helper()
	_, body := scrape(w, process, token)
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
