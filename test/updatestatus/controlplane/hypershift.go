package controlplane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

// HyperShiftVariable names a folder with the CRDs of HyperShift (*.crd.yaml) and sample objects (samples.yaml). Without it, the CRDs
// are made up: they accept any object.
const HyperShiftVariable = "HYPERSHIFT"

// managementKinds are the kinds of a management cluster that are read, by group: HyperShift's, and the Cluster API's.
var managementKinds = map[string][]string{
	"hypershift.openshift.io": {"HostedCluster", "NodePool", "ControlPlaneComponent"},
	"cluster.x-k8s.io":        {"Machine", "MachineDeployment", "MachineSet"},
}

// InstallHyperShift makes the cluster a management cluster of a hosted cluster: with the CRDs of HyperShift and of the Cluster API,
// and the controller of the hosted cluster and its monitoring as manifests/hypershift deploys them.
func (c *ControlPlane) InstallHyperShift(ctx context.Context, hosted manifests.Hosted) error {
	crds, err := hyperShiftCRDs()
	if err != nil {
		return err
	}
	if err := c.installCRDs(crds); err != nil {
		return err
	}
	kube, err := kubernetes.NewForConfig(c.admin)
	if err != nil {
		return err
	}
	for _, name := range []string{hosted.Namespace, hosted.ControlPlaneNamespace} {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if _, err := kube.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	root, err := repository.Root()
	if err != nil {
		return err
	}
	controller, err := hosted.Controller(root)
	if err != nil {
		return err
	}
	monitoring, err := hosted.Monitoring(root)
	if err != nil {
		return err
	}
	return c.createManifests(ctx, kube, slices.Concat(controller, monitoring))
}

// Create creates objects, and fails on fields that their resources don't have.
func (c *ControlPlane) Create(ctx context.Context, objects ...manifests.Object) error {
	kube, err := kubernetes.NewForConfig(c.admin)
	if err != nil {
		return err
	}
	all := make([]manifests.Manifest, len(objects))
	for at, object := range objects {
		all[at].Object = object
	}
	return c.createManifests(ctx, kube, all)
}

// InstallHosted grants the controller of a hosted cluster, in that cluster, what manifests/hypershift grants.
func (c *ControlPlane) InstallHosted(ctx context.Context) error {
	kube, err := kubernetes.NewForConfig(c.admin)
	if err != nil {
		return err
	}
	root, err := repository.Root()
	if err != nil {
		return err
	}
	granted, err := manifests.HostedCluster(root)
	if err != nil {
		return err
	}
	return c.createManifests(ctx, kube, granted)
}

func (c *ControlPlane) createManifests(ctx context.Context, kube kubernetes.Interface, all []manifests.Manifest) error {
	objects := make([]*unstructured.Unstructured, len(all))
	for at, manifest := range all {
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(manifest.Object)
		if err != nil {
			return fmt.Errorf("%s: %w", manifest.Object.GetName(), err)
		}
		objects[at] = &unstructured.Unstructured{Object: content}
	}
	return c.create(ctx, kube.Discovery(), objects)
}

// hyperShiftCRDs returns the real CRDs where there are some, and made up ones of all other kinds.
func hyperShiftCRDs() ([]*apiextensionsv1.CustomResourceDefinition, error) {
	var crds []*apiextensionsv1.CustomResourceDefinition
	if folder := os.Getenv(HyperShiftVariable); folder != "" {
		files, err := filepath.Glob(filepath.Join(folder, "*.crd.yaml"))
		if err != nil {
			return nil, err
		}
		options := envtest.CRDInstallOptions{ErrorIfPathMissing: true, Paths: files}
		if err := envtest.ReadCRDFiles(&options); err != nil {
			return nil, err
		}
		crds = options.CRDs
	}
	for group, kinds := range managementKinds {
		for _, kind := range kinds {
			made := madeUpCRD(group, kind)
			if !slices.ContainsFunc(crds, func(crd *apiextensionsv1.CustomResourceDefinition) bool { return crd.Name == made.Name }) {
				crds = append(crds, made)
			}
		}
	}
	return crds, nil
}

// madeUpCRD returns a CRD that accepts any object of a namespaced kind that has a status.
func madeUpCRD(group, kind string) *apiextensionsv1.CustomResourceDefinition {
	plural := strings.ToLower(kind) + "s"
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: plural + "." + group}}
	crd.Spec = apiextensionsv1.CustomResourceDefinitionSpec{
		Group: group, Scope: apiextensionsv1.NamespaceScoped,
		Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: kind, ListKind: kind + "List", Plural: plural, Singular: strings.ToLower(kind)},
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
			Name: "v1beta1", Served: true, Storage: true,
			Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
				Type: "object", XPreserveUnknownFields: ptr.To(true),
			}},
		}},
	}
	// The API server accepts the Cluster API's group only with it, as it ends in k8s.io.
	crd.Annotations = map[string]string{"api-approved.kubernetes.io": "unapproved, for tests"}
	return crd
}
