package mustgather

import (
	"encoding/json"
	"fmt"
	"path"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
)

// image is the folder that is named after the image that gathered.
const image = "quay-io-openshift-release-dev-ocp-v4-0-art-dev-sha256-0f1e2d3c"

// duration is how long gathering took.
const duration = 3 * time.Minute

// Input is what Files lays out.
type Input struct {
	// Cluster has the objects, and the alerts.
	Cluster *snapshot.Snapshot
	// End is the end of gathering.
	End time.Time
	// Lists adds lists beside the folders.
	Lists bool
}

// kind is a kind of objects in the layout. The group of Nodes is core there.
type kind struct {
	gvk             schema.GroupVersionKind
	group, resource string
}

func kindOf(group, name, resource string) kind {
	folder := group
	if folder == "" {
		folder = "core"
	}
	return kind{schema.GroupVersionKind{Group: group, Version: "v1", Kind: name}, folder, resource}
}

// layout collects files.
type layout struct {
	Input
	files map[string]string
}

// Files returns the files by their paths.
func Files(in Input) (map[string]string, error) {
	l := &layout{Input: in, files: map[string]string{}}
	cluster := in.Cluster
	const configuration = "machineconfiguration.openshift.io"
	err := firstError(
		addAll(l, kindOf("config.openshift.io", "ClusterVersion", "clusterversions"), one(cluster.ClusterVersion)),
		addAll(l, kindOf("config.openshift.io", "ClusterOperator", "clusteroperators"), cluster.ClusterOperators),
		addAll(l, kindOf(configuration, "MachineConfigPool", "machineconfigpools"), cluster.MachineConfigPools),
		addAll(l, kindOf(configuration, "MachineConfig", "machineconfigs"), cluster.MachineConfigs),
		addAll(l, kindOf("", "Node", "nodes"), cluster.Nodes),
		addAll(l, kindOf("apps", "Deployment", "deployments"), one(cluster.MachineConfigOperator)),
		l.addRules(),
	)
	l.files["timestamp"] = fmt.Sprintf("%s m=+0.123456789\n%s m=+180.123456789\n", in.End.Add(-duration), in.End)
	return l.files, err
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// one returns a list of an object, empty if there is none.
func one[T any](object *T) []*T {
	if object == nil {
		return nil
	}
	return []*T{object}
}

// addAll adds objects of a kind, and their list.
func addAll[T metav1.Object](l *layout, k kind, objects []T) error {
	items := make([]any, 0, len(objects))
	for at, object := range objects {
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
		if err != nil {
			return fmt.Errorf("converting %s %s: %w", k.gvk.Kind, object.GetName(), err)
		}
		metadata := fields["metadata"].(map[string]any)
		metadata["uid"], metadata["resourceVersion"] = fmt.Sprintf("%s-%d", k.resource, at), fmt.Sprint(1000+at)
		delete(fields, "apiVersion")
		delete(fields, "kind")
		items = append(items, runtime.DeepCopyJSON(fields))
		fields["apiVersion"], fields["kind"] = k.gvk.GroupVersion().String(), k.gvk.Kind
		scope := "cluster-scoped-resources"
		if object.GetNamespace() != "" {
			scope = path.Join("namespaces", object.GetNamespace())
		}
		if err := l.add(fields, scope, k.group, k.resource, object.GetName()+".yaml"); err != nil {
			return err
		}
	}
	if !l.Lists || len(objects) == 0 || objects[0].GetNamespace() != "" {
		return nil
	}
	list := map[string]any{
		"apiVersion": k.gvk.GroupVersion().String(), "kind": k.gvk.Kind + "List", "metadata": map[string]any{"resourceVersion": "9000"}, "items": items,
	}
	return l.add(list, "cluster-scoped-resources", k.group, k.resource+".yaml")
}

func (l *layout) add(object any, elements ...string) error {
	text, err := yaml.Marshal(object)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", path.Join(elements...), err)
	}
	l.files[path.Join(image, path.Join(elements...))] = string(text)
	return nil
}

// addRules adds the alerts to the rules that fire them.
func (l *layout) addRules() error {
	type rule struct {
		Name   string         `json:"name"`
		Type   string         `json:"type"`
		Alerts []assess.Alert `json:"alerts"`
	}
	rules := []rule{{Name: "Quiet", Type: "alerting", Alerts: []assess.Alert{}}}
	for _, alert := range l.Cluster.Alerts {
		rules = append(rules, rule{Name: alert.Labels["alertname"], Type: "alerting", Alerts: []assess.Alert{alert}})
	}
	text, err := json.Marshal(map[string]any{
		"status": "success",
		"data":   map[string]any{"groups": []any{map[string]any{"name": "all", "rules": rules}}},
	})
	if err != nil {
		return fmt.Errorf("encoding the alerts: %w", err)
	}
	l.files[path.Join(image, "monitoring", "prometheus", "rules.json")] = string(text) + "\n"
	return nil
}
