package controlplane

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	configclient "github.com/openshift/client-go/config/clientset/versioned"
)

// createInfrastructure creates what tells of the topology of the cluster, unless it has no such resource.
func (c *ControlPlane) createInfrastructure(ctx context.Context) error {
	client, err := configclient.NewForConfig(c.admin)
	if err != nil {
		return err
	}
	infrastructures := client.ConfigV1().Infrastructures()
	infrastructure := &configv1.Infrastructure{
		ObjectMeta: metav1.ObjectMeta{Name: "cluster"},
		Spec:       configv1.InfrastructureSpec{PlatformSpec: configv1.PlatformSpec{Type: configv1.NonePlatformType}},
	}
	created, err := infrastructures.Create(ctx, infrastructure, metav1.CreateOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	created.Status = configv1.InfrastructureStatus{
		ControlPlaneTopology:   configv1.HighlyAvailableTopologyMode,
		InfrastructureTopology: configv1.HighlyAvailableTopologyMode,
		CPUPartitioning:        configv1.CPUPartitioningNone,
		PlatformStatus:         &configv1.PlatformStatus{Type: configv1.NonePlatformType},
	}
	_, err = infrastructures.UpdateStatus(ctx, created, metav1.UpdateOptions{})
	return err
}
