package manifests_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

const name = "update-status-controller"

func root(t *testing.T) string {
	t.Helper()
	return repository.RootOf(t)
}

func files(t *testing.T) []string {
	t.Helper()
	files, err := manifests.Files(root(t))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestHostedFiles: what is for hosted clusters is beside what a payload installs, and no payload has it, but for the CRD of
// UpdateInformers: it is the same for both.
func TestHostedFiles(t *testing.T) {
	hosted, err := manifests.HostedFiles(root(t))
	if err != nil {
		t.Fatal(err)
	}
	all, err := manifests.Read(hosted, image)
	if err != nil {
		t.Fatal(err)
	}
	for _, manifest := range all {
		for key := range manifest.Object.GetAnnotations() {
			if strings.Contains(key, "release.openshift.io/") {
				t.Errorf("%s has the annotation %s of a payload", manifest.File, key)
			}
		}
		if !strings.HasSuffix(manifest.Object.GetAnnotations()["kubernetes.io/description"], ".") {
			t.Errorf("%s does not say what it is for", manifest.File)
		}
		for _, installed := range read(t) {
			if installed.Object.GetName() != manifest.Object.GetName() {
				continue
			}
			if manifest.Object.GetName() != "updateinformers.update.openshift.io" {
				t.Errorf("%s is in the payload as %s", manifest.File, installed.File)
			}
			if diff := cmp.Diff(installed.Object.(*apiextensionsv1.CustomResourceDefinition).Spec, manifest.Object.(*apiextensionsv1.CustomResourceDefinition).Spec); diff != "" {
				t.Errorf("%s (-in the payload +for hosted clusters):\n%s", manifest.File, diff)
			}
		}
	}
}

func read(t *testing.T) []manifests.Manifest {
	t.Helper()
	all, err := manifests.Read(files(t), image)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func find[T manifests.Object](t *testing.T, name string) T {
	t.Helper()
	object, found := manifests.Find[T](read(t), name)
	if !found {
		t.Fatalf("there is no %T %s", object, name)
	}
	return object
}

// TestDescriptions: each object says in a sentence what it is for.
func TestDescriptions(t *testing.T) {
	for _, manifest := range read(t) {
		if description := manifest.Object.GetAnnotations()["kubernetes.io/description"]; !strings.HasSuffix(description, ".") {
			t.Errorf("%s, %T %s: %q", manifest.File, manifest.Object, manifest.Object.GetName(), description)
		}
	}
}

// TestManifestOrder checks that what an object needs is in the same file or in one before it.
func TestManifestOrder(t *testing.T) {
	var kinds []string
	for at, manifest := range read(t) {
		kind := manifest.Object.GetObjectKind().GroupVersionKind().Kind
		if kind == "Namespace" && at != 0 {
			t.Errorf("%s is not the first", manifest.File)
		}
		kinds = append(kinds, kind)
	}
	for _, before := range []string{
		"CustomResourceDefinition", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "Service",
		"NetworkPolicy", "ConfigMap",
	} {
		if !slices.Contains(kinds, before) || slices.Index(kinds, before) > slices.Index(kinds, "Deployment") {
			t.Errorf("%s does not come before the Deployment: %v", before, kinds)
		}
	}
	if slices.Index(kinds, "ServiceMonitor") < slices.Index(kinds, "Deployment") {
		t.Errorf("a resource of monitoring, whose CRD comes late, comes early: %v", kinds)
	}
}

func TestRolesHaveNoWildcards(t *testing.T) {
	var rules []rbacv1.PolicyRule
	for _, manifest := range read(t) {
		switch object := manifest.Object.(type) {
		case *rbacv1.Role:
			rules = append(rules, object.Rules...)
		case *rbacv1.ClusterRole:
			rules = append(rules, object.Rules...)
		}
	}
	if len(rules) < 10 {
		t.Errorf("only %d rules", len(rules))
	}
	for _, rule := range rules {
		for _, word := range slices.Concat(rule.APIGroups, rule.Resources, rule.Verbs, rule.ResourceNames, rule.NonResourceURLs) {
			if strings.Contains(word, "*") || strings.HasPrefix(word, "secrets") {
				t.Errorf("rule %v grants %s", rule, word)
			}
		}
	}
}

// TestReferences checks the names, labels and ports by which one object refers to another.
func TestReferences(t *testing.T) {
	deployment, service := find[*appsv1.Deployment](t, name), find[*corev1.Service](t, name)
	pod := deployment.Spec.Template
	container := pod.Spec.Containers[0]
	find[*corev1.ServiceAccount](t, pod.Spec.ServiceAccountName)

	// A volume with the token that is written by hand makes the Cluster Version Operator crash, or write at every sync.
	if !ptr.Deref(pod.Spec.AutomountServiceAccountToken, false) {
		t.Error("the pod gets no token")
	}
	var volumes []string
	for _, volume := range pod.Spec.Volumes {
		if volume.Projected != nil {
			t.Errorf("volume %s is projected", volume.Name)
		}
		volumes = append(volumes, volume.Name)
		if volume.ConfigMap != nil {
			find[*corev1.ConfigMap](t, volume.ConfigMap.Name)
		}
		secret := service.Annotations["service.beta.openshift.io/serving-cert-secret-name"]
		if volume.Secret != nil && volume.Secret.SecretName != secret {
			t.Errorf("the pod has the secret %s, the certificate is in %s", volume.Secret.SecretName, secret)
		}
	}
	for _, mount := range container.VolumeMounts {
		if !slices.Contains(volumes, mount.Name) || !mount.ReadOnly {
			t.Errorf("mount %s of volumes %v, read only: %t", mount.Name, volumes, mount.ReadOnly)
		}
	}

	if !labels.SelectorFromSet(service.Spec.Selector).Matches(labels.Set(pod.Labels)) {
		t.Errorf("the service selects %v, the pod has %v", service.Spec.Selector, pod.Labels)
	}
	hasPort := func(port string) bool {
		return slices.ContainsFunc(container.Ports, func(one corev1.ContainerPort) bool { return one.Name == port })
	}
	for _, port := range []string{
		service.Spec.Ports[0].TargetPort.StrVal, container.StartupProbe.HTTPGet.Port.StrVal,
		container.LivenessProbe.HTTPGet.Port.StrVal, container.ReadinessProbe.HTTPGet.Port.StrVal,
	} {
		if !hasPort(port) {
			t.Errorf("the container has no port %q", port)
		}
	}
	monitor := find[*monitoringv1.ServiceMonitor](t, name)
	if !labels.SelectorFromSet(monitor.Spec.Selector.MatchLabels).Matches(labels.Set(service.Labels)) {
		t.Errorf("the monitor selects %v, the service has %v", monitor.Spec.Selector, service.Labels)
	}
	endpoint := monitor.Spec.Endpoints[0]
	if endpoint.Port != service.Spec.Ports[0].Name {
		t.Errorf("the monitor scrapes the port %s, the service has %s", endpoint.Port, service.Spec.Ports[0].Name)
	}
	if host := service.Name + "." + service.Namespace + ".svc"; *endpoint.TLSConfig.ServerName != host {
		t.Errorf("the monitor expects a certificate of %s, that of the service is of %s", *endpoint.TLSConfig.ServerName, host)
	}
}

// TestResources checks that there are requests and no limits, as OpenShift's conventions demand: a limit would throttle or end the
// controller when it has most to do.
func TestResources(t *testing.T) {
	for _, container := range find[*appsv1.Deployment](t, name).Spec.Template.Spec.Containers {
		if container.Resources.Requests.Cpu().IsZero() || container.Resources.Requests.Memory().IsZero() {
			t.Errorf("requests %v", container.Resources.Requests)
		}
		if len(container.Resources.Limits) > 0 {
			t.Errorf("limits %v", container.Resources.Limits)
		}
	}
}

func TestNamespace(t *testing.T) {
	namespace := find[*corev1.Namespace](t, controlplane.Namespace)
	want := map[string]string{
		"openshift.io/cluster-monitoring":    "true",
		"pod-security.kubernetes.io/enforce": "restricted",
	}
	for label, value := range want {
		if namespace.Labels[label] != value {
			t.Errorf("label %s is %q", label, namespace.Labels[label])
		}
	}
	if level, has := namespace.Labels["openshift.io/run-level"]; has {
		t.Errorf("run-level %q: its pods would not be admitted as others are", level)
	}
}
