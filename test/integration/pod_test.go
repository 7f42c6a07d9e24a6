package integration_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/update"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

const servingVolume = "serving-cert"

// pod is the controller, running as the Deployment of manifests/ specifies.
type pod struct {
	*harness.Pod

	logs *logs
	// trusts is the authority of the pod's first certificate.
	trusts *x509.CertPool
}

// startPod creates what other controllers of a cluster would, the certificate of the service and the authority of the API
// server, and runs the controller as the Deployment specifies.
func (w *world) startPod(options harness.PodOptions) *pod {
	w.t.Helper()
	if w.observer == nil {
		observer, err := harness.Observe(w.ctx, w.plane.Admin(), nil)
		if err != nil {
			w.t.Fatal(err)
		}
		w.observer = observer
	}
	certificate, err := harness.PrepareForPods(w.ctx, w.plane)
	if err != nil {
		w.t.Fatal(err)
	}
	created := &pod{logs: &logs{}, trusts: poolOf(certificate)}
	options.Folder, options.Logs = w.t.TempDir(), created.logs
	created.Pod, err = harness.StartPod(w.ctx, w.plane, options)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		_ = created.Signal(os.Kill)
		<-created.Ended()
		if w.t.Failed() {
			w.t.Logf("%s logged:\n%s", options.Name, created.logs)
		}
	})
	return created
}

func poolOf(certificate []byte) *x509.CertPool {
	authority := x509.NewCertPool()
	authority.AppendCertsFromPEM(certificate)
	return authority
}

// get sends a request to a pod, verifies its certificate, and returns the status of the response.
func (p *pod) get(ctx context.Context, authority *x509.CertPool, path, token string) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+p.Address()+path, http.NoBody)
	if err != nil {
		return 0, err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{
		RootCAs: authority, ServerName: harness.ServingHost, MinVersion: tls.VersionTLS12,
	}}
	defer transport.CloseIdleConnections()
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

// unprivilegedToken returns the token of a new ServiceAccount without any role.
func (w *world) unprivilegedToken() string {
	w.t.Helper()
	accounts := kubernetes.NewForConfigOrDie(w.plane.Admin()).CoreV1().ServiceAccounts(metav1.NamespaceDefault)
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
// certificate, and its requests are exactly those that its roles grant.
func TestDeployment(t *testing.T) {
	w := newWorld(t)
	simulation := simulator.NewSimulation(simulator.Update{Seed: 5, Start: startTime, From: oldVersion, To: newVersion})
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
	checkVersions(t, w.observer.Versions(), payload)
	changes := 0
	for at, us := range w.observer.Versions()[1:] {
		changes += len(update.AssessmentChanges(update.Read(&w.observer.Versions()[at].Status), update.Read(&us.Status)))
	}

	certificate, err := harness.PutServingCertificate(w.ctx, w.plane)
	if err != nil {
		t.Fatal(err)
	}
	renewed := poolOf(certificate)
	if err := p.Refresh(w.ctx, servingVolume); err != nil {
		t.Fatal(err)
	}
	for served := false; !served; {
		_, err := p.get(w.ctx, renewed, container.LivenessProbe.HTTPGet.Path, "")
		served = err == nil
		if w.ctx.Err() != nil {
			t.Fatalf("the new certificate is not served: %v", err)
		}
	}
	w.stopPod(p)
	if logged := strings.Count(p.logs.String(), "Update assessment changed"); logged != changes || logged < 10 {
		t.Errorf("%d log lines for %d changes of the assessment", logged, changes)
	}

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

// stopPod terminates a pod, and fails the test if it ends with an error or has logged one.
func (w *world) stopPod(p *pod) {
	w.t.Helper()
	if err := p.Stop(); err != nil {
		w.t.Errorf("the process ended with %v", err)
	}
	for line := range strings.Lines(p.logs.String()) {
		if strings.HasPrefix(line, "E") || strings.Contains(line, "forbidden") {
			w.t.Errorf("the controller logged: %s", line)
		}
	}
}

// TestPodSecurityAdmission checks that the namespace admits the pod of the Deployment, and refuses one with more privileges.
func TestPodSecurityAdmission(t *testing.T) {
	w := newWorld(t)
	kube := kubernetes.NewForConfigOrDie(w.plane.Admin())
	deployment, err := kube.AppsV1().Deployments(controlplane.Namespace).Get(w.ctx, "update-status-controller", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	object := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "admitted"}, Spec: deployment.Spec.Template.Spec}
	pods := kube.CoreV1().Pods(controlplane.Namespace)
	options := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	if _, err := pods.Create(w.ctx, object, options); err != nil {
		t.Errorf("the pod is not admitted: %v", err)
	}
	object.Spec.Containers[0].SecurityContext.Capabilities = nil
	if _, err := pods.Create(w.ctx, object, options); !apierrors.IsForbidden(err) {
		t.Errorf("a pod with the default capabilities is admitted: %v", err)
	}
}
