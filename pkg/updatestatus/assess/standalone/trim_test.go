package standalone_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// cached returns a copy of an object as it is cached.
func cached(object runtime.Object) runtime.Object {
	for kind := range kinds.All() {
		if kind.New == nil || reflect.TypeOf(kind.New()) != reflect.TypeOf(object) {
			continue
		}
		if trimmed, err := kind.Trim(object.DeepCopyObject()); err == nil {
			return trimmed.(runtime.Object)
		}
	}
	panic("not a kind that is cached")
}

func trimmed[T runtime.Object](object T) T { return cached(object).(T) }

func allTrimmed[T runtime.Object](objects []T) []T {
	var all []T
	for _, object := range objects {
		all = append(all, trimmed(object))
	}
	return all
}

// TestRulesReadWhatTrimKeeps assesses random clusters whole and trimmed. Each field of their objects has a value, and each
// annotation and condition that a rule may know.
func TestRulesReadWhatTrimKeeps(t *testing.T) {
	annotations := knownAnnotations(t)
	rapid.Check(t, func(t *rapid.T) {
		in := builders.HostileCluster().Draw(t, "cluster")
		cached := in
		if in.ClusterVersion != nil {
			in.ClusterVersion = filledClusterVersion(t, in.ClusterVersion)
			cached.ClusterVersion = trimmed(in.ClusterVersion)
		}
		if in.MachineConfigOperator != nil {
			in.MachineConfigOperator = filledDeployment(t, in.MachineConfigOperator)
			cached.MachineConfigOperator = trimmed(in.MachineConfigOperator)
		}
		for at, operator := range in.ClusterOperators {
			in.ClusterOperators[at] = filledClusterOperator(t, operator)
		}
		for at, node := range in.Nodes {
			in.Nodes[at] = filledNode(t, node, annotations)
		}
		for at, pool := range in.MachineConfigPools {
			in.MachineConfigPools[at] = filledPool(t, pool)
		}
		for at, node := range in.MachineConfigNodes {
			in.MachineConfigNodes[at] = filledMachineConfigNode(t, node)
		}
		cached.ClusterOperators, cached.Nodes = allTrimmed(in.ClusterOperators), allTrimmed(in.Nodes)
		cached.MachineConfigPools, cached.MachineConfigNodes = allTrimmed(in.MachineConfigPools), allTrimmed(in.MachineConfigNodes)
		cached.MachineConfigs = allTrimmed(in.MachineConfigs)
		if diff := cmp.Diff(standalone.Assess(in, builders.Noon), standalone.Assess(cached, builders.Noon)); diff != "" {
			t.Fatalf("a rule reads what Trim drops: keep it in trim.go, and declare a condition or annotation in the row of its health "+
				"check, or in its Reads (-whole +trimmed):\n%s", diff)
		}
	})
}

// knownAnnotations returns the annotations that are named in pkg/updatestatus/assess.
func knownAnnotations(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`annotationPrefix \+ "([^"]+)"|Annotations\["([^"]+)"\]`)
	var annotations []string
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range named.FindAllStringSubmatch(string(content), -1) {
			if match[1] != "" {
				annotations = append(annotations, "machineconfiguration.openshift.io/"+match[1])
			} else {
				annotations = append(annotations, match[2])
			}
		}
	}
	if len(annotations) < len(nodestate.Reads().Annotations) {
		t.Fatalf("only these annotations are named in pkg/updatestatus/assess: %v", annotations)
	}
	return annotations
}

// filledNode returns a Node with something in each field, and what a rule may understand.
func filledNode(t *rapid.T, node *corev1.Node, annotations []string) *corev1.Node {
	filled := &corev1.Node{}
	builders.Fill(t, filled)
	filled.Name, filled.Labels, filled.Annotations = node.Name, node.Labels, node.Annotations
	if filled.Annotations == nil {
		filled.Annotations = map[string]string{}
	}
	for _, key := range annotations {
		if _, found := filled.Annotations[key]; !found && rapid.Bool().Draw(t, "has "+key) {
			filled.Annotations[key] = builders.AnyText().Draw(t, key)
		}
	}
	filled.Spec.Unschedulable = node.Spec.Unschedulable
	filled.Spec.Taints = append(filled.Spec.Taints, node.Spec.Taints...)
	filled.Status.Conditions = node.Status.Conditions
	for _, kind := range []corev1.NodeConditionType{
		corev1.NodeReady, corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure, corev1.NodeNetworkUnavailable,
	} {
		filled.Status.Conditions = append(filled.Status.Conditions, corev1.NodeCondition{
			Type: kind, Status: rapid.SampledFrom([]corev1.ConditionStatus{"True", "False", "Unknown"}).Draw(t, "status"),
			LastHeartbeatTime: builders.AnyTime().Draw(t, "heartbeat"), LastTransitionTime: builders.AnyTime().Draw(t, "transition"),
			Reason: builders.AnyText().Draw(t, "reason"), Message: builders.AnyText().Draw(t, "message"),
		})
	}
	return filled
}

// filledPool returns a MachineConfigPool with something in each field, and what a rule may understand.
func filledPool(t *rapid.T, pool *machineconfigv1.MachineConfigPool) *machineconfigv1.MachineConfigPool {
	filled := &machineconfigv1.MachineConfigPool{}
	builders.Fill(t, filled)
	filled.Name = pool.Name
	filled.Spec.NodeSelector, filled.Spec.Paused, filled.Spec.MaxUnavailable = pool.Spec.NodeSelector, pool.Spec.Paused, pool.Spec.MaxUnavailable
	filled.Spec.Configuration.Name = pool.Spec.Configuration.Name
	for at := range filled.Status.Conditions {
		filled.Status.Conditions[at].Message = rapid.SampledFrom([]string{"Pool is waiting for OS image build to complete (mosb: a)", "All nodes are updating"}).Draw(t, "message")
		if rapid.Bool().Draw(t, "is updating") {
			filled.Status.Conditions[at].Type = machineconfigv1.MachineConfigPoolUpdating
		}
	}
	return filled
}

// filledMachineConfigNode returns a MachineConfigNode with something in each field, and what a rule may understand.
func filledMachineConfigNode(t *rapid.T, node *machineconfigv1.MachineConfigNode) *machineconfigv1.MachineConfigNode {
	filled := &machineconfigv1.MachineConfigNode{}
	builders.Fill(t, filled)
	filled.Name, filled.Status.Conditions = node.Name, node.Status.Conditions
	filled.Spec.ConfigVersion = node.Spec.ConfigVersion
	return filled
}

// What follows fills each field of an object, but for what a rule understands.

func filledClusterVersion(t *rapid.T, version *configv1.ClusterVersion) *configv1.ClusterVersion {
	filled := &configv1.ClusterVersion{}
	builders.Fill(t, filled)
	filled.Name, filled.Status.History, filled.Status.Conditions = version.Name, version.Status.History, version.Status.Conditions
	filled.Status.Desired.Version, filled.Status.Desired.Image = version.Status.Desired.Version, version.Status.Desired.Image
	filled.Status.Desired.Architecture = version.Status.Desired.Architecture
	return filled
}

func filledClusterOperator(t *rapid.T, operator *configv1.ClusterOperator) *configv1.ClusterOperator {
	filled := &configv1.ClusterOperator{}
	builders.Fill(t, filled)
	filled.Name, filled.Annotations = operator.Name, operator.Annotations
	filled.Status.Conditions, filled.Status.Versions = operator.Status.Conditions, operator.Status.Versions
	return filled
}

func filledDeployment(t *rapid.T, deployment *appsv1.Deployment) *appsv1.Deployment {
	filled := &appsv1.Deployment{}
	builders.Fill(t, filled)
	for at := range filled.Spec.Template.Spec.Containers {
		if at < len(deployment.Spec.Template.Spec.Containers) {
			from := deployment.Spec.Template.Spec.Containers[at]
			filled.Spec.Template.Spec.Containers[at].Name, filled.Spec.Template.Spec.Containers[at].Image = from.Name, from.Image
		}
	}
	return filled
}
