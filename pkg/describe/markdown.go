package describe

import (
	"fmt"
	"io"
	"slices"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

// maxMarkdownNodes is how many nodes Markdown has without node details.
const maxMarkdownNodes = 20

// WriteMarkdown writes an update as Markdown, for tickets. Options.Head must be set.
func WriteMarkdown(w io.Writer, us *updatev1alpha1.UpdateStatus, options Options) error {
	options.Width, options.Color = 0, false
	p := &page{Options: options}
	u := read(us, options.Now)
	title := p.title()
	for _, notice := range p.notices(u) {
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
		p.markdownItem("Complete", p.clock().expected(options.Head))
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
	pools := slices.DeleteFunc(slices.Clone(u.Pools), func(pool *update.Pool) bool { return pool.Counts.Total == 0 })
	if len(pools) == 0 {
		return
	}
	p.markdownHeader("Pool", "Assessment", "Completion", "Nodes")
	for _, pool := range pools {
		p.markdownRow(pool.Name, poolAssessment(pool), poolCompletion(pool), poolStatus(pool))
	}
}

// markdownNodes writes the nodes that need attention or are being updated.
func (p *page) markdownNodes(u *update.Update) {
	var rows [][]string
	for _, node := range u.NodesByUrgency() {
		state := node.State
		if state.Updating || needsAttention(state) {
			rows = append(rows, []string{node.Name, string(state.Assessment()), phaseOf(state), nodeMessage(node)})
		}
	}
	if len(rows) == 0 {
		return
	}
	p.markdownHeader("Node", "Assessment", "Phase", "Message")
	for at, row := range rows {
		if at == maxMarkdownNodes && !p.Details.include(DetailsNodes) {
			p.blank()
			p.line("And %s.", insight.Count(len(rows)-at, "more node"))
			return
		}
		p.markdownRow(row...)
	}
}

func (p *page) markdownProblems(u *update.Update) {
	if len(u.Problems) == 0 {
		return
	}
	p.blank()
	for _, group := range u.Problems {
		p.markdownItem(escaped(string(group.Level())), group.Summary()+p.clock().aside(group.CountConsequences(), group.Since()))
	}
}
