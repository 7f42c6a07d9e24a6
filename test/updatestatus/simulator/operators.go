package simulator

import (
	"time"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// What the operators of the payload, and one from elsewhere, do: openshift/library-go, pkg/operator/status.

const (
	// hiccups is the share of operators that are degraded for a moment during their update.
	hiccups = 0.15
	// operandsTake is about how long after its own version an operator reports those of what it runs.
	operandsTake = 8 * time.Second
	// revisionTakes is how long a revision of static pods takes, and degradedInRevision how long they are degraded in it, if the script says so.
	revisionTakes, degradedInRevision = 9 * time.Minute, 6 * time.Minute
)

// startOperator starts the update of an operator.
func (s *Simulation) startOperator(plan operatorPlan, round int) {
	if plan.name == machineConfigOperator {
		s.startMachineConfig(round)
		return
	}
	takes := time.Duration(float64(s.about(plan.takes))*s.update.OperatorScale) + s.update.SlowOperators[plan.name] + time.Duration(s.update.Revisions[plan.name])*revisionTakes
	begin := s.about(takes / 10)
	if plan.reason != "" {
		s.after(begin, func() {
			s.progressing(plan, plan.message)
			if plan.name == networkOperator {
				s.daemonSetRolls()
			}
		})
	}
	if s.random.Float64() < hiccups {
		s.degradeFor(plan.name, takes/2, 30*time.Second, "StaticResources_SyncError", builders.StaticResources.Says("StaticResourcesDegraded: etcdserver: leader changed"))
	}
	release, operands := s.cvo.release, operandsOf(plan.name)
	reports := func(wait time.Duration, names ...string) {
		s.after(wait, func() {
			if round == s.cvo.rounds {
				s.rolledOut(plan.name, func() { s.reportVersions(plan.name, release, names) })
			}
		})
	}
	s.failOperator(plan.name, takes)
	for revision := range s.update.Revisions[plan.name] {
		s.degradeFor(plan.name, time.Duration(revision)*revisionTakes, degradedInRevision, "StaticPods_Error", podRestarts(plan.name))
	}
	reports(takes, "operator")
	if len(operands) > 0 {
		reports(takes+s.about(operandsTake), operands...)
	}
	if plan.reason != "" {
		s.after(takes+s.about(3*time.Second), func() { s.rolledOut(plan.name, func() { s.settled(plan.name) }) })
	}
	s.disturbThirdParty(takes)
}

// changeOperator changes the status of an operator.
func (s *Simulation) changeOperator(name string, set func(*configv1.ClusterOperator)) {
	if reconcile(s, s.operators[name], status, set) {
		s.observeOperator(name)
	}
}

func (s *Simulation) reportVersions(name, release string, names []string) {
	s.changeOperator(name, func(operator *configv1.ClusterOperator) {
		for _, operand := range names {
			builders.OperandVersion(operand, operandVersion(operand, release, s.images(release)))(operator)
		}
	})
}

// hasRelease returns whether an operator reports all versions of the release that its manifest lists.
func (s *Simulation) hasRelease(name string) bool {
	reported := map[string]string{}
	for _, version := range s.operators[name].Status.Versions {
		reported[version.Name] = version.Version
	}
	for _, operand := range append(operandsOf(name), "operator") {
		if reported[operand] != operandVersion(operand, s.cvo.release, s.images(s.cvo.release)) {
			return false
		}
	}
	return true
}

func (s *Simulation) isHealthy(name string) bool {
	conditions := s.operators[name].Status.Conditions
	return conditionOf(conditions, configv1.OperatorAvailable).Status == configv1.ConditionTrue &&
		conditionOf(conditions, configv1.OperatorDegraded).Status != configv1.ConditionTrue
}

func (s *Simulation) progressing(plan operatorPlan, message string) {
	s.changeOperator(plan.name, func(operator *configv1.ClusterOperator) {
		builders.Progressing(s.time(), plan.reason, message)(operator)
	})
}

func (s *Simulation) settled(name string) {
	s.changeOperator(name, func(operator *configv1.ClusterOperator) { settle(operator, s.time()) })
}

func settle(operator *configv1.ClusterOperator, now time.Time) {
	builders.OperatorCondition(builders.Condition(
		configv1.OperatorProgressing, configv1.ConditionFalse, now, "AsExpected", "All is well"))(operator)
}

// degradeFor degrades an operator for a while, after a wait.
func (s *Simulation) degradeFor(name string, wait, lasts time.Duration, reason string, message builders.Text) {
	s.after(wait, func() { s.setDegraded(name, configv1.ConditionTrue, reason, message) })
	s.after(wait+lasts, func() {
		if s.update.FailingOperators[name] == "" {
			s.setDegraded(name, configv1.ConditionFalse, "AsExpected", builders.StatusConditions.Says("All is well"))
		}
	})
}

// podRestarts is what an operator of static pods says of one that is restarted with a new revision.
func podRestarts(name string) builders.Text {
	pod := name + "-" + NodeName(masterPool, 0)
	return builders.StaticPodState.Says("StaticPodsDegraded: pod/%s container %q is waiting: CrashLoopBackOff: back-off 2m40s restarting failed container=%s pod=%s_openshift-%s", pod, name, name, pod, name)
}

// failOperator degrades an operator of the script, or makes it unavailable, shortly before it reports its version.
func (s *Simulation) failOperator(name string, takes time.Duration) {
	if message, fails := s.update.FailingOperators[name]; fails {
		s.after(takes-takes/10, func() {
			s.setDegraded(name, configv1.ConditionTrue, "SyncError", builders.StaticResources.Says("%s", message))
		})
	}
	if message, fails := s.update.UnavailableOperators[name]; fails {
		s.after(takes-takes/10, func() {
			s.changeOperator(name, func(operator *configv1.ClusterOperator) {
				builders.OperatorCondition(builders.Condition(configv1.OperatorAvailable, configv1.ConditionFalse, s.time(), "NoPods", message))(operator)
			})
		})
	}
}

func (s *Simulation) setDegraded(name string, is configv1.ConditionStatus, reason string, message builders.Text) {
	s.changeOperator(name, func(operator *configv1.ClusterOperator) {
		since := s.time()
		if before := conditionOf(operator.Status.Conditions, configv1.OperatorDegraded); before.Status == is {
			since = before.LastTransitionTime.Time
		}
		builders.OperatorCondition(builders.Condition(configv1.OperatorDegraded, is, since, reason, message.String()))(operator)
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
