package gather

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/pager"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// ofController are the resources of which the list in the namespace of the controller is collected.
var ofController = []schema.GroupVersionResource{
	{Version: "v1", Resource: "pods"},
	{Version: "v1", Resource: "services"},
	{Version: "v1", Resource: "configmaps"},
	{Version: "v1", Resource: "events"},
	{Group: "apps", Version: "v1", Resource: "deployments"},
	{Group: "apps", Version: "v1", Resource: "replicasets"},
	{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"},
	{Group: "networking.k8s.io", Version: "v1", Resource: "networkpolicies"},
}

// folderOf returns the folder of a group, which has a name for the group without one.
func folderOf(resource schema.GroupVersionResource) string {
	if resource.Group == "" {
		return "core"
	}
	return resource.Group
}

// kind writes the objects of a kind, one in a file, in the first of its versions that is served.
func (g *collector) kind(ctx context.Context, kind *kinds.Kind) error {
	var err error
	for _, version := range kind.Versions() {
		resource := kind.Served().GroupResource().WithVersion(version)
		err = g.each(ctx, kind, resource, func(object runtime.Object) error { return g.object(kind, resource, object) })
		if !apierrors.IsNotFound(err) {
			break
		}
	}
	if apierrors.IsNotFound(err) && (kind.Optional || kind.Verbs[kinds.Cluster] == "") {
		return nil // not every cluster has it
	}
	if err != nil {
		return fmt.Errorf("collecting %s: %w", kind, err)
	}
	return nil
}

// each calls a function with each object of a kind, of all namespaces if it is namespaced, or with the only one that is read.
func (g *collector) each(ctx context.Context, kind *kinds.Kind, resource schema.GroupVersionResource, call func(runtime.Object) error) error {
	if kind.Namespace != "" {
		object, err := g.objects.Resource(resource).Namespace(kind.Namespace).Get(ctx, kind.Name, metav1.GetOptions{})
		if err != nil {
			return err //nolint:wrapcheck // the caller says what it collects
		}
		return call(object)
	}
	list := func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		if kind.MetadataOnly {
			return g.metadata.Resource(resource).List(ctx, options)
		}
		return g.objects.Resource(resource).List(ctx, options)
	}
	return pager.New(list).EachListItem(ctx, metav1.ListOptions{}, call) //nolint:wrapcheck // the caller says what it collects
}

// object writes an object, of a kind of which only the metadata is read what is read of that: annotations may have the whole object, as
// `oc apply` leaves it behind.
func (g *collector) object(kind *kinds.Kind, resource schema.GroupVersionResource, object runtime.Object) error {
	read := any(object)
	if kind.MetadataOnly {
		trimmed, err := kind.Trim(object)
		if err != nil {
			return fmt.Errorf("trimming an object: %w", err)
		}
		read = trimmed
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(read)
	if err != nil {
		return fmt.Errorf("converting an object: %w", err)
	}
	collected := &unstructured.Unstructured{Object: fields}
	collected.SetGroupVersionKind(resource.GroupVersion().WithKind(kind.Kind))
	content, err := yaml.Marshal(collected)
	if err != nil {
		return fmt.Errorf("converting an object: %w", err)
	}
	path := []string{"cluster-scoped-resources"}
	if of := collected.GetNamespace(); of != "" {
		path = []string{"namespaces", of}
	}
	return g.write(string(content), append(path, folderOf(resource), resource.Resource, collected.GetName()+".yaml")...)
}

// ofController writes the list of a resource in the namespace of the controller.
func (g *collector) ofController(ctx context.Context, resource schema.GroupVersionResource) error {
	list, err := g.objects.Resource(resource).Namespace(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("collecting %s in %s: %w", resource.GroupResource(), namespace, err)
	}
	content, err := yaml.Marshal(list)
	if err != nil {
		return fmt.Errorf("converting a list: %w", err)
	}
	return g.write(string(content), "namespaces", namespace, folderOf(resource), resource.Resource+".yaml")
}
