package simulator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
)

// What the Cluster Version Operator does.

// manifests is the number of manifests of the payload, by which the Cluster Version Operator counts how far it is.
const manifests = 903

// askForUpdate requests the update, as an administrator does.
func (s *Simulation) askForUpdate() {
	change(s, s.version, allButStatus, func(version *configv1.ClusterVersion) {
		version.Spec.DesiredUpdate = &configv1.Update{Version: s.update.To}
	})
	s.after(5*time.Second, s.acceptUpdate)
}

func (s *Simulation) acceptUpdate() {
	to, now := s.update.To, s.time()
	loaded := `Payload loaded version="` + to + `" image="` + builders.Image(to) + `" architecture="amd64"`
	change(s, s.version, status, func(version *configv1.ClusterVersion) {
		builders.Partial(to, now)(version)
		versionCondition("ReleaseAccepted", configv1.ConditionTrue, now, "PayloadLoaded", loaded)(version)
		versionCondition(configv1.OperatorProgressing, configv1.ConditionTrue, now, "", s.progress())(version)
	})
	s.after(5*time.Second, func() { s.startLevel(levelsOf(s.payload)) })
}

// startLevel starts the update of the operators of the first run level, and afterwards of the others.
func (s *Simulation) startLevel(levels [][]operatorPlan) {
	if len(levels) == 0 {
		s.completeUpdate()
		return
	}
	s.waiting = nil
	for _, plan := range levels[0] {
		s.waiting = append(s.waiting, plan.name)
	}
	s.tellProgress()
	done := func(name string) {
		s.updated[name] = true
		s.waiting = slices.DeleteFunc(s.waiting, func(waiting string) bool { return waiting == name })
		if len(s.waiting) > 0 {
			s.tellProgress()
			return
		}
		s.after(5*time.Second, func() { s.startLevel(levels[1:]) })
	}
	for _, plan := range levels[0] {
		s.startOperator(plan, done)
	}
}

// tellProgress updates the message of Progressing.
func (s *Simulation) tellProgress() {
	change(s, s.version, status, func(version *configv1.ClusterVersion) {
		since := conditionOf(version.Status.Conditions, configv1.OperatorProgressing).LastTransitionTime.Time
		reason, message := "ClusterOperatorsUpdating", s.progress()
		versionCondition(configv1.OperatorProgressing, configv1.ConditionTrue, since, reason, message)(version)
	})
}

func (s *Simulation) progress() string {
	done := max(1, manifests*len(s.updated)/len(s.payload))
	text := fmt.Sprintf("Working towards %s: %d of %d done (%d%% complete)", s.update.To, done, manifests, 100*done/manifests)
	if len(s.waiting) > 0 {
		text += ", waiting on " + strings.Join(s.waiting, ", ")
	}
	return text
}

func (s *Simulation) completeUpdate() {
	to, now := s.update.To, s.time()
	change(s, s.version, status, func(version *configv1.ClusterVersion) {
		before := version.Status.History[1:]
		started := version.Status.History[0].StartedTime.Time
		version.Status.History = before
		builders.Completed(to, started, now)(version)
		since := conditionOf(version.Status.Conditions, configv1.OperatorAvailable).LastTransitionTime.Time
		versionCondition(configv1.OperatorAvailable, configv1.ConditionTrue, since, "", "Done applying "+to)(version)
		versionCondition(configv1.OperatorProgressing, configv1.ConditionFalse, now, "", "Cluster version is "+to)(version)
	})
}

func conditionOf(
	conditions []configv1.ClusterOperatorStatusCondition, kind configv1.ClusterStatusConditionType,
) configv1.ClusterOperatorStatusCondition {
	for _, condition := range conditions {
		if condition.Type == kind {
			return condition
		}
	}
	return configv1.ClusterOperatorStatusCondition{Type: kind}
}
