package status

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// sizeOf returns the size of an insight. A member that is added to a type has to be counted here as well.
func sizeOf(one *updatev1alpha1.Insight) size {
	s := size{fixed: frameSize}
	s.word("uid", one.UID)
	s.time("acquiredAt", &one.AcquiredAt)
	s.word("type", string(one.Type))
	// No insight has more than one of these; where that is not so they add up.
	if one.ClusterVersion != nil {
		s.clusterVersion(one.ClusterVersion)
	}
	if one.ClusterOperator != nil {
		s.clusterOperator(one.ClusterOperator)
	}
	if one.MachineConfigPool != nil {
		s.machineConfigPool(one.MachineConfigPool)
	}
	if one.Node != nil {
		s.node(one.Node)
	}
	if one.Health != nil {
		s.health(one.Health)
	}
	return s
}

func (s *size) clusterVersion(version *updatev1alpha1.ClusterVersionInsight) {
	s.member("clusterVersion", frameSize)
	s.resource("resource", &version.Resource)
	s.conditions(version.Conditions)
	s.word("assessment", string(version.Assessment))
	s.member("versions", frameSize)
	s.version("previous", version.Versions.Previous)
	s.version("target", version.Versions.Target)
	s.number("completion", int64(version.Completion))
	s.time("startedAt", version.StartedAt)
	s.time("completedAt", version.CompletedAt)
	s.time("estimatedCompletedAt", version.EstimatedCompletedAt)
}

func (s *size) version(name string, version *updatev1alpha1.Version) {
	if version == nil {
		return
	}
	s.member(name, frameSize)
	s.word("version", version.Version)
	s.member("metadata", frameSize)
	for _, one := range version.Metadata {
		s.fixed += frameSize
		s.word("key", string(one.Key))
		if one.Boolean != nil {
			s.member("boolean", len("false"))
		}
		if one.String != nil {
			s.word("string", *one.String)
		}
	}
}

func (s *size) clusterOperator(operator *updatev1alpha1.ClusterOperatorInsight) {
	s.member("clusterOperator", frameSize)
	s.word("name", operator.Name)
	s.resource("resource", &operator.Resource)
	s.conditions(operator.Conditions)
	s.optional("reason", operator.Reason)
}

func (s *size) machineConfigPool(pool *updatev1alpha1.MachineConfigPoolInsight) {
	s.member("machineConfigPool", frameSize)
	s.word("name", pool.Name)
	s.resource("resource", &pool.Resource)
	s.word("scopeType", string(pool.ScopeType))
	s.conditions(pool.Conditions)
	s.word("assessment", string(pool.Assessment))
	s.number("completion", int64(pool.Completion))
	s.member("summaries", frameSize)
	for _, summary := range pool.Summaries {
		s.fixed += frameSize
		s.word("type", string(summary.Type))
		s.number("count", int64(summary.Count))
	}
	s.time("estimatedCompletedAt", pool.EstimatedCompletedAt)
	if len(pool.NodeDurations) > 0 {
		s.member("nodeDurations", frameSize)
	}
	for _, durations := range pool.NodeDurations {
		s.fixed += frameSize
		s.word("phase", string(durations.Phase))
		s.number("count", int64(durations.Count))
		s.member("seconds", frameSize)
		for _, seconds := range durations.Seconds {
			s.item(int64(seconds))
		}
	}
}

func (s *size) node(node *updatev1alpha1.NodeInsight) {
	s.member("node", frameSize)
	s.word("name", node.Name)
	s.resource("resource", &node.Resource)
	s.resource("poolResource", &node.PoolResource)
	s.word("scopeType", string(node.ScopeType))
	s.optional("version", node.Version)
	if node.EstToComplete != nil {
		s.word("estToComplete", node.EstToComplete.Duration.String())
	}
	if node.Message != "" {
		s.text("message", node.Message)
	}
	if len(node.Phases) > 0 {
		s.member("phases", frameSize)
	}
	for at := range node.Phases {
		s.fixed += frameSize
		s.word("phase", string(node.Phases[at].Phase))
		s.time("startedAt", &node.Phases[at].StartedAt)
	}
	s.time("drainStartedAt", node.DrainStartedAt)
	s.conditions(node.Conditions)
}

func (s *size) health(health *updatev1alpha1.HealthInsight) {
	s.member("health", frameSize)
	s.time("startedAt", health.StartedAt)
	s.member("scope", frameSize)
	s.word("type", string(health.Scope.Type))
	s.member("resources", frameSize)
	for at := range health.Scope.Resources {
		s.resource("", &health.Scope.Resources[at])
	}
	s.member("impact", frameSize)
	s.word("level", string(health.Impact.Level))
	s.word("type", string(health.Impact.Type))
	s.word("summary", health.Impact.Summary)
	if health.Impact.Description != "" {
		s.text("description", health.Impact.Description)
	}
	s.member("remediation", frameSize)
	s.word("reference", health.Remediation.Reference)
	s.time("estimatedFinish", health.Remediation.EstimatedFinish)
}
