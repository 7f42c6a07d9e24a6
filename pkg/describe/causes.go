package describe

import (
	"regexp"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/causes"
)

// summaryOf returns a cause in one line, with the number of its consequences.
func summaryOf(group causes.Group) string {
	return group.Summary() + consequences(group.CountConsequences())
}

func consequences(number int) string {
	return inBrackets(countOf(number))
}

// suffix returns the number of consequences and the age of a cause, for the end of a line.
func (c clock) suffix(number int, since start) string {
	age := c.lasting(since)
	if age == "" {
		return consequences(number)
	}
	return inBrackets(append(countOf(number), age))
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
			p.commands("    ", steps)
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

// nextSteps returns commands that help with a cause, with the first of several objects. Where there is none, as for an alert, its page
// does.
func nextSteps(group causes.Group) []string {
	remediation := group.Members[0].Health.Remediation
	if len(remediation.Commands) > 0 {
		return commandLines(remediation.Commands)
	}
	if remediation.Reference != "" {
		return []string{"see " + OneLine(remediation.Reference)}
	}
	return nil
}

// commandLines returns commands as a shell reads them.
func commandLines(commands []updatev1alpha1.Command) []string {
	var lines []string
	for _, command := range commands {
		lines = append(lines, strings.Join(commandWords(command), " "))
	}
	return lines
}

// commandWords returns the words of a command as a shell reads them. Between two of them a line may end.
func commandWords(command updatev1alpha1.Command) []string {
	words := make([]string, 0, len(command.Argv)+1)
	for _, argument := range command.Argv {
		words = append(words, quote(OneLine(argument)))
	}
	if command.Cluster == updatev1alpha1.ClusterHosted {
		words = append(words, inHostedCluster)
	}
	return words
}

// inHostedCluster follows commands that are to be run in a hosted cluster, and not in the management cluster, which has the status. It
// is a comment for a shell.
const inHostedCluster = " # in the hosted cluster"

// plainArgument matches an argument that means itself to a shell.
var plainArgument = regexp.MustCompile(`^[-A-Za-z0-9_./:=@,+%]+$`)

// quote returns an argument as a shell reads it.
func quote(argument string) string {
	if plainArgument.MatchString(argument) {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}
