package controlplane

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

// informers can be in any namespace.
var informers = schema.GroupVersionResource{Group: "update.openshift.io", Version: "v1alpha1", Resource: "updateinformers"}

var leases = schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}

// resettable are the resources that hold what a cluster consists of, and what the controller writes; with their namespace.
// The UpdateStatus comes last, so that a controller that still runs can't fill it from what is deleted.
var resettable = []struct {
	resource  schema.GroupVersionResource
	namespace string
}{
	{resource: schema.GroupVersionResource{Group: "config.openshift.io", Version: "v1", Resource: "clusterversions"}},
	{resource: schema.GroupVersionResource{Group: "config.openshift.io", Version: "v1", Resource: "clusteroperators"}},
	{resource: schema.GroupVersionResource{Group: "config.openshift.io", Version: "v1", Resource: "apiservers"}},
	{resource: schema.GroupVersionResource{
		Group: "machineconfiguration.openshift.io", Version: "v1", Resource: "machineconfigpools",
	}},
	{resource: schema.GroupVersionResource{
		Group: "machineconfiguration.openshift.io", Version: "v1", Resource: "machineconfigs",
	}},
	{resource: schema.GroupVersionResource{
		Group: "machineconfiguration.openshift.io", Version: "v1", Resource: "machineconfignodes",
	}},
	{resource: schema.GroupVersionResource{Version: "v1", Resource: "nodes"}},
	{
		resource:  schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"},
		namespace: MachineConfigNamespace,
	},
	{resource: leases, namespace: Namespace},
	{resource: schema.GroupVersionResource{Version: "v1", Resource: "events"}, namespace: Namespace},
	{resource: schema.GroupVersionResource{Version: "v1", Resource: "pods"}, namespace: Namespace},
	{resource: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}, namespace: Namespace},
	{resource: schema.GroupVersionResource{
		Group: "update.openshift.io", Version: "v1alpha1", Resource: "updatestatuses",
	}},
	{resource: schema.GroupVersionResource{
		Group: "update.openshift.io", Version: "v1alpha1", Resource: "updatestatussummaries",
	}},
	{resource: schema.GroupVersionResource{
		Group: "update.openshift.io", Version: "v1alpha1", Resource: "updaterecords",
	}},
	{
		resource:  schema.GroupVersionResource{Group: "update.openshift.io", Version: "v1alpha1", Resource: "hostedclusterupdatestatuses"},
		namespace: metav1.NamespaceDefault,
	},
	{
		resource:  schema.GroupVersionResource{Group: "update.openshift.io", Version: "v1alpha1", Resource: "hostedclusterupdatestatussummaries"},
		namespace: metav1.NamespaceDefault,
	},
	{
		resource:  schema.GroupVersionResource{Group: "update.openshift.io", Version: "v1alpha1", Resource: "hostedclusterupdaterecords"},
		namespace: metav1.NamespaceDefault,
	},
}

// Reset deletes everything that actors and controllers have put into the cluster. What Start installed stays.
func (c *ControlPlane) Reset(ctx context.Context) error {
	return c.reset(ctx, nil)
}

// ResetUnder does the same under a controller that runs on: it keeps its lease.
func (c *ControlPlane) ResetUnder(ctx context.Context) error {
	return c.reset(ctx, []schema.GroupVersionResource{leases})
}

func (c *ControlPlane) reset(ctx context.Context, kept []schema.GroupVersionResource) error {
	client, err := dynamic.NewForConfig(c.admin)
	if err != nil {
		return err
	}
	for _, content := range resettable {
		if slices.Contains(kept, content.resource) {
			continue
		}
		resource := client.Resource(content.resource).Namespace(content.namespace)
		err := answered(ctx, func(ctx context.Context) error {
			return resource.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
		})
		if err != nil {
			return fmt.Errorf("deleting all %s: %w", content.resource.Resource, err)
		}
	}
	return answered(ctx, func(ctx context.Context) error { return deleteInformers(ctx, client.Resource(informers)) })
}

// answered sends a request until the API server answers it: on a busy machine, it may take longer than the minute that it gives a request. A
// resource is not found where its CRD is not installed.
func answered(ctx context.Context, request func(ctx context.Context) error) error {
	var last error
	err := pace.Poll(ctx, time.Second, hangTimeout, func(ctx context.Context) (bool, error) {
		last = request(ctx)
		isBusy := apierrors.IsTimeout(last) || apierrors.IsServerTimeout(last) || apierrors.IsTooManyRequests(last)
		return !isBusy, nil
	})
	if last == nil || apierrors.IsNotFound(last) {
		return nil
	}
	return errors.Join(last, err)
}

// deleteInformers deletes them one by one: an API server deletes no collection across namespaces.
func deleteInformers(ctx context.Context, client dynamic.NamespaceableResourceInterface) error {
	list, err := client.List(ctx, metav1.ListOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("listing %s: %w", informers.Resource, err)
	}
	for _, one := range list.Items {
		if err := client.Namespace(one.GetNamespace()).Delete(ctx, one.GetName(), metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("deleting %s %s: %w", informers.Resource, one.GetName(), err)
		}
	}
	return nil
}
