package describe

import (
	"fmt"
	"io"
	"strings"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

const (
	// fieldWidth is the column of the values of the control plane.
	fieldWidth = len("Operator Health: ")
	// itemWidth is the column of the values of a health insight.
	itemWidth = len("  Description: ")
	// gap is the number of spaces between the columns of a table.
	gap = 3
	// unknownCell is the cell of a value that is not known.
	unknownCell = "?"
	// minMessageWidth is the number of columns that a message has at least, on a terminal of any width.
	minMessageWidth = 20
)

// page collects the text. All of its methods but write clean what they add.
type page struct {
	Options
	// isNew is set for a text that the classic one has no form of.
	isNew bool
	// hasBars is set for a text with bars of progress.
	hasBars bool
	text    strings.Builder
}

// clock returns what writes durations.
func (p *page) clock() clock {
	return clock{now: p.Now, days: !p.isClassic()}
}

// isClassic returns whether the text is that of `oc adm upgrade status`, and nothing else.
func (p *page) isClassic() bool {
	return p.Head == nil && !p.isNew
}

// flush writes the page.
func (p *page) flush(w io.Writer) error {
	if _, err := io.WriteString(w, p.text.String()); err != nil {
		return fmt.Errorf("writing the status of the update: %w", err)
	}
	return nil
}

// writeNotices writes why the status may not be trusted.
func (p *page) writeNotices(u *update.Update) {
	for _, notice := range p.Notices(u) {
		p.line("%s", notice)
	}
}

// height returns how many rows of a terminal the page takes.
func (p *page) height() int {
	rows := 0
	for line := range strings.Lines(p.text.String()) {
		rows++
		if columns := width(strings.TrimSuffix(line, "\n")); p.Width > 0 && columns > p.Width {
			rows += (columns - 1) / p.Width
		}
	}
	return rows
}

// line adds one line.
func (p *page) line(format string, args ...any) {
	p.labelled("", 0, strings.ReplaceAll(clean(fmt.Sprintf(format, args...)), "\n", " "))
}

// labelled adds a clean value in a column beside a label. On a terminal it is wrapped there, unless the text is the classic one.
func (p *page) labelled(label string, column int, value string) {
	columns := 0
	if width := p.widthToWrap(); width > 0 {
		columns = max(width-column, minMessageWidth)
	}
	for _, line := range wrap(p.plain(value), columns) {
		p.write(fmt.Sprintf("%-*s%s", column, label, line))
		label = ""
	}
}

// write adds a clean text as one line.
func (p *page) write(text string) {
	p.text.WriteString(strings.ReplaceAll(p.plain(text), "\n", " "))
	p.text.WriteByte('\n')
}

func (p *page) blank() {
	p.text.WriteByte('\n')
}

// note adds a message about something that is missing, nothing if it is empty.
func (p *page) note(message string) {
	if message != "" {
		p.line("Note: %s", OneLine(message))
	}
}

// field adds a value of the control plane.
func (p *page) field(name, value string) {
	p.labelled(name+":", fieldWidth, p.colored(name, OneLine(value)))
}

// item adds a value of a health insight. Each line of the value is a line of the text.
func (p *page) item(name, value string) {
	label := "  " + name + ":"
	for _, line := range lines(value) {
		p.labelled(label, itemWidth, p.colored(name, line))
		label = ""
	}
}

// table has rows of clean cells. Only the cells of the last column can have several lines.
type table struct {
	rows [][]string
	// isCut is set if the last column is cut to the width, not wrapped.
	isCut bool
}

func newTable(header ...string) *table {
	return &table{rows: [][]string{header}}
}

func (t *table) add(cells ...string) {
	row := make([]string, 0, len(cells))
	for _, cell := range cells[:len(cells)-1] {
		row = append(row, OneLine(cell))
	}
	t.rows = append(t.rows, append(row, strings.Join(lines(cells[len(cells)-1]), "\n")))
}

// table adds rows with aligned columns. It fits the last column so that the table has at most maxWidth columns, unless that
// is zero: the classic text cuts it.
func (p *page) table(t *table, maxWidth int) {
	for _, row := range p.tableRows(t, maxWidth) {
		for _, line := range row {
			p.write(line)
		}
	}
}

// tableRows returns the lines of each row of a table, the first of which is its header.
func (p *page) tableRows(t *table, maxWidth int) [][]string {
	for _, row := range t.rows {
		for at := range row {
			row[at] = p.plain(row[at])
		}
	}
	widths, margin := t.widths(), t.margin()
	last := len(widths) - 1
	rows := make([][]string, 0, len(t.rows))
	// Where too few columns are left for messages, they are below their rows.
	isNarrow := !p.isClassic() && maxWidth > 0 && maxWidth-margin < min(widths[last], minMessageWidth)
	for at, row := range t.rows {
		var line strings.Builder
		for column, cell := range row[:last] {
			line.WriteString(p.colored(t.rows[0][column], cell))
			line.WriteString(strings.Repeat(" ", widths[column]-width(cell)+gap))
		}
		messages := strings.Split(row[last], "\n")
		switch {
		case isNarrow && at == 0:
			rows = append(rows, []string{strings.TrimRight(line.String(), " ")})
		case isNarrow:
			rows = append(rows, p.above(line.String(), messages, maxWidth, t.isCut))
		default:
			rows = append(rows, p.beside(line.String(), messages, margin, maxWidth, t.isCut))
		}
	}
	return rows
}

// beside returns the lines of a row with its message in the last column.
func (p *page) beside(cells string, messages []string, margin, maxWidth int, isCut bool) []string {
	var lines []string
	for _, message := range p.fit(messages, margin, maxWidth, isCut) {
		lines = append(lines, cells+message)
		cells = strings.Repeat(" ", margin)
	}
	return lines
}

// above returns the lines of a row with its message below its other cells.
func (p *page) above(cells string, messages []string, maxWidth int, isCut bool) []string {
	lines := []string{strings.TrimRight(cells, " ")}
	for _, message := range p.fit(messages, len(narrowMargin), maxWidth, isCut) {
		if message != "" {
			lines = append(lines, narrowMargin+message)
		}
	}
	return lines
}

// narrowMargin is before the messages below their rows.
const narrowMargin = "  "

// widthToWrap is the width for tables that the classic text does not cut.
func (p *page) widthToWrap() int {
	if p.isClassic() {
		return 0
	}
	return p.Width
}

// fit returns the lines of a message beside a margin.
func (p *page) fit(messages []string, margin, maxWidth int, isCut bool) []string {
	if maxWidth == 0 {
		return messages
	}
	var fitting []string
	for _, message := range messages {
		columns := max(maxWidth-margin, minMessageWidth)
		if p.isClassic() || isCut {
			fitting = append(fitting, p.cutTo(message, columns))
		} else {
			fitting = append(fitting, wrap(message, columns)...)
		}
	}
	return fitting
}

// margin returns the width of all columns but the last.
func (t *table) margin() int {
	widths := t.widths()
	margin := 0
	for _, columns := range widths[:len(widths)-1] {
		margin += columns + gap
	}
	return margin
}

func (t *table) widths() []int {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for column, cell := range row {
			widths[column] = max(widths[column], width(cell))
		}
	}
	return widths
}
