package util

import (
	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"k8s.io/utils/ptr"
)

const clusterIDLabel = "_id"

// ApplyClusterIDLabelToPodMonitor adds the label of the hosted cluster to all series. HyperShift adds it to MetricRelabelConfigs, too.
func ApplyClusterIDLabelToPodMonitor(endpoint *monitoringv1.PodMetricsEndpoint, clusterID string) {
	endpoint.RelabelConfigs = append(endpoint.RelabelConfigs, monitoringv1.RelabelConfig{
		TargetLabel: clusterIDLabel, Action: "replace", Replacement: ptr.To(clusterID),
	})
}

// ApplyClusterIDLabelToRecordingRule sets the label of the hosted cluster.
func ApplyClusterIDLabelToRecordingRule(rule *monitoringv1.Rule, clusterID string) {
	rule.Labels[clusterIDLabel] = clusterID
}
