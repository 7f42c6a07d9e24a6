package builders

import (
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
)

// How many of each kind there are at most.
const (
	mostHistory    = 100
	mostConditions = 12
	mostOperators  = 12
	mostPools      = 6
	mostNodes      = 20
	mostAlerts     = 6
	mostPods       = 12
)

// HostileCluster draws a cluster. Objects of one kind have different names, as an API server sees to.
func HostileCluster() *rapid.Generator[standalone.Input] {
	return rapid.Custom(func(t *rapid.T) standalone.Input {
		in := standalone.Input{}
		if rapid.IntRange(0, 9).Draw(t, "has a ClusterVersion") > 0 {
			in.ClusterVersion = clusterVersion(t)
		}
		if rapid.Bool().Draw(t, "has a Deployment") {
			in.MachineConfigOperator = deployment(t)
		}
		for _, name := range names(t, "operators", mostOperators) {
			in.ClusterOperators = append(in.ClusterOperators, clusterOperator(t, name))
		}
		// Some clusters make sense, but for this and that: nodes are updated in them.
		sane := rapid.Bool().Draw(t, "makes sense")
		if sane {
			Partial("4.20.2", Noon.Add(-time.Hour))(orNew(&in.ClusterVersion))
			for name, version := range map[string]string{oldConfig: "4.20.1", newConfig: "4.20.2"} {
				in.MachineConfigs = append(in.MachineConfigs, &metav1.PartialObjectMetadata{ObjectMeta: MachineConfig(name, version).ObjectMeta})
			}
		}
		for _, name := range names(t, "configs", mostPools) {
			in.MachineConfigs = append(in.MachineConfigs, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
				Name: name, Annotations: map[string]string{AnnotationReleaseVersion: AnyVersion().Draw(t, "version")},
			}})
		}
		for _, name := range names(t, "pools", mostPools) {
			in.MachineConfigPools = append(in.MachineConfigPools, pool(t, name))
		}
		if sane {
			in.MachineConfigPools = slices.DeleteFunc(in.MachineConfigPools, func(pool *machineconfigv1.MachineConfigPool) bool {
				return pool.Name == "worker"
			})
			in.MachineConfigPools = append(in.MachineConfigPools, MachineConfigPool("worker", Configuration(newConfig)))
		}
		for _, name := range names(t, "nodes", mostNodes) {
			in.Nodes = append(in.Nodes, node(t, name))
		}
		if sane {
			for _, node := range in.Nodes {
				underway(t, node)
			}
		}
		for range count(t, "alerts", mostAlerts) {
			in.Alerts = append(in.Alerts, alert(t))
		}
		withPods(t, &in)
		return in
	})
}

// The MachineConfigs before and after the update, in a cluster that makes sense.
const (
	oldConfig = "rendered-old"
	newConfig = "rendered-new"
)

func orNew(version **configv1.ClusterVersion) *configv1.ClusterVersion {
	if *version == nil {
		*version = ClusterVersion()
	}
	return *version
}

// underway makes a node one that is updated, with a drain that may take long.
func underway(t *rapid.T, node *corev1.Node) {
	Role("worker")(node)
	progress(t, node)
	if rapid.IntRange(0, 2).Draw(t, "is degraded") == 0 {
		DegradedBecause(AnyText().Draw(t, "why"))(node)
	}
}

// progress says how far the update of a node is.
func progress(t *rapid.T, node *corev1.Node) {
	switch rapid.IntRange(0, 4).Draw(t, "is underway") {
	case 0:
		return
	case 1:
		Configs(newConfig, newConfig)(node)
	case 2:
		Configs(oldConfig, newConfig)(node)
		State(StateRebooting)(node)
	default:
		Configs(oldConfig, newConfig)(node)
		Drain("drain-"+newConfig, "uncordon-"+oldConfig)(node)
		cordoned := AnyTime().Draw(t, "cordoned")
		node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeUnschedulable, TimeAdded: &cordoned})
	}
}

// names draws different names.
func names(t *rapid.T, of string, most int) []string {
	return rapid.SliceOfNDistinct(AnyName(), 0, count(t, of, most), rapid.ID[string]).Draw(t, "names of "+of)
}

func clusterVersion(t *rapid.T) *configv1.ClusterVersion {
	version := ClusterVersion()
	for range count(t, "history", mostHistory) {
		item := configv1.UpdateHistory{
			State:       configv1.UpdateState(rapid.SampledFrom([]string{"Completed", "Partial", "Partial", ""}).Draw(t, "state")),
			StartedTime: AnyTime().Draw(t, "started"), Version: AnyVersion().Draw(t, "version"), Image: AnyText().Draw(t, "image"),
		}
		if rapid.Bool().Draw(t, "is complete") {
			completed := AnyTime().Draw(t, "completed")
			item.CompletionTime = &completed
		}
		version.Status.History = append(version.Status.History, item)
	}
	version.Status.Desired = configv1.Release{
		Version: AnyVersion().Draw(t, "desired"), Image: AnyText().Draw(t, "image"),
		Architecture: configv1.ClusterVersionArchitecture(rapid.SampledFrom([]string{"", "Multi", "Other"}).Draw(t, "architecture")),
	}
	version.Status.Conditions = conditions(t, "Progressing", "Failing", "Available", "Upgradeable", "ReleaseAccepted", "Invalid")
	return version
}

// conditions draws conditions of some types, which may be missing or be there twice.
func conditions(t *rapid.T, types ...string) []configv1.ClusterOperatorStatusCondition {
	var made []configv1.ClusterOperatorStatusCondition
	for range count(t, "conditions", mostConditions) {
		made = append(made, configv1.ClusterOperatorStatusCondition{
			Type:               configv1.ClusterStatusConditionType(rapid.SampledFrom(append(types, "", "Other")).Draw(t, "type")),
			Status:             configv1.ConditionStatus(conditionStatus(t)),
			LastTransitionTime: AnyTime().Draw(t, "since"),
			Reason:             AnyText().Draw(t, "reason"), Message: AnyText().Draw(t, "message"),
		})
	}
	return made
}

func conditionStatus(t *rapid.T) string {
	return rapid.SampledFrom([]string{"True", "False", "Unknown", "True", "False", ""}).Draw(t, "status")
}

func clusterOperator(t *rapid.T, name string) *configv1.ClusterOperator {
	operator := ClusterOperator(name)
	if rapid.IntRange(0, 3).Draw(t, "is of somebody else") == 0 {
		operator = ClusterOperator(name, ThirdParty())
	}
	operator.Status.Conditions = conditions(t, "Progressing", "Available", "Degraded", "Upgradeable")
	operator.Status.Versions = nil
	for range count(t, "versions", 5) {
		operator.Status.Versions = append(operator.Status.Versions, configv1.OperandVersion{
			Name:    rapid.OneOf(rapid.SampledFrom([]string{"operator", "operator", "operator-image"}), AnyText()).Draw(t, "operand"),
			Version: AnyVersion().Draw(t, "version"),
		})
	}
	return operator
}

func deployment(t *rapid.T) *appsv1.Deployment {
	made := &appsv1.Deployment{}
	for range count(t, "containers", 2) {
		container := corev1.Container{Name: AnyText().Draw(t, "container"), Image: AnyText().Draw(t, "image")}
		container.Env = append(container.Env, corev1.EnvVar{Name: "RELEASE_VERSION", Value: AnyVersion().Draw(t, "version")})
		made.Spec.Template.Spec.Containers = append(made.Spec.Template.Spec.Containers, container)
	}
	return made
}

func pool(t *rapid.T, name string) *machineconfigv1.MachineConfigPool {
	made := MachineConfigPool(name, Configuration(AnyName().Draw(t, "config")))
	made.Spec.Paused = rapid.IntRange(0, 3).Draw(t, "is paused") == 0
	if rapid.Bool().Draw(t, "has maxUnavailable") {
		several := intstr.FromInt32(number(t, "maxUnavailable"))
		if rapid.Bool().Draw(t, "as text") {
			several = intstr.FromString(rapid.OneOf(rapid.SampledFrom([]string{"10%", "0%", "-5%", "1000%"}), AnyText()).Draw(t, "maxUnavailable"))
		}
		made.Spec.MaxUnavailable = &several
	}
	if rapid.IntRange(0, 2).Draw(t, "has an odd selector") == 0 {
		made.Spec.NodeSelector = selector(t)
	}
	made.Status.MachineCount, made.Status.UpdatedMachineCount = number(t, "machines"), number(t, "updated machines")
	for range count(t, "conditions", mostConditions) {
		made.Status.Conditions = append(made.Status.Conditions, machineconfigv1.MachineConfigPoolCondition{
			Type: machineconfigv1.MachineConfigPoolConditionType(rapid.SampledFrom([]string{
				"Updating", "Updated", "Degraded", "NodeDegraded", "RenderDegraded", "",
			}).Draw(t, "type")),
			Status: corev1.ConditionStatus(conditionStatus(t)), LastTransitionTime: AnyTime().Draw(t, "since"),
			Reason: AnyText().Draw(t, "reason"), Message: AnyText().Draw(t, "message"),
		})
	}
	return made
}

func selector(t *rapid.T) *metav1.LabelSelector {
	return rapid.SampledFrom([]*metav1.LabelSelector{
		nil,
		{},
		{MatchLabels: map[string]string{"not a label!": "\x00"}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "node-role.kubernetes.io/worker", Operator: "Exists"}}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "node-role.kubernetes.io/worker", Operator: "Near"}}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "x", Operator: "In"}}},
	}).Draw(t, "selector")
}

func node(t *rapid.T, name string) *corev1.Node {
	made := Node(name)
	for _, role := range []string{"worker", "master", "arbiter", "control-plane"} {
		if rapid.Bool().Draw(t, "is "+role) {
			Role(role)(made)
		}
	}
	for _, annotation := range []string{
		AnnotationCurrentConfig, AnnotationDesiredConfig, AnnotationCurrentImage, AnnotationDesiredImage,
		AnnotationReason, AnnotationDesiredDrain, AnnotationLastAppliedDrain,
	} {
		if rapid.Bool().Draw(t, "has "+annotation) {
			made.Annotations[annotation] = rapid.OneOf(AnyName(), AnyText(), rapid.Map(AnyName(), func(name string) string {
				return "drain-" + name
			})).Draw(t, annotation)
		}
	}
	if state := rapid.OneOf(rapid.SampledFrom([]string{
		StateDone, StateWorking, StateRebooting, StateDegraded, StateUnreconcilable,
	}), AnyText()).Draw(t, "state"); state != "" {
		made.Annotations[AnnotationState] = state
	}
	made.Spec.Unschedulable = rapid.Bool().Draw(t, "is unschedulable")
	made.Status.Conditions = nodeConditions(t)
	return made
}

func nodeConditions(t *rapid.T) (made []corev1.NodeCondition) {
	for range count(t, "conditions", mostConditions) {
		made = append(made, corev1.NodeCondition{
			Type: corev1.NodeConditionType(rapid.SampledFrom([]string{
				"Ready", "DiskPressure", "MemoryPressure", "PIDPressure", "NetworkUnavailable", "Odd", "",
			}).Draw(t, "type")),
			Status: corev1.ConditionStatus(conditionStatus(t)), LastTransitionTime: AnyTime().Draw(t, "since"),
			Reason: AnyText().Draw(t, "reason"), Message: AnyText().Draw(t, "message"),
		})
	}
	return made
}

func alert(t *rapid.T) assess.Alert {
	made := assess.Alert{
		Labels: map[string]string{
			"alertname": AnyText().Draw(t, "alert"),
			"severity":  rapid.SampledFrom([]string{"warning", "critical", "info", ""}).Draw(t, "severity"),
			"namespace": AnyText().Draw(t, "namespace"),
		},
		State:    rapid.SampledFrom([]string{"firing", "firing", "pending", ""}).Draw(t, "state"),
		ActiveAt: AnyTime().Draw(t, "active").Time,
	}
	made.Annotations = map[string]string{}
	for at, annotation := range []string{"summary", "description", "message"} {
		made.Annotations[annotation] = AnyText().Draw(t, fmt.Sprintf("annotation %d", at))
	}
	made.Annotations["runbook_url"] = rapid.OneOf(rapid.SampledFrom([]string{
		"https://example.com/runbook", "javascript:alert(1)", "https://\x1b", "http://[::1",
	}), AnyText()).Draw(t, "runbook")
	return made
}
