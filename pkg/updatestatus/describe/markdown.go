package describe

import (
	"fmt"
	"io"
	"slices"
	"strings"

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
	p.markdownItem("As of", strings.TrimSuffix(options.Now.UTC().Format("2006-01-02 15:04:05 UTC")+", "+options.AsOf, ", "))
	if isUnderway(options.Head) {
		p.markdownItem("Waiting for", options.Head.WaitingFor)
		p.markdownItem("Finish", p.clock().expected(options.Head))
		p.markdownItem("Operators", operatorsIn(options.Head.ControlPlane))
		p.markdownItem("Nodes", nodesIn(options.Head))
		p.markdownPools(u)
		p.markdownNodes(u)
	}
	p.markdownProblems(u)
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

func (p *page) markdownProblems(u *update.Update) {
	if len(u.Problems) == 0 {
		return
	}
	p.blank()
	for _, group := range u.Problems {
		p.markdownItem(escaped(string(group.Level())), group.Summary()+p.clock().suffix(group.CountConsequences(), startOfGroup(group)))
	}
}
