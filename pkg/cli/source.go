package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/dynamic"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
)

// clusterVersionName is the name of the only ClusterVersion of a cluster.
const clusterVersionName = "version"

var (
	updateStatuses = updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses")
	summaries      = updatev1alpha1.SchemeGroupVersion.WithResource("updatestatussummaries")
)

// cluster reads from an API server. Its dynamic client preserves the fields of a newer version.
type cluster struct {
	updateStatuses  dynamic.ResourceInterface
	summaries       dynamic.ResourceInterface
	clusterVersions dynamic.ResourceInterface
	clock           func() time.Time
}

func newCluster(getter genericclioptions.RESTClientGetter, clock func() time.Time) (cluster, error) {
	config, err := getter.ToRESTConfig()
	if err != nil {
		return cluster{}, configError(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return cluster{}, configError(err)
	}
	return cluster{
		updateStatuses:  client.Resource(updateStatuses),
		summaries:       client.Resource(summaries),
		clusterVersions: client.Resource(configv1.GroupVersion.WithResource("clusterversions")),
		clock:           clock,
	}, nil
}

func (c cluster) read(ctx context.Context) (*observation, error) {
	// The ClusterVersion first: a controller that runs is not behind it then.
	version, versionErr := c.readClusterVersion(ctx)
	object, err := c.updateStatuses.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		return nil, readError(err)
	}
	shown, err := c.observe(object)
	if err != nil {
		return nil, err
	}
	if versionErr != nil && !apierrors.IsNotFound(versionErr) {
		shown.warnings = append(shown.warnings, notCompared(versionErr))
	}
	shown.outdated = c.outdated(ctx, shown.updateStatus, version)
	return shown, nil
}

// outdated returns why an object is outdated, empty if it is not. The ClusterVersion may be nil.
func (c cluster) outdated(ctx context.Context, us *updatev1alpha1.UpdateStatus, version *configv1.ClusterVersion) string {
	return cmp.Or(describe.Outdated(us, version, c.clock()), describe.Unconfirmed(c.readSummary(ctx), c.clock()))
}

// readSummary returns the summary, nil if it can't be read: another version of the controller may write none.
func (c cluster) readSummary(ctx context.Context) *updatev1alpha1.UpdateStatusSummary {
	object, err := c.summaries.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	summary := &updatev1alpha1.UpdateStatusSummary{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, summary); err != nil {
		return nil
	}
	return summary
}

// readClusterVersion returns the ClusterVersion, nil if it can't be read.
func (c cluster) readClusterVersion(ctx context.Context) (*configv1.ClusterVersion, error) {
	object, err := c.clusterVersions.Get(ctx, clusterVersionName, metav1.GetOptions{})
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller explains it
	}
	version := &configv1.ClusterVersion{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, version); err != nil {
		return nil, fmt.Errorf("decoding the ClusterVersion: %w", err)
	}
	return version, nil
}

// observe returns the observation of an object that is current.
func (c cluster) observe(object *unstructured.Unstructured) (*observation, error) {
	us := &updatev1alpha1.UpdateStatus{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, us); err != nil {
		return nil, fmt.Errorf("this client is unable to decode the UpdateStatus, oc get updatestatus -o yaml prints it: %w", err)
	}
	return &observation{updateStatus: us, object: object, time: c.clock()}, nil
}

// writeClusterVersion writes what ClusterVersion reports, nothing if that can't be read either.
func (c cluster) writeClusterVersion(ctx context.Context, w io.Writer) error {
	version, err := c.readClusterVersion(ctx)
	if err != nil {
		return nil //nolint:nilerr // the caller reports that there is no UpdateStatus
	}
	return describe.WriteClusterVersion(w, version)
}
