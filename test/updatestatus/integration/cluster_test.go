package integration_test

import (
	"time"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// smallCluster returns two operators, a master, two workers and a node of the infra pool, in the middle of an update.
func smallCluster() []simulator.Object {
	old, done := builders.Configs("rendered-old", "rendered-old"), builders.Configs("rendered-new", "rendered-new")
	wanted := builders.Configuration("rendered-new")
	return []simulator.Object{
		smallVersion(),
		builders.ClusterOperator("etcd", builders.OperatorVersion(newVersion), builders.Healthy(startTime)),
		builders.ClusterOperator("dns", builders.OperatorVersion(oldVersion), builders.Healthy(startTime)),
		builders.MachineConfig("rendered-old", oldVersion), builders.MachineConfig("rendered-new", newVersion),
		builders.MachineConfigPool("master", wanted), builders.MachineConfigPool("worker", wanted), builders.MachineConfigPool("infra", wanted),
		builders.Node("master-0", builders.Role("master"), done),
		builders.Node("worker-0", builders.Role("worker"), done),
		builders.Node("worker-1", builders.Role("worker"), old),
		builders.Node("infra-0", builders.Role("worker"), builders.Role("infra"), old),
	}
}

func smallVersion() *configv1.ClusterVersion {
	return builders.ClusterVersion(
		builders.Completed(oldVersion, startTime.Add(-24*time.Hour), startTime.Add(-23*time.Hour)), builders.Partial(newVersion, startTime.Add(-time.Minute)),
		builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, configv1.ConditionTrue, startTime, "", "")),
		builders.VersionCondition(builders.Condition("Failing", configv1.ConditionFalse, startTime, "", "")),
	)
}
