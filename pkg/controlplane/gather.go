package controlplane

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	appslisters "k8s.io/client-go/listers/apps/v1"

	configv1 "github.com/openshift/api/config/v1"
	configlisters "github.com/openshift/client-go/config/listers/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// gatherer reads the inputs of assessments from caches.
type gatherer struct {
	clusterVersions  configlisters.ClusterVersionLister
	clusterOperators configlisters.ClusterOperatorLister
	deployments      appslisters.DeploymentLister
}

// clusterVersion returns nil where there is no ClusterVersion.
func (g gatherer) clusterVersion() (*configv1.ClusterVersion, error) {
	version, err := g.clusterVersions.Get(assess.ClusterVersionName)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading ClusterVersion/%s: %w", assess.ClusterVersionName, err)
	}
	return version, nil
}

// machineConfigOperator returns nil where there is no such Deployment, or none that may be read.
func (g gatherer) machineConfigOperator() (*appsv1.Deployment, error) {
	deployment, err := g.deployments.Deployments(assess.MachineConfigOperatorNamespace).Get(assess.MachineConfigOperatorDeployment)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading Deployment/%s: %w", assess.MachineConfigOperatorDeployment, err)
	}
	return deployment, nil
}

// input returns what the control plane as a whole is assessed from.
func (g gatherer) input() (assess.ClusterVersionInput, error) {
	version, err := g.clusterVersion()
	if err != nil {
		return assess.ClusterVersionInput{}, err
	}
	deployment, err := g.machineConfigOperator()
	if err != nil {
		return assess.ClusterVersionInput{}, err
	}
	operators, err := g.clusterOperators.List(labels.Everything())
	if err != nil {
		return assess.ClusterVersionInput{}, fmt.Errorf("listing ClusterOperators: %w", err)
	}
	return assess.ClusterVersionInput{
		ClusterVersion: version, ClusterOperators: operators, MachineConfigOperator: deployment,
	}, nil
}
