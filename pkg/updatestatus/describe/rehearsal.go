package describe

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/rehearsal"
)

// orderedNodes is how many nodes of a pool a rehearsal names in their order.
const orderedNodes = 3

// WriteRehearsal writes how an update would go.
func WriteRehearsal(w io.Writer, r *rehearsal.Rehearsal, options Options) error {
	p := &page{Options: options, isNew: true}
	for _, notice := range r.Notices {
		p.line("%s", notice)
	}
	p.line("%s", rehearsalTitle(r))
	for _, row := range rehearsalRows(p.clock(), r) {
		p.row(row.Label, row.Value)
	}
	if len(r.Pools) > 0 {
		p.table(rehearsedPools(r), options.Width)
	}
	for _, group := range r.Problems {
		mark := "- "
		if group.NeedsAttention() {
			mark = "! "
		}
		p.labelled(mark, len(mark), p.colored("level", string(group.Level()))+": "+OneLine(group.Summary())+consequences(group.CountConsequences()))
		for _, next := range nextSteps(group) {
			p.step("  → ", next)
		}
	}
	if len(r.Problems) == 0 {
		p.line("Nothing that is known would hold it up.")
	}
	for _, row := range orderRows(r) {
		p.row(row.Label, row.Value)
	}
	if r.Until != nil {
		p.until(r.Until)
	}
	return p.flush(w)
}

// rehearsalTitle returns how long an update would take, and where that is from.
func rehearsalTitle(r *rehearsal.Rehearsal) string {
	versions := fmt.Sprintf("An update %sto %s", from(r.Versions.Previous), r.Versions.Target)
	basis := "by the rule of thumb, as no earlier update is recorded"
	if r.Records > 0 {
		basis = "from " + insight.Count(int(r.Records), "earlier update")
		if r.IsOtherKind {
			basis += " of the other kind"
		}
	}
	return fmt.Sprintf("%s would take %s (8 of 10; %s)", versions, rangeText(r.Takes), basis)
}

// toFiveMinutes is from how long on a range is rounded to five minutes: it is no better known.
const toFiveMinutes = 20 * time.Minute

func rangeText(r estimate.Range) string {
	least, most := roundedTo(r.Least()), roundedTo(r.Most())
	if least == most {
		return "about " + least
	}
	return least + " to " + most
}

func roundedTo(d time.Duration) string {
	unit := 5 * time.Minute
	if d < toFiveMinutes {
		unit = time.Minute
	}
	return Duration(max(d.Round(unit), 0))
}

func rehearsalRows(c clock, r *rehearsal.Rehearsal) []Row {
	finish := fmt.Sprintf("done between %s and %s UTC", c.timeOfDay(r.StartedAt.Add(r.Takes.Least())), c.timeOfDay(r.StartedAt.Add(r.Takes.Most())))
	if len(r.NotUpdated) > 0 {
		finish += ", without " + strings.Join(r.NotUpdated, ", ")
	}
	return []Row{{"Started now", finish}, {"Control plane", rangeText(r.ControlPlane)}}
}

func rehearsedPools(r *rehearsal.Rehearsal) *table {
	t := newTable("POOL", "NODES", "AT A TIME", "TAKES", "FROM", "WHAT WOULD HOLD IT UP")
	for _, pool := range r.Pools {
		takes, starts := "never", "-"
		switch {
		case pool.Takes != nil:
			takes, starts = rangeText(*pool.Takes), rangeText(*pool.Starts)
		case !pool.IsPaused && pool.IsDegraded:
			takes = "unknown"
		}
		t.add(pool.Name, strconv.Itoa(int(pool.Nodes)), atATime(pool), takes, starts, holdsUp(pool))
	}
	return t
}

func atATime(pool rehearsal.Pool) string {
	if pool.Places < pool.AtATime {
		return fmt.Sprintf("%d of %d", pool.Places, pool.AtATime)
	}
	return strconv.Itoa(int(pool.AtATime))
}

// holdsUp returns what would hold up a pool, "-" if nothing would.
func holdsUp(pool rehearsal.Pool) string {
	var all []string
	add := func(is bool, what string) {
		if is {
			all = append(all, what)
		}
	}
	add(pool.IsPaused, "paused")
	add(pool.IsDegraded, "degraded")
	add(pool.Places == 0, "nodes are unavailable")
	add(len(pool.WillNotDrain) > 0, insight.Count(len(pool.WillNotDrain), "drain"))
	add(len(pool.Skipped) > 0, insight.Count(len(pool.Skipped), "node")+" not updated")
	add(pool.BuildsImage, "its image is built first")
	if len(all) == 0 {
		return "-"
	}
	return strings.Join(all, ", ")
}

// orderRows returns the first nodes of each pool that would be updated.
func orderRows(r *rehearsal.Rehearsal) []Row {
	var rows []Row
	label := "Order"
	for _, pool := range r.Pools {
		if pool.Takes == nil || len(pool.Order) < 2 {
			continue
		}
		text := strings.Join(pool.Order[:min(len(pool.Order), orderedNodes)], ", ")
		if more := len(pool.Order) - orderedNodes; more > 0 {
			text += fmt.Sprintf(", then %d more", more)
		}
		rows = append(rows, Row{label, fmt.Sprintf("%s: %s (may change)", pool.Name, text)})
		label = ""
	}
	return rows
}

// WriteUntil writes how far an update in progress is at a moment.
func WriteUntil(w io.Writer, until *rehearsal.Until, options Options) error {
	p := &page{Options: options, isNew: true}
	p.until(until)
	return p.flush(w)
}

var untilTexts = map[rehearsal.Answer]string{
	rehearsal.Yes: "the whole update is complete", rehearsal.No: "the whole update is not complete",
	rehearsal.Perhaps: "the whole update may or may not be complete", rehearsal.Unknown: "whether the whole update is complete is not known",
}

func (p *page) until(until *rehearsal.Until) {
	c := p.clock()
	p.row("By "+c.timeOfDay(until.At.Time), untilTexts[until.IsComplete]+" (UTC)")
	if len(until.Pools) == 0 {
		return
	}
	t := newTable("POOL", "UPDATED BY THEN", "PAUSE BY", "THEN IN PROGRESS UNTIL")
	for _, pool := range until.Pools {
		by, inProgress := "-", "-"
		if pool.PauseBy != nil {
			by, inProgress = c.timeOfDay(pool.PauseBy.Time), c.timeOfDay(pool.InProgressUntil.Time)
		}
		if pool.IsLate {
			by = "too late"
		}
		t.add(pool.Name, countText(pool), by, inProgress)
	}
	p.table(t, p.Width)
	for _, pool := range until.Pools {
		if pool.Pause != nil {
			p.step("→ ", step{commandWords(*pool.Pause), true})
		}
	}
}

// PauseSoon returns that a pool has to be paused soon, so that none of its nodes is in progress at the end of a window.
func PauseSoon(pool rehearsal.PoolUntil, end, now time.Time) string {
	c, command := clock{now: now}, ""
	if pool.Pause != nil {
		command = ": " + step{words: commandWords(*pool.Pause)}.String()
	}
	if pool.IsLate {
		return fmt.Sprintf("It is too late to pause pool %s: a node may be in progress at %s UTC, and until %s%s", pool.Name, c.timeOfDay(end), c.timeOfDay(pool.InProgressUntil.Time), command)
	}
	return fmt.Sprintf("Pause pool %s by %s to have no node in progress at %s UTC%s", pool.Name, c.timeOfDay(pool.PauseBy.Time), c.timeOfDay(end), command)
}

func countText(pool rehearsal.PoolUntil) string {
	if pool.LeastNodes == pool.MostNodes {
		return fmt.Sprintf("%d of %d", pool.LeastNodes, pool.Nodes)
	}
	return fmt.Sprintf("%d to %d of %d", pool.LeastNodes, pool.MostNodes, pool.Nodes)
}

// WriteRehearsalMarkdown writes the same as Markdown, for tickets.
func WriteRehearsalMarkdown(w io.Writer, r *rehearsal.Rehearsal, options Options) error {
	options.Width, options.Color, options.ASCII = 0, false, false
	var text strings.Builder
	if err := WriteRehearsal(&text, r, options); err != nil {
		return err
	}
	p := &page{Options: options, isNew: true}
	p.line("### %s", escaped(rehearsalTitle(r)))
	p.text.WriteString("\n```\n" + text.String() + "```\n") // none of its lines begins with a text of the cluster
	return p.flush(w)
}

// RehearsalRow returns the rehearsal of a cluster in one line.
func RehearsalRow(r *rehearsal.Rehearsal) []string {
	var nodes int32
	for _, pool := range r.Pools {
		nodes += pool.Nodes
	}
	number, worst := 0, "-"
	for _, group := range r.Problems {
		if group.NeedsAttention() {
			number++
		}
	}
	if number > 0 {
		worst = fmt.Sprintf("%s (%d)", r.Problems[0].Level(), number)
	}
	return []string{OneLine(r.Versions.Previous), OneLine(r.Versions.Target), rangeText(r.Takes), rangeText(r.ControlPlane), strconv.Itoa(int(nodes)), worst}
}

// WriteRehearsals writes clusters below each other. A row is that of RehearsalRow, nil for a cluster that can't be rehearsed.
func WriteRehearsals(w io.Writer, names []string, rows [][]string) error {
	return writeFleet(w, []string{"CONTEXT", "FROM", "TO", "TAKES", "CONTROL PLANE", "NODES", "WHAT WOULD HOLD IT UP"}, names, rows)
}
