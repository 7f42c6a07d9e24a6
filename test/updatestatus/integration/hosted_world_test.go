package integration_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

// hostedCluster is the hosted cluster of the samples.
var hostedCluster = manifests.Hosted{Namespace: "clusters", Name: "demo", ControlPlaneNamespace: "clusters-demo", Image: image}

const (
	hostedPolling = 100 * time.Millisecond
	// hostedPatience is how long is waited, on a quiet machine, for what takes milliseconds, or half a minute after an outage starts.
	hostedPatience = 2 * harness.Stall
)

// hostedWorld is a hosted cluster with its management cluster: two control planes.
type hostedWorld struct {
	t                  *testing.T
	management, hosted *controlplane.ControlPlane
	client             updateclient.Interface
	// arguments and environment are those of the controller.
	arguments, environment []string

	process    *harness.Process
	logs       *harness.Log
	starts     int
	kubeconfig string
	outages    []outage
}

func newHostedWorld(t *testing.T) *hostedWorld {
	t.Helper()
	w := &hostedWorld{t: t}
	account := types.NamespacedName{Namespace: hostedCluster.ControlPlaneNamespace, Name: controlplane.ServiceAccount.Name}
	w.management = pool.Start(t, controlplane.Options{
		Bare: true, Hosted: true, Audited: account,
		// As in OpenShift.
		APIServerFlags: map[string]string{"enable-admission-plugins": "OwnerReferencesPermissionEnforcement"},
	})
	w.hosted = controlplane.StartBeside(t, controlplane.Options{Bare: true, Audited: controlplane.ServiceAccount})
	if err := w.hosted.InstallHosted(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.management.InstallHyperShift(t.Context(), hostedCluster); err != nil {
		t.Fatal(err)
	}
	w.client = updateclient.NewForConfigOrDie(w.management.Admin())
	var err error
	if w.kubeconfig, err = w.management.Kubeconfig(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	hostedKubeconfig, err := w.hosted.Kubeconfig(t.Context(), controlplane.ServiceAccount)
	if err != nil {
		t.Fatal(err)
	}
	w.prepareArguments(hostedKubeconfig)
	w.createPod()
	return w
}

// prepareArguments takes the arguments of the Deployment, with a file in the place of its volume. The harness finds a free port.
func (w *hostedWorld) prepareArguments(hostedKubeconfig string) {
	w.t.Helper()
	for _, argument := range w.deployment().Spec.Template.Spec.Containers[0].Args {
		if strings.HasPrefix(argument, "--listen=") {
			continue
		}
		w.arguments = append(w.arguments, strings.ReplaceAll(argument, "/etc/hosted-cluster/kubeconfig", hostedKubeconfig))
	}
}

func (w *hostedWorld) deployment() *appsv1.Deployment {
	w.t.Helper()
	deployment, err := kubernetes.NewForConfigOrDie(w.management.Admin()).AppsV1().Deployments(hostedCluster.ControlPlaneNamespace).
		Get(w.t.Context(), controlplane.ServiceAccount.Name, metav1.GetOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return deployment
}

// createPod creates the pod that the controller finds its Deployment by, for its events.
func (w *hostedWorld) createPod() {
	w.t.Helper()
	deployment := w.deployment()
	deployment.Spec.Template.Spec.PriorityClassName = "" // HyperShift's is not there
	pod, err := harness.CreatePod(w.t.Context(), kubernetes.NewForConfigOrDie(w.management.Admin()), deployment, "deployed")
	if err != nil {
		w.t.Fatal(err)
	}
	w.environment = append(w.environment, "POD_NAME="+pod.Name)
}

// start starts the controller.
func (w *hostedWorld) start() {
	w.t.Helper()
	w.starts++
	w.logs = harness.LogFile(w.t, fmt.Sprintf("controller-%d", w.starts))
	process, err := harness.StartProcess(w.t.Context(), w.management, harness.ProcessOptions{
		Kubeconfig: w.kubeconfig, Flags: w.arguments, Environment: w.environment, Logs: w.logs,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.process = process
	w.t.Cleanup(process.Kill)
}

// stop stops the controller, which must have logged no error.
func (w *hostedWorld) stop() {
	w.t.Helper()
	if err := w.process.Stop(); err != nil {
		w.t.Errorf("the controller ended with %v", err)
	}
	for line := range strings.Lines(w.logs.String()) {
		if strings.HasPrefix(line, "E") || strings.Contains(line, "level=error") {
			w.t.Errorf("the controller logged: %s", line)
		}
	}
}

// restart stops the controller as a new version of its Deployment does, and starts the next one, which leads then.
func (w *hostedWorld) restart() {
	w.t.Helper()
	if err := w.process.Stop(); err != nil {
		w.t.Errorf("the controller ended with %v", err)
	}
	w.start()
	w.logs.Until(w.t.Context(), "Starting to write the UpdateStatus")
}

// hostedObjects are what the controller maintains for a hosted cluster.
type hostedObjects struct {
	*updatev1alpha1.HostedClusterUpdateStatus

	Summary *updatev1alpha1.UpdateStatusSummaryStatus
}

// until waits until the object of the hosted cluster has what is expected, and returns it.
func (w *hostedWorld) until(what string, isMet func(hostedObjects) bool) hostedObjects {
	w.t.Helper()
	var last hostedObjects
	err := pace.Poll(w.t.Context(), hostedPolling, hostedPatience, func(ctx context.Context) (bool, error) {
		client := w.client.UpdateV1alpha1()
		read, err := client.HostedClusterUpdateStatuses(hostedCluster.Namespace).Get(ctx, hostedCluster.Name, metav1.GetOptions{})
		if err != nil {
			return false, nil //nolint:nilerr // it is not there yet
		}
		summary, err := client.HostedClusterUpdateStatusSummaries(hostedCluster.Namespace).Get(ctx, hostedCluster.Name, metav1.GetOptions{})
		if err != nil || summary.Status.ControlPlane == nil {
			return false, nil //nolint:nilerr // it is not there yet
		}
		last = hostedObjects{read, &summary.Status}
		return isMet(last), nil
	})
	if err != nil {
		shown, _ := yaml.Marshal(last)
		w.t.Fatalf("waiting for %s: %v\n%s", what, err, harness.Cut(w.t, string(shown)))
	}
	return last
}

// audit returns how the requests on both API servers differ from what is granted.
func (w *hostedWorld) audit() []string {
	w.t.Helper()
	deployed, errDeployed := hostedCluster.Controller(repositoryRoot(w.t))
	inHosted, errHosted := grantsOf(w.t.Context(), kubernetes.NewForConfigOrDie(w.hosted.Admin()))
	if err := cmp.Or(errDeployed, errHosted); err != nil {
		w.t.Fatal(err)
	}
	var granted []grant
	for _, manifest := range deployed {
		if role, isRole := manifest.Object.(*rbacv1.Role); isRole {
			granted = append(granted, expand(role.Namespace, role.Rules)...)
		}
	}
	return append(auditPlane(w.t, w.management, granted, nil), auditPlane(w.t, w.hosted, inHosted, w.isStarting)...)
}

// auditPlane leaves out requests that are excused, which may be nil.
func auditPlane(t *testing.T, plane *controlplane.ControlPlane, granted []grant, isExcused func(auditv1.Event) bool) []string {
	t.Helper()
	events, err := plane.Requests()
	if err != nil {
		t.Fatal(err)
	}
	if isExcused != nil {
		events = slices.DeleteFunc(events, isExcused)
	}
	problems, requested := requestsOf(events)
	return append(problems, compare(granted, requested)...)
}

// outage is when the API server of the hosted cluster was killed, and when it was ready again.
type outage struct{ start, end time.Time }

// killHosted kills the API server of the hosted cluster.
func (w *hostedWorld) killHosted() {
	w.t.Helper()
	w.outages = append(w.outages, outage{start: time.Now()})
	if err := w.hosted.Kill(w.t.Context(), controlplane.APIServer); err != nil {
		w.t.Fatal(err)
	}
}

// reviveHosted starts it again.
func (w *hostedWorld) reviveHosted() {
	w.t.Helper()
	if err := w.hosted.Revive(w.t.Context(), controlplane.APIServer); err != nil {
		w.t.Fatal(err)
	}
	w.outages[len(w.outages)-1].end = time.Now()
}

// isStarting is whether the API server of the hosted cluster was not ready when it got a request: it refuses all until it has read
// its roles.
func (w *hostedWorld) isStarting(event auditv1.Event) bool {
	return slices.ContainsFunc(w.outages, func(one outage) bool {
		at := event.RequestReceivedTimestamp.Time
		return at.After(one.start) && at.Before(one.end)
	})
}
