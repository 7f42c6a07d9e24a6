package describe

import (
	"strings"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
)

// summaryOf returns a cause in one line, with the number of its consequences.
func summaryOf(group causes.Group) string {
	return group.Summary() + consequences(group.CountConsequences())
}

func consequences(number int) string {
	return inBrackets(countOf(number))
}

// suffix returns the number of consequences and the age of a cause, and that of the state of its pod, for the end of a line.
func (c clock) suffix(number int, since start) string {
	texts := countOf(number)
	if age := c.lasting(since); age != "" {
		texts = append(texts, age)
	}
	if age := c.lasting(start{at: since.pod}); age != "" {
		texts = append(texts, "the pod "+age)
	}
	return inBrackets(texts)
}

func countOf(consequences int) []string {
	if consequences == 0 {
		return nil
	}
	return []string{"+" + plural(consequences, "consequence")}
}

func inBrackets(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return " (" + strings.Join(texts, ", ") + ")"
}

// indentation is before the consequences of a cause.
const indentation = "    "

// writeTree writes causes with their details, and below each what it causes.
func writeTree(p *page, groups []causes.Group) {
	for at, group := range groups {
		if at > 0 {
			p.blank()
		}
		first := group.Members[0].Health
		writeHealthBlock(p, healthBlock{
			summaryOf(group), p.clock().lasted(startOfGroup(group)), first, group.Resources(), group.Descriptions(), first.Remediation.Reference,
		})
		for _, summary := range group.AlsoCausedBy {
			p.line("  Also caused by: %s", summary)
		}
		if steps := nextSteps(group); len(steps) > 0 {
			p.line("  What to do next:")
			for _, one := range steps {
				p.step("    ", one)
			}
		}
		if then := checks.Of(group.Members[0].UID).Then; then != "" {
			p.line("  Then:        %s", then)
		}
		p.writeInformer(first)
		if group.Above > 0 {
			p.line("  Consequences that are listed above: %d", group.Above)
		}
		if len(group.Consequences) == 0 {
			continue
		}
		p.line("  Consequences:")
		below := page{Options: p.Options}
		if below.Width > 0 {
			below.Width = max(below.Width-len(indentation), minMessageWidth)
		}
		writeTree(&below, group.Consequences)
		for line := range strings.SplitSeq(strings.TrimSuffix(below.text.String(), "\n"), "\n") {
			p.write(strings.TrimRight(indentation+line, " "))
		}
	}
}
