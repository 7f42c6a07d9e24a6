package manifests_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
)

var hosted = manifests.Hosted{
	Namespace: "clusters", Name: "east", ControlPlaneNamespace: "clusters-east", ClusterID: "cf95e9d2-fb1d-4458-93b5-1e2d79536371",
	Image: "quay.io/example/cluster-version-operator:latest",
}

func readController(t *testing.T) []manifests.Manifest {
	t.Helper()
	all, err := hosted.Controller(root(t))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// readMonitoring returns the PodMonitor and the PrometheusRule of the hosted cluster.
func readMonitoring(t *testing.T) (*monitoringv1.PodMonitor, *monitoringv1.PrometheusRule) {
	t.Helper()
	all, err := hosted.Monitoring(root(t))
	if err != nil {
		t.Fatal(err)
	}
	monitor, foundMonitor := manifests.Find[*monitoringv1.PodMonitor](all, name)
	rule, foundRule := manifests.Find[*monitoringv1.PrometheusRule](all, name)
	if !foundMonitor || !foundRule || len(all) != 2 {
		t.Fatalf("%d objects, a PodMonitor: %t, a PrometheusRule: %t", len(all), foundMonitor, foundRule)
	}
	return monitor, rule
}

// TestHostedMonitoring: the PodMonitor selects the pod of the Deployment and its port, keeps the labels of the metrics, and the alert is about
// what it scrapes.
func TestHostedMonitoring(t *testing.T) {
	monitor, rule := readMonitoring(t)
	deployment, found := manifests.Find[*appsv1.Deployment](readController(t), name)
	if !found {
		t.Fatal("there is no Deployment")
	}
	selector := labels.SelectorFromSet(monitor.Spec.Selector.MatchLabels)
	if !selector.Matches(labels.Set(deployment.Spec.Template.Labels)) || !slices.Equal(monitor.Spec.NamespaceSelector.MatchNames, []string{deployment.Namespace}) {
		t.Errorf("it selects %s in %v", selector, monitor.Spec.NamespaceSelector.MatchNames)
	}
	endpoint, served := monitor.Spec.PodMetricsEndpoints[0], deployment.Spec.Template.Spec.Containers[0].Ports[0]
	if *endpoint.Port != served.Name || !endpoint.HonorLabels || *endpoint.RelabelConfigs[0].Replacement != hosted.ClusterID {
		t.Errorf("the endpoint is %+v", endpoint)
	}
	kept := regexp.MustCompile("^(?:" + endpoint.MetricRelabelConfigs[0].Regex + ")$")
	for name, want := range map[string]bool{
		"update_status_updating": true, "update_status_write_lag_seconds_bucket": true, "process_resident_memory_bytes": true,
		"rest_client_requests_total": false, "go_goroutines": false,
	} {
		if kept.MatchString(name) != want {
			t.Errorf("%s is kept: %t", name, !want)
		}
	}
	alert := rule.Spec.Groups[0].Rules[0]
	if job := `{job="` + monitor.Namespace + "/" + monitor.Name + `"}`; strings.Count(alert.Expr.StrVal, job) != strings.Count(alert.Expr.StrVal, "{") {
		t.Errorf("not all series are those of %s: %s", job, alert.Expr.StrVal)
	}
	for label, want := range map[string]string{"namespace": hosted.Namespace, "name": hosted.Name, "_id": hosted.ClusterID} {
		if alert.Labels[label] != want {
			t.Errorf("the label %s is %q, want %q", label, alert.Labels[label], want)
		}
	}
	for _, object := range []manifests.Object{monitor, rule} {
		if object.GetNamespace() != hosted.ControlPlaneNamespace || !strings.HasSuffix(object.GetAnnotations()["kubernetes.io/description"], ".") {
			t.Errorf("%T is in %s, described as %q", object, object.GetNamespace(), object.GetAnnotations())
		}
	}
}

// TestHostedController: nothing is granted for a whole cluster, and each object says what it is for. That all of them are what HyperShift
// would create for the hosted cluster is a test of test/updatestatus/hypershift.
func TestHostedController(t *testing.T) {
	for _, manifest := range readController(t) {
		object := manifest.Object
		if !strings.HasSuffix(object.GetAnnotations()["kubernetes.io/description"], ".") {
			t.Errorf("%s does not say what it is for", object.GetName())
		}
		if binding, isBinding := object.(*rbacv1.RoleBinding); isBinding && binding.RoleRef.Kind != "Role" {
			t.Errorf("%s binds a %s", object.GetName(), binding.RoleRef.Kind)
		}
		if role, isRole := object.(*rbacv1.Role); isRole && grantsAll(role) {
			t.Errorf("%s/%s grants everything of a kind", object.GetNamespace(), object.GetName())
		}
	}
}

func grantsAll(role *rbacv1.Role) bool {
	return slices.ContainsFunc(role.Rules, func(rule rbacv1.PolicyRule) bool {
		return slices.Contains(slices.Concat(rule.APIGroups, rule.Resources, rule.Verbs), rbacv1.VerbAll)
	})
}

// TestHostedDeployment: the pod is probed at the port that it serves.
func TestHostedDeployment(t *testing.T) {
	deployment, found := manifests.Find[*appsv1.Deployment](readController(t), name)
	if !found {
		t.Fatal("there is no Deployment")
	}
	pod := deployment.Spec.Template
	if scc := pod.Annotations["openshift.io/required-scc"]; scc != "restricted-v2" {
		t.Errorf("the pod requires the SCC %q", scc)
	}
	container := pod.Spec.Containers[0]
	for path, probe := range map[string]*corev1.Probe{"/healthz": container.LivenessProbe, "/readyz": container.ReadinessProbe} {
		if probe == nil || probe.HTTPGet.Path != path || probe.HTTPGet.Port.StrVal != container.Ports[0].Name || probe.HTTPGet.Scheme != corev1.URISchemeHTTP {
			t.Errorf("the probe of %s is %+v", path, probe)
		}
	}
	if listen := fmt.Sprintf("--listen=:%d", container.Ports[0].ContainerPort); !slices.Contains(container.Args, listen) {
		t.Errorf("there is no argument %s", listen)
	}
}

// TestHostedNetworkPolicy: the monitoring alone can connect to the controller, and the controller to nothing but the two API servers and DNS.
func TestHostedNetworkPolicy(t *testing.T) {
	policy, foundPolicy := manifests.Find[*networkingv1.NetworkPolicy](readController(t), name)
	deployment, foundDeployment := manifests.Find[*appsv1.Deployment](readController(t), name)
	if !foundPolicy || !foundDeployment {
		t.Fatalf("there is a policy: %t, a Deployment: %t", foundPolicy, foundDeployment)
	}
	if !maps.Equal(policy.Spec.PodSelector.MatchLabels, deployment.Spec.Selector.MatchLabels) || len(policy.Spec.PolicyTypes) != 2 {
		t.Errorf("it is for %v of %v", policy.Spec.PolicyTypes, policy.Spec.PodSelector)
	}
	kubeAPIServer := labels.Set{"app": "kube-apiserver"}
	checkConnections(t, policy, []connection{
		{"Prometheus", prometheus, "TCP", 8080, true},
		{"Prometheus", prometheus, "TCP", 8443, false},
		{"its own namespace", peer{hosted.ControlPlaneNamespace, nil}, "TCP", 8080, false},
	}, []connection{
		{"the API server", peer{}, "TCP", 6443, true},
		{"a host", peer{}, "TCP", 443, false},
		{"that of the hosted cluster", peer{hosted.ControlPlaneNamespace, kubeAPIServer}, "TCP", 2040, true},
		{"that of another hosted cluster", peer{"clusters-west", kubeAPIServer}, "TCP", 2040, false},
		{"etcd of the hosted cluster", peer{hosted.ControlPlaneNamespace, labels.Set{"app": "etcd"}}, "TCP", 2379, false},
		{"DNS", dns, "UDP", 5353, true},
		{"DNS", dns, "TCP", 5353, true},
		{"another pod of DNS", peer{"openshift-dns", nil}, "UDP", 5353, false},
	})
}

// TestHostedGrants: in a hosted cluster the ServiceAccount of the controller may list and watch, and nothing else. What blocks drains is
// not watched.
func TestHostedGrants(t *testing.T) {
	all, err := manifests.HostedCluster(root(t))
	if err != nil {
		t.Fatal(err)
	}
	role, foundRole := manifests.Find[*rbacv1.ClusterRole](all, name)
	binding, foundBinding := manifests.Find[*rbacv1.ClusterRoleBinding](all, name)
	account, foundAccount := manifests.Find[*corev1.ServiceAccount](all, name)
	if !foundRole || !foundBinding || !foundAccount || len(all) != 4 {
		t.Fatalf("%d objects, a role: %t, a binding: %t, a ServiceAccount: %t", len(all), foundRole, foundBinding, foundAccount)
	}
	want := []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: account.Namespace, Name: account.Name}}
	if diff := cmp.Diff(want, binding.Subjects); diff != "" || binding.RoleRef.Name != role.Name {
		t.Errorf("the binding is of %s to (-want +got):\n%s", binding.RoleRef.Name, diff)
	}
	var rules []string
	for _, rule := range role.Rules {
		rules = append(rules, strings.Join(rule.Resources, " ")+": "+strings.Join(rule.Verbs, " "))
	}
	wantRules := []string{"clusteroperators: list watch", "nodes: list watch", "pods: list", "poddisruptionbudgets: list"}
	if diff := cmp.Diff(wantRules, rules); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, manifest := range all {
		if !strings.HasSuffix(manifest.Object.GetAnnotations()["kubernetes.io/description"], ".") {
			t.Errorf("%s does not say what it is for", manifest.Object.GetName())
		}
	}
}

// TestHostedCommand runs the command of the file's comment: it replaces what the tests replace, and nothing is left.
func TestHostedCommand(t *testing.T) {
	folder := filepath.Join(root(t), "manifests", "hypershift")
	content, err := os.ReadFile(filepath.Join(folder, "controller.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?s)# {3}sed (.*?) \| oc apply -f -`).FindStringSubmatch(string(content))
	if command == nil {
		t.Fatal("the comment has no command")
	}
	run := exec.CommandContext(t.Context(), "sed", strings.Fields(strings.ReplaceAll(command[1], "\\\n#", " "))...)
	run.Dir = folder
	output, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "controller.yaml")
	if err := os.WriteFile(file, output, 0o600); err != nil {
		t.Fatal(err)
	}
	replaced, err := manifests.Read([]string{file}, image)
	if err != nil {
		t.Fatal(err)
	}
	monitoring, err := hosted.Monitoring(root(t))
	if err != nil {
		t.Fatal(err)
	}
	want := append(readController(t), monitoring...)
	for at := range want {
		want[at].File = "controller.yaml"
	}
	if diff := cmp.Diff(want, replaced); diff != "" {
		t.Errorf("(-tests +command):\n%s", diff)
	}
	for _, line := range strings.Split(string(output), "\n") {
		if !strings.HasPrefix(line, "#") && regexp.MustCompile(`[A-Z]{3,}_[A-Z]{3,}`).MatchString(strings.NewReplacer("POD_NAME", "").Replace(line)) {
			t.Errorf("not replaced: %s", line)
		}
	}
}
