package describe

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// maxMarkdownNodes is how many nodes Markdown has without node details.
const maxMarkdownNodes = 20

// WriteMarkdown writes an update as Markdown, for tickets. Options.Head must be set.
func WriteMarkdown(w io.Writer, u *update.Update, options Options) error {
	options.Width, options.Color, options.ASCII = 0, false, false
	p := &page{Options: options}
	u = u.Sorted()
	title := p.title()
	for _, notice := range p.Notices(u) {
		p.write("> " + escaped(notice))
		p.blank()
	}
	p.line("### %s", escaped(title[0]))
	p.blank()
	for _, more := range title[1:] {
		p.markdownItem("", more)
	}
	p.markdownProblems(u)
	p.markdownItem("As of", strings.TrimSuffix(options.Now.UTC().Format("2006-01-02 15:04:05 UTC")+", "+options.AsOf, ", "))
	if isUnderway(options.Head) {
		p.markdownItem("Waiting for", options.Head.WaitingFor)
		p.markdownItem("Finish", p.clock().expected(options.Head))
		p.markdownItem("Operators", operatorsIn(options.Head.ControlPlane))
		p.markdownItem("Nodes", nodesIn(options.Head))
		p.markdownPools(u)
		p.markdownNodes(u)
	}
	return p.flush(w)
}

// markup replaces what Markdown would take for more than text.
var markup = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "|", `\|`, "#", `\#`, "@", "@\u200b",
)

// escaped returns a text from the cluster as one line that is only text in Markdown. A user name in it notifies no one.
func escaped(text string) string {
	return markup.Replace(OneLine(text))
}

func (p *page) markdownItem(name, value string) {
	switch {
	case value == "":
	case name == "":
		p.write("- " + escaped(value))
	default:
		p.write(fmt.Sprintf("- **%s**: %s", name, escaped(value)))
	}
}

func (p *page) markdownRow(cells ...string) {
	for at := range cells {
		cells[at] = escaped(cells[at])
	}
	p.write("| " + strings.Join(cells, " | ") + " |")
}

func (p *page) markdownHeader(names ...string) {
	p.blank()
	p.markdownRow(names...)
	p.write("|" + strings.Repeat(" --- |", len(names)))
}

func (p *page) markdownPools(u *update.Update) {
	writeMarkdownTable(p, poolColumns, poolsWithNodes(u))
}

// markdownNodes writes the nodes that need attention or are being updated.
func (p *page) markdownNodes(u *update.Update) {
	nodes := slices.DeleteFunc(u.NodesByUrgency(), func(node update.Node) bool { return !node.State.Updating && !node.NeedsAttention() })
	listed := nodes
	if !p.Details.include(DetailsNodes) {
		listed = nodes[:min(len(nodes), maxMarkdownNodes)]
	}
	writeMarkdownTable(p, nodeColumns, listed)
	if more := len(nodes) - len(listed); more > 0 {
		p.blank()
		p.line("And %s.", insight.Count(more, "more node"))
	}
}

func writeMarkdownTable[T any](p *page, columns []column[T], rows []T) {
	if len(rows) == 0 {
		return
	}
	p.markdownHeader(headersOf(columns, inMarkdown)...)
	for _, row := range rows {
		p.markdownRow(cellsOf(p, columns, inMarkdown, row)...)
	}
}

// markdownProblems writes what needs attention, and then all else that the status has, with what to do.
func (p *page) markdownProblems(u *update.Update) {
	for _, one := range p.allProblems(u) {
		p.markdownItem(escaped(one.level), one.text)
		for _, next := range one.steps {
			p.write("  - " + markdownStep(next))
		}
	}
}

// markdownStep returns a step: a command as code, unless it has a mark of code itself, and the address of a page as a link.
func markdownStep(of step) string {
	text, last := OneLine(of.String()), OneLine(of.words[len(of.words)-1])
	switch {
	case of.isCommand && !strings.Contains(text, "`"):
		return "`" + text + "`"
	case !of.isCommand && assess.IsReference(last) && !strings.ContainsAny(last, "<>"):
		return escaped(strings.TrimSuffix(text, last)) + " <" + last + ">"
	default:
		return escaped(text)
	}
}
