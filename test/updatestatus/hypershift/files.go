package hypershift

import (
	"fmt"
	"slices"
	"strings"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
)

// Assets is the folder with the component's manifests, in the repository.
const Assets = "manifests/hypershift/pull-request/control-plane-operator/controllers/hostedcontrolplane/v2/assets/update-status-controller"

// words stand in assets for what differs between hosted clusters; the component replaces them. The image is the key of the release's.
var words = manifests.Hosted{
	Namespace: "HC_NAMESPACE", Name: "HC_NAME", ControlPlaneNamespace: "HCP_NAMESPACE", ClusterID: "cluster_id", Image: "cluster-version-operator",
}

// AssetFiles returns the files in the folder of the component's manifests, by their names: what manifests/hypershift becomes.
func AssetFiles(root string) (map[string][]byte, error) {
	controller, err := words.Controller(root)
	if err != nil {
		return nil, err
	}
	monitoring, err := words.Monitoring(root)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, manifest := range slices.Concat(controller, monitoring) {
		name, isAsset := asset(manifest.Object)
		if !isAsset {
			continue
		}
		if files[name], err = marshal(manifest.Object); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}

// asset returns the name of the file of an object, from which it takes what HyperShift sets in all objects of components. Network policies
// and what is in the namespace of the HostedCluster are no assets.
func asset(object manifests.Object) (name string, isAsset bool) {
	if object.GetNamespace() != words.ControlPlaneNamespace {
		return "", false
	}
	object.SetNamespace("")
	switch typed := object.(type) {
	case *corev1.ServiceAccount:
		typed.ImagePullSecrets = nil
		return "serviceaccount.yaml", true
	case *rbacv1.Role:
		return "role.yaml", true
	case *rbacv1.RoleBinding:
		typed.Subjects[0].Namespace = ""
		return "rolebinding.yaml", true
	case *monitoringv1.PodMonitor:
		typed.Spec.PodMetricsEndpoints[0].RelabelConfigs = nil
		return "podmonitor.yaml", true
	case *monitoringv1.PrometheusRule:
		return "prometheus-alerting-rules.yaml", true
	case *appsv1.Deployment:
		stripPod(&typed.Spec.Template)
		return "deployment.yaml", true
	}
	return "", false
}

// stripPod takes what HyperShift sets in all pods of components, and what the component sets in this one.
func stripPod(pod *corev1.PodTemplateSpec) {
	for label := range pod.Labels {
		if strings.HasPrefix(label, "hypershift.openshift.io/") {
			delete(pod.Labels, label)
		}
	}
	spec := &pod.Spec
	spec.AutomountServiceAccountToken, spec.PriorityClassName, spec.Tolerations, spec.Affinity, spec.Volumes = nil, "", nil, nil, nil
	container := &spec.Containers[0]
	container.VolumeMounts = nil
	container.Args = slices.DeleteFunc(container.Args, func(argument string) bool {
		return strings.HasPrefix(argument, "--namespace=") || strings.HasPrefix(argument, "--hosted-cluster=")
	})
}

func marshal(object manifests.Object) ([]byte, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err
	}
	for _, field := range [][]string{{"status"}, {"metadata", "creationTimestamp"}, {"spec", "template", "metadata", "creationTimestamp"}} {
		unstructured.RemoveNestedField(content, field...)
	}
	return yaml.Marshal(content)
}
