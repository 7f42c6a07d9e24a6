package simulator

import (
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// What the Cluster Version Operator does: openshift/cluster-version-operator, pkg/cvo.

const (
	releaseAccepted = "ReleaseAccepted"
	failing         = "Failing"

	// retrievalTakes is about how long a release is retrieved and verified. Nothing is written meanwhile: pkg/cvo/sync_worker.go.
	retrievalTakes = 3 * time.Minute
	// restartTakes is about how long the Deployment of the Cluster Version Operator itself, one of the first manifests, is replaced.
	restartTakes = 50 * time.Second
	// seesOperator is about how long after an operator is done it is seen to be, and finishTakes how long the manifests behind the
	// last operator are applied.
	seesOperator = 4 * time.Second
	finishTakes  = 12 * time.Second

	// manifests is the number of manifests of the payload, by which it is counted how far the update is. The operator before
	// starts over when it accepts a release, and the new one again, first without a count.
	manifests         = 903
	manifestsBefore   = 66
	manifestsRestart  = 20
	manifestsAtTheEnd = 5
)

// clusterVersionOperator is its state.
type clusterVersionOperator struct {
	// release is the version that runs or is being applied, requested the one that was asked for last.
	release, requested string
	// requests and rounds count the requests and the releases that were accepted: what was planned for an earlier one is void.
	requests, rounds int
	refused          Refusal
	// updated are the operators of the payload that run the release, waiting those of the present run level that do not yet, and
	// started since when they are waited for.
	updated map[string]bool
	waiting []string
	started time.Duration
	// begun is since when each operator has been waited for in this update.
	begun map[string]time.Duration
	// done is called when an operator that is waited for is updated.
	done func(name string)
	// failing is the manifest that can't be applied, nil if each can, and applying whether another attempt is not yet at it.
	failing  *Failure
	applying bool
	// killed is whether nothing does its work, refusedStatus whether nothing is written of what it does.
	killed, refusedStatus bool
	// restarted says that the operator of the new release counts, reconciling that the release is applied.
	restarted, reconciling bool
}

// Request asks for another update, as an administrator does. An update that goes on is abandoned once the release is accepted; nodes
// that are being updated finish with what they have been assigned.
func (s *Simulation) Request(version string) {
	s.after(0, func() { s.request(version) })
}

func (s *Simulation) request(version string) {
	s.cvo.requested = version
	s.cvo.requests++
	asked := configv1.Update{Version: version, Force: s.update.Forced}
	if s.update.MultiArch {
		asked.Architecture = configv1.ClusterVersionArchitectureMulti
	}
	changeSpec(s, s.version, builders.Requested(asked))
	switch {
	case s.update.NoResponse:
	case s.update.Unanswered:
		s.after(s.about(retrievalTakes), func() {
			change(s, s.version, status, func(version *configv1.ClusterVersion) { version.Status.ObservedGeneration = version.Generation })
		})
	default:
		s.retrieve(s.cvo.requests)
	}
}

// retrieve retrieves and verifies a release.
func (s *Simulation) retrieve(request int) {
	takes := s.update.Acceptance
	if takes == 0 {
		takes = s.about(retrievalTakes)
	}
	s.after(takes, func() {
		switch {
		case request != s.cvo.requests:
		case s.cvo.refused.Reason != "":
			s.refuse(request)
		default:
			s.accept()
		}
	})
}

// refuse writes why a release is not accepted: setDesiredReleaseAcceptedCondition in pkg/cvo/status.go.
func (s *Simulation) refuse(request int) {
	refusal := s.cvo.refused
	reconcile(s, s.version, status, func(version *configv1.ClusterVersion) {
		version.Status.ObservedGeneration = version.Generation
		s.setVersionCondition(version, releaseAccepted, configv1.ConditionFalse, refusal.Reason, refusal.Message.String())
	})
	if refusal.Tries == 0 {
		return
	}
	s.cvo.refused.Tries--
	if s.cvo.refused.Tries == 0 {
		s.cvo.refused = Refusal{}
	}
	s.retrieve(request)
}

// accept starts to apply a release.
func (s *Simulation) accept() {
	to, now := s.cvo.requested, s.time()
	s.cvo.release, s.cvo.restarted, s.cvo.reconciling = to, false, false
	s.cvo.updated, s.cvo.waiting, s.cvo.done, s.cvo.failing = map[string]bool{}, nil, nil, nil
	s.cvo.begun = map[string]time.Duration{}
	s.cvo.rounds++
	round := s.cvo.rounds
	s.end(round)
	if !s.cvo.refusedStatus {
		change(s, s.version, status, func(version *configv1.ClusterVersion) {
			version.Status.ObservedGeneration = version.Generation
			builders.Partial(to, now)(version)
			s.asRequested(version)
			s.setProgress(version)
		})
	}
	s.after(s.about(restartTakes), func() {
		if round != s.cvo.rounds {
			return
		}
		s.cvo.restarted = true
		s.tellProgress()
		s.after(5*time.Second, func() { s.startLevel(levelsOf(s.payload), round) })
	})
}

// asRequested says what was accepted: syncPayload in pkg/cvo/sync_worker.go; of a release that was forced RetrievePayload in pkg/cvo/updatepayload.go.
func (s *Simulation) asRequested(version *configv1.ClusterVersion) {
	accepted, architecture := &version.Status.History[0], "amd64"
	if s.update.MultiArch {
		architecture = string(configv1.ClusterVersionArchitectureMulti)
		builders.ReleaseImage(builders.Image(s.images(accepted.Version)))(version)
		builders.Architecture(configv1.ClusterVersionArchitectureMulti)(version)
	}
	if s.update.Forced {
		accepted.Verified = false
		accepted.AcceptedRisks = fmt.Sprintf("Target release version=%q image=%q cannot be verified, but continuing anyway because the update was forced: "+
			"unable to verify %s against keyrings: verifier-public-key-redhat", accepted.Version, accepted.Image, accepted.Image)
	}
	s.setVersionCondition(version, releaseAccepted, configv1.ConditionTrue, "PayloadLoaded", payloadLoaded(accepted.Version, accepted.Image, architecture))
}

// images identifies the images of a release: those for several architectures are others.
func (s *Simulation) images(release string) string {
	if s.update.MultiArch && s.cvo.rounds > 0 {
		return release + "-multi"
	}
	return release
}

func payloadLoaded(version, image, architecture string) string {
	return fmt.Sprintf("Payload loaded version=%q image=%q architecture=%q", version, image, architecture)
}

// startLevel starts the update of the operators of the first run level, and afterwards of the others.
func (s *Simulation) startLevel(levels [][]operatorPlan, round int) {
	if round != s.cvo.rounds || s.cvo.killed {
		return
	}
	s.cvo.waiting, s.cvo.started = nil, s.now
	if len(levels) == 0 {
		s.after(s.about(finishTakes), func() { s.complete(round) })
		return
	}
	for _, plan := range levels[0] {
		s.cvo.waiting = append(s.cvo.waiting, plan.name)
		s.cvo.begun[plan.name] = s.now
	}
	s.cvo.done = func(name string) {
		s.cvo.updated[name] = true
		s.cvo.waiting = slices.DeleteFunc(s.cvo.waiting, func(waiting string) bool { return waiting == name })
		s.tellProgress()
		if len(s.cvo.waiting) == 0 {
			s.after(5*time.Second, func() { s.startLevel(levels[1:], round) })
		}
	}
	s.tellProgress()
	for _, plan := range levels[0] {
		if plan.name == s.update.Failure.Operator {
			s.failAt(s.update.Failure, round)
			continue
		}
		s.startOperator(plan, round)
		s.observeOperator(plan.name) // it may have the version already
	}
	for _, limit := range []time.Duration{slowAfter, slowMachineConfigAfter, degradedAfter} {
		s.inBackground(limit+time.Second, func() {
			if round == s.cvo.rounds {
				s.tellProgress()
			}
		})
	}
}

// observeOperator is what follows from a change of a ClusterOperator. An operator is updated when it reports all versions that its
// manifest lists, is available and not degraded: checkOperatorHealth in pkg/cvo/internal/operatorstatus.go.
func (s *Simulation) observeOperator(name string) {
	if s.cvo.reconciling {
		s.inBackground(s.about(2*time.Minute), s.tellProgress)
		return
	}
	round := s.cvo.rounds
	if s.cvo.updated[name] {
		s.tellAttempts()
		return
	}
	if !slices.Contains(s.cvo.waiting, name) {
		return
	}
	if !s.isHealthy(name) {
		s.tellAttempts()
	}
	if !s.hasRelease(name) {
		return
	}
	s.after(s.about(seesOperator), func() {
		if round == s.cvo.rounds && slices.Contains(s.cvo.waiting, name) && s.isHealthy(name) {
			s.cvo.done(name)
		}
	})
}

// tellAttempts is what follows from a change of an operator that is updated, or is unavailable or degraded: the next attempts, which start at the first
// manifest, fail or wait at it, and go on once it is well.
func (s *Simulation) tellAttempts() {
	round := s.cvo.rounds
	for _, wait := range []time.Duration{reaching + time.Second, applyTakes + time.Second} {
		s.inBackground(wait, func() {
			if round == s.cvo.rounds && !s.cvo.reconciling {
				s.tellProgress()
			}
		})
	}
}

// complete completes the update, some seconds after its last operator: the manifests behind it are applied.
func (s *Simulation) complete(round int) {
	if round != s.cvo.rounds || s.cvo.killed {
		return
	}
	if s.update.Failure.Message.String() != "" {
		s.failAt(s.update.Failure, round)
		return
	}
	s.cvo.reconciling = true
	if s.cvo.refusedStatus {
		return
	}
	to, now := s.cvo.release, metav1.NewTime(s.time())
	change(s, s.version, status, func(version *configv1.ClusterVersion) {
		version.Status.History[0].State, version.Status.History[0].CompletionTime = configv1.CompletedUpdate, &now
		s.setVersionCondition(version, configv1.OperatorAvailable, configv1.ConditionTrue, "", "Done applying "+to)
		s.setProgress(version)
	})
}

// setVersionCondition sets a condition as resourcemerge.SetOperatorStatusCondition does: its time moves with its status only.
func (s *Simulation) setVersionCondition(
	version *configv1.ClusterVersion, kind configv1.ClusterStatusConditionType, status configv1.ConditionStatus, reason, message string,
) {
	since := s.time()
	if before := conditionOf(version.Status.Conditions, kind); before.Status == status {
		since = before.LastTransitionTime.Time
	}
	versionCondition(kind, status, since, reason, message)(version)
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
