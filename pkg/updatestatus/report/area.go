package report

import (
	"fmt"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/timeline"
)

// Area is how many nodes of a pool were in which phase over time.
type Area struct {
	Shapes []Shape
	Text   string
}

const classCompleted = "completed"

// area returns the area of a pool with progress. The counts of a moment hold until the next one; the completed ones are at the bottom.
func (c *chart) area(pool timeline.Pool) *Area {
	area := &Area{}
	size := float64(max(pool.Size, 1))
	for at, counts := range pool.Progress {
		until := c.end(pool)
		if at+1 < len(pool.Progress) {
			until = pool.Progress[at+1].At
		}
		span := timeline.Span{From: counts.At, To: until}
		height := 0.0
		for _, part := range []struct {
			class string
			nodes int
		}{
			{classCompleted, counts.Completed}, {"rebooting", counts.Rebooting}, {"updating", counts.Updating}, {"draining", counts.Draining},
		} {
			if part.nodes == 0 || !span.From.Before(span.To) {
				continue
			}
			c.used[part.class] = true
			own := float64(part.nodes) / size
			height += own
			area.Shapes = append(area.Shapes, Shape{
				X: c.percent(span.From), Width: c.width(span), Y: percent(1 - height), Height: percent(own), Class: part.class,
				Text: fmt.Sprintf("%s: %s %s", c.spanText(span), insight.Count(part.nodes, "node"), part.class),
			})
		}
	}
	area.Text = c.areaText(pool)
	return area
}

// end returns up to when the last counts of a pool hold: nothing is known after what was last observed.
func (c *chart) end(pool timeline.Pool) time.Time {
	if len(pool.Bars) > 0 {
		return pool.Bars[len(pool.Bars)-1].To
	}
	return c.Timeline.End
}

// areaText returns when a quarter, half, three quarters and all of the nodes were first seen to be completed, and the last counts.
func (c *chart) areaText(pool timeline.Pool) string {
	text := ""
	next := 1
	for _, counts := range pool.Progress {
		for ; next <= 4 && counts.Completed*4 >= pool.Size*next && pool.Size > 0; next++ {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%d%% of the nodes completed by %s", next*25, c.timeText(counts.At))
		}
	}
	last := pool.Progress[len(pool.Progress)-1]
	if text != "" {
		text += "; "
	}
	return text + fmt.Sprintf("last: %d of %d completed, %d draining, %d updating, %d rebooting",
		last.Completed, pool.Size, last.Draining, last.Updating, last.Rebooting)
}
