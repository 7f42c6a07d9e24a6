package controlplanecomponent

import (
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	hyperv1 "github.com/openshift/cluster-version-operator/test/updatestatus/hypershift/api/hypershift/v1beta1"
)

const (
	deploymentManifest = "deployment.yaml"

	controlPlaneLabel = "hypershift.openshift.io/control-plane"
	clusterLabel      = "hypershift.openshift.io/cluster"
	colocationLabel   = "hypershift.openshift.io/hosted-control-plane"
	managementLabel   = "hypershift.openshift.io/need-management-kas-access"
	componentLabel    = "hypershift.openshift.io/control-plane-component"
)

type workload struct {
	ComponentOptions

	name       string
	adapt      func(WorkloadContext, *appsv1.Deployment) error
	predicate  func(WorkloadContext) (bool, error)
	adapters   map[string]*genericAdapter
	kubeconfig ServiceAccountKubeConfigOpts
}

// Name implements ControlPlaneComponent.
func (w *workload) Name() string { return w.name }

// Reconcile implements ControlPlaneComponent: it applies all manifests, that of the Deployment last, or none if the component is disabled.
func (w *workload) Reconcile(of ControlPlaneContext) error {
	isEnabled, err := w.predicate(of.WorkloadContext)
	if err != nil || !isEnabled {
		return err
	}
	for _, manifest := range slices.Sorted(maps.Keys(of.Assets)) {
		if manifest == deploymentManifest {
			continue
		}
		if err := w.reconcileManifest(of, manifest); err != nil {
			return fmt.Errorf("%s: %w", manifest, err)
		}
	}
	deployment, isDeployment := of.Assets[deploymentManifest].(*appsv1.Deployment)
	if !isDeployment {
		return fmt.Errorf("there is no Deployment in %s", deploymentManifest)
	}
	deployment = deployment.DeepCopy()
	deployment.Namespace = of.HCP.Namespace
	if err := w.adapt(of.WorkloadContext, deployment); err != nil {
		return err
	}
	w.setDefaults(of, &deployment.Spec.Template)
	return of.Apply(deployment)
}

func (w *workload) reconcileManifest(of ControlPlaneContext, manifest string) error {
	object, isObject := of.Assets[manifest].DeepCopyObject().(client.Object)
	if !isObject {
		return fmt.Errorf("it has a %T", of.Assets[manifest])
	}
	object.SetNamespace(of.HCP.Namespace)
	switch typed := object.(type) {
	case *rbacv1.RoleBinding:
		for at := range typed.Subjects {
			typed.Subjects[at].Namespace = of.HCP.Namespace
		}
	case *corev1.ServiceAccount:
		typed.ImagePullSecrets = []corev1.LocalObjectReference{{Name: "pull-secret"}}
	}
	if adapter := w.adapters[manifest]; adapter != nil {
		if adapter.predicate != nil && !adapter.predicate(of.WorkloadContext) {
			return nil
		}
		for _, adapt := range adapter.adapt {
			if err := adapt(of.WorkloadContext, object); err != nil {
				return err
			}
		}
	}
	return of.Apply(object)
}

// setDefaults sets what all pods of hosted control planes have.
func (w *workload) setDefaults(of ControlPlaneContext, pod *corev1.PodTemplateSpec) {
	for at := range pod.Spec.Containers {
		container := &pod.Spec.Containers[at]
		if image := of.Images[container.Image]; image != "" {
			container.Image = image
		}
		if container.Name == w.kubeconfig.ContainerName {
			container.VolumeMounts = append(container.VolumeMounts, corev1.VolumeMount{Name: "service-account-kubeconfig", MountPath: w.kubeconfig.MountPath})
		}
	}
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "service-account-kubeconfig", VolumeSource: corev1.VolumeSource{
		Secret: &corev1.SecretVolumeSource{SecretName: w.name + "-service-account-kubeconfig", DefaultMode: ptr.To[int32](0o640)},
	}})
	pod.Spec.AutomountServiceAccountToken = ptr.To(w.NeedsManagementKASAccess())
	pod.Spec.PriorityClassName = "hypershift-control-plane"
	pod.Labels[componentLabel], pod.Labels[colocationLabel] = w.name, of.HCP.Namespace
	if w.NeedsManagementKASAccess() {
		pod.Labels[managementLabel] = "true"
	}
	setIsolation(of.HCP, &pod.Spec)
}

func setIsolation(hcp *hyperv1.HostedControlPlane, spec *corev1.PodSpec) {
	var terms []corev1.PreferredSchedulingTerm
	for _, one := range []struct {
		key, value string
		weight     int32
	}{{controlPlaneLabel, "true", 50}, {clusterLabel, hcp.Namespace, 100}} {
		spec.Tolerations = append(spec.Tolerations, corev1.Toleration{
			Key: one.key, Operator: corev1.TolerationOpEqual, Value: one.value, Effect: corev1.TaintEffectNoSchedule,
		})
		terms = append(terms, corev1.PreferredSchedulingTerm{Weight: one.weight, Preference: corev1.NodeSelectorTerm{
			MatchExpressions: []corev1.NodeSelectorRequirement{{Key: one.key, Operator: corev1.NodeSelectorOpIn, Values: []string{one.value}}},
		}})
	}
	spec.Affinity = &corev1.Affinity{
		NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: terms},
		PodAffinity: &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{
			Weight: 100,
			PodAffinityTerm: corev1.PodAffinityTerm{
				LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{colocationLabel: hcp.Namespace}}, TopologyKey: corev1.LabelHostname,
			},
		}}},
	}
}
