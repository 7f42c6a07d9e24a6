package cli

import (
	"context"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/report"
)

// This file reads what identifies the cluster of a report.

// aboutSource knows what identifies a cluster. What can't be read is missing: a report can do without.
type aboutSource interface {
	about(ctx context.Context) report.About
}

func (c cluster) about(ctx context.Context) report.About {
	if c.target.isHosted() {
		return report.About{} // these objects are those of the management cluster
	}
	version, versionErr := getAs[configv1.ClusterVersion](ctx, c.clusterVersions, standalone.ClusterVersionName)
	infrastructure, err := getAs[configv1.Infrastructure](ctx, c.live.objects.Resource(kinds.Infrastructures.Served()), kinds.Infrastructures.Name)
	if versionErr != nil {
		version = nil
	}
	if err != nil {
		infrastructure = nil
	}
	return aboutOf(version, infrastructure)
}

func (m mustGather) about(context.Context) report.About {
	s, err := m.load()
	if err != nil || m.target.isHosted() {
		return report.About{}
	}
	return aboutOf(s.ClusterVersion, s.Infrastructure)
}

// aboutOf returns what objects identify the cluster by; those that are missing are nil.
func aboutOf(version *configv1.ClusterVersion, infrastructure *configv1.Infrastructure) report.About {
	var about report.About
	if version != nil {
		about.ClusterID = string(version.Spec.ClusterID)
	}
	if infrastructure != nil {
		about.APIAddress = infrastructure.Status.APIServerURL
	}
	return about
}

// about returns what a reader of the report has to know of its origin.
func (o *ReportOptions) about(ctx context.Context) report.About {
	var about report.About
	if from, knows := o.source.(aboutSource); knows {
		ctx, cancel := context.WithTimeoutCause(ctx, o.requestTimeout, errNoResponse)
		defer cancel()
		about = from.about(ctx)
	}
	about.Client, about.MadeAt = o.client, time.Now()
	return about
}
