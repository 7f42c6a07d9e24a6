package playback

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const (
	statusSubresource = "status"
	fieldManager      = "actors"
)

// resources are those of the kinds that are played or recorded, by kind.
var resources = map[string]schema.GroupVersionResource{
	"ClusterVersion":    {Group: "config.openshift.io", Version: "v1", Resource: "clusterversions"},
	"ClusterOperator":   {Group: "config.openshift.io", Version: "v1", Resource: "clusteroperators"},
	"MachineConfigPool": {Group: "machineconfiguration.openshift.io", Version: "v1", Resource: "machineconfigpools"},
	"MachineConfig":     {Group: "machineconfiguration.openshift.io", Version: "v1", Resource: "machineconfigs"},
	"Node":              {Version: "v1", Resource: "nodes"},
	"Deployment":        {Group: "apps", Version: "v1", Resource: "deployments"},

	"UpdateInformer": {Group: "update.openshift.io", Version: "v1alpha1", Resource: "updateinformers"},

	"MachineConfigNode":   {Group: "machineconfiguration.openshift.io", Version: "v1", Resource: "machineconfignodes"},
	"MachineOSConfig":     {Group: "machineconfiguration.openshift.io", Version: "v1", Resource: "machineosconfigs"},
	"MachineOSBuild":      {Group: "machineconfiguration.openshift.io", Version: "v1", Resource: "machineosbuilds"},
	"Pod":                 {Version: "v1", Resource: "pods"},
	"PodDisruptionBudget": {Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"},

	"HostedCluster":         {Group: "hypershift.openshift.io", Version: "v1beta1", Resource: "hostedclusters"},
	"ControlPlaneComponent": {Group: "hypershift.openshift.io", Version: "v1beta1", Resource: "controlplanecomponents"},
	"NodePool":              {Group: "hypershift.openshift.io", Version: "v1beta1", Resource: "nodepools"},
	"Machine":               {Group: "cluster.x-k8s.io", Version: "v1beta1", Resource: "machines"},
	"MachineDeployment":     {Group: "cluster.x-k8s.io", Version: "v1beta1", Resource: "machinedeployments"},
	"MachineSet":            {Group: "cluster.x-k8s.io", Version: "v1beta1", Resource: "machinesets"},
}

// Writer writes the objects of a cluster to an API server.
type Writer struct {
	client dynamic.Interface
}

// NewWriter returns a Writer. Its client must be allowed to write everything.
func NewWriter(config *rest.Config) (*Writer, error) {
	config = rest.CopyConfig(config)
	// Recorded objects are of older releases: the API server returns warnings about them.
	config.WarningHandler = rest.NoWarnings{}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &Writer{client: client}, nil
}

// Load creates the objects of a recorded cluster.
func (w *Writer) Load(ctx context.Context, recorded *simulator.Recorded) error {
	for _, object := range recorded.Objects {
		if err := w.create(ctx, object); err != nil {
			return err
		}
	}
	return nil
}

// Apply writes a write of a simulation: it creates the object, or changes what the write changes and nothing else.
func (w *Writer) Apply(ctx context.Context, write simulator.Write) error {
	if write.Before == nil {
		object, err := toUnstructured(write.After)
		if err != nil {
			return err
		}
		// The API server sets them.
		unstructured.RemoveNestedField(object.Object, "metadata", "creationTimestamp")
		unstructured.RemoveNestedField(object.Object, "metadata", "generation")
		return w.create(ctx, object)
	}
	patch, err := patchOf(write)
	if err != nil {
		return err
	}
	// A benchmark makes a hundred a second: no more of the object is needed.
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(write.After.GetObjectKind().GroupVersionKind())
	object.SetName(write.After.GetName())
	object.SetNamespace(write.After.GetNamespace())
	return w.patch(ctx, object, patch, write.Status)
}

// create creates an object and then writes its status, as the API server requires.
func (w *Writer) create(ctx context.Context, object *unstructured.Unstructured) error {
	client, err := w.of(object)
	if err != nil {
		return err
	}
	created, err := client.Create(ctx, object, metav1.CreateOptions{FieldManager: fieldManager})
	if err != nil {
		return fmt.Errorf("create %s %s: %w", object.GetKind(), object.GetName(), err)
	}
	if status, found := object.Object[statusSubresource]; found {
		created.Object[statusSubresource] = status
		if created, err = client.UpdateStatus(ctx, created, metav1.UpdateOptions{FieldManager: fieldManager}); err != nil {
			return fmt.Errorf("status of %s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	// A recorded cluster that lost something on the way here would be assessed as another cluster than in its files.
	if path, lost := missing(object.Object, created.Object, ""); lost {
		return fmt.Errorf("the API server does not keep %s of %s %s", path, object.GetKind(), object.GetName())
	}
	return nil
}

// patch changes what differs between two states of an object, in its status or in the rest of it.
func (w *Writer) patch(ctx context.Context, object *unstructured.Unstructured, change patch, status bool) error {
	client, err := w.of(object)
	if err != nil {
		return err
	}
	var subresources []string
	if status {
		subresources = []string{statusSubresource}
	}
	options := metav1.PatchOptions{FieldManager: fieldManager}
	_, err = client.Patch(ctx, object.GetName(), change.kind, change.content, options, subresources...)
	if err != nil {
		return fmt.Errorf("patch %s %s: %w", object.GetKind(), object.GetName(), err)
	}
	return nil
}

func (w *Writer) of(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	resource, known := resources[object.GetKind()]
	if !known {
		return nil, fmt.Errorf("a cluster has no %s as far as the actors know", object.GetKind())
	}
	return w.client.Resource(resource).Namespace(object.GetNamespace()), nil
}

func toUnstructured(object any) (*unstructured.Unstructured, error) {
	content, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	result := &unstructured.Unstructured{}
	return result, runtime.DecodeInto(unstructured.UnstructuredJSONScheme, content, result)
}
