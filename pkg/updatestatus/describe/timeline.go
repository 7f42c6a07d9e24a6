package describe

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/timeline"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

const (
	// chartWidth is the width of a timeline without a terminal.
	chartWidth = 100
	// chartRows is the number of rows without one.
	chartRows = 60
	// maxLabelWidth is the width of its names.
	maxLabelWidth = 36
	// tookWidth is that of its durations.
	tookWidth = 8
	// minBarWidth is the least width of its bars.
	minBarWidth = 20
	// tickWidth is about how many columns there are for a tick.
	tickWidth = 10
)

// The characters of a timeline. Letters tell the phases of nodes apart without colors.
const (
	cellEmpty = ' '
	cellBar   = '█'
	// cellHidden is a bar while the cluster was not observed, and cellGap nothing while it was not.
	cellHidden = '▒'
	cellGap    = '/'
	// cellEnd is an end whose start is not known, and cellOpen the present moment of what goes on.
	cellEnd  = '|'
	cellOpen = '>'
)

// phaseCells are the letters of the phases of nodes.
var phaseCells = map[updatev1alpha1.NodeUpdatePhase]rune{
	updatev1alpha1.PhaseDraining: 'D', updatev1alpha1.PhaseUpdating: 'U', updatev1alpha1.PhaseRebooting: 'R',
}

// WriteTimeline writes a record over time, as much as fits a terminal: the control plane, the operators that took longest, the
// pools, the nodes that took longest, and the health insights. Details are those of operators, nodes and health.
func WriteTimeline(w io.Writer, in timeline.Input, options Options) error {
	p := &page{Options: options, isNew: true}
	p.writeNotices(&update.Update{})
	for _, line := range RecordTitle(in.Record, in.Now) {
		p.line("%s", line)
	}
	t, err := timeline.New(in)
	if err != nil {
		p.line("There is no timeline: %s.", err)
		return p.flush(w)
	}
	shortenNodes(t.Pools)
	c := newChart(p, t)
	c.axis()
	c.lane("", t.ControlPlane)
	c.operators()
	c.pools()
	c.episodes()
	c.legend()
	return p.flush(w)
}

// chart writes a timeline to a page.
type chart struct {
	*page
	*timeline.Timeline

	// label and cells are the widths of the names and of the bars.
	label, cells int
	// used are the characters that need a word in the legend.
	used map[rune]bool
}

func newChart(p *page, t *timeline.Timeline) *chart {
	c := &chart{page: p, Timeline: t, used: map[rune]bool{}}
	columns := cmp.Or(p.Width, chartWidth)
	c.label = min(max(columns/3, minMessageWidth), c.longestName(), maxLabelWidth)
	c.cells = max(columns-c.label-len("  ")-tookWidth, minBarWidth)
	return c
}

// shortenNodes drops the domain of the names of all nodes if it is the same.
func shortenNodes(pools []timeline.Pool) {
	domains := map[string]bool{}
	for _, pool := range pools {
		for _, node := range pool.Nodes {
			_, domain, _ := strings.Cut(node.Name, ".")
			domains[domain] = true
		}
	}
	if len(domains) > 1 {
		return
	}
	for _, pool := range pools {
		for at := range pool.Nodes {
			pool.Nodes[at].Name, _, _ = strings.Cut(pool.Nodes[at].Name, ".")
		}
	}
}

// longestName returns the width of the longest name, with its indentation.
func (c *chart) longestName() int {
	longest := width(c.ControlPlane.Name)
	for _, operator := range c.Operators {
		longest = max(longest, width(operator.Name))
	}
	for _, pool := range c.Pools {
		longest = max(longest, width(poolLabel(pool)))
		for _, node := range pool.Nodes {
			longest = max(longest, width(nodeIndent+node.Name))
		}
	}
	return longest
}

// limit returns how many rows something may take that could fill the screen, all if the details include it.
func (c *chart) limit(share int, part Details) int {
	if c.Details.include(part) {
		return len(c.Operators) + len(c.Episodes) + updatev1alpha1.RecordMaxNodes
	}
	return max(cmp.Or(c.Rows, chartRows)/share, 2)
}

// axis writes the ticks. A tick that does not fit behind the one before is left out.
func (c *chart) axis() {
	line, today := "", c.Start.UTC().Format(time.DateOnly)
	for _, tick := range c.Ticks(max(c.cells/tickWidth, 1)) {
		text := "|" + tick.Format("15:04")
		switch {
		case tick.Equal(tick.Truncate(day)):
			text = "|" + tick.Format("Jan 2")
		case tick.Format(time.DateOnly) != today:
			text = "|" + tick.Format("Jan 2 15:04")
		}
		column := c.column(tick)
		if column < width(line) || column+len(text) > c.cells+tookWidth {
			continue
		}
		line += strings.Repeat(" ", column-width(line)) + text
		today = tick.Format(time.DateOnly)
	}
	c.write(strings.TrimRight(fmt.Sprintf("%-*s  %s", c.label, "UTC", line), " "))
}

// column returns the cell of a moment.
func (c *chart) column(at time.Time) int {
	return min(int(c.Share(at)*float64(c.cells)), c.cells-1)
}

// lane writes a lane with its name and how long it took.
func (c *chart) lane(name string, lane timeline.Lane) {
	name = c.cutTo(cmp.Or(name, lane.Name), c.label)
	cells := c.bars(lane)
	c.write(strings.TrimRight(name+strings.Repeat(" ", c.label-width(name)+len("  "))+string(cells)+" "+lane.TookText(c.clock().rounded), " "))
}

// bars returns the cells of a lane. Every bar has a cell at least.
func (c *chart) bars(lane timeline.Lane) []rune {
	cells := slices.Repeat([]rune{cellEmpty}, c.cells)
	for _, gap := range c.Gaps {
		c.fill(cells, c.column(gap.From), c.column(gap.To), cellGap)
	}
	for _, bar := range lane.Bars {
		first, last := c.column(bar.From), c.column(bar.To)
		if bar.StartUnknown {
			c.fill(cells, last, last, cellEnd)
			continue
		}
		if last > first && bar.End != timeline.EndOpen {
			last-- // the cell of the end is that of what follows
		}
		c.fill(cells, first, last, cmp.Or(phaseCells[bar.Phase], cellBar))
		for _, gap := range c.Gaps {
			from, to := max(first, c.column(gap.From)), min(last, c.column(gap.To))
			c.fill(cells, from, to, cellHidden)
		}
		if bar.End == timeline.EndOpen {
			c.fill(cells, last, last, cellOpen)
		}
	}
	return cells
}

// fill sets cells, both ends included.
func (c *chart) fill(cells []rune, first, last int, cell rune) {
	for at := first; at <= last; at++ {
		cells[at] = cell
		c.used[cell] = true
	}
}

func (c *chart) operators() {
	c.lanes("", "operator", c.Operators, c.limit(6, DetailsOperators))
}

// lanes writes the lanes that took longest, in at most as many rows as there may be. Of those whose start is not known there is
// nothing to see, so that they are left out first.
func (c *chart) lanes(indent, what string, lanes []timeline.Lane, rows int) {
	shown := lanes
	if len(lanes) > rows {
		known := slices.DeleteFunc(slices.Clone(lanes), func(lane timeline.Lane) bool {
			_, isKnown := lane.Took()
			return !isKnown
		})
		shown = timeline.Slowest(known, rows-1)
	}
	for _, lane := range shown {
		c.lane(indent+lane.Name, lane)
	}
	if more := len(lanes) - len(shown); more > 0 {
		c.write(fmt.Sprintf("%sand %s", indent, plural(more, "more "+what)))
	}
}

const nodeIndent = "  "

func poolLabel(pool timeline.Pool) string {
	return fmt.Sprintf("pool %s (%d)", pool.Name, pool.Size)
}

func (c *chart) pools() {
	shown := c.Pools[:min(len(c.Pools), c.limit(8, DetailsNodes))]
	rows := max(c.limit(5, DetailsNodes)/max(len(shown), 1), 2)
	for _, pool := range shown {
		c.lane(poolLabel(pool), pool.Lane)
		c.lanes(nodeIndent, "node", pool.Nodes, rows)
		if paused := pool.PausedFor.Truncate(time.Minute); paused > 0 {
			c.write(nodeIndent + "paused for " + c.clock().short(paused))
		}
	}
	if more := len(c.Pools) - len(shown); more > 0 {
		c.write("and " + plural(more, "more pool"))
	}
}

// episodes writes the causes that need attention, and with details all health insights.
func (c *chart) episodes() {
	shown := slices.DeleteFunc(slices.Clone(c.Episodes), func(one timeline.Episode) bool {
		return !c.Details.include(DetailsHealth) && (one.IsCaused || !insight.NeedsAttention(one.Level))
	})
	if len(c.Episodes) == 0 {
		return
	}
	if limit := c.limit(10, DetailsHealth); len(shown) > limit {
		worst := slices.Clone(shown)
		slices.SortStableFunc(worst, func(a, b timeline.Episode) int {
			return cmp.Compare(insight.LevelRank(b.Level), insight.LevelRank(a.Level))
		})
		least := insight.LevelRank(worst[limit-1].Level)
		shown = slices.DeleteFunc(shown, func(one timeline.Episode) bool { return insight.LevelRank(one.Level) < least })
		shown = shown[:min(len(shown), limit)]
	}
	for _, one := range shown {
		c.lane("! "+OneLine(string(one.Level)), one.Lane)
		name := one.Name
		if c.Width > 0 && !c.Details.include(DetailsHealth) {
			name = c.cutTo(OneLine(name), c.Width-len(nodeIndent))
		}
		c.labelled("", len(nodeIndent), name)
	}
	if more := len(c.Episodes) - len(shown); more > 0 {
		c.write("and " + plural(more, "more health insight"))
	}
}

// legend writes what the characters mean that are not plain.
func (c *chart) legend() {
	var words []string
	for _, one := range []struct {
		cell rune
		word string
	}{
		{'D', "draining"},
		{'U', "updating"},
		{'R', "rebooting"},
		{cellOpen, "in progress"},
		{cellEnd, "ended; start unknown"},
		{cellGap, "not observed"},
		{cellHidden, "in progress, not observed"},
	} {
		if c.used[one.cell] {
			words = append(words, string(one.cell)+" "+one.word)
		}
	}
	if len(words) > 0 {
		c.line("%s", strings.Join(words, ", "))
	}
}
