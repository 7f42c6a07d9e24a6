package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/snapshot"
)

// standardInput is the name of a file that stands for the standard input.
const standardInput = "-"

// file is a file with an UpdateStatus.
type file struct {
	name          string
	standardInput io.Reader
}

func (f file) read(context.Context) (*found, error) {
	name, content := f.name, f.standardInput
	if f.name == standardInput {
		name = "the standard input"
	} else {
		opened, err := os.Open(f.name)
		if err != nil {
			return nil, fmt.Errorf("reading the UpdateStatus: %w", err)
		}
		defer opened.Close()
		content = opened
	}
	held, err := snapshot.Decode(name, content)
	if err != nil {
		return nil, fmt.Errorf("reading the UpdateStatus: %w", err)
	}
	if held.UpdateStatus == nil {
		return nil, noUpdateStatus(name, held)
	}
	return &found{updateStatus: held.UpdateStatus, whole: holding(held.Whole), moment: held.NewestTransition(), warnings: problemsOf(held)}, nil
}

// mustGather is the objects of a cluster in files.
type mustGather struct {
	from string
	// now is the moment to assess the objects at, zero for when they were collected.
	now   time.Time
	clock func() time.Time
}

func (m mustGather) read(context.Context) (*found, error) {
	held, err := snapshot.Load(m.from)
	if err != nil {
		return nil, fmt.Errorf("reading the objects of a cluster: %w", err)
	}
	result := &found{moment: held.NewestTransition(), warnings: problemsOf(held)}
	switch {
	case held.UpdateStatus != nil && (!saysNothing(held.UpdateStatus) || held.ClusterVersion == nil):
		result.updateStatus, result.whole = held.UpdateStatus, holding(held.Whole)
	case held.ClusterVersion == nil:
		return nil, noClusterVersion(m.from, held)
	default:
		if held.UpdateStatus != nil {
			result.warnings = append(result.warnings, "the UpdateStatus in the files says nothing of the cluster: its objects are assessed instead")
		}
		if err := m.assess(held, result); err != nil {
			return nil, err
		}
	}
	if later := laterReport(held, result); m.now.IsZero() && later != "" {
		result.warnings = append(result.warnings, later)
	}
	return result, nil
}

// assess makes the UpdateStatus of the objects in the files.
func (m mustGather) assess(held *snapshot.Snapshot, result *found) error {
	result.warnings = append(result.warnings, held.Missing()...)
	if result.moment.IsZero() {
		result.moment = m.clock()
		result.warnings = append(result.warnings, "nothing in the files tells when they were collected: they are looked at from the present, give another moment with --now")
	}
	now := result.moment
	if !m.now.IsZero() {
		now = m.now
	}
	result.updateStatus = held.Assess(now)
	whole, err := runtime.DefaultUnstructuredConverter.ToUnstructured(result.updateStatus)
	if err != nil {
		return fmt.Errorf("converting the UpdateStatus: %w", err)
	}
	result.whole = holding(&unstructured.Unstructured{Object: whole})
	return nil
}

// laterAtLeast is how much later than the moment that is shown a report is worth a word. Nodes report every five minutes
// when nothing changes.
const laterAtLeast = 10 * time.Minute

// laterReport says that the files are from later than the moment that is shown, empty if they are not or if it does not
// matter. In an update that is stuck nothing of the control plane changes for hours.
func laterReport(held *snapshot.Snapshot, shown *found) string {
	last := held.LastReport()
	if last.Sub(shown.moment) < laterAtLeast || describe.NotUpdating(shown.updateStatus) {
		return ""
	}
	from, until := shown.moment.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339)
	return fmt.Sprintf("shown as of %s, the newest change of the control plane, but nodes reported until %s: look from then with --now %[2]s",
		from, until)
}

func problemsOf(held *snapshot.Snapshot) []string {
	var problems []string
	for _, problem := range held.Problems {
		problems = append(problems, problem.String())
	}
	return problems
}
