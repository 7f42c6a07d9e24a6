package cli

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
)

// cluster is a cluster with a controller.
type cluster struct {
	client versioned.Interface
	clock  func() time.Time
}

func newCluster(flags *genericclioptions.ConfigFlags, clock func() time.Time) (cluster, error) {
	config, err := flags.ToRESTConfig()
	if err != nil {
		return cluster{}, noCluster(err)
	}
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return cluster{}, noCluster(err)
	}
	return cluster{client: client, clock: clock}, nil
}

func (c cluster) read(ctx context.Context) (*found, error) {
	us, err := c.client.UpdateV1alpha1().UpdateStatuses().Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		return nil, notReadable(err)
	}
	return &found{updateStatus: us, moment: c.clock()}, nil
}
