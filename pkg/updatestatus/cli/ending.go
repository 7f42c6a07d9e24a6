package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/util/exec"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// errTimeout ends a watch that takes longer than --timeout.
var errTimeout = errors.New("timed out")

// ending is why a watch ends, a sentence that is empty if it does not, and the exit status.
type ending struct {
	why  string
	code int
}

// ending returns why the watch ends by what is shown. A status with which something is wrong shows nothing of that.
func (v *view) ending() (ending, error) {
	now := v.clock()
	reached, err := v.goal.reached(v.observed, now)
	if err != nil || v.observed.check(now) != nil {
		return ending{}, err
	}
	head := v.observed.head(now)
	if cause := v.lasting.cause(failures(head, v.FailOn), now); cause != nil {
		return ending{"Needs attention: " + describe.Problem(cause, now) + ".", exitNeedsAttention}, nil
	}
	// A script that reads the summary next must not find the part in progress.
	if !reached || v.observed.hasLateSummary(now) {
		return ending{}, nil
	}
	return v.reached(head, now), nil
}

// reached returns the ending of a watch that has what it waits for, or has only paused pools left. A script that waits for the end of an
// update must not take a pause for it.
func (v *view) reached(head *updatev1alpha1.UpdateStatusSummaryStatus, now time.Time) ending {
	options := v.describeOptions(v.observed, now)
	options.Head = head
	ended := ending{why: describe.End(v.observed.update, options)}
	if part := v.goal.outcome(v.observed); part != "" {
		ended.why = part + " " + ended.why
	}
	if v.ExitCode || len(pausedPools(v.observed, v.For)) > 0 {
		ended.code = codeOf(exitCode(head, needsAttention(head, v.FailOn)))
	}
	if ended.code == exitNeedsAttention && len(head.Attention) > 0 {
		ended.why += " Needs attention: " + describe.Problem(&head.Attention[0], now) + "."
	}
	return ended
}

// stopped returns the ending of a watch that has not what it waits for.
func (v *view) stopped(cause error) ending {
	waiting := "still waiting for " + v.goal.remaining(v.observed)
	if head := v.observed.head(v.clock()); v.For == forAll && head.WaitingFor != "" && meta.IsStatusConditionTrue(head.Conditions, updatev1alpha1.ConditionUpdating) {
		waiting += ": " + head.WaitingFor
	}
	if errors.Is(cause, errTimeout) {
		return ending{fmt.Sprintf("Timed out after %s; %s.", insight.Duration(v.Timeout), waiting), exitTimeout}
	}
	return ending{"Interrupted; " + waiting + ".", exitInterrupted}
}

// writeEnding writes why a watch has ended as its last line, and returns an error with its exit status. Beside objects, the line is about
// what they don't have: that what is waited for was not reached.
func (v *view) writeEnding(ended ending) error {
	out, line := v.Out, plainLine(ended.why)
	if v.printer != nil {
		out = v.ErrOut
	}
	if v.printer == nil || ended.code != 0 {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return fmt.Errorf("writing why the watch has ended: %w", err)
		}
	}
	if ended.code == 0 {
		return nil
	}
	return exec.CodeExitError{Err: errors.New(strings.TrimSuffix(line, ".")), Code: ended.code}
}
