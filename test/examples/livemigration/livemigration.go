package livemigration

import (
	"context"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/examples/updateinformer"
)

const (
	namespace = "openshift-cnv"
	name      = "live-migration"
	// budgetPrefix starts the names of the PodDisruptionBudgets of virtual machines.
	budgetPrefix = "kubevirt-disruption-budget-"
)

var (
	machines   = schema.GroupVersionResource{Group: "kubevirt.io", Version: "v1", Resource: "virtualmachineinstances"}
	migrations = schema.GroupVersionResource{Group: "kubevirt.io", Version: "v1", Resource: "virtualmachineinstancemigrations"}
)

// New returns the UpdateInformer of the cluster's virtual machines.
func New(config *rest.Config) (updateinformer.Informer, error) {
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return updateinformer.Informer{}, err
	}
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return updateinformer.Informer{}, err
	}
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return updateinformer.Informer{}, err
	}
	read := func(ctx context.Context, _ time.Time) ([]*updateinformer.Insight, error) {
		state, err := readState(ctx, kube, objects)
		if err != nil {
			return nil, err
		}
		return Insights(state), nil
	}
	return updateinformer.Informer{Namespace: namespace, Name: name, Client: client, Read: read}, nil
}

func readState(ctx context.Context, kube kubernetes.Interface, objects dynamic.Interface) (State, error) {
	var state State
	var err error
	if state.Machines, err = list[Machine](ctx, objects, machines); err != nil {
		return state, err
	}
	if state.Migrations, err = list[Migration](ctx, objects, migrations); err != nil {
		return state, err
	}
	budgets, err := kube.PolicyV1().PodDisruptionBudgets(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return state, fmt.Errorf("reading PodDisruptionBudgets: %w", err)
	}
	nodes, err := kube.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return state, fmt.Errorf("reading nodes: %w", err)
	}
	state.Nodes = nodes.Items
	for _, budget := range budgets.Items {
		if strings.HasPrefix(budget.Name, budgetPrefix) {
			state.Budgets = append(state.Budgets, budget)
		}
	}
	return state, nil
}

// list reads all objects of a resource, in all namespaces.
func list[T any](ctx context.Context, objects dynamic.Interface, resource schema.GroupVersionResource) ([]T, error) {
	read, err := objects.Resource(resource).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", resource.Resource, err)
	}
	decoded := make([]T, len(read.Items))
	for at, object := range read.Items {
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &decoded[at]); err != nil {
			return nil, fmt.Errorf("decoding %s %s/%s: %w", resource.Resource, object.GetNamespace(), object.GetName(), err)
		}
	}
	return decoded, nil
}
