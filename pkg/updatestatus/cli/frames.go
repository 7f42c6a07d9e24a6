package cli

import (
	"fmt"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
)

// DefaultRows are the rows of a terminal that does not tell them.
const DefaultRows = 24

// draw writes to a terminal. If that is gone, a signal ends the program.
func (v *view) draw(text string) {
	_, _ = fmt.Fprint(v.Out, text)
}

// redraw draws the screen, if there is one.
func (v *view) redraw() error {
	if !v.screen {
		return nil
	}
	now := v.clock()
	var notices []string
	if v.watchErr != nil {
		notices = append(notices, v.asOf(v.watchErr))
	}
	if err := v.observed.check(now); err != nil {
		notices = append(notices, err.Error())
	}
	options := v.describeOptions(v.observed, now)
	options.Head = v.observed.head(now)
	_, rows := Size(Screen(v.Out))
	if rows == 0 {
		rows = DefaultRows
	}
	notices = append(notices, v.window.soon...)
	v.draw(Frame(describe.Screen(v.observed.update, options, notices, rows-1)))
	return nil
}
