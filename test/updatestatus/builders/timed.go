package builders

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
)

// TimedCluster returns a cluster in an update whose objects have every time that assessments read.
func TimedCluster() standalone.Input {
	hourAgo := Noon.Add(-time.Hour)
	of := &Fleet{Operators: 2, Name: "node", Nodes: []byte("cpdurD!"), Message: "a message"}
	in := of.Cluster(Noon)
	in.ClusterVersion = ClusterVersion(
		Completed("4.20.0", Noon.Add(-90*24*time.Hour), Noon.Add(-89*24*time.Hour)),
		Completed(Before, Noon.Add(-72*time.Hour), Noon.Add(-71*time.Hour)), Partial(Target, hourAgo),
		VersionCondition(configv1.ClusterOperatorStatusCondition{
			Type: "Failing", Status: configv1.ConditionTrue, LastTransitionTime: metav1.NewTime(hourAgo), Reason: "Why", Message: "a message",
		}),
		VersionCondition(configv1.ClusterOperatorStatusCondition{
			Type: configv1.OperatorProgressing, Status: configv1.ConditionTrue, LastTransitionTime: metav1.NewTime(hourAgo),
		}))
	in.ClusterOperators = append(in.ClusterOperators, ClusterOperator("unhealthy", OperatorVersion(Before),
		Healthy(hourAgo), Progressing(hourAgo, "Syncing", ""),
		OperatorCondition(configv1.ClusterOperatorStatusCondition{
			Type: configv1.OperatorAvailable, Status: configv1.ConditionFalse, LastTransitionTime: metav1.NewTime(hourAgo),
		})))
	written := metav1.NewTime(hourAgo)
	draining := in.Nodes[2]
	draining.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubelet", Time: &written}}
	cordoned := metav1.NewTime(hourAgo)
	draining.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, TimeAdded: &cordoned}}
	in.Pods = []*corev1.Pod{Pod("shop", "db-0", OnNode(draining.Name), Deleted(Noon.Add(-time.Minute), time.Minute))}
	in.MachineConfigNodes = []*machineconfigv1.MachineConfigNode{MachineConfigNode(draining.Name,
		draining.Annotations[AnnotationDesiredConfig], Drained(metav1.ConditionUnknown, hourAgo, "evicting"))}
	in.Alerts = []assess.Alert{{
		Labels: map[string]string{"alertname": "A", "severity": "critical"}, State: "firing", ActiveAt: Noon.Add(-time.Minute),
	}}
	return in
}

// TimedClusters are clusters in different states, by the name of the state: in each, other rules read times.
var TimedClusters = map[string]func() standalone.Input{
	"in progress": TimedCluster,
	"just started": func() standalone.Input {
		in := TimedCluster()
		in.ClusterVersion.Status.History[0].StartedTime = metav1.NewTime(Noon.Add(-time.Minute))
		in.MachineConfigNodes = nil
		return in
	},
	"completed": func() standalone.Input {
		in := TimedCluster()
		completed := metav1.NewTime(Noon.Add(-time.Minute))
		in.ClusterVersion.Status.History[0].State, in.ClusterVersion.Status.History[0].CompletionTime = configv1.CompletedUpdate, &completed
		for at := range in.ClusterVersion.Status.Conditions {
			in.ClusterVersion.Status.Conditions[at].Status = configv1.ConditionFalse
		}
		return in
	},
}
