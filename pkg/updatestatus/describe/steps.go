package describe

import (
	"regexp"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// This file has what to do about problems.

// step is a command, or a page to read. Between two of its words a line may end.
type step struct {
	words     []string
	isCommand bool
}

// String returns the step in one line.
func (s step) String() string {
	return strings.Join(s.words, " ")
}

// nextSteps returns commands that help with a cause, with the first of several objects. Where there is none, as for an alert, its page
// does, unless it is the page about updates in general of what an UpdateInformer contributed.
func nextSteps(group causes.Group) []step {
	health := group.Members[0].Health
	remediation := health.Remediation
	if _, isContributed := contributorOf(health); isContributed && remediation.Reference == reference.Updating {
		return nil
	}
	if len(remediation.Commands) == 0 && remediation.Reference != "" {
		return []step{{words: strings.Split("see "+OneLine(remediation.Reference), " ")}}
	}
	var steps []step
	for _, command := range remediation.Commands {
		steps = append(steps, step{commandWords(command), true})
	}
	return steps
}

// step adds a step behind a margin.
func (p *page) step(margin string, of step) {
	for _, line := range p.stepLines(margin, of) {
		p.write(line)
	}
}

// stepLines returns the lines of a step behind a margin. On a terminal a long command goes on in lines that a shell reads as one, since a
// copy of what the terminal itself wraps may have line breaks. Elsewhere it is one line, for grep.
func (p *page) stepLines(margin string, of step) []string {
	const indent = 2
	line, columns := p.plain(margin), p.widthToWrap()
	margin = strings.Repeat(" ", width(line)+indent)
	continued := ""
	if of.isCommand {
		continued = ` \`
	}
	var lines []string
	for at, word := range of.words {
		end := continued
		if at == len(of.words)-1 {
			end = ""
		}
		word = p.plain(word)
		if columns > 0 && at > 0 && width(line+" "+word+end) > columns {
			lines, line = append(lines, line+continued), margin
		} else if at > 0 {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// commandLines returns commands as a shell reads them, each in one line.
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
