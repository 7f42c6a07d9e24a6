package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/snapshot"
)

// standardInput is the path that stands for the standard input.
const standardInput = "-"

// file is a file with an UpdateStatus.
type file struct {
	path          string
	standardInput io.Reader
	clock         func() time.Time
}

func (f file) read(context.Context) (*observation, error) {
	name, content := f.path, f.standardInput
	if f.path == standardInput {
		name = "standard input"
	} else {
		opened, err := os.Open(f.path)
		if err != nil {
			return nil, fmt.Errorf("reading the UpdateStatus: %w", err)
		}
		defer opened.Close()
		content = opened
	}
	s, err := snapshot.Decode(name, content)
	if err != nil {
		return nil, fmt.Errorf("reading the UpdateStatus: %w", err)
	}
	if s.UpdateStatus == nil {
		return nil, noUpdateStatus(name, s)
	}
	return &observation{updateStatus: s.UpdateStatus, object: s.Whole, time: s.NewestTransition(f.clock()), warnings: problemsOf(s)}, nil
}

// mustGather is files with the objects of a cluster.
type mustGather struct {
	path string
	// now is when to assess the objects, zero for the time of the last change in them.
	now   time.Time
	clock func() time.Time
}

func (m mustGather) read(context.Context) (*observation, error) {
	s, err := snapshot.Load(m.path)
	if err != nil {
		return nil, fmt.Errorf("reading the objects of a cluster: %w", err)
	}
	result := &observation{time: s.NewestTransition(m.clock()), warnings: problemsOf(s)}
	switch {
	case s.UpdateStatus != nil && (!isEmpty(s.UpdateStatus) || s.ClusterVersion == nil):
		result.updateStatus, result.object = s.UpdateStatus, s.Whole
		result.outdated = describe.Outdated(s.UpdateStatus, s.ClusterVersion, cmp.Or(m.now, result.time))
	case s.ClusterVersion == nil:
		return nil, noClusterVersion(m.path, s)
	default:
		m.assess(s, result)
	}
	if m.now.IsZero() {
		result.warnings = append(result.warnings, laterReport(s.LastReport(m.clock()), result)...)
	}
	return result, nil
}

// assess sets the status from the objects in the files.
func (m mustGather) assess(s *snapshot.Snapshot, result *observation) {
	if s.UpdateStatus != nil {
		result.warnings = append(result.warnings, "the UpdateStatus in the files is empty: the status is assessed from the other objects")
	}
	result.warnings = append(result.warnings, s.Missing()...)
	if result.time.IsZero() {
		result.time = m.clock()
		result.warnings = append(result.warnings, "the files have no times in them: the status is as of now, set another time with --now")
	}
	now := result.time
	if !m.now.IsZero() {
		now = m.now
	}
	us := s.Assess(now)
	result.updateStatus, result.object = us, us
}

// laterThreshold is how far a report must be from the last change to warn about it. Nodes report every five minutes without
// changes.
const laterThreshold = 10 * time.Minute

// laterReport returns a warning if nodes reported long after the time that is shown, as in an update that is stuck: nothing
// of its control plane changes for hours.
func laterReport(last time.Time, shown *observation) []string {
	if last.Sub(shown.time) < laterThreshold || describe.NotUpdating(shown.updateStatus) {
		return nil
	}
	return []string{fmt.Sprintf("the status is as of %s, the last change of the control plane, but nodes reported until %s: show that time with --now %[2]s",
		shown.time.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339))}
}

func problemsOf(s *snapshot.Snapshot) []string {
	var problems []string
	for _, problem := range s.Problems {
		problems = append(problems, problem.String())
	}
	return problems
}
