package gather

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/pager"
	"sigs.k8s.io/yaml"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

var machineConfigs = machineconfigv1.GroupVersion.WithResource("machineconfigs")

// wholeCluster are the resources of which all objects of the cluster are collected, one in a file.
var wholeCluster = []schema.GroupVersionResource{
	updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses"),
	updatev1alpha1.SchemeGroupVersion.WithResource("updatestatussummaries"),
	updatev1alpha1.SchemeGroupVersion.WithResource("updaterecords"),
	updatev1alpha1.SchemeGroupVersion.WithResource("updateinformers"),
	configv1.GroupVersion.WithResource("clusterversions"),
	configv1.GroupVersion.WithResource("clusteroperators"),
	configv1.GroupVersion.WithResource("infrastructures"),
	machineconfigv1.GroupVersion.WithResource("machineconfigpools"),
	machineConfigs,
	machineconfigv1.GroupVersion.WithResource("machineconfignodes"),
	{Version: "v1", Resource: "nodes"},
}

// inNamespace is a resource of which all objects of a namespace are collected, or one by its name.
type inNamespace struct {
	namespace string
	resource  schema.GroupVersionResource
	name      string
}

var namespaced = []inNamespace{
	{namespace, schema.GroupVersionResource{Version: "v1", Resource: "pods"}, ""},
	{namespace, schema.GroupVersionResource{Version: "v1", Resource: "services"}, ""},
	{namespace, schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, ""},
	{namespace, schema.GroupVersionResource{Version: "v1", Resource: "events"}, ""},
	{namespace, schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, ""},
	{namespace, schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}, ""},
	{namespace, schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}, ""},
	{namespace, schema.GroupVersionResource{Group: "networking.k8s.io", Version: "v1", Resource: "networkpolicies"}, ""},
	{"openshift-cluster-version", schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}, "version"},
	{machineConfigNamespace, schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, "machine-config-operator"},
}

// folderOf returns the folder of a group, which has a name for the group without one.
func folderOf(resource schema.GroupVersionResource) string {
	if resource.Group == "" {
		return "core"
	}
	return resource.Group
}

// wholeCluster writes all objects of a resource, of all namespaces if it is namespaced.
func (g *collector) wholeCluster(ctx context.Context, resource schema.GroupVersionResource) error {
	list := func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		if resource == machineConfigs {
			return g.metadata.Resource(resource).List(ctx, options)
		}
		return g.objects.Resource(resource).List(ctx, options)
	}
	err := pager.New(list).EachListItem(ctx, metav1.ListOptions{}, func(object runtime.Object) error {
		text, converted, err := g.convert(resource, object)
		if err != nil {
			return err
		}
		path := []string{"cluster-scoped-resources"}
		if of := converted.GetNamespace(); of != "" {
			path = []string{"namespaces", of}
		}
		return g.write(text, append(path, folderOf(resource), resource.Resource, converted.GetName()+".yaml")...)
	})
	if err != nil {
		return fmt.Errorf("collecting %s: %w", resource.GroupResource(), err)
	}
	return nil
}

// convert returns an object as YAML, and what it was converted from. Of a MachineConfig it has only the metadata, and of that no
// annotation with the whole object, as `oc apply` leaves behind.
func (g *collector) convert(resource schema.GroupVersionResource, object runtime.Object) (string, *unstructured.Unstructured, error) {
	if partial, ok := object.(*metav1.PartialObjectMetadata); ok {
		release := partial.Annotations[releaseAnnotation]
		object = &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": resource.GroupVersion().String(), "kind": "MachineConfig",
			"metadata": map[string]any{"name": partial.Name, "uid": string(partial.UID), "resourceVersion": partial.ResourceVersion, "annotations": map[string]any{releaseAnnotation: release}},
		}}
	}
	content, err := yaml.Marshal(object)
	if err != nil {
		return "", nil, fmt.Errorf("converting an object: %w", err)
	}
	whole, ok := object.(*unstructured.Unstructured)
	if !ok {
		return "", nil, fmt.Errorf("an object of type %T", object)
	}
	return string(content), whole, nil
}

// releaseAnnotation is the annotation of a MachineConfig with the release that it was rendered for.
const releaseAnnotation = "machineconfiguration.openshift.io/release-image-version"

// namespaced writes the list of a resource in a namespace, or one object.
func (g *collector) namespaced(ctx context.Context, of inNamespace) error {
	client := g.objects.Resource(of.resource).Namespace(of.namespace)
	path := []string{"namespaces", of.namespace, folderOf(of.resource)}
	var object runtime.Object
	var err error
	if of.name != "" {
		object, err = client.Get(ctx, of.name, metav1.GetOptions{})
		path = append(path, of.resource.Resource, of.name+".yaml")
	} else {
		object, err = client.List(ctx, metav1.ListOptions{})
		path = append(path, of.resource.Resource+".yaml")
	}
	if err != nil {
		return fmt.Errorf("collecting %s in %s: %w", of.resource.GroupResource(), of.namespace, err)
	}
	content, err := yaml.Marshal(object)
	if err != nil {
		return fmt.Errorf("converting a list: %w", err)
	}
	return g.write(string(content), path...)
}
