package cli

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/exec"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Exit statuses. Whatever is not known is 1, as every error.
const (
	exitInProgress     = 2
	exitNeedsAttention = 3
	// exitTimeout is that of a watch that takes longer than --timeout.
	exitTimeout = 4
	// exitInterrupted is what shells return for a program that an interrupt has ended.
	exitInterrupted = 130
)

// isUnfinished has the reasons of an update that is not in progress and not complete either.
var isUnfinished = map[string]bool{
	updatev1alpha1.ReasonPaused: true, updatev1alpha1.ReasonRequested: true, updatev1alpha1.ReasonNotAccepted: true,
}

// exitStatus returns an error with the exit status that --fail-on and --exit-code ask for.
func (o *Options) exitStatus(s *updatev1alpha1.UpdateStatusSummaryStatus) error {
	switch {
	case len(failures(s, o.FailOn)) > 0:
		return exec.CodeExitError{Err: errors.New("the cluster needs attention"), Code: exitNeedsAttention}
	case o.ExitCode:
		return exitCode(s, needsAttention(s, o.FailOn))
	default:
		return nil
	}
}

// exitStatusOf returns the error about one of several clusters: why it is not known, or the one with its exit status.
func (o *Options) exitStatusOf(name string, s *updatev1alpha1.UpdateStatusSummaryStatus, unknown error) error {
	err := unknown
	if err == nil {
		err = o.exitStatus(s)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// worst returns the error about several clusters, nil for those without one. What is not known of a cluster could be worse than any exit
// status, so it comes first.
func worst(failed []error) error {
	var code int
	var unknown []error
	for _, err := range failed {
		if code = max(code, codeOf(err)); codeOf(err) == 1 {
			unknown = append(unknown, err)
		}
	}
	if code == 0 || len(unknown) > 0 {
		return errors.Join(unknown...)
	}
	return exec.CodeExitError{Err: errors.Join(failed...), Code: code}
}

// exitCode returns an error with the exit status of an update, nil if there is none or it is complete.
func exitCode(s *updatev1alpha1.UpdateStatusSummaryStatus, needsAttention bool) error {
	updating := meta.FindStatusCondition(s.Conditions, updatev1alpha1.ConditionUpdating)
	switch {
	case updating == nil || updating.Status == metav1.ConditionUnknown:
		return errors.New("update state unknown")
	case updating.Status == metav1.ConditionFalse && !isUnfinished[updating.Reason]:
		return nil
	case needsAttention:
		return exec.CodeExitError{Err: errors.New("the update needs attention"), Code: exitNeedsAttention}
	case updating.Reason == updatev1alpha1.ReasonPaused:
		return exec.CodeExitError{Err: errors.New("the update is not complete, pools are paused"), Code: exitInProgress}
	case updating.Status == metav1.ConditionFalse:
		return exec.CodeExitError{Err: errors.New("the update was requested and has not begun"), Code: exitInProgress}
	default:
		return exec.CodeExitError{Err: errors.New("the update is in progress"), Code: exitInProgress}
	}
}

// codeOf returns the exit status of an error.
func codeOf(err error) int {
	var coded exec.CodeExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &coded):
		return coded.Code
	default:
		return 1
	}
}
