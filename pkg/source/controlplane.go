package source

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/client-go/tools/cache"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// ControlPlane are the caches that the control plane is assessed from. Their objects may be trimmed (standalone.Trim).
type ControlPlane struct {
	ClusterVersions  cache.SharedIndexInformer
	ClusterOperators cache.SharedIndexInformer
	// Deployments has the machine-config-operator Deployment, if there is one that may be read.
	Deployments        cache.SharedIndexInformer
	PreviouslyObserved PreviouslyObserved

	// observed is what was observed of the ClusterVersion at the assessment before, nil before the first one.
	observed *standalone.VersionObserved
}

// Assess is an Assess.
func (c *ControlPlane) Assess(ctx context.Context, now time.Time) (insight.Message, time.Time, error) {
	if c.observed == nil {
		before, err := c.PreviouslyObserved(ctx)
		if err != nil {
			return insight.Message{}, time.Time{}, fmt.Errorf("reading which update was requested: %w", err)
		}
		c.observed = &standalone.VersionObserved{Requested: before.Requested}
	}
	message, observed, next := standalone.ControlPlane(standalone.ClusterVersionInput{
		ClusterVersion:        get[*configv1.ClusterVersion](c.ClusterVersions, standalone.ClusterVersionName),
		ClusterOperators:      list[*configv1.ClusterOperator](c.ClusterOperators),
		MachineConfigOperator: get[*appsv1.Deployment](c.Deployments, controlplane.MachineConfigOperatorNamespace+"/"+controlplane.MachineConfigOperatorDeployment),
		Observed:              *c.observed,
	}, now)
	c.observed = &observed
	return message, next, nil
}
