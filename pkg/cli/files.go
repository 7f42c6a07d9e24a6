package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

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
	if held.UpdateStatus != nil {
		result.updateStatus, result.whole = held.UpdateStatus, holding(held.Whole)
		return result, nil
	}
	if held.ClusterVersion == nil {
		return nil, noClusterVersion(m.from, held)
	}
	result.warnings = append(result.warnings, held.Missing()...)
	if result.moment.IsZero() {
		result.moment = m.clock()
		result.warnings = append(result.warnings, "nothing in the files tells when they were collected: they are looked at from the present, give another moment with --now")
	}
	if m.now.IsZero() {
		m.now = result.moment
	}
	result.updateStatus = held.Assess(m.now)
	whole, err := runtime.DefaultUnstructuredConverter.ToUnstructured(result.updateStatus)
	if err != nil {
		return nil, fmt.Errorf("converting the UpdateStatus: %w", err)
	}
	result.whole = holding(&unstructured.Unstructured{Object: whole})
	return result, nil
}

func problemsOf(held *snapshot.Snapshot) []string {
	var problems []string
	for _, problem := range held.Problems {
		problems = append(problems, problem.String())
	}
	return problems
}
