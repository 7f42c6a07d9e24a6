package report

import (
	"fmt"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/timeline"
)

// Lane is a lane of the timeline.
type Lane struct {
	Name string
	// Level, Tone and IsCaused are those of a health insight.
	Level, Tone string
	IsCaused    bool
	Bars        []Shape
	Marks       []Mark
	// Label names the lane where it stands alone.
	Label string
	// Took is how long it took, and Text what the bars show.
	Took, Text string
}

// Mark is a form at a place.
type Mark struct {
	// Name is the name of the form.
	Name, X, Class, Text string
}

// shortest is the share of the axis below which a bar is hardly visible, and has a mark besides.
const shortest = 0.002

func (c *chart) lanes(all []timeline.Lane) []Lane {
	lanes := make([]Lane, 0, len(all))
	for _, one := range all {
		lanes = append(lanes, c.lane(one))
	}
	return lanes
}

func (c *chart) lane(of timeline.Lane) Lane {
	lane := Lane{Name: of.Name, Label: of.Name, Took: of.TookText(describe.Duration)}
	var texts []string
	for _, bar := range of.Bars {
		text := c.barText(bar)
		texts = append(texts, text)
		class := classOf(bar.Phase)
		c.used[class] = true
		if bar.StartUnknown {
			lane.Marks = append(lane.Marks, c.mark(markUnknown, bar, class, text))
		} else {
			lane.Bars = append(lane.Bars, Shape{X: c.percent(bar.From), Width: c.width(bar.Span), Class: class, Text: text})
			if c.Share(bar.To)-c.Share(bar.From) < shortest {
				lane.Marks = append(lane.Marks, c.mark(markShort, bar, class, text))
			}
		}
		if name := endMarks[bar.End]; name != "" {
			lane.Marks = append(lane.Marks, c.mark(name, bar, class, text))
		}
	}
	if len(texts) == 0 {
		texts = []string{"no time is known"}
	}
	lane.Text = strings.Join(texts, "; ")
	return lane
}

// mark returns a mark at the end of a bar.
func (c *chart) mark(name string, bar timeline.Bar, class, text string) Mark {
	c.used[name] = true
	return Mark{Name: name, X: c.percent(bar.To), Class: class, Text: text}
}

// recolor gives the bars and marks of a lane another class.
func (l *Lane) recolor(class string) {
	for at := range l.Bars {
		l.Bars[at].Class = class
	}
	for at := range l.Marks {
		l.Marks[at].Class = class
	}
}

// endMarks are the marks of ends that were not observed.
var endMarks = map[timeline.End]string{timeline.EndBy: markBy, timeline.EndOpen: markOpen, timeline.EndNever: markNever}

// classOf returns the class of a phase, or of what has none. A phase of a newer controller looks like what has none.
func classOf(phase updatev1alpha1.NodeUpdatePhase) string {
	switch phase {
	case updatev1alpha1.PhaseDraining, updatev1alpha1.PhaseUpdating, updatev1alpha1.PhaseRebooting:
		return strings.ToLower(string(phase))
	default:
		return classRunning
	}
}

// startText returns when a bar started.
func (c *chart) startText(bar timeline.Bar) string {
	if bar.StartObserved {
		return c.timeText(bar.Started) + " or before"
	}
	return c.timeText(bar.Started)
}

// barText returns a bar as text: "Draining 14:03:10 to 14:06:12 (3m2s)".
func (c *chart) barText(bar timeline.Bar) string {
	phase := ""
	if bar.Phase != "" {
		phase = string(bar.Phase) + " "
	}
	from, to, took := c.startText(bar), c.timeText(bar.To), describe.Duration(bar.To.Sub(bar.Started))
	switch {
	case bar.StartUnknown && bar.End == timeline.EndBy:
		return fmt.Sprintf("%sended at %s or before; start unknown", phase, to)
	case bar.StartUnknown:
		return fmt.Sprintf("%sended at %s; start unknown", phase, to)
	case bar.End == timeline.EndBy:
		return fmt.Sprintf("%s%s to %s at the latest (at most %s)", phase, from, to, took)
	case bar.End == timeline.EndOpen:
		return fmt.Sprintf("%ssince %s (%s so far)", phase, from, took)
	case bar.End == timeline.EndNever:
		return fmt.Sprintf("%ssince %s, not completed before the end of the update (%s)", phase, from, took)
	default:
		return fmt.Sprintf("%s%s to %s (%s)", phase, from, to, took)
	}
}
