// Package usc has the Update Status Controller of a hosted cluster: it maintains the HostedClusterUpdateStatus.
package usc

import (
	"fmt"
	"strings"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	configv1 "github.com/openshift/api/config/v1"

	hyperv1 "github.com/openshift/cluster-version-operator/test/updatestatus/hypershift/api/hypershift/v1beta1"
	component "github.com/openshift/cluster-version-operator/test/updatestatus/hypershift/support/controlplane-component"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hypershift/support/k8sutil"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hypershift/support/util"
)

// ComponentName is the name of the component and of the folder of its assets.
const ComponentName = "update-status-controller"

var _ component.ComponentOptions = &updateStatusController{}

type updateStatusController struct{}

// IsRequestServing implements controlplanecomponent.ComponentOptions.
func (*updateStatusController) IsRequestServing() bool {
	return false
}

// MultiZoneSpread implements controlplanecomponent.ComponentOptions. One of several replicas would lead, and an update doesn't need it.
func (*updateStatusController) MultiZoneSpread() bool {
	return false
}

// NeedsManagementKASAccess implements controlplanecomponent.ComponentOptions.
func (*updateStatusController) NeedsManagementKASAccess() bool {
	return true
}

// NewComponent returns the component. It depends on no other one but the API server of the hosted cluster, which all do.
func NewComponent() component.ControlPlaneComponent {
	return component.NewDeploymentComponent(ComponentName, &updateStatusController{}).
		WithAdaptFunction(adaptDeployment).
		WithPredicate(isEnabled).
		WithManifestAdapter(
			"podmonitor.yaml",
			component.WithAdaptFunction(adaptPodMonitor),
			component.DisableIfAnnotationExist(hyperv1.DisableMonitoringServices),
		).
		WithManifestAdapter(
			"prometheus-alerting-rules.yaml",
			component.WithAdaptFunction(adaptAlertingRules),
			component.DisableIfAnnotationExist(hyperv1.DisableMonitoringServices),
		).
		InjectServiceAccountKubeConfig(component.ServiceAccountKubeConfigOpts{
			Name:          ComponentName,
			Namespace:     "openshift-update-status-controller",
			MountPath:     "/etc/hosted-cluster",
			ContainerName: ComponentName,
		}).
		Build()
}

// isEnabled returns whether the hosted cluster has the feature set that has the controller in standalone clusters.
func isEnabled(cpContext component.WorkloadContext) (bool, error) {
	configuration := cpContext.HCP.Spec.Configuration
	return configuration != nil && configuration.FeatureGate != nil && configuration.FeatureGate.FeatureSet == configv1.DevPreviewNoUpgrade, nil
}

func adaptDeployment(cpContext component.WorkloadContext, deployment *appsv1.Deployment) error {
	hostedCluster := cpContext.HCP.Annotations[k8sutil.HostedClusterAnnotation]
	if hostedCluster == "" {
		return fmt.Errorf("HostedControlPlane %s has no annotation %s", cpContext.HCP.Name, k8sutil.HostedClusterAnnotation)
	}
	container := &deployment.Spec.Template.Spec.Containers[0]
	container.Args = append(container.Args, "--namespace="+cpContext.HCP.Namespace, "--hosted-cluster="+hostedCluster)
	return nil
}

func adaptPodMonitor(cpContext component.WorkloadContext, podMonitor *monitoringv1.PodMonitor) error {
	podMonitor.Spec.NamespaceSelector = monitoringv1.NamespaceSelector{MatchNames: []string{cpContext.HCP.Namespace}}
	util.ApplyClusterIDLabelToPodMonitor(&podMonitor.Spec.PodMetricsEndpoints[0], cpContext.HCP.Spec.ClusterID)
	return nil
}

func adaptAlertingRules(cpContext component.WorkloadContext, rules *monitoringv1.PrometheusRule) error {
	namespace, name, _ := strings.Cut(cpContext.HCP.Annotations[k8sutil.HostedClusterAnnotation], "/")
	words := strings.NewReplacer("HCP_NAMESPACE", cpContext.HCP.Namespace, "HC_NAMESPACE", namespace, "HC_NAME", name)
	for _, group := range rules.Spec.Groups {
		for at := range group.Rules {
			rule := &group.Rules[at]
			rule.Expr = intstr.FromString(words.Replace(rule.Expr.String()))
			for _, texts := range []map[string]string{rule.Labels, rule.Annotations} {
				for key, text := range texts {
					texts[key] = words.Replace(text)
				}
			}
			util.ApplyClusterIDLabelToRecordingRule(rule, cpContext.HCP.Spec.ClusterID)
		}
	}
	return nil
}
