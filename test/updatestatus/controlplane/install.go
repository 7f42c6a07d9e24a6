package controlplane

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"

	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

// MachineConfigNamespace is the namespace of the Machine Config Operator, which its own manifests bring.
const MachineConfigNamespace = "openshift-machine-config-operator"

// MonitoringNamespace is the namespace of the cluster's monitoring, which its own manifests bring.
const MonitoringNamespace = "openshift-monitoring"

// ConfigManagedNamespace is the namespace of what components share, such as the dashboards of the console, which others' manifests bring.
const ConfigManagedNamespace = "openshift-config-managed"

// VersionNamespace is the namespace of the Cluster Version Operator, which its own manifests bring.
const VersionNamespace = "openshift-cluster-version"

// namespaces are those of other components that the manifests need.
var namespaces = []string{MachineConfigNamespace, MonitoringNamespace, ConfigManagedNamespace, VersionNamespace}

// Image stands in for the image of a release: no kubelet pulls it.
const Image = "registry.example.com/release/cluster-version-operator:latest"

const (
	crdKind      = "CustomResourceDefinition"
	yamlBuffer   = 4096
	fieldManager = "test-control-plane"
)

// contents are what a control plane has after its start.
type contents struct {
	crds    []*apiextensionsv1.CustomResourceDefinition
	objects []*unstructured.Unstructured
}

// readContents reads the CRDs, and what else is in manifests/, in the order of the release payload.
func readContents(ctx context.Context, options Options) (contents, error) {
	crds, err := readCRDs(ctx)
	if err != nil {
		return contents{}, err
	}
	root, err := repository.Root()
	if err != nil {
		return contents{}, err
	}
	var files []string
	if !options.Bare {
		if files, err = manifests.Files(root); err != nil {
			return contents{}, err
		}
	}
	if options.Hosted {
		hosted, err := manifests.HostedFiles(root)
		if err != nil {
			return contents{}, err
		}
		files = append(files, hosted...)
	}
	own, objects, err := readManifests(files)
	if err != nil {
		return contents{}, err
	}
	crds = slices.DeleteFunc(slices.Concat(crds, own), func(crd *apiextensionsv1.CustomResourceDefinition) bool {
		return slices.Contains(options.Without, resourceOf(crd))
	})
	slices.SortFunc(crds, func(a, b *apiextensionsv1.CustomResourceDefinition) int { return strings.Compare(a.Name, b.Name) })
	return contents{crds: crds, objects: objects}, nil
}

// install installs the CRDs, then everything else.
func (c *ControlPlane) install(ctx context.Context, contents contents) error {
	if err := c.installCRDs(contents.crds); err != nil {
		return err
	}
	kube, err := kubernetes.NewForConfig(c.admin)
	if err != nil {
		return err
	}
	for _, name := range namespaces {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if _, err := kube.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	if err := c.createInfrastructure(ctx); err != nil {
		return err
	}
	return c.create(ctx, kube.Discovery(), contents.objects)
}

func (c *ControlPlane) create(
	ctx context.Context, discovery discovery.DiscoveryInterface, objects []*unstructured.Unstructured,
) error {
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discovery))
	client, err := dynamic.NewForConfig(c.admin)
	if err != nil {
		return err
	}
	for _, object := range objects {
		kind := object.GroupVersionKind()
		mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if err != nil {
			return err
		}
		options := metav1.CreateOptions{FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict}
		resource := client.Resource(mapping.Resource).Namespace(object.GetNamespace())
		if _, err := resource.Create(ctx, object, options); err != nil {
			return fmt.Errorf("manifest of %s %s: %w", kind.Kind, object.GetName(), err)
		}
	}
	return nil
}

// readManifests renders and reads manifests: CRDs, and everything else.
func readManifests(files []string) (
	[]*apiextensionsv1.CustomResourceDefinition, []*unstructured.Unstructured, error,
) {
	var crds []*apiextensionsv1.CustomResourceDefinition
	var others []*unstructured.Unstructured
	for _, file := range files {
		objects, err := readObjects(file)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, object := range objects {
			if object.GetKind() != crdKind {
				others = append(others, object)
				continue
			}
			crd := &apiextensionsv1.CustomResourceDefinition{}
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, crd); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", file, err)
			}
			crds = append(crds, crd)
		}
	}
	return crds, others, nil
}

func readObjects(file string) ([]*unstructured.Unstructured, error) {
	content, err := manifests.RenderFile(file, Image)
	if err != nil {
		return nil, err
	}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(content), yamlBuffer)
	var objects []*unstructured.Unstructured
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}
