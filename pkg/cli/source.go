package cli

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
)

// clusterVersionName is the name of the one ClusterVersion of a cluster.
const clusterVersionName = "version"

// updateStatuses is the resource of the object.
const updateStatuses = "updatestatuses"

// cluster is a cluster with a controller. What it reads is kept as it was sent, so that no field of a newer object is lost.
type cluster struct {
	client          rest.Interface
	updateStatuses  dynamic.ResourceInterface
	clusterVersions dynamic.ResourceInterface
	clock           func() time.Time
}

func newCluster(flags *genericclioptions.ConfigFlags, clock func() time.Time) (cluster, error) {
	config, err := flags.ToRESTConfig()
	if err != nil {
		return cluster{}, noCluster(err)
	}
	connection, err := rest.HTTPClientFor(config)
	if err != nil {
		return cluster{}, noCluster(err)
	}
	typed, err := updateclient.NewForConfigAndClient(config, connection)
	if err != nil {
		return cluster{}, noCluster(err)
	}
	client, err := dynamic.NewForConfigAndClient(config, connection)
	if err != nil {
		return cluster{}, noCluster(err)
	}
	return cluster{
		client:          typed.UpdateV1alpha1().RESTClient(),
		updateStatuses:  client.Resource(updatev1alpha1.SchemeGroupVersion.WithResource(updateStatuses)),
		clusterVersions: client.Resource(configv1.GroupVersion.WithResource("clusterversions")),
		clock:           clock,
	}, nil
}

// read gets the object. Where there is none the error is an absentError, with what there is instead. The object can have a
// MiB: what is only shown is decoded once.
func (c cluster) read(ctx context.Context) (*found, error) {
	answer := c.client.Get().Resource(updateStatuses).Name(updatev1alpha1.SingletonName).Do(ctx)
	err := answer.Error()
	if apierrors.IsNotFound(err) {
		return nil, absentError{error: notReadable(err), clusterVersion: c.clusterVersion(ctx)}
	}
	if err != nil {
		return nil, notReadable(err)
	}
	content, err := answer.Raw()
	if err != nil {
		return nil, notReadable(err)
	}
	us := &updatev1alpha1.UpdateStatus{}
	if err := utiljson.Unmarshal(content, us); err != nil {
		return nil, notShowable(err)
	}
	return &found{updateStatus: us, whole: decoding(content), moment: c.clock()}, nil
}

// seen is the object as a watch has it.
func (c cluster) seen(object *unstructured.Unstructured) (*found, error) {
	us := &updatev1alpha1.UpdateStatus{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, us); err != nil {
		return nil, notShowable(err)
	}
	return &found{updateStatus: us, whole: holding(object), moment: c.clock()}, nil
}

// decoding returns the whole object from what the API server has sent.
func decoding(content []byte) func() (*unstructured.Unstructured, error) {
	return func() (*unstructured.Unstructured, error) {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(content); err != nil {
			return nil, fmt.Errorf("reading the UpdateStatus: %w", err)
		}
		return object, nil
	}
}

// holding returns an object that is there already.
func holding(object *unstructured.Unstructured) func() (*unstructured.Unstructured, error) {
	return func() (*unstructured.Unstructured, error) { return object, nil }
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
