package integration_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const servingVolume = "serving-cert"

// pod is the controller, running as the Deployment of manifests/ specifies.
type pod struct {
	*harness.Pod

	logs *harness.Log
	// trusts is the authority of the pod's first certificate.
	trusts *x509.CertPool
}

// startPod creates what other controllers of a cluster would, the certificate of the service and the authority of the API
// server, and runs the controller as the Deployment specifies.
func (w *world) startPod(options harness.PodOptions) *pod {
	w.t.Helper()
	w.observe()
	certificate, err := harness.PrepareForPods(w.ctx, w.plane)
	if err != nil {
		w.t.Fatal(err)
	}
	created := &pod{logs: harness.LogFile(w.t, options.Name), trusts: poolOf(certificate)}
	options.Folder, options.Logs = w.t.TempDir(), created.logs
	created.Pod, err = harness.StartPod(w.ctx, w.plane, options)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(created.Kill)
	return created
}

func poolOf(certificate []byte) *x509.CertPool {
	authority := x509.NewCertPool()
	authority.AppendCertsFromPEM(certificate)
	return authority
}

// get sends a request to a pod, verifies its certificate, and returns the status of the response.
func (p *pod) get(ctx context.Context, authority *x509.CertPool, path, token string) (int, error) {
	config := &tls.Config{RootCAs: authority, ServerName: harness.ServingHost, MinVersion: tls.VersionTLS12}
	status, _, err := get(ctx, config, "https://"+p.Address()+path, token)
	return status, err
}

// get sends a request, with a token if it is not empty, and returns the status and the body of the response.
func get(ctx context.Context, config *tls.Config, url, token string) (status int, body string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return 0, "", err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	transport := &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response.StatusCode, string(content), err
}

// unprivilegedToken returns the token of a new ServiceAccount without any role.
func (w *world) unprivilegedToken() string {
	w.t.Helper()
	accounts := w.kube.CoreV1().ServiceAccounts(metav1.NamespaceDefault)
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{GenerateName: "unprivileged-"}}
	account, err := accounts.Create(w.ctx, account, metav1.CreateOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	answer, err := accounts.CreateToken(w.ctx, account.Name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return answer.Status.Token
}

// expectStatus fails the test if the response of a pod has another status.
func (w *world) expectStatus(p *pod, path, token string, want int) {
	w.t.Helper()
	if status, err := p.get(w.ctx, p.trusts, path, token); err != nil || status != want {
		w.t.Errorf("%s: status %d (error %v), want %d", path, status, err, want)
	}
}

// TestDeployment runs the binary by the spec of the Deployment, in a pod that the API server admits into its namespace, over
// a whole update: it reports the update, answers the probes, serves metrics to authorized users only, reloads its
// certificate, releases its lease at the end, and its requests are exactly those that its roles grant.
func TestDeployment(t *testing.T) {
	w := newWorld(t)
	w.expectAdmission()
	simulation := simulator.NewSimulation(smallUpdate())
	w.create(simulation)
	w.createOldRecords(12) // some are deleted
	alerts := startAlerts(w)
	alerts.publish()
	p := w.startPod(harness.PodOptions{Name: "deployed", AlertsURL: alerts.URL()})
	w.until("the first report", isAvailable)
	container := p.Object.Spec.Containers[0]
	for _, probe := range []*corev1.Probe{container.StartupProbe, container.LivenessProbe, container.ReadinessProbe} {
		w.expectStatus(p, probe.HTTPGet.Path, "", http.StatusOK)
	}
	w.expectStatus(p, "/metrics", w.unprivilegedToken(), http.StatusForbidden)

	// It is read for the look ahead at drains.
	w.createTightBudget("")
	w.play(simulation, nil)
	w.until("the end of the update", everythingUpdated)
	w.expectReload(p)
	w.stopPod(p)
	w.expectLog(p)

	// A slow drain causes further requests.
	w.createStrandedNode()
	// Older API servers don't stream lists: then the controller sends list requests.
	lists := w.startPod(harness.PodOptions{Name: "lists", Environment: []string{"KUBE_FEATURE_WatchListClient=false"}})
	w.put(builders.ClusterOperator("later", builders.OperatorVersion(newVersion), builders.Healthy(startTime)))
	w.until("another operator", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "co-later") != nil })
	w.until("the slow drain", func(us *updatev1alpha1.UpdateStatus) bool { return healthOf(us, strandedSummary) != nil })
	w.stopPod(lists)
	for _, problem := range w.audit(alerts.authorizer, p, lists) {
		t.Error(problem)
	}
}

// expectReload checks that a pod serves its next certificate.
func (w *world) expectReload(p *pod) {
	w.t.Helper()
	certificate, err := harness.PutServingCertificate(w.ctx, w.plane)
	if err != nil {
		w.t.Fatal(err)
	}
	renewed := poolOf(certificate)
	if err := p.Refresh(w.ctx, servingVolume); err != nil {
		w.t.Fatal(err)
	}
	w.await("the new certificate", func() bool {
		_, err := p.get(w.ctx, renewed, p.Object.Spec.Containers[0].LivenessProbe.HTTPGet.Path, "")
		return err == nil
	})
}

// expectLog checks the versions that a pod has written in a whole update, and that it has logged how the assessment changed.
func (w *world) expectLog(p *pod) {
	w.t.Helper()
	versions, changes := w.observer.Versions(), 0
	checkVersions(w.t, versions, len(smallOperators))
	for at, us := range versions[1:] {
		changes += len(update.AssessmentChanges(update.Read(&versions[at].Status), update.Read(&us.Status)))
	}
	if logged := strings.Count(p.logs.String(), "Update assessment changed"); logged != changes || logged < 5 {
		w.t.Errorf("%d log lines for %d changes of the assessment", logged, changes)
	}
}

// stopPod terminates the pod that leads, and fails the test if it ends with an error, has logged one, or keeps its lease.
func (w *world) stopPod(p *pod) {
	w.t.Helper()
	if err := p.Stop(); err != nil {
		w.t.Errorf("the process ended with %v", err)
	}
	lease, err := w.kube.CoordinationV1().Leases(controlplane.Namespace).Get(w.ctx, "update-status-controller-lock", metav1.GetOptions{})
	if err != nil || ptr.Deref(lease.Spec.HolderIdentity, "") != "" {
		w.t.Errorf("the lease is still held, or could not be read: %v", err)
	}
	for line := range strings.Lines(p.logs.String()) {
		if strings.HasPrefix(line, "E") || strings.Contains(line, "forbidden") {
			w.t.Errorf("the controller logged: %s", line)
		}
	}
}

// expectAdmission checks that the namespace admits the pod of the Deployment, and refuses one with more privileges.
func (w *world) expectAdmission() {
	w.t.Helper()
	deployment, err := w.kube.AppsV1().Deployments(controlplane.Namespace).Get(w.ctx, "update-status-controller", metav1.GetOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	object := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "admitted"}, Spec: deployment.Spec.Template.Spec}
	pods := w.kube.CoreV1().Pods(controlplane.Namespace)
	options := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	if _, err := pods.Create(w.ctx, object, options); err != nil {
		w.t.Errorf("the pod is not admitted: %v", err)
	}
	object.Spec.Containers[0].SecurityContext.Capabilities = nil
	if _, err := pods.Create(w.ctx, object, options); !apierrors.IsForbidden(err) {
		w.t.Errorf("a pod with the default capabilities is admitted: %v", err)
	}
}
