package cli

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
)

// remindInterval is after how long a watch repeats what it waits for, unless --remind says otherwise, and minRemind the shortest time that
// it takes.
const (
	remindInterval = 10 * time.Minute
	minRemind      = time.Second
)

// writeLines writes what happened since an observation, nil before the first one: then it writes how the update is.
func (v *view) writeLines(before *observation) error {
	now := v.clock()
	if err := v.writeWarning(now); err != nil {
		return err
	}
	if before != nil {
		return v.writeAt(v.observed.time, describe.Changes(before.update, v.observed.update)...)
	}
	options := v.describeOptions(v.observed, now)
	options.Head = v.observed.head(now)
	return v.writeAt(v.observed.time, describe.Opening(v.observed.update, options)...)
}

// remind writes the problems and what is waited for, after why that may not be right.
func (v *view) remind() error {
	now := v.clock()
	line := describe.Reminder(v.observed.head(now), now)
	if v.warned != "" {
		line = v.warned + "; " + line
	}
	if v.watchErr != nil {
		line = v.asOf(v.watchErr) + "; " + line
	}
	return v.writeAt(now, line)
}

// writeAt writes lines, each with a time.
func (v *view) writeAt(at time.Time, lines ...string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintf(v.Out, "%s  %s\n", at.UTC().Format(time.RFC3339), plainLine(line)); err != nil {
			return fmt.Errorf("writing the changes of the update: %w", err)
		}
	}
	return nil
}

// plainLine returns a text in one line, with the characters that the locale has.
func plainLine(text string) string {
	line := describe.OneLine(text)
	if isASCII(os.Getenv, runtime.GOOS) {
		return describe.ASCII(line)
	}
	return line
}

// writeWarning warns that what is shown may not be right, once.
func (v *view) writeWarning(now time.Time) error {
	warning := v.observed.warning(now)
	if warning == v.warned {
		return nil
	}
	v.warned = warning
	if warning == "" {
		return nil
	}
	return v.warn(warning)
}

// warning returns why what is shown may not be right, or is not from the object, empty if neither is so.
func (observed *observation) warning(now time.Time) string {
	err := observed.check(now)
	if observed.stale != nil {
		err = fmt.Errorf("%w; until then the client assesses the cluster", observed.stale.outdatedError(now))
	}
	if err == nil {
		return ""
	}
	return err.Error()
}
