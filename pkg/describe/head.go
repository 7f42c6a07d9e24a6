package describe

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/causes"
	"github.com/openshift/cluster-version-operator/pkg/summary"
	"github.com/openshift/cluster-version-operator/pkg/update"
)

// headWidth is the column of the values of the head.
const headWidth = len("Waiting for  ")

// headAttention is how many health insights the head has.
const headAttention = 2

// WriteHead writes the notices and the update of the whole cluster in a few lines, without the sections. Options.Head must be set.
func WriteHead(w io.Writer, us *updatev1alpha1.UpdateStatus, options Options) error {
	p := &page{Options: options, isHeadOnly: true}
	u := read(us, options.Now)
	p.writeNotices(u)
	writeHead(p, u)
	return p.flush(w)
}

// writeHead writes the update of the whole cluster in a few lines, nothing in the classic text. What needs attention, and what to do about
// it, comes right after the title, so that it is in the first three lines.
func writeHead(p *page, u *update.Update) {
	if p.Head == nil {
		return
	}
	for _, line := range p.title() {
		p.line("%s", OneLine(line))
	}
	p.attention(u)
	for _, row := range p.headRows() {
		p.row(row.Label, row.Value)
	}
	if isUnderway(p.Head) && !p.isHeadOnly {
		p.blank()
	}
}

// headRows returns the values of the head, those that are not known empty.
func (p *page) headRows() []Row {
	var rows []Row
	if p.AsOf != "" {
		rows = append(rows, Row{"As of", fmt.Sprintf("%s, %s", p.Now.UTC().Format(time.RFC3339), p.AsOf)})
	}
	if !isUnderway(p.Head) {
		return rows
	}
	rows = append(rows, p.clock().tracks(p.Head.ControlPlane)...)
	return append(rows,
		Row{"Operators", operatorsIn(p.Head.ControlPlane)}, Row{"Nodes", nodesIn(p.Head)},
		Row{"Waiting for", p.Head.WaitingFor}, Row{"Finish", p.clock().expected(p.Head)})
}

// tracks returns how far the two parts of the control plane of a hosted cluster are, nothing for another one.
func (c clock) tracks(cp *updatev1alpha1.ControlPlaneSummary) []Row {
	if cp == nil || cp.Management == nil && cp.DataPlane == nil {
		return nil
	}
	return []Row{{"Management", c.track(cp.Management)}, {"Data plane", c.track(cp.DataPlane)}}
}

// track returns how far a track is, and since when.
func (c clock) track(track *updatev1alpha1.ControlPlaneTrack) string {
	if track == nil {
		return "unknown, the HostedCluster does not report it"
	}
	text := cmp.Or(track.Version, "a release of unknown version") + ", " + strings.ToLower(string(track.State))
	switch {
	case track.CompletedAt != nil:
		text += " at " + c.timeOfDay(track.CompletedAt.Time) + " UTC"
	case track.StartedAt != nil:
		text += c.forHowLong(track.StartedAt)
	}
	return text
}

// row adds a value to the head, nothing if it is empty.
func (p *page) row(label, value string) {
	if value != "" {
		p.labelled(label, headWidth, OneLine(value))
	}
}

// Head returns the summary of an UpdateStatus from which nothing is left out, for Options.Head.
func Head(us *updatev1alpha1.UpdateStatus, now time.Time) *updatev1alpha1.UpdateStatusSummaryStatus {
	return summary.Of(summary.Input{Update: update.Read(withKnownTimes(us, now)), Now: now})
}

// attention writes the first health insights, the first one with what to do, and how many there are besides.
func (p *page) attention(u *update.Update) {
	label := "Attention"
	for at, one := range p.Head.Attention[:min(headAttention, len(p.Head.Attention))] {
		p.labelled(label, headWidth, p.colored("level", OneLine(string(one.Level)))+": "+OneLine(one.Summary+p.clock().suffix(int(one.Consequences), one.Since)))
		label = ""
		if steps := stepsFor(u, one.UID); at == 0 && len(steps) > 0 {
			p.write(strings.Repeat(" ", headWidth) + "→ " + steps[0])
		}
	}
	if more := len(p.Head.Attention) - headAttention; more > 0 {
		text := fmt.Sprintf("and %s more", atLeast(more, p.Head))
		if !p.isHeadOnly {
			text += ", see Update Health"
		}
		p.row(label, text)
	}
}

// stepsFor returns what to do about a problem, nothing if it is not known.
func stepsFor(u *update.Update, uid string) []string {
	at := slices.IndexFunc(u.Problems, func(group causes.Group) bool { return group.Members[0].UID == uid })
	if at < 0 {
		return nil
	}
	return nextSteps(u.Problems[at])
}

// atLeast returns a number of causes that need attention, of which a summary may not list all.
func atLeast(number int, s *updatev1alpha1.UpdateStatusSummaryStatus) string {
	if len(s.Attention) == updatev1alpha1.SummaryMaxAttention {
		return fmt.Sprintf("at least %d", number)
	}
	return strconv.Itoa(number)
}
