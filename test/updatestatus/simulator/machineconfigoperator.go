package simulator

import (
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// What the Machine Config Operator itself does: openshift/machine-config-operator, pkg/operator/sync.go and status.go.

const (
	// requiredLabel marks the pools that hold the operator back until they are updated.
	requiredLabel = "operator.machineconfiguration.openshift.io/required-for-upgrade"
	// timeoutOfMachine is how long the operator waits for each machine of the required pools before it is degraded.
	timeoutOfMachine = 10 * time.Minute
	// settlesIn is about how long after its pools the operator is done.
	settlesIn = 15 * time.Second
	// daemonRolls and controllerRolls are about how long the DaemonSet of the daemon and the Deployment of the controller take, which the operator
	// waits for one after the other.
	daemonRolls, controllerRolls = 90 * time.Second, 40 * time.Second
	// daemonTimeout is how long the operator waits for the DaemonSet of the daemon, and nextSync when it goes on without.
	daemonTimeout = 10 * time.Minute
	nextSync      = 30 * time.Second

	reasonPoolsFailed = "RequiredPoolsFailed"
)

// machineConfigState is the state of the operator.
type machineConfigState struct {
	// node is where it runs.
	node string
	// release is the version that it applies, empty while it applies none.
	release string
	// waits counts how often it started to wait for its pools; waiting says that it does, until they are as they should be.
	waits   int
	waiting bool
	// settling says that its pools are done, and that it will report so.
	settling bool
	// required are the pools that it waits for, degraded and updating how many pools are.
	required           []*pool
	degraded, updating int
}

func (s *Simulation) randomMaster() string {
	for _, pool := range s.pools {
		if pool.script.Name == masterPool && len(pool.nodes) > 0 {
			return pool.nodes[s.random.IntN(len(pool.nodes))].object.Name
		}
	}
	return ""
}

// startMachineConfig starts the update of the Machine Config Operator: it rolls out its daemon, then its controller, which renders the configurations
// of all pools. They roll side by side, and the operator is done when the required pools are updated and no pool is degraded.
func (s *Simulation) startMachineConfig(round int) {
	release := s.cvo.release
	changeSpec(s, s.deployment, func(deployment *appsv1.Deployment) {
		deployment.Spec.Template.Spec.Containers[0].Image = operatorImage(s.images(release))
	})
	s.machineConfig.release, s.machineConfig.settling = release, false
	s.changeOperator(machineConfigOperator, func(operator *configv1.ClusterOperator) {
		builders.Progressing(s.time(), "", "Working towards "+release)(operator)
	})
	s.addMachineConfigNodes()
	wait := s.rollDaemon(round) + s.about(controllerRolls)
	for _, pool := range s.pools {
		s.after(wait+s.about(20*time.Second), func() {
			if round == s.cvo.rounds {
				s.renderPool(pool, release)
			}
		})
	}
	s.waitForPools()
}

// rollDaemon rolls out the daemon, before the controller that renders, and returns for how long: syncMachineConfigDaemon. Its DaemonSet has no pod that is
// available on a node that is not ready; the next sync does not wait for it again.
func (s *Simulation) rollDaemon(round int) time.Duration {
	lost, nodes := s.network.waits, 0
	if lost == 0 {
		return s.about(daemonRolls)
	}
	for _, pool := range s.pools {
		nodes += len(pool.nodes)
	}
	message := builders.MCOSync.Says("Unable to apply %s: error during waitForDaemonsetRollout: [context deadline exceeded, daemonset machine-config-daemon is not ready. "+
		"status: (desired: %d, updated: %d, ready: %d, unavailable: %d)]", s.cvo.release, nodes, nodes, nodes-lost, lost)
	s.after(daemonTimeout, func() {
		if round == s.cvo.rounds {
			s.setDegraded(machineConfigOperator, configv1.ConditionTrue, "MachineConfigDaemonFailed", message)
		}
	})
	s.after(daemonTimeout+nextSync, func() {
		if round == s.cvo.rounds {
			s.setDegraded(machineConfigOperator, configv1.ConditionFalse, "", builders.Text{})
		}
	})
	return daemonTimeout + nextSync
}

// waitForPools waits for the required pools: syncRequiredMachineConfigPools. If it takes too long the operator is degraded, and
// starts over.
func (s *Simulation) waitForPools() {
	s.machineConfig.waiting = true
	s.machineConfig.waits++
	waits, machines := s.machineConfig.waits, 0
	for _, pool := range s.machineConfig.required {
		machines += len(pool.nodes)
	}
	s.inBackground(time.Duration(machines)*timeoutOfMachine, func() {
		if waits != s.machineConfig.waits || !s.machineConfig.waiting {
			return
		}
		if problem := s.poolsProblem(); problem != "" {
			s.failMachineConfig("error during syncRequiredMachineConfigPools: [context deadline exceeded, " + problem + "]")
			s.waitForPools()
		}
	})
}

// observePools is what the operator does when a pool has changed.
func (s *Simulation) observePools() {
	s.setUpgradeable()
	problem := s.poolsProblem()
	switch {
	case problem == "" && s.machineConfig.release != "":
		s.settleSoon()
	case problem == "":
		s.machineConfig.waiting = false
		s.setDegraded(machineConfigOperator, configv1.ConditionFalse, "", builders.Text{})
	case s.pausedProblem() != "":
		s.failMachineConfig(s.pausedProblem())
	case !s.machineConfig.waiting:
		s.waitForPools()
	}
}

func (s *Simulation) settleSoon() {
	if s.machineConfig.settling {
		return
	}
	s.machineConfig.settling = true
	release := s.machineConfig.release
	s.after(s.about(settlesIn), func() {
		s.machineConfig.settling = false
		if release != s.machineConfig.release || s.poolsProblem() != "" {
			return
		}
		s.machineConfig.release, s.machineConfig.waiting = "", false
		s.changeOperator(machineConfigOperator, func(operator *configv1.ClusterOperator) {
			builders.OperatorVersion(release)(operator)
			builders.OperandVersion(operatorImageOperand, operatorImage(s.images(release)))(operator)
			settleMachineConfig(operator, release, s.images(release), s.time())
		})
	})
}

// settleMachineConfig sets the conditions of the operator when it has applied a release.
func settleMachineConfig(operator *configv1.ClusterOperator, release, images string, now time.Time) {
	since := func(kind configv1.ClusterStatusConditionType, is configv1.ConditionStatus) time.Time {
		if before := conditionOf(operator.Status.Conditions, kind); before.Status == is {
			return before.LastTransitionTime.Time
		}
		return now
	}
	deployed := fmt.Sprintf("Cluster has deployed [{operator %s} {%s %s}]", release, operatorImageOperand, operatorImage(images))
	for _, condition := range []configv1.ClusterOperatorStatusCondition{
		builders.Condition(configv1.OperatorAvailable, configv1.ConditionTrue, now, "AsExpected", deployed),
		builders.Condition(configv1.OperatorProgressing, configv1.ConditionFalse, now, "", "Cluster version is "+release),
		builders.Condition(configv1.OperatorDegraded, configv1.ConditionFalse, now, "", ""),
	} {
		condition.LastTransitionTime.Time = since(condition.Type, condition.Status)
		builders.OperatorCondition(condition)(operator)
	}
}

// failMachineConfig degrades the operator: syncDegradedStatus.
func (s *Simulation) failMachineConfig(problem string) {
	message := builders.MCOSync.Says("Failed to resync %s because: %s", s.cvo.release, problem)
	if s.machineConfig.release != "" {
		message = builders.MCOSync.Says("Unable to apply %s: %s", s.machineConfig.release, problem)
	}
	s.setDegraded(machineConfigOperator, configv1.ConditionTrue, reasonPoolsFailed, message)
}

// poolsProblem returns what the operator waits for, empty if for nothing: a pool that is degraded, whether it is required or not,
// or a required one that is not updated.
func (s *Simulation) poolsProblem() string {
	if s.machineConfig.degraded > 0 {
		at := slices.IndexFunc(s.pools, func(p *pool) bool { return p.degraded })
		counts := s.pools[at].object.Status
		return fmt.Sprintf("error MachineConfigPool %s is not ready, retrying. Status: (pool degraded: true total: %d, ready %d, updated: %d, unavailable: %d)",
			s.pools[at].script.Name, counts.MachineCount, counts.ReadyMachineCount, counts.UpdatedMachineCount, counts.UnavailableMachineCount)
	}
	for _, pool := range s.machineConfig.required {
		counts := pool.object.Status
		if release := s.machineConfig.release; release != "" && pool.target() != rendered(pool.script.Name, s.images(release)) {
			return fmt.Sprintf("MachineConfigPool %s has not progressed to latest configuration: controller version mismatch for %s, retrying",
				pool.script.Name, pool.target())
		}
		if pool.object.Generation > counts.ObservedGeneration || !poolCondition(pool.object, machineconfigv1.MachineConfigPoolUpdated) {
			return fmt.Sprintf("error required MachineConfigPool %s is not ready, retrying. Status: (total: %d, ready %d, updated: %d, unavailable: %d, degraded: %d)",
				pool.script.Name, counts.MachineCount, counts.ReadyMachineCount, counts.UpdatedMachineCount,
				counts.UnavailableMachineCount, counts.DegradedMachineCount)
		}
	}
	return ""
}

// pausedProblem returns why the operator does not wait at all: a required pool is paused before it is updated.
func (s *Simulation) pausedProblem() string {
	for _, pool := range s.machineConfig.required {
		if pool.object.Spec.Paused && !poolCondition(pool.object, machineconfigv1.MachineConfigPoolUpdated) {
			return fmt.Sprintf("error required MachineConfigPool %s is paused and cannot sync until it is unpaused", pool.script.Name)
		}
	}
	return ""
}

// setUpgradeable reports whether pools are updating or degraded: syncUpgradeableStatus.
func (s *Simulation) setUpgradeable() {
	is, reason, message := configv1.ConditionTrue, "AsExpected", ""
	switch {
	case s.machineConfig.degraded > 0:
		is, reason = configv1.ConditionFalse, "DegradedPool"
		message = "One or more machine config pools are degraded, please see `oc get mcp` for further details and resolve before upgrading"
	case s.machineConfig.updating > 0:
		is, reason = configv1.ConditionFalse, "PoolUpdating"
		message = "One or more machine config pools are updating, please see `oc get mcp` for further details"
	}
	reconcile(s, s.operators[machineConfigOperator], status, func(operator *configv1.ClusterOperator) {
		since := s.time()
		if before := conditionOf(operator.Status.Conditions, configv1.OperatorUpgradeable); before.Status == is {
			since = before.LastTransitionTime.Time
		}
		builders.OperatorCondition(builders.Condition(configv1.OperatorUpgradeable, is, since, reason, message))(operator)
	})
}
