package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/timeline"
)

// Table is a table of the details.
type Table struct {
	Title string
	// Count says how many there are.
	Count string
	// IsOpen is whether it is shown without being asked for.
	IsOpen bool
	Header []string
	// Rows have a name in their first cell.
	Rows [][]string
	// Findings are health insights, which are no table.
	Findings []Finding
	// Lists are what is listed by name only.
	Lists []List
	// More says what is left out, empty if nothing is.
	More string
}

// List is a text with its title.
type List struct {
	Title, Text string
}

// MaxBytes is the size that a report stays below, whatever the names and texts in the cluster are.
const MaxBytes = 1_000_000

// limits are the most that the tables of a report have.
type limits struct {
	// rows is the number of rows of a table, findings that of health insights, and nameBytes the length of the names of nodes.
	rows, findings, nameBytes int
}

var mostShown = limits{rows: 2048, findings: 60, nameBytes: 256 << 10}

// fitTables adds the tables, with half as many rows again and again until the report is small enough.
func (p *Page) fitTables(parts *describe.Tables, shownTimeline *timeline.Timeline, causes []describe.Cause) {
	for most := mostShown; ; most = (limits{most.rows / 2, min(most.findings, most.rows/2), most.nameBytes / 2}) {
		p.Tables = nil
		p.addTables(most, parts, shownTimeline, causes)
		if p.size() < MaxBytes || most.rows == 0 {
			return
		}
	}
}

// size returns the size of the report as HTML.
func (p *Page) size() int {
	var written bytes.Buffer
	_ = p.Write(&written) // the caller writes the page again, and reports the error
	return written.Len()
}

// addTables adds the tables. Without a timeline they have the times that are known, and the operators are shown without being asked for.
func (p *Page) addTables(most limits, parts *describe.Tables, shownTimeline *timeline.Timeline, causes []describe.Cause) {
	times, operatorTimes, poolTimes := newTimes(p.Chart, shownTimeline), []string{"Started", "Ended", "Took"}, []string{"Started", "Ended", "Took", "Paused for"}
	if p.Chart == nil {
		times, operatorTimes, poolTimes = knownTimes(shownTimeline), []string{timesTitle}, []string{timesTitle}
	}
	operators := detailed("Operators", "operator", parts.Operators, operatorTimes, times.operators).withoutEmpty()
	operators.IsOpen = p.Chart == nil
	p.addTable(operators.upTo(most.rows))
	p.addTable(detailed("Pools", "pool", parts.Pools, poolTimes, times.pools).withoutEmpty().upTo(most.rows))
	p.addTable(nodeTable(most, parts, times.nodes, times.poolOf).withoutEmpty().upTo(most.rows))
	p.addTable(healthTable(most, causes, times.episodes).upTo(most.rows))
	if p.Chart != nil {
		gaps := Table{Title: "Not observed", Header: []string{"From", "To", "Took"}}
		for _, gap := range shownTimeline.Gaps {
			gaps.Rows = append(gaps.Rows, []string{dayAndTime(gap.From), dayAndTime(gap.To), describe.Duration(gap.Length())})
		}
		gaps.Count = insight.Count(len(gaps.Rows), "gap")
		p.addTable(gaps)
	}
}

func (p *Page) addTable(table Table) {
	if len(table.Rows)+len(table.Findings)+len(table.Lists) > 0 {
		p.Tables = append(p.Tables, table)
	}
}

// times are what the timeline says of an object, in cells, by its name.
type times struct {
	operators, pools, nodes *rows
	poolOf                  map[string]string
	episodes                [][]string
}

// rows are cells by name, in their order.
type rows struct {
	names []string
	cells map[string][]string
}

func (r *rows) add(name string, cells ...string) {
	if _, ok := r.cells[name]; !ok {
		r.names = append(r.names, name)
	}
	r.cells[name] = cells
}

// take returns the cells about an object, once; empty ones if there are none.
func (r *rows) take(name string, number int) []string {
	cells, ok := r.cells[name]
	if !ok {
		return make([]string, number)
	}
	delete(r.cells, name)
	return cells
}

// rest returns the names that were not taken.
func (r *rows) rest() []string {
	var names []string
	for _, name := range r.names {
		if _, ok := r.cells[name]; ok {
			names = append(names, name)
		}
	}
	return names
}

// timesTitle is the title of the column with the times of an object in one text.
const timesTitle = "Times"

// noTimes returns times that have none.
func noTimes() times {
	return times{&rows{cells: map[string][]string{}}, &rows{cells: map[string][]string{}}, &rows{cells: map[string][]string{}}, map[string]string{}, nil}
}

// knownTimes returns the times of what has a known start, in one text for each, of a timeline that is made from a status alone; none
// without one. What has no start was only seen to be complete or not, as its state says.
func knownTimes(t *timeline.Timeline) times {
	result := noTimes()
	if t == nil {
		return result
	}
	with := &chart{Timeline: t, Chart: &Chart{}, used: map[string]bool{}}
	add := func(to *rows, lane timeline.Lane) {
		if len(lane.Bars) > 0 && !lane.Bars[0].StartUnknown {
			to.add(lane.Name, with.lane(lane).Text)
		}
	}
	for _, lane := range t.Operators {
		add(result.operators, lane)
	}
	for _, pool := range t.Pools {
		add(result.pools, pool.Lane)
		for _, lane := range pool.Nodes {
			add(result.nodes, lane)
			result.poolOf[lane.Name] = pool.Name
		}
	}
	return result
}

// newTimes returns the times of everything in the timeline of a record, none without one.
func newTimes(c *Chart, t *timeline.Timeline) times {
	result := noTimes()
	if t == nil {
		return result
	}
	with := &chart{Timeline: t, Chart: c, used: map[string]bool{}}
	for _, lane := range t.Operators {
		result.operators.add(lane.Name, with.times(lane, describe.Duration)...)
	}
	for _, pool := range t.Pools {
		paused := ""
		if pool.PausedFor > 0 {
			paused = describe.Duration(pool.PausedFor)
		}
		result.pools.add(pool.Name, append(with.times(pool.Lane, describe.Duration), paused)...)
		for _, lane := range pool.Nodes {
			result.nodes.add(lane.Name, with.lane(lane).Text)
			result.poolOf[lane.Name] = pool.Name
		}
	}
	for _, episode := range t.Episodes {
		result.episodes = append(result.episodes, append([]string{episode.Name, insight.OneLine(string(episode.Level))}, with.times(episode.Lane, describe.Rounded)...))
	}
	return result
}

// times returns the start, the end and the duration of a lane.
func (c *chart) times(lane timeline.Lane, duration func(time.Duration) string) []string {
	if len(lane.Bars) == 0 {
		return []string{"?", "?", "?"}
	}
	first, last := lane.Bars[0], lane.Bars[len(lane.Bars)-1]
	start, end := c.startText(first), c.timeText(last.To)
	if first.StartUnknown {
		start = "?"
	}
	switch last.End {
	case timeline.EndBy:
		end = "by " + end
	case timeline.EndOpen:
		end = "in progress"
	case timeline.EndNever:
		end = "never"
	case timeline.EndKnown:
	}
	return []string{start, end, lane.TookText(duration)}
}

// detailed returns a table with what the timeline says of its rows, and of what has no row in it.
func detailed(title, noun string, table describe.Table, headers []string, known *rows) Table {
	names := make([]string, 0, len(table.Rows))
	for _, row := range table.Rows {
		names = append(names, row[0])
	}
	others := slices.DeleteFunc(known.rest(), func(name string) bool { return slices.Contains(names, name) })
	table = table.Insert(headers, func(name string) []string { return known.take(name, len(headers)) }, others)
	return Table{Title: title, Header: table.Header, Rows: table.Rows, Count: insight.Count(len(table.Rows), noun)}
}

func nodeTable(most limits, parts *describe.Tables, known *rows, poolOf map[string]string) Table {
	table := detailed("Nodes", "node", parts.Nodes, []string{timesTitle}, known)
	pool := slices.Index(table.Header, "Pool")
	for _, row := range table.Rows {
		row[pool] = cmp.Or(row[pool], poolOf[row[0]])
	}
	total, left, omitted := len(parts.Nodes.Rows), most.nameBytes, 0
	for _, one := range parts.NodeNames {
		total += len(one.Names)
		text := strings.Join(one.Names, ", ")
		if len(text) > left {
			omitted += len(one.Names)
			continue
		}
		left -= len(text)
		table.Lists = append(table.Lists, List{fmt.Sprintf("%s, %s (%d)", one.Pool, one.Phase, len(one.Names)), text})
	}
	if omitted > 0 {
		table.More = fmt.Sprintf("%s with long names are left out.", insight.Count(omitted, "node"))
	}
	table.Count = insight.Count(max(total, len(table.Rows)), "node")
	return table
}

func healthTable(most limits, causes []describe.Cause, episodes [][]string) Table {
	table := Table{
		Title: "Health", Header: []string{"Health insight", "Level", "Started", "Ended", "Took"}, Rows: episodes,
		Findings: findings(causes, most.findings, most.findings),
	}
	var counts []string
	if len(causes) > 0 {
		counts = append(counts, insight.Count(len(causes), "cause")+" now")
	}
	if len(episodes) > 0 {
		counts = append(counts, insight.Count(len(episodes), "health insight")+" over time")
	}
	table.Count = strings.Join(counts, ", ")
	return table
}

// upTo returns a table with its first rows only, which says so.
func (t Table) upTo(rows int) Table {
	if more := len(t.Rows) - rows; more > 0 {
		t.Rows = t.Rows[:rows]
		t.More = strings.TrimSpace(fmt.Sprintf("%s more left out of a report of this size. %s", insight.Count(more, "row"), t.More))
	}
	return t
}

// withoutEmpty returns a table without the columns that are empty in each row.
func (t Table) withoutEmpty() Table {
	for column := len(t.Header) - 1; column > 0; column-- {
		isEmpty := true
		for _, row := range t.Rows {
			isEmpty = isEmpty && row[column] == ""
		}
		if !isEmpty {
			continue
		}
		t.Header = append(t.Header[:column:column], t.Header[column+1:]...)
		for at, row := range t.Rows {
			t.Rows[at] = append(row[:column:column], row[column+1:]...)
		}
	}
	return t
}
