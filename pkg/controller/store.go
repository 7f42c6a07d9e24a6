package controller

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
)

// The resources of the objects that the controller can write.
var (
	standaloneResource = updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses")
	hostedResource     = updatev1alpha1.SchemeGroupVersion.WithResource("hostedclusterupdatestatuses")
)

const (
	kindStandalone = "UpdateStatus"
	kindHosted     = "HostedClusterUpdateStatus"
)

// store reads and creates the object, and knows how a status is stored in it. In the controller the object is an UpdateStatus,
// whatever it is in the cluster.
type store interface {
	get(ctx context.Context) (stored, error)
	create(ctx context.Context) (stored, error)
	// encode encodes an object, whose status is also given as JSON.
	encode(object *updatev1alpha1.UpdateStatus, status []byte, summary *updatev1alpha1.UpdateStatusSummaryStatus) (content, error)
}

// stored is an object as it was read.
type stored struct {
	*updatev1alpha1.UpdateStatus

	// summary is nil if the object has none.
	summary *updatev1alpha1.UpdateStatusSummaryStatus
}

// identity is the kind and the name of the object.
type identity struct {
	kind, namespace, name string
}

// String returns KIND/NAME, or KIND/NAMESPACE/NAME.
func (i identity) String() string {
	if i.namespace == "" {
		return i.kind + "/" + i.name
	}
	return i.kind + "/" + i.namespace + "/" + i.name
}

// standalone stores UpdateStatus/cluster. Its summary is an object of its own, which others write.
type standalone struct {
	client updateclient.UpdateStatusInterface
}

func (s standalone) get(ctx context.Context) (stored, error) {
	object, err := s.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	return stored{UpdateStatus: object}, err //nolint:wrapcheck // the caller wraps it
}

func (s standalone) create(ctx context.Context) (stored, error) {
	object, err := s.client.Create(ctx, &updatev1alpha1.UpdateStatus{
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
	}, metav1.CreateOptions{})
	return stored{UpdateStatus: object}, err //nolint:wrapcheck // the caller wraps it
}

func (s standalone) encode(
	object *updatev1alpha1.UpdateStatus, status []byte, _ *updatev1alpha1.UpdateStatusSummaryStatus,
) (content, error) {
	return contentOf(object, status)
}
