package simulator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	configv1 "github.com/openshift/api/config/v1"
)

// What the Cluster Version Operator says of its progress: openshift/cluster-version-operator, pkg/cvo/status.go
// (updateClusterVersionStatus, convertErrorToProgressing) and pkg/cvo/sync_worker.go (condenseClusterOperators).

const (
	// An operator is slow after half an hour, machine-config after one and a half; a degraded one fails the update after 40 minutes.
	slowAfter              = 30 * time.Minute
	slowMachineConfigAfter = 90 * time.Minute
	degradedAfter          = 40 * time.Minute
	// applyTakes is how long the manifests are tried before an error is reported: a hiccup of an operator is none.
	applyTakes = 4 * time.Minute

	reasonUpdating     = "ClusterOperatorUpdating"
	reasonDegraded     = "ClusterOperatorDegraded"
	reasonNotAvailable = "ClusterOperatorNotAvailable"
	reasonMultiple     = "MultipleErrors"
)

// tellProgress updates the conditions Progressing and Failing.
func (s *Simulation) tellProgress() {
	if s.cvo.killed || s.cvo.refusedStatus {
		return
	}
	reconcile(s, s.version, status, s.setProgress)
}

func (s *Simulation) setProgress(version *configv1.ClusterVersion) {
	says := s.progress()
	s.setVersionCondition(version, configv1.OperatorProgressing, says.progressing, says.reason, says.message)
	s.setVersionCondition(version, failing, says.failing, says.failingReason, says.failingMessage)
}

// progress are the two conditions.
type progress struct {
	progressing, failing          configv1.ConditionStatus
	reason, message               string
	failingReason, failingMessage string
}

func (s *Simulation) progress() progress {
	switch {
	case s.cvo.reconciling:
		return s.reconciled()
	case s.cvo.failing != nil:
		return s.failed()
	}
	waitingFor := s.waitingFor()
	says := progress{progressing: configv1.ConditionTrue, failing: configv1.ConditionFalse, message: s.counted()}
	switch {
	case len(waitingFor.down) > 0:
		s.tellDown(&says, waitingFor)
	case waitingFor.fails():
		says.failing = configv1.ConditionTrue
		says.failingReason, says.failingMessage = severalReason(reasonDegraded, waitingFor.degraded), degradedMessage(waitingFor.degraded)
		if len(waitingFor.updating) > 0 {
			// Errors of two kinds: what Failing says is filtered, what Progressing says is not.
			says.failingReason, says.failingMessage = multiple(waitingFor.degraded)
			says.reason = reasonMultiple
			says.message = "Unable to apply " + s.cvo.release + ": an unknown error has occurred: " + reasonMultiple
			break
		}
		says.reason = says.failingReason
		says.message = fmt.Sprintf("Unable to apply %s: wait has exceeded 40 minutes for these operators: %s",
			s.cvo.release, strings.Join(waitingFor.degraded, ", "))
	case len(waitingFor.degraded) > 0:
		says.reason = severalReason(reasonDegraded, waitingFor.degraded)
		says.message += ", waiting up to 40 minutes on " + strings.Join(waitingFor.degraded, ", ")
	case len(waitingFor.updating) > 0:
		says.reason = severalReason(reasonUpdating, waitingFor.updating)
		waits := "waiting on " + strings.Join(waitingFor.updating, ", ")
		if slow := waitingFor.slowMessage(); slow != "" {
			waits = slow
			if atLeast(s.cvo.release, sinceSlowOperators) {
				says.failing, says.failingReason, says.failingMessage = configv1.ConditionUnknown, "SlowClusterOperator", slow
			}
		}
		says.message += ", " + waits
	}
	return says
}

// tellDown says that operators are not available, which fails an attempt at once.
func (s *Simulation) tellDown(says *progress, waitingFor operatorsWaitedFor) {
	says.failing = configv1.ConditionTrue
	says.reason, says.failingMessage = severalReason(reasonNotAvailable, waitingFor.down), unavailableMessage(waitingFor.down)
	summary := "some cluster operators are not available"
	if len(waitingFor.down) == 1 {
		summary = "the cluster operator " + waitingFor.down[0] + " is not available"
	}
	says.failingReason = says.reason
	if len(waitingFor.degraded) > 0 {
		says.failingReason = reasonMultiple
		says.failingMessage = multipleMessage(unavailableMessage(waitingFor.down), degradedMessage(waitingFor.degraded))
	}
	if len(waitingFor.degraded) > 0 || len(waitingFor.updating) > 0 {
		says.reason, summary = reasonMultiple, "an unknown error has occurred: "+reasonMultiple
	}
	says.message = fmt.Sprintf("Unable to apply %s: %s", s.cvo.release, summary)
}

// reconciled is what is said once the release is applied: an operator that is degraded is reported at once.
func (s *Simulation) reconciled() progress {
	says := progress{
		progressing: configv1.ConditionFalse, failing: configv1.ConditionFalse, message: "Cluster version is " + s.cvo.release,
	}
	var degraded []string
	for _, plan := range s.payload {
		if !s.isHealthy(plan.name) {
			degraded = append(degraded, plan.name)
		}
	}
	if len(degraded) == 0 {
		return says
	}
	says.reason = severalReason(reasonDegraded, degraded)
	says.failing, says.failingReason, says.failingMessage = configv1.ConditionTrue, says.reason, degradedMessage(degraded)
	says.message = fmt.Sprintf("Error while reconciling %s: %s", s.cvo.release, strings.Replace(degradedMessage(degraded), "Cluster", "the cluster", 1))
	return says
}

// counted is how many manifests are applied.
func (s *Simulation) counted() string {
	done := manifestsBefore
	switch {
	case s.cvo.restarted && len(s.cvo.updated) == 0 && len(s.cvo.waiting) == 0:
		return "Working towards " + s.cvo.release
	case s.cvo.restarted:
		done = manifestsRestart + (manifests-manifestsRestart-manifestsAtTheEnd)*len(s.cvo.updated)/len(s.payload)
	}
	return fmt.Sprintf("Working towards %s: %d of %d done (%d%% complete)", s.cvo.release, done, manifests, 100*done/manifests)
}

// operatorsWaitedFor are the operators of the present run level that are not done: those that are not available, those that are degraded, and of
// the others those without the new version, as checkOperatorHealth in pkg/cvo/internal/operatorstatus.go looks at them.
type operatorsWaitedFor struct {
	updating, degraded, down []string
	since                    time.Duration
}

func (s *Simulation) waitingFor() operatorsWaitedFor {
	result := operatorsWaitedFor{since: s.now - s.cvo.started}
	for _, plan := range s.payload {
		switch {
		case !s.cvo.updated[plan.name]:
		case s.unavailableFor(plan.name) > reaching:
			result.down = append(result.down, plan.name)
		case s.degradedFor(plan.name) > applyTakes:
			result.degraded = append(result.degraded, plan.name)
			result.since = s.now - s.cvo.begun[plan.name]
		}
	}
	if len(result.degraded) > 0 || len(result.down) > 0 {
		return result // an attempt starts at the first manifest, and does not come to those that are updated
	}
	for _, name := range s.cvo.waiting {
		if name == s.update.Failure.Operator {
			continue // its ClusterOperator comes after the manifest that fails
		}
		switch {
		case s.unavailableFor(name) > reaching:
			result.down = append(result.down, name)
		case s.degradedFor(name) > applyTakes:
			result.degraded = append(result.degraded, name)
		default:
			result.updating = append(result.updating, name)
		}
	}
	return result
}

// degradedFor and unavailableFor return for how long an operator has been so, 0 if it is not.
func (s *Simulation) degradedFor(name string) time.Duration {
	return s.conditionFor(name, configv1.OperatorDegraded, configv1.ConditionTrue)
}

func (s *Simulation) unavailableFor(name string) time.Duration {
	return s.conditionFor(name, configv1.OperatorAvailable, configv1.ConditionFalse)
}

func (s *Simulation) conditionFor(name string, kind configv1.ClusterStatusConditionType, is configv1.ConditionStatus) time.Duration {
	condition := conditionOf(s.operators[name].Status.Conditions, kind)
	if condition.Status != is {
		return 0
	}
	return time.Duration(float64(s.time().Sub(condition.LastTransitionTime.Time)) / s.update.Scale)
}

// fails returns whether the update fails: operators have been degraded for long, or there are errors of two kinds.
func (o operatorsWaitedFor) fails() bool {
	return len(o.degraded) > 0 && (len(o.updating) > 0 || o.since > degradedAfter)
}

func (o operatorsWaitedFor) slowMessage() string {
	var slow []string
	for _, name := range o.updating {
		if name != machineConfigOperator && o.since > slowAfter {
			slow = append(slow, name)
		}
	}
	machineConfig := slices.Contains(o.updating, machineConfigOperator) && o.since > slowMachineConfigAfter
	switch {
	case len(slow) > 0 && machineConfig:
		return fmt.Sprintf("waiting on %s over 30 minutes and machine-config over 90 minutes which is longer than expected", strings.Join(slow, ", "))
	case len(slow) > 0:
		return fmt.Sprintf("waiting on %s over 30 minutes which is longer than expected", strings.Join(slow, ", "))
	case machineConfig:
		return "waiting on machine-config over 90 minutes which is longer than expected"
	default:
		return ""
	}
}

// severalReason is the reason of one operator, ClusterOperator…, or of several, ClusterOperators….
func severalReason(reason string, names []string) string {
	if len(names) == 1 {
		return reason
	}
	return strings.Replace(reason, "ClusterOperator", "ClusterOperators", 1)
}

func degradedMessage(names []string) string {
	if len(names) == 1 {
		return "Cluster operator " + names[0] + " is degraded"
	}
	return "Cluster operators " + strings.Join(slices.Sorted(slices.Values(names)), ", ") + " are degraded"
}

func unavailableMessage(names []string) string {
	if len(names) == 1 {
		return "Cluster operator " + names[0] + " is not available"
	}
	return "Cluster operators " + strings.Join(slices.Sorted(slices.Values(names)), ", ") + " are not available"
}

func multiple(names []string) (reason, message string) {
	if len(names) == 1 {
		return reasonDegraded, degradedMessage(names)
	}
	var messages []string
	for _, name := range names {
		messages = append(messages, degradedMessage([]string{name}))
	}
	return reasonMultiple, multipleMessage(messages...)
}

// multipleMessage is that of several errors: newMultipleError.
func multipleMessage(messages ...string) string {
	slices.Sort(messages)
	return "Multiple errors are preventing progress:\n* " + strings.Join(messages, "\n* ")
}
