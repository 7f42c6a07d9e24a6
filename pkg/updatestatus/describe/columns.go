package describe

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// output is where a table is written.
type output int

// The outputs.
const (
	inText output = 1 << iota
	inScreen
	inMarkdown
	inReport
	// inScreenOfPools is inScreen for nodes of several pools.
	inScreenOfPools
	// inNodes is the list of nodes, and inNodesWide the same with more columns.
	inNodes
	inNodesWide
	everywhere = inText | inScreen | inMarkdown | inReport
	nodeLists  = inNodes | inNodesWide
)

// column is a column of a table. Adding one here adds it to each of its outputs.
type column[T any] struct {
	// header is that in texts, on screens and in lists, and title that in Markdown and reports.
	header, title string
	in            output
	cell          func(p *page, row T) string
}

// The tables. The first column has the name, whose header is that of the table.
var (
	poolColumns = []column[*update.Pool]{
		{"POOL", "Pool", everywhere, func(_ *page, row *update.Pool) string { return row.Name }},
		{"ASSESSMENT", "Assessment", everywhere, func(_ *page, row *update.Pool) string { return poolAssessment(row) }},
		{"COMPLETION", "Completion", everywhere, (*page).poolBar},
		{"STATUS", "Nodes", everywhere, (*page).poolStatus},
	}
	nodeColumns = []column[update.Node]{
		{"NODE", "Node", everywhere | inScreenOfPools | nodeLists, func(_ *page, row update.Node) string { return row.Name }},
		{"POOL", "Pool", inReport | inScreenOfPools | nodeLists, func(_ *page, row update.Node) string { return row.Pool }},
		{"ASSESSMENT", "Assessment", everywhere | inScreenOfPools | nodeLists, func(_ *page, row update.Node) string { return string(row.State.Assessment()) }},
		{"PHASE", "Phase", everywhere | inScreenOfPools | nodeLists, func(_ *page, row update.Node) string { return phaseOf(row.State) }},
		{"VERSION", "Version", inText | inReport | nodeLists, func(_ *page, row update.Node) string { return cmp.Or(row.Version, unknownCell) }},
		{"DESIRED", "Desired version", inNodesWide, func(_ *page, row update.Node) string { return cmp.Or(row.Target, unknownCell) }},
		{"SINCE", "Since", inNodesWide, (*page).nodeSince},
		{"EST", "Remaining", inText | inScreen | inScreenOfPools | inReport | nodeLists, (*page).nodeRemaining},
		{"REASON", "Reason", inNodesWide, func(_ *page, row update.Node) string { return cmp.Or(nodeReason(row), "-") }},
		{"MESSAGE", messageTitle, everywhere | inScreenOfPools | nodeLists, (*page).nodeMessage},
	}
	operatorColumns = []column[update.Operator]{
		{"NAME", "Operator", inText | inReport, func(_ *page, row update.Operator) string { return row.Name }},
		{"STATE", "State", inReport, func(_ *page, row update.Operator) string { return operatorState(row) }},
		{"SINCE", "Since", inText, func(p *page, row update.Operator) string { return p.clock().since(&row.State.Since) }},
		{"REASON", "Reason", inText, func(_ *page, row update.Operator) string { return reasonOf(row) }},
		{"MESSAGE", messageTitle, inText, func(_ *page, row update.Operator) string { return cmp.Or(operatorMessage(row), "-") }},
		{"MESSAGE", messageTitle, inReport, func(_ *page, row update.Operator) string { return operatorMessage(row) }},
	}
)

// messageTitle is the title of the columns with messages, which come last.
const messageTitle = "Message"

func operatorMessage(operator update.Operator) string {
	if updating := meta.FindStatusCondition(operator.Conditions, updatev1alpha1.ConditionUpdating); updating != nil {
		return updating.Message
	}
	return ""
}

// headersOf returns the headers of the columns in an output.
func headersOf[T any](columns []column[T], in output) []string {
	var headers []string
	for _, one := range columns {
		switch {
		case one.in&in == 0:
		case in&(inMarkdown|inReport) != 0:
			headers = append(headers, one.title)
		default:
			headers = append(headers, one.header)
		}
	}
	return headers
}

// cellsOf returns the cells of a row in an output.
func cellsOf[T any](p *page, columns []column[T], in output, row T) []string {
	var cells []string
	for _, one := range columns {
		if one.in&in != 0 {
			cells = append(cells, one.cell(p, row))
		}
	}
	return cells
}

// tableOf returns a table of rows for a text or a screen. Its first header can be another one than that of the column.
func tableOf[T any](p *page, columns []column[T], in output, name string, rows []T) *table {
	headers := headersOf(columns, in)
	headers[0] = cmp.Or(name, headers[0])
	t := newTable(headers...)
	for _, row := range rows {
		t.add(cellsOf(p, columns, in, row)...)
	}
	return t
}

// Table is a table for other forms than text. All of its cells are clean, and the first of a row is its name.
type Table struct {
	Header []string
	Rows   [][]string
}

func reportTable[T any](p *page, columns []column[T], rows []T) Table {
	t := Table{Header: headersOf(columns, inReport)}
	for _, row := range rows {
		cells := cellsOf(p, columns, inReport, row)
		for at := range cells {
			cells[at] = OneLine(cells[at])
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// Insert inserts columns before that with the messages, at the end without one. Cells returns those of a row by its name, and others the
// names that have no row so far.
func (t Table) Insert(headers []string, cells func(name string) []string, others []string) Table {
	at := slices.Index(t.Header, messageTitle)
	if at < 0 {
		at = len(t.Header)
	}
	all := Table{Header: slices.Insert(slices.Clone(t.Header), at, headers...)}
	for _, row := range t.Rows {
		all.Rows = append(all.Rows, slices.Insert(slices.Clone(row), at, cells(row[0])...))
	}
	for _, name := range others {
		row := make([]string, len(t.Header))
		row[0] = name
		all.Rows = append(all.Rows, slices.Insert(row, at, cells(name)...))
	}
	return all
}

// nodeMessage returns the message about a node; in the classic text only what is wrong with it.
func (p *page) nodeMessage(node update.Node) string {
	message := node.Message
	if !p.isClassic() {
		message = messageAbout(node)
	}
	return withoutName(OneLine(message), node.Name)
}

// messageAbout returns what is wrong with a node, else how its update goes on.
func messageAbout(node update.Node) string {
	updating := meta.FindStatusCondition(node.Conditions, updatev1alpha1.ConditionUpdating)
	if node.Message == "" && node.State.Updating && updating != nil {
		return updating.Message
	}
	return node.Message
}

// poolsWithNodes returns the pools that have a row.
func poolsWithNodes(u *update.Update) []*update.Pool {
	return slices.DeleteFunc(slices.Clone(u.Pools), func(pool *update.Pool) bool { return pool.Counts.Total == 0 })
}
