package simulator

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// What the Cluster Version Operator does about a manifest that can't be applied: openshift/cluster-version-operator, pkg/payload/task.go (Run,
// reasonForPayloadSyncError, SummaryForReason), pkg/cvo/sync_worker.go (Start), lib/resourcebuilder/apps.go (checkDeploymentHealth).

const (
	// firstRetry is how long after an attempt that fails the next one starts at first, lastRetry at last. Each starts at the first manifest, and what
	// it reports is dropped until it has come as far as the one before (Report): then there is no error until it fails as well.
	firstRetry = 15 * time.Second
	lastRetry  = 3 * time.Minute
	reaching   = 45 * time.Second
	// tries is how long a manifest is tried, three times, until it fails. An operator and a Deployment fail at once.
	tries = 23 * time.Second
)

// Failure is a manifest of a release that can't be applied, or a Deployment that does not roll out.
type Failure struct {
	// Operator is the one among whose manifests it is: it is not updated, and what comes after its run level waits. Without it, it is the last
	// manifest of the release.
	Operator string
	// Reason and Message are those of the condition Failing, Summary what Progressing says of the reason: the message, if it is empty.
	Reason           string
	Message, Summary builders.Text
	// Then is what is reported after a while instead, nil if nothing is.
	Then *Failure
}

// failAt starts to report a manifest that can't be applied.
func (s *Simulation) failAt(failure Failure, round int) {
	s.cvo.failing, s.cvo.applying = &failure, true
	s.inBackground(failure.takes(), func() { s.reportFailure(round, firstRetry) })
	if failure.Then == nil {
		return
	}
	s.inBackground(slowAfter, func() {
		if round == s.cvo.rounds && s.cvo.failing != nil {
			s.cvo.failing = failure.Then
		}
	})
}

// takes is how long it takes to fail.
func (f Failure) takes() time.Duration {
	if strings.HasPrefix(f.Reason, "Workload") {
		return time.Second
	}
	return tries
}

// reportFailure reports the error of an attempt until the next one is at the manifest.
func (s *Simulation) reportFailure(round int, wait time.Duration) {
	if s.cvo.failing == nil {
		return
	}
	takes := s.cvo.failing.takes()
	next := func(isApplying bool, wait time.Duration, then func()) {
		if round != s.cvo.rounds || s.cvo.failing == nil {
			return
		}
		s.cvo.applying = isApplying
		s.tellProgress()
		s.inBackground(wait, then)
	}
	next(false, wait+s.about(reaching), func() {
		next(true, takes, func() { s.reportFailure(round, min(2*wait, lastRetry)) })
	})
}

// Admit removes the cause why a manifest can't be applied: the next attempt applies it.
func (s *Simulation) Admit() {
	s.after(reaching, func() {
		failure := s.cvo.failing
		if failure == nil {
			return
		}
		s.cvo.failing, s.cvo.applying, s.update.Failure = nil, false, Failure{}
		if failure.Operator == "" {
			s.complete(s.cvo.rounds)
			return
		}
		s.tellProgress()
		s.startOperator(planOf(failure.Operator), s.cvo.rounds)
	})
}

// failed is what is said of a manifest that can't be applied.
func (s *Simulation) failed() progress {
	says := progress{progressing: configv1.ConditionTrue, failing: configv1.ConditionFalse, message: s.counted()}
	if s.cvo.applying {
		return says
	}
	failure := s.cvo.failing
	says.failing, says.failingReason, says.failingMessage = configv1.ConditionTrue, failure.Reason, failure.Message.String()
	summary := cmp.Or(failure.Summary, failure.Message).String()
	says.reason = failure.Reason
	if len(s.cvo.waiting) > 1 {
		// Operators that are updated are errors as well: what Failing says is filtered, what Progressing says is not.
		says.reason, summary = reasonMultiple, "an unknown error has occurred: "+reasonMultiple
	}
	says.message = fmt.Sprintf("Unable to apply %s: %s", s.cvo.release, summary)
	return says
}

// end ends the work of the Cluster Version Operator, or its reports only, some time after it has accepted a release.
func (s *Simulation) end(round int) {
	plan := func(wait time.Duration, what *bool) {
		if wait == 0 {
			return
		}
		s.after(wait, func() { *what = round == s.cvo.rounds })
	}
	plan(s.update.Killed, &s.cvo.killed)
	plan(s.update.StatusRefused, &s.cvo.refusedStatus)
}
