package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const (
	// maxRows is how many rows a table of the text has without details.
	maxRows = 10
	// minNameWidth is the least number of columns of names beside messages, and minShortened that of a name.
	minNameWidth, minShortened = 28, 12
	// maxNamesWidth is how many columns the names of a row have together.
	maxNamesWidth = 30
)

// compact is a table for a screen or a short text: rows that are alike are one, and names are shortened to fit.
type compact struct {
	headers []string
	rows    []compactRow
	// isCut is set if messages are cut to one line, not wrapped.
	isCut bool
}

// compactRow is a row, with the names of all for which it stands.
type compactRow struct {
	names []string
	cells []string
	// kind is what is counted where the row is not shown.
	kind string
}

// compactOf returns the table of things. Those that differ in nothing but their name are one row, where the first of them is. Without a
// kind, each has its row.
func compactOf[T any](p *page, columns []column[T], in output, things []T, kind func(T) string) compact {
	c := compact{headers: headersOf(columns, in)}
	at := map[string]int{}
	for _, one := range things {
		cells := cellsOf(p, columns, in, one)
		for i := range cells {
			cells[i] = p.plain(OneLine(cells[i]))
		}
		key := strings.Join(cells[1:], "\x00")
		row := compactRow{names: cells[:1:1], cells: cells}
		if kind != nil {
			if first, found := at[key]; found {
				c.rows[first].names = append(c.rows[first].names, cells[0])
				continue
			}
			at[key], row.kind = len(c.rows), kind(one)
		}
		c.rows = append(c.rows, row)
	}
	return c
}

// first returns the first rows as a table that has the width for them.
func (c compact) first(p *page, number int) [][]string {
	if number == 0 {
		return nil
	}
	rows, headers := c.rows[:number], c.headers
	last := len(headers) - 1
	if !slices.ContainsFunc(rows, func(row compactRow) bool { return row.cells[last] != "" }) {
		headers = headers[:last]
	}
	t := &table{rows: [][]string{headers}, isCut: c.isCut}
	for _, row := range rows {
		cells := slices.Clone(row.cells[:len(headers)])
		cells[0] = longestName(row)
		t.rows = append(t.rows, cells)
	}
	names := p.widthForNames(t)
	for at, row := range rows {
		t.rows[at+1][0] = p.nameOf(row, names)
	}
	return p.tableRows(t, p.widthToWrap())
}

// longestName returns what the name of a row needs at most: all names if they are short, else the first one and the number of the others.
func longestName(row compactRow) string {
	if all := strings.Join(row.names, ", "); len(row.names) == 1 || width(all) <= maxNamesWidth {
		return all
	}
	return row.names[0] + moreNames(row)
}

func moreNames(row compactRow) string {
	if len(row.names) == 1 {
		return ""
	}
	return fmt.Sprintf(" and %d more", len(row.names)-1)
}

// nameOf returns the name of a row, shortened to a number of columns unless that is zero.
func (p *page) nameOf(row compactRow, columns int) string {
	name, more := longestName(row), moreNames(row)
	if columns == 0 || width(name) <= columns {
		return name
	}
	return p.shorten(row.names[0], max(columns-len(more), minShortened)) + more
}

// widthForNames returns how many columns names may have so that messages have some too, zero if there is no limit.
func (p *page) widthForNames(t *table) int {
	if p.widthToWrap() == 0 {
		return 0
	}
	widths := t.widths()
	last := len(widths) - 1
	rest := p.Width
	for _, columns := range widths[1:last] {
		rest -= gap + columns
	}
	// Where too few columns are left for names and messages, the messages are below their rows.
	if beside := rest - gap - min(widths[last], minMessageWidth); beside >= min(widths[0], minNameWidth) {
		return beside
	}
	return max(rest, minNameWidth)
}

// shorten returns a name with an ellipsis in its middle if it has more columns: names of nodes and pools often differ at the end.
func (p *page) shorten(name string, columns int) string {
	length, ellipsis := width(name), p.ellipsis()
	if length <= columns {
		return name
	}
	before := (columns - width(ellipsis)) / 2
	after := columns - width(ellipsis) - before
	return ansi.Truncate(name, before, "") + ellipsis + ansi.TruncateLeft(name, length-after, "")
}

// compact adds a table, of which the rows after the tenth are counted by their kind without node details.
func (p *page) compact(c compact, what string) {
	if len(c.rows) == 0 {
		return
	}
	listed := len(c.rows)
	if !p.Details.include(DetailsNodes) {
		listed = min(listed, maxRows)
	}
	p.blank()
	for _, row := range c.first(p, listed) {
		for _, line := range row {
			p.write(line)
		}
	}
	if more := c.rows[listed:]; len(more) > 0 {
		p.line("%s", p.ellipsis()+" and "+plural(numberOf(more), "more "+what)+" ("+kindsOf(more)+"): --details="+string(DetailsNodes))
	}
}

func numberOf(rows []compactRow) int {
	number := 0
	for _, row := range rows {
		number += len(row.names)
	}
	return number
}

// kindsOf returns the counts of what rows stand for.
func kindsOf(rows []compactRow) string {
	var kinds []string
	numbers := map[string]int{}
	for _, row := range rows {
		if numbers[row.kind] == 0 {
			kinds = append(kinds, row.kind)
		}
		numbers[row.kind] += len(row.names)
	}
	for at, kind := range kinds {
		kinds[at] = fmt.Sprintf("%d %s", numbers[kind], kind)
	}
	return strings.Join(kinds, ", ")
}
