package report

import (
	"fmt"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/timeline"
)

// Chart is a timeline.
type Chart struct {
	// Span says from when to when it is.
	Span  string
	Ticks []Tick
	Gaps  []Shape
	// IsLive is whether its end is now.
	IsLive bool
	Legend []Legend
	Groups []Group
}

// Tick is a mark on the axis. X is its place in percent, as all positions are.
type Tick struct {
	X, Text string
	// Align is where the text is: start, middle or end of the mark.
	Align string
	// IsMinor is whether the text has no place on a narrow page.
	IsMinor bool
}

// Shape is a rectangle in percent.
type Shape struct {
	X, Y, Width, Height string
	Class               string
	// Text is shown when the pointer is on it.
	Text string
}

// Legend is what a form or a color means.
type Legend struct {
	// Mark is the name of a mark, empty for a color.
	Mark, Class, Text string
}

// Group is what is below a heading.
type Group struct {
	Title, Note string
	// Whole is the lane of the whole group, nil if there is none.
	Whole *Lane
	// Area is that of a large pool.
	Area  *Area
	Lanes []Lane
	// Below says which of the nodes of a large pool have a lane.
	Below string
	// Folded is what the lanes are called that are not shown before they are asked for, empty if they are shown.
	Folded string
}

// maxOpenLanes is how many nodes of a pool are shown without being asked for.
const maxOpenLanes = 20

// slowestNodes is how many nodes are named below the area of a large pool.
const slowestNodes = 10

// maxTicks is about how many marks the axis has.
const maxTicks = 8

// chart is a chart that is made.
type chart struct {
	*timeline.Timeline
	*Chart

	// used are the marks and colors that need a word in the legend.
	used map[string]bool
}

func newChart(t *timeline.Timeline) *Chart {
	c := &chart{Timeline: t, Chart: &Chart{}, used: map[string]bool{}}
	c.Span = fmt.Sprintf("%s to %s UTC, %s", dayAndTime(t.Start), dayAndTime(t.End), describe.Duration(t.End.Sub(t.Start)))
	c.IsLive = t.InProgress
	c.addTicks()
	for _, gap := range t.Gaps {
		c.Chart.Gaps = append(c.Chart.Gaps, Shape{X: c.percent(gap.From), Width: c.width(gap), Text: c.spanText(gap)})
	}
	whole := c.lane(t.ControlPlane)
	c.addGroup(Group{Title: "Control plane", Note: insight.Count(len(t.Operators), "operator"), Whole: &whole, Lanes: c.lanes(t.Operators)})
	for _, pool := range t.Pools {
		c.addGroup(c.pool(pool))
	}
	var episodes []Lane
	for _, episode := range t.Episodes {
		lane := c.lane(episode.Lane)
		lane.Took = episode.TookText(describe.Rounded) // as the texts of health insights have it
		lane.Level, lane.Tone, lane.IsCaused = insight.OneLine(string(episode.Level)), toneOf(string(episode.Level)), episode.IsCaused
		lane.Label = lane.Level + ": " + lane.Name
		lane.recolor(lane.Tone)
		episodes = append(episodes, lane)
	}
	if len(episodes) > 0 {
		c.addGroup(Group{Title: "Health", Note: insight.Count(len(episodes), "health insight"), Lanes: episodes})
	}
	c.addLegend()
	return c.Chart
}

func (c *chart) addGroup(group Group) {
	c.Groups = append(c.Groups, group)
}

// pool returns the lanes of a pool and of its nodes, of a large one those that took longest.
func (c *chart) pool(pool timeline.Pool) Group {
	whole := c.lane(pool.Lane)
	whole.Label = "Pool " + pool.Name
	group := Group{Title: "Pool " + pool.Name, Note: insight.Count(pool.Size, "node"), Whole: &whole}
	if pool.PausedFor > 0 {
		group.Note += ", paused for " + describe.Duration(pool.PausedFor)
	}
	nodes := pool.Nodes
	if len(pool.Progress) > 0 {
		group.Area = c.area(pool)
		nodes = timeline.Slowest(nodes, slowestNodes)
	}
	group.Lanes = c.lanes(nodes)
	if len(nodes) > maxOpenLanes {
		group.Folded = fmt.Sprintf("%d nodes, by their start", len(nodes))
	}
	if len(nodes) < pool.Size && len(nodes) > 0 && len(pool.Progress) > 0 {
		group.Below = fmt.Sprintf("The %s that took longest, by their start:", insight.Count(len(nodes), "node"))
	}
	return group
}

// addTicks adds the marks of the axis, those with a text that is not in the way of the one before or of the word now.
func (c *chart) addTicks() {
	for at, timeText := range c.Timeline.Ticks(maxTicks) {
		share := c.Share(timeText)
		tick := Tick{X: percent(share), Text: tickText(timeText.UTC()), Align: "middle", IsMinor: at%2 == 1 || c.IsLive && share > 0.84}
		switch {
		case share < 0.02:
			tick.Align = "start"
		case c.IsLive && share > 0.94:
			tick.Text = ""
		case share > 0.98:
			tick.Align = "end"
		}
		c.Chart.Ticks = append(c.Chart.Ticks, tick)
	}
}

// tickText returns the time of a mark, at midnight the day.
func tickText(at time.Time) string {
	if text := at.Format("15:04"); text != "00:00" {
		return text
	}
	return at.Format("Jan 2")
}

// percent returns where a moment is on the axis.
func (c *chart) percent(at time.Time) string {
	return percent(c.Share(at))
}

func (c *chart) width(span timeline.Span) string {
	return percent(c.Share(span.To) - c.Share(span.From))
}

// percent writes a share with enough digits for a page of any width.
func percent(share float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.4f", share*100), "0"), ".") + "%"
}

// timeText returns a time, with its day where the timeline has several or it is of another one.
func (c *chart) timeText(at time.Time) string {
	isOneDay := func(other time.Time) bool {
		return c.Start.UTC().Format(time.DateOnly) == other.UTC().Format(time.DateOnly)
	}
	if !isOneDay(c.Timeline.End) || !isOneDay(at) {
		return at.UTC().Format("Jan 2 15:04:05")
	}
	return at.UTC().Format(time.TimeOnly)
}

func (c *chart) spanText(span timeline.Span) string {
	return fmt.Sprintf("%s to %s (%s)", c.timeText(span.From), c.timeText(span.To), describe.Duration(span.Length()))
}

func dayAndTime(at time.Time) string {
	return at.UTC().Format("2006-01-02 15:04")
}

// The marks at ends that are not known exactly.
const (
	markOpen    = "open"
	markBy      = "by"
	markNever   = "never"
	markUnknown = "unknown-start"
	markShort   = "short"
)

// classGap is the color of what was not observed, and classRunning that of what is not a node.
const (
	classGap     = "gap"
	classRunning = "running"
)

func (c *chart) addLegend() {
	for _, one := range []Legend{
		{"", classRunning, "in progress"},
		{"", classOf(updatev1alpha1.PhaseDraining), "node draining"},
		{"", classOf(updatev1alpha1.PhaseUpdating), "node updating"},
		{"", classOf(updatev1alpha1.PhaseRebooting), "node rebooting"},
		{"", classCompleted, "nodes completed"},
		{markOpen, classRunning, "goes on"},
		{markBy, classRunning, "ended at this time or before"},
		{markNever, classRunning, "not before the end of the update"},
		{markUnknown, classRunning, "ended; start unknown"},
	} {
		if c.used[one.Mark+one.Class] || one.Mark != "" && c.used[one.Mark] {
			c.Legend = append(c.Legend, one)
		}
	}
	if len(c.Chart.Gaps) > 0 {
		c.Legend = append(c.Legend, Legend{"", classGap, "not observed"})
	}
}
