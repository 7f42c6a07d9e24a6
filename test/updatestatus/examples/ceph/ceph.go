package ceph

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
)

const (
	namespace = "openshift-storage"
	name      = "ceph"
	// osd is the name of the PodDisruptionBudget of all OSDs, the start of those of failure domains, and the label app of their pods.
	osd = "rook-ceph-osd"
	// patience is how old Rook's last check of Ceph may be. By default it checks once a minute.
	patience = 5 * time.Minute
)

var clusters = schema.GroupVersionResource{Group: "ceph.rook.io", Version: "v1", Resource: "cephclusters"}

// New returns the UpdateInformer of the Ceph cluster in openshift-storage.
func New(config *rest.Config) (Informer, error) {
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return Informer{}, err
	}
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return Informer{}, err
	}
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return Informer{}, err
	}
	read := func(ctx context.Context, now time.Time) ([]*Insight, error) {
		state, err := readState(ctx, kube, objects)
		if err != nil {
			return nil, err
		}
		if err := checkAge(state.Cluster, now); err != nil {
			return nil, err
		}
		return Insights(state), nil
	}
	return Informer{Namespace: namespace, Name: name, Client: client, Read: read}, nil
}

func readState(ctx context.Context, kube kubernetes.Interface, objects dynamic.Interface) (State, error) {
	var state State
	list, err := objects.Resource(clusters).Namespace(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return state, fmt.Errorf("reading the CephCluster: %w", err)
	}
	if len(list.Items) == 0 {
		return state, errors.New("there is no CephCluster in " + namespace)
	}
	// Rook supports one in a namespace.
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(list.Items[0].Object, &state.Cluster); err != nil {
		return state, fmt.Errorf("decoding the CephCluster: %w", err)
	}
	pods, err := kube.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: "app=" + osd})
	if err != nil {
		return state, fmt.Errorf("reading the OSDs: %w", err)
	}
	budgets, err := kube.PolicyV1().PodDisruptionBudgets(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return state, fmt.Errorf("reading PodDisruptionBudgets: %w", err)
	}
	nodes, err := kube.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return state, fmt.Errorf("reading nodes: %w", err)
	}
	state.OSDs, state.Nodes = pods.Items, nodes.Items
	for _, budget := range budgets.Items {
		if isOfOSDs(budget) {
			state.Budgets = append(state.Budgets, budget)
		}
	}
	return state, nil
}

func isOfOSDs(budget policyv1.PodDisruptionBudget) bool {
	return budget.Name == osd || strings.HasPrefix(budget.Name, osd+"-")
}

// checkAge returns an error if Rook has not checked Ceph recently.
func checkAge(cluster Cluster, now time.Time) error {
	checked, err := time.Parse(time.RFC3339, cluster.Status.Ceph.LastChecked)
	if err != nil {
		return fmt.Errorf("when Rook last checked Ceph: %w", err)
	}
	if now.Sub(checked) > patience {
		return fmt.Errorf("no check of Ceph by Rook since %s", cluster.Status.Ceph.LastChecked)
	}
	return nil
}
