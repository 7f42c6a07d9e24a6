package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// standardInput is the path that stands for the standard input.
const standardInput = "-"

const nameOfStandardInput = "standard input"

// file is a file with an UpdateStatus.
type file struct {
	path          string
	standardInput io.Reader
	evalTime      evalTime
}

func (f file) read(context.Context) (*observation, error) {
	name, content := f.path, f.standardInput
	if f.path == standardInput {
		name = nameOfStandardInput
	} else {
		opened, err := os.Open(f.path)
		if err != nil {
			return nil, fmt.Errorf("reading the UpdateStatus: %w", err)
		}
		defer opened.Close()
		content = opened
	}
	s, err := snapshot.Decode(name, content)
	switch {
	case errors.Is(err, snapshot.ErrArchive):
		return nil, fmt.Errorf("%w: pass a must-gather with --must-gather %s", err, f.path)
	case err != nil:
		return nil, fmt.Errorf("reading the UpdateStatus: %w", err)
	case s.UpdateStatus == nil:
		return nil, noUpdateStatus(name, s)
	}
	at, err := f.evalTime.of(s)
	if err != nil {
		return nil, err
	}
	observed := &observation{object: s.Whole(s.UpdateStatus), wholeSummary: s.Whole(s.Summary), time: at.Time, timeIs: at.what, warnings: problemsOf(s, all)}
	observed.setStatus(s.UpdateStatus, s.Summary, cmp.Or(at.Time, f.evalTime.clock()))
	return observed, nil
}

// evalTime is when files are evaluated.
type evalTime struct {
	// now is that time, zero for the one of the files.
	now   time.Time
	clock func() time.Time
}

// resolvedTime is the time at which files are evaluated, and where it is from, empty if it was given.
type resolvedTime struct {
	time.Time

	what string
}

// of returns the moment for files: the one that is set, the end of gathering, or the time of the last change in them. It is zero
// if they have no times. An error says that the moment is before the files.
func (m evalTime) of(s *snapshot.Snapshot) (resolvedTime, error) {
	newest := s.NewestTransition(m.clock())
	switch {
	case !m.now.IsZero() && m.now.Before(newest):
		return resolvedTime{}, fmt.Errorf("--now %s is before the last change in the files, which is at %s",
			m.now.UTC().Format(time.RFC3339), newest.UTC().Format(time.RFC3339))
	case !m.now.IsZero():
		return resolvedTime{Time: m.now}, nil
	case s.Gathered.After(newest) && insight.IsKnown(s.Gathered, m.clock()):
		return resolvedTime{s.Gathered, "the end of gathering"}, nil
	default:
		return resolvedTime{newest, "the last change in the files"}, nil
	}
}

// mustGather is files with the objects of a cluster.
type mustGather struct {
	path   string
	target target
	// load reads the files, once.
	load     func() (*snapshot.Snapshot, error)
	evalTime evalTime
}

func newMustGather(path string, of target, standardInput io.Reader, at evalTime) mustGather {
	return mustGather{path: path, target: of, evalTime: at, load: sync.OnceValues(func() (*snapshot.Snapshot, error) {
		s, err := loadFrom(path, standardInput)
		if err != nil {
			return nil, fmt.Errorf("reading the objects of a cluster: %w", err)
		}
		return s, nil
	})}
}

func (m mustGather) read(context.Context) (*observation, error) {
	s, err := m.load()
	if err != nil {
		return nil, err
	}
	if m.target.isHosted() {
		return m.readHosted(s)
	}
	at, err := m.evalTime.of(s)
	if err != nil {
		return nil, err
	}
	result := &observation{time: at.Time, timeIs: at.what}
	switch {
	case s.UpdateStatus != nil && (!isEmpty(s.UpdateStatus) || s.ClusterVersion == nil):
		m.show(s, result)
	case s.ClusterVersion == nil:
		return nil, noClusterVersion(m.path, s)
	default:
		m.assess(s, result)
	}
	if m.evalTime.now.IsZero() {
		result.timeIs += laterReport(s.LastReport(m.evalTime.clock()), result)
	}
	return result, nil
}

func loadFrom(path string, input io.Reader) (*snapshot.Snapshot, error) {
	if path == standardInput {
		return snapshot.LoadStream(nameOfStandardInput, input)
	}
	return snapshot.Load(path)
}

// show sets the status from the UpdateStatus in the files. What is wrong with other files does not concern it.
func (m mustGather) show(s *snapshot.Snapshot, result *observation) {
	result.object, result.wholeSummary = s.Whole(s.UpdateStatus), s.Whole(s.Summary)
	result.setStatus(s.UpdateStatus, s.Summary, cmp.Or(result.time, m.evalTime.clock()))
	result.outdated = cmp.Or(update.Outdated(s.UpdateStatus, s.ClusterVersion, result.time), update.Unconfirmed(s.Summary, false, result.time))
	ofStatus := func(problem snapshot.Problem) bool { return problem.File == s.UpdateStatusFile }
	result.incomplete = append(result.incomplete, problemsOf(s, ofStatus)...)
	result.warnings = append(result.warnings, problemsOf(s, func(problem snapshot.Problem) bool { return !ofStatus(problem) })...)
}

// assess sets the status from the objects in the files.
func (m mustGather) assess(s *snapshot.Snapshot, result *observation) {
	if s.UpdateStatus != nil {
		result.warnings = append(result.warnings, "the UpdateStatus in the files is empty: the status is assessed from the other objects")
	}
	result.incomplete = append(problemsOf(s, all), standalone.Missing(s.ClusterInput())...)
	result.missingNodes = standalone.MissingNodes(s.ClusterInput())
	result.warnings = append(result.warnings, s.Unread()...)
	if result.time.IsZero() {
		result.time, result.timeIs = m.evalTime.clock(), "the current time: no timestamps in the files, set another one with --now"
	}
	us := s.Assess(result.time)
	result.object, result.poolOrder = us, namesOf(s.MachineConfigPools)
	result.setShown(us, result.time)
}

// laterThreshold is how far a report must be from the last change to warn about it. Nodes report every five minutes without
// changes.
const laterThreshold = 10 * time.Minute

// laterReport returns that nodes reported long after the time that is shown, "" if they did not: in an update that is stuck
// nothing of the control plane changes for hours.
func laterReport(last time.Time, observed *observation) string {
	if last.Sub(observed.time) < laterThreshold || observed.update.State.IsComplete() {
		return ""
	}
	return fmt.Sprintf(", but nodes reported until %s: show that time with --now %[1]s", last.UTC().Format(time.RFC3339))
}

// maxProblems bounds the problems that are printed: an archive can have hundreds of thousands of bad files.
const maxProblems = 20

// problemsOf returns the first of the problems in files that are wanted, and how many more there are.
func problemsOf(s *snapshot.Snapshot, wanted func(snapshot.Problem) bool) []string {
	var problems []string
	more := 0
	for _, problem := range s.Problems {
		switch {
		case !wanted(problem):
		case len(problems) < maxProblems:
			problems = append(problems, problem.String())
		default:
			more++
		}
	}
	if more > 0 {
		problems = append(problems, fmt.Sprintf("and %d more problems in the files", more))
	}
	return problems
}

func all(snapshot.Problem) bool { return true }
