package cli

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/dynamic"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// clusterVersionName is the name of the one ClusterVersion of a cluster.
const clusterVersionName = "version"

// cluster is a cluster with a controller. Its client is dynamic, so that no field of a newer object is lost.
type cluster struct {
	updateStatuses  dynamic.ResourceInterface
	clusterVersions dynamic.ResourceInterface
	clock           func() time.Time
}

func newCluster(flags *genericclioptions.ConfigFlags, clock func() time.Time) (cluster, error) {
	config, err := flags.ToRESTConfig()
	if err != nil {
		return cluster{}, noCluster(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return cluster{}, noCluster(err)
	}
	return cluster{
		updateStatuses:  client.Resource(updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses")),
		clusterVersions: client.Resource(configv1.GroupVersion.WithResource("clusterversions")),
		clock:           clock,
	}, nil
}

// read gets the object. Where there is none the error is an absentError, with what there is instead.
func (c cluster) read(ctx context.Context) (*found, error) {
	object, err := c.updateStatuses.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, absentError{error: notReadable(err), clusterVersion: c.clusterVersion(ctx)}
	}
	if err != nil {
		return nil, notReadable(err)
	}
	return c.found(object)
}

func (c cluster) found(object *unstructured.Unstructured) (*found, error) {
	us := &updatev1alpha1.UpdateStatus{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, us); err != nil {
		return nil, fmt.Errorf("the UpdateStatus is of a form that this client can't show; -o yaml of oc get does: %w", err)
	}
	return &found{updateStatus: us, whole: object, moment: c.clock()}, nil
}

// absentError is why there is no UpdateStatus, with the ClusterVersion if that can be read.
type absentError struct {
	error

	clusterVersion *configv1.ClusterVersion
}

// clusterVersion returns the ClusterVersion, nil if it can't be had: that it is missing too is of no interest to somebody
// who asked for something else.
func (c cluster) clusterVersion(ctx context.Context) *configv1.ClusterVersion {
	object, err := c.clusterVersions.Get(ctx, clusterVersionName, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	version := &configv1.ClusterVersion{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, version); err != nil {
		return nil
	}
	return version
}
