package describe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// Screen returns the lines of an update for a terminal with a number of rows: what matters most first, and in the last line how
// much does not fit. Options.Head must be set. Notices are what keeps the screen from being up to date; they come first, with what the
// controller left out.
func Screen(u *update.Update, options Options, notices []string, rows int) []string {
	s := &screen{page: page{Options: options, hasBars: true}, rows: rows}
	u = u.Sorted()
	s.add("", s.lines(func(p *page) {
		for _, notice := range slices.Concat(notices, leftOut(u)) {
			p.line("! %s", OneLine(notice))
		}
		for _, line := range p.title() {
			p.line("%s", OneLine(line))
		}
	}))
	others := s.addProblems(u)
	if isUnderway(options.Head) {
		s.addProgress(u)
	}
	s.addBlocks("problem", others)
	return s.result()
}

// screen collects blocks of lines until the rows are full.
type screen struct {
	page

	rows  int
	shown []string
	// omitted are the numbers of blocks that do not fit, by what they are, in their order.
	omitted []count
}

// lines returns what write adds to a page.
func (s *screen) lines(write func(p *page)) []string {
	p := page{Options: s.Options, hasBars: s.hasBars}
	write(&p)
	text := strings.TrimSuffix(p.text.String(), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// add adds a block of lines that belong together. If it does not fit, neither does what follows. A block without a name is not
// counted then.
func (s *screen) add(name string, block []string) {
	if len(block) == 0 {
		return
	}
	// The last row is for what is left out.
	if len(s.omitted) == 0 && len(s.shown)+len(block) < s.rows {
		s.shown = append(s.shown, block...)
		return
	}
	s.omit(name, 1)
}

// omit counts what does not fit.
func (s *screen) omit(name string, number int) {
	if len(s.omitted) == 0 || s.omitted[len(s.omitted)-1].what != name {
		s.omitted = append(s.omitted, count{what: name})
	}
	s.omitted[len(s.omitted)-1].number += int32(number)
}

func (s *screen) addBlocks(name string, blocks [][]string) {
	for _, block := range blocks {
		s.add(name, block)
	}
}

// result returns the lines, at most as many as there are rows.
func (s *screen) result() []string {
	var more []string
	for _, one := range s.omitted {
		if one.what != "" {
			more = append(more, plural(int(one.number), one.what))
		}
	}
	if len(more) > 0 {
		s.shown = append(s.shown, s.cutTo(s.ellipsis()+" and "+strings.Join(more, ", "), cmp.Or(s.Width, 80)))
	}
	return s.shown
}

func plural(number int, what string) string {
	if number == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", number, what)
}

// share returns how many rows something may take that could fill the screen.
func (s *screen) share(of int) int {
	return max(2, s.rows/of)
}

// addProblems adds the worst causes with what to do about them, and returns the others. The worst has four lines, since what a host says
// of it often ends with what matters, the others two.
func (s *screen) addProblems(u *update.Update) (others [][]string) {
	all := u.NeedAttention()
	foremost := causes.Foremost(all, s.share(8))
	for at, group := range all {
		most := 2
		if at == 0 {
			most = 4
		}
		since := s.clock().suffix(group.CountConsequences(), startOfGroup(group))
		block := s.lines(func(p *page) {
			p.labelled("!", 2, p.colored("level", OneLine(string(group.Level())))+": "+OneLine(group.Summary()+since))
		})
		if len(block) > most {
			// Since when is told whatever the summary is.
			block = append(block[:most-1], s.cutTo(block[most-1]+" "+s.ellipsis(), max(s.Width, minMessageWidth)-width(since))+since)
		}
		if slices.ContainsFunc(foremost, func(one causes.Group) bool { return one.Members[0].UID == group.Members[0].UID }) {
			block = append(block, s.firstStep(group)...)
			s.add("problem", block)
		} else {
			others = append(others, block)
		}
	}
	return others
}

// firstStep returns lines with the first command that helps, nothing if there is none.
func (s *screen) firstStep(group causes.Group) []string {
	steps := nextSteps(group)
	if len(steps) == 0 {
		return nil
	}
	return s.stepLines("  → ", steps[0])
}

// addProgress adds what the update waits for, the control plane, the pools, and the nodes, the worst first.
func (s *screen) addProgress(u *update.Update) {
	s.add("", s.lines(func(p *page) {
		for _, row := range p.headRows(updatingOperators(&u.ControlPlane)...) {
			p.row(row.Label, row.Value)
		}
	}))
	pools, nodes := s.pools(u), s.unfinishedNodes(u)
	room := s.rows - 1 - len(s.shown)
	others := s.addTable(pools, max(1+s.share(6), room-linesOf(nodes.first(&s.page, len(nodes.rows)))))
	s.omitRows("node", s.addTable(nodes, s.rows))
	s.omitRows("pool", others)
}

func linesOf(rows [][]string) int {
	lines := 0
	for _, row := range rows {
		lines += len(row)
	}
	return lines
}

// addTable adds the first rows of a table that fit into a number of lines and the screen, below the header, and returns the others. The
// columns have the width for the rows that are added.
func (s *screen) addTable(c compact, lines int) (others []compactRow) {
	lines = min(lines, s.rows-1-len(s.shown))
	if len(s.omitted) > 0 {
		lines = 0
	}
	for number := min(len(c.rows), lines); number > 0; number-- {
		rows := c.first(&s.page, number)
		if linesOf(rows) <= lines {
			s.shown = append(s.shown, slices.Concat(rows...)...)
			return c.rows[number:]
		}
	}
	return c.rows
}

func (s *screen) omitRows(name string, rows []compactRow) {
	if len(rows) > 0 {
		s.omit(name, numberOf(rows))
	}
}
