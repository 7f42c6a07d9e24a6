package describe

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// Opening returns the lines with which a watch starts where it writes a line for each thing that happens: what the cluster is doing, each
// problem with the first thing to do about it, and what is waited for. It needs Options.Head.
func Opening(u *update.Update, options Options) []string {
	p := &page{Options: options}
	lines := p.title()
	for at := range options.Head.Attention {
		one := &options.Head.Attention[at]
		lines = append(lines, Problem(one, options.Now))
		if steps := stepsFor(u, one.UID); len(steps) > 0 {
			lines = append(lines, "→ "+steps[0].String())
		}
	}
	if len(options.Head.Attention) == updatev1alpha1.SummaryMaxAttention {
		lines = append(lines, "There may be more problems: --details=health without --watch lists them")
	}
	lines = append(lines, waitingLines(p.clock(), options.Head)...)
	for at, line := range lines {
		lines[at] = OneLine(line)
	}
	return lines
}

// waitingLines returns what an update in progress waits for, and when it is expected to be complete.
func waitingLines(c clock, s *updatev1alpha1.UpdateStatusSummaryStatus) []string {
	var lines []string
	if s.WaitingFor != "" {
		lines = append(lines, "waiting for: "+insight.InSentence(s.WaitingFor))
	}
	if expected := c.expected(s); isUnderway(s) && expected != "" {
		lines = append(lines, "finish: "+expected)
	}
	return lines
}

// Problem returns a problem in one line: its level, its summary, what it causes and for how long it has lasted.
func Problem(one *updatev1alpha1.SummaryAttention, now time.Time) string {
	return OneLine(string(one.Level)) + ": " + OneLine(one.Summary+clock{now: now, days: true}.suffix(int(one.Consequences), startOf(one.UID, one.Since)))
}

// Reminder returns the problems and what is waited for in one line, for a watch in which nothing may have happened for long.
func Reminder(s *updatev1alpha1.UpdateStatusSummaryStatus, now time.Time) string {
	c := clock{now: now, days: true}
	parts := []string{cmp.Or(strings.Join(waitingLines(c, s), "; "), strings.TrimSuffix(Title(s, now)[0], "."))}
	switch number := len(s.Attention); {
	case number == 0 && updatingOf(s).Status != metav1.ConditionUnknown:
		parts = append([]string{"no problems"}, parts...)
	case number == 1:
		parts = append([]string{Problem(&s.Attention[0], now)}, parts...)
	case number > 1:
		parts = append([]string{fmt.Sprintf("%s problems, the worst: %s", atLeast(number, s), Problem(&s.Attention[0], now))}, parts...)
	}
	return OneLine(strings.Join(parts, "; "))
}

// End returns how an update ended, or what is left of it. It needs Options.Head.
func End(u *update.Update, options Options) string {
	p := &page{Options: options}
	return OneLine(p.clock().end(options.Head, &u.ControlPlane))
}
