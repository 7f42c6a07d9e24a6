package simulator

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
)

// What the operators of the payload, and one from elsewhere, do.

// hiccups is the share of operators that are degraded for a moment during their update.
const hiccups = 0.15

// startOperator starts the update of an operator, and calls done at its end.
func (s *Simulation) startOperator(plan operatorPlan, done func(name string)) {
	if plan.name == machineConfigOperator {
		s.startMachineConfig(done)
		return
	}
	takes := time.Duration(float64(s.about(plan.takes)) * s.update.OperatorScale)
	begin := s.about(takes / 10)
	if plan.reason != "" {
		s.after(begin, func() { s.progressing(plan, plan.message) })
	}
	if s.random.Float64() < hiccups {
		s.hiccup(plan.name, takes/2)
	}
	s.after(takes, func() {
		change(s, s.operators[plan.name], status, func(operator *configv1.ClusterOperator) {
			builders.OperatorVersion(s.update.To)(operator)
		})
		done(plan.name)
	})
	if plan.reason != "" {
		s.after(takes+s.about(3*time.Second), func() { s.settled(plan.name) })
	}
	s.disturbThirdParty(takes)
}

func (s *Simulation) progressing(plan operatorPlan, message string) {
	change(s, s.operators[plan.name], status, func(operator *configv1.ClusterOperator) {
		builders.Progressing(s.time(), plan.reason, message)(operator)
	})
}

func (s *Simulation) settled(name string) {
	change(s, s.operators[name], status, func(operator *configv1.ClusterOperator) {
		settle(operator, s.time())
	})
}

func settle(operator *configv1.ClusterOperator, now time.Time) {
	builders.OperatorCondition(builders.Condition(
		configv1.OperatorProgressing, configv1.ConditionFalse, now, "AsExpected", "All is well"))(operator)
}

// hiccup degrades an operator for half a minute.
func (s *Simulation) hiccup(name string, wait time.Duration) {
	set := func(status configv1.ConditionStatus, reason, message string) func(*configv1.ClusterOperator) {
		condition := builders.Condition(configv1.OperatorDegraded, status, s.time(), reason, message)
		return builders.OperatorCondition(condition)
	}
	s.after(wait, func() {
		change(s, s.operators[name], status,
			set(configv1.ConditionTrue, "SyncError", "SyncDegraded: etcdserver: leader changed"))
	})
	s.after(wait+30*time.Second, func() {
		change(s, s.operators[name], status, set(configv1.ConditionFalse, "AsExpected", "All is well"))
	})
}

// disturbThirdParty changes the operator that is not part of the payload, now and then.
func (s *Simulation) disturbThirdParty(wait time.Duration) {
	if s.random.Float64() >= hiccups {
		return
	}
	s.after(wait, func() {
		change(s, s.thirdParty, status, func(operator *configv1.ClusterOperator) {
			builders.Progressing(s.time(), "BackupRunning", "backing up")(operator)
		})
	})
	s.after(wait+time.Minute, func() {
		change(s, s.thirdParty, status, func(operator *configv1.ClusterOperator) { settle(operator, s.time()) })
	})
}

// startMachineConfig starts the update of the Machine Config Operator: it renders the configurations of all pools and
// is done when the nodes of the control plane are. Those of the other pools are updated meanwhile, and afterwards.
func (s *Simulation) startMachineConfig(done func(name string)) {
	image := operatorImage(s.update.To)
	change(s, s.deployment, allButStatus, func(deployment *appsv1.Deployment) {
		deployment.Spec.Template.Spec.Containers[0].Image = image
	})
	change(s, s.operators[machineConfigOperator], status, func(operator *configv1.ClusterOperator) {
		builders.Progressing(s.time(), "", "Working towards "+s.update.To)(operator)
	})
	for _, pool := range s.pools {
		s.after(s.about(20*time.Second), func() { s.startPool(pool) })
	}
	s.masterDone = func() {
		change(s, s.operators[machineConfigOperator], status, func(operator *configv1.ClusterOperator) {
			builders.OperatorVersion(s.update.To)(operator)
			builders.OperandVersion("operator-image", image)(operator)
			settle(operator, s.time())
		})
		done(machineConfigOperator)
	}
}

// nodesReboot reports, as the operator with a daemon set on every node, that some nodes are not ready, or that all are.
func (s *Simulation) nodesReboot(change int) {
	before := s.rebooting
	s.rebooting += change
	switch {
	case !s.updated[networkOperator]:
	case before == 0 && s.rebooting > 0:
		s.progressing(planOf(networkOperator), daemonWaiting)
	case before > 0 && s.rebooting == 0:
		s.settled(networkOperator)
	}
}
