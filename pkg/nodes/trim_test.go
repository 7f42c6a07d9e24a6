package nodes

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// TestRulesReadWhatTrimKeeps assesses random clusters whole and trimmed. Each field of their Nodes has a value, and each
// annotation and condition that a rule may know.
func TestRulesReadWhatTrimKeeps(t *testing.T) {
	annotations := knownAnnotations(t)
	rapid.Check(t, func(t *rapid.T) {
		in := builders.HostileCluster().Draw(t, "cluster")
		trimmed := in
		trimmed.Nodes, trimmed.MachineConfigPools, trimmed.MachineConfigs = nil, nil, nil
		for at, node := range in.Nodes {
			in.Nodes[at] = filledNode(t, node, annotations)
			trimmed.Nodes = append(trimmed.Nodes, trimNode(in.Nodes[at].DeepCopy()))
		}
		for at, pool := range in.MachineConfigPools {
			in.MachineConfigPools[at] = filledPool(t, pool)
			trimmed.MachineConfigPools = append(trimmed.MachineConfigPools, trimPool(in.MachineConfigPools[at].DeepCopy()))
		}
		trimmed.MachineConfigNodes = nil
		for at, node := range in.MachineConfigNodes {
			in.MachineConfigNodes[at] = filledMachineConfigNode(t, node)
			trimmed.MachineConfigNodes = append(trimmed.MachineConfigNodes, assess.TrimMachineConfigNode(in.MachineConfigNodes[at].DeepCopy()))
		}
		for _, config := range in.MachineConfigs {
			trimmed.MachineConfigs = append(trimmed.MachineConfigs, trimMachineConfig(config.DeepCopy()))
		}
		const nodes = 1
		if diff := cmp.Diff(assess.Cluster(in, builders.Noon)[nodes], assess.Cluster(trimmed, builders.Noon)[nodes]); diff != "" {
			t.Fatalf("a rule of pkg/assess reads what Trim drops: keep it in trim.go, and declare an annotation or condition in "+
				"assess.NodeAnnotations or assess.NodeConditions (-whole +trimmed):\n%s", diff)
		}
	})
}

// knownAnnotations returns the annotations that are named in pkg/assess.
func knownAnnotations(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../assess/*.go")
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
	if len(annotations) <= len(assess.NodeAnnotations()) {
		t.Fatalf("only these annotations are named in pkg/assess: %v", annotations)
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

// TestKeptFields changes each field that Trim keeps, one at a time.
func TestKeptFields(t *testing.T) {
	moment := metav1.NewTime(builders.Noon)
	node := worker("a", builders.Unschedulable(), builders.CordonedSince(start))
	for _, key := range assess.NodeAnnotations() {
		node.Annotations[key] = "value"
	}
	node.Status.Conditions = nil
	for _, kind := range assess.NodeConditions() {
		node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{
			Type: kind, Status: corev1.ConditionTrue, Reason: "Reason", Message: "Message", LastTransitionTime: moment, LastHeartbeatTime: moment,
		})
	}
	pool := builders.MachineConfigPool("worker", builders.Configuration("new"), builders.Paused(), builders.MaxUnavailable(2),
		builders.PoolCondition(machineconfigv1.MachineConfigPoolUpdating, corev1.ConditionTrue, "Pool is waiting"))
	t.Run("Node", func(t *testing.T) { changeEachField(t, trimNode(node)) })
	t.Run("MachineConfigPool", func(t *testing.T) { changeEachField(t, trimPool(pool)) })
	machineConfigNode := builders.MachineConfigNode("a", "new", builders.Drained(metav1.ConditionUnknown, builders.Noon, "Error: evicting"),
		builders.Step(machineconfigv1.MachineConfigNodeUpdateRebooted, metav1.ConditionUnknown, builders.Noon, "Upgrade requires a reboot."))
	t.Run("MachineConfigNode", func(t *testing.T) { changeEachField(t, assess.TrimMachineConfigNode(machineConfigNode)) })
	t.Run("MachineConfig", func(t *testing.T) {
		changeEachField(t, trimMachineConfig(config("new", "4.20.2")))
	})
}

// changeEachField changes each leaf of an object in JSON, and fails if isSame does not notice.
func changeEachField(t *testing.T, object any) {
	t.Helper()
	copied := func(of any) any {
		content, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		into := reflect.New(reflect.TypeOf(object).Elem()).Interface()
		if err := json.Unmarshal(content, into); err != nil {
			t.Fatal(err)
		}
		return into
	}
	original := copied(object)
	if !isSame(original, copied(object)) {
		t.Fatal("a copy is not the same")
	}
	content, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(content, &fields); err != nil {
		t.Fatal(err)
	}
	changed := 0
	changeLeaves("", fields, func(path string) {
		isIdentity := path == ".metadata.name" || path == ".kind" || path == ".apiVersion"
		if _, isPool := object.(*machineconfigv1.MachineConfigPool); isIdentity || isPool && strings.HasPrefix(path, ".status.") && !strings.HasPrefix(path, ".status.conditions") {
			return
		}
		changed++
		if isSame(original, copied(fields)) {
			t.Errorf("%s has changed, and isSame does not notice", path)
		}
	})
	if changed == 0 {
		t.Error("no field was changed")
	}
}

// changeLeaves calls a function with each leaf of a JSON value changed, one at a time.
func changeLeaves(path string, value any, do func(path string)) {
	switch value := value.(type) {
	case map[string]any:
		for key, before := range value {
			changeLeaves(path+"."+key, before, do)
			if after := changedLeaf(before); after != nil {
				value[key] = after
				do(path + "." + key)
				value[key] = before
			}
		}
	case []any:
		for at, before := range value {
			changeLeaves(fmt.Sprintf("%s[%d]", path, at), before, do)
		}
	}
}

// changedLeaf returns another value for a leaf, nil for what is none.
func changedLeaf(before any) any {
	switch before := before.(type) {
	case string:
		if moment, err := time.Parse(time.RFC3339, before); err == nil {
			return moment.Add(time.Second).Format(time.RFC3339)
		}
		return before + "-changed"
	case bool:
		return !before
	case float64:
		return before + 1
	default:
		return nil
	}
}
