package describe

import (
	"fmt"
	"io"
	"strings"
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
	text strings.Builder
}

// flush writes the page.
func (p *page) flush(w io.Writer) error {
	if _, err := io.WriteString(w, p.text.String()); err != nil {
		return fmt.Errorf("writing the status of the update: %w", err)
	}
	return nil
}

// line adds one line.
func (p *page) line(format string, args ...any) {
	p.write(clean(fmt.Sprintf(format, args...)))
}

// write adds a clean text as one line.
func (p *page) write(text string) {
	p.text.WriteString(strings.ReplaceAll(text, "\n", " "))
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
	p.write(fmt.Sprintf("%-*s%s", fieldWidth, name+":", p.colored(name, OneLine(value))))
}

// item adds a value of a health insight. Each line of the value is a line of the text.
func (p *page) item(name, value string) {
	label := "  " + name + ":"
	for _, line := range lines(value) {
		p.write(fmt.Sprintf("%-*s%s", itemWidth, label, p.colored(name, line)))
		label = ""
	}
}

// table has rows of clean cells. Only the cells of the last column can have several lines.
type table struct {
	rows [][]string
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

// table adds rows with aligned columns. It cuts the last column so that the table has at most maxWidth columns, unless that
// is zero.
func (p *page) table(t *table, maxWidth int) {
	widths := t.widths()
	last := len(widths) - 1
	margin := 0
	for _, columns := range widths[:last] {
		margin += columns + gap
	}
	for _, row := range t.rows {
		var line strings.Builder
		for column, cell := range row[:last] {
			line.WriteString(p.colored(t.rows[0][column], cell))
			line.WriteString(strings.Repeat(" ", widths[column]-width(cell)+gap))
		}
		for at, message := range strings.Split(row[last], "\n") {
			if at > 0 {
				line.Reset()
				line.WriteString(strings.Repeat(" ", margin))
			}
			if maxWidth > 0 {
				message = cutTo(message, max(maxWidth-margin, minMessageWidth))
			}
			p.write(line.String() + message)
		}
	}
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
