package controlplanecomponent

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	hyperv1 "github.com/openshift/cluster-version-operator/test/updatestatus/hypershift/api/hypershift/v1beta1"
)

// ComponentOptions say how a component runs.
type ComponentOptions interface {
	IsRequestServing() bool
	MultiZoneSpread() bool
	NeedsManagementKASAccess() bool
}

// ControlPlaneComponent is a component of a hosted control plane.
type ControlPlaneComponent interface {
	Name() string
	Reconcile(ControlPlaneContext) error
}

// ControlPlaneContext is what a component is reconciled from.
type ControlPlaneContext struct {
	WorkloadContext

	// Assets decodes the files of a component, by their names.
	Assets map[string]client.Object
	// Images are those of the release, by their keys.
	Images map[string]string
	// Apply creates or updates an object.
	Apply func(client.Object) error
}

// WorkloadContext is what functions of a component get.
type WorkloadContext struct {
	HCP *hyperv1.HostedControlPlane
}

// ServiceAccountKubeConfigOpts say whose kubeconfig is made, and where it is mounted.
type ServiceAccountKubeConfigOpts struct {
	Name, Namespace, MountPath, ContainerName string
}

type genericAdapter struct {
	adapt     []func(WorkloadContext, client.Object) error
	predicate func(WorkloadContext) bool
}

type option func(*genericAdapter)

// WithAdaptFunction changes a manifest for a hosted cluster.
func WithAdaptFunction[T client.Object](adapt func(WorkloadContext, T) error) option { //nolint:revive // as there
	return func(adapter *genericAdapter) {
		adapter.adapt = append(adapter.adapt, func(of WorkloadContext, object client.Object) error {
			typed, isTyped := object.(T)
			if !isTyped {
				return fmt.Errorf("the manifest has a %T", object)
			}
			return adapt(of, typed)
		})
	}
}

// DisableIfAnnotationExist leaves out a manifest while the HostedControlPlane has an annotation.
func DisableIfAnnotationExist(annotation string) option { //nolint:revive // as there
	return func(adapter *genericAdapter) {
		adapter.predicate = func(of WorkloadContext) bool {
			_, exists := of.HCP.Annotations[annotation]
			return !exists
		}
	}
}

type builder struct{ *workload }

// NewDeploymentComponent returns a builder of a component with a Deployment.
func NewDeploymentComponent(name string, options ComponentOptions) builder { //nolint:revive // as there
	return builder{&workload{ComponentOptions: options, name: name, adapters: map[string]*genericAdapter{}}}
}

func (b builder) WithAdaptFunction(adapt func(WorkloadContext, *appsv1.Deployment) error) builder {
	b.adapt = adapt
	return b
}

func (b builder) WithPredicate(predicate func(WorkloadContext) (bool, error)) builder {
	b.predicate = predicate
	return b
}

func (b builder) WithManifestAdapter(manifest string, options ...option) builder {
	adapter := &genericAdapter{}
	for _, set := range options {
		set(adapter)
	}
	b.adapters[manifest] = adapter
	return b
}

func (b builder) InjectServiceAccountKubeConfig(options ServiceAccountKubeConfigOpts) builder {
	b.kubeconfig = options
	return b
}

func (b builder) Build() ControlPlaneComponent { return b.workload }
