package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed page.md
var words string

// page is docs/updatestatus/estimates.md.
func page(rows []row, measured *measuredRanges, rehearsed *measuredRehearsals) string {
	return strings.NewReplacer(
		"{{times}}", strings.TrimSpace(listTimes()),
		"{{runs}}", strconv.Itoa(runs),
		"{{looks}}", strconv.Itoa(runs*len(shares)),
		"{{table}}", strings.TrimSpace(table(rows)),
		"{{sequenceRuns}}", strconv.Itoa(sequenceRuns),
		"{{updateSigma}}", fmt.Sprint(100*updateSigma),
		"{{ranges}}", strings.TrimSpace(rangesTable(measured)),
		"{{rehearsedUpdates}}", strconv.Itoa(rehearsedUpdates), "{{shapes}}", strconv.Itoa(len(shapes())),
		"{{rehearsals}}", strings.TrimSpace(rehearsed.table()),
		"{{faults}}", strconv.Itoa(rehearsed.faults.of), "{{named}}", strconv.Itoa(rehearsed.faults.yes), "{{kinds}}", strconv.Itoa(len(faults)),
	).Replace(words)
}

func listTimes() string {
	var list strings.Builder
	for _, one := range times() {
		var phases []string
		for _, phase := range []struct {
			takes Spread
			verb  string
		}{{one.Drain, "drain"}, {one.Update, "update"}, {one.Reboot, "reboot"}} {
			if phase.takes.Median > 0 {
				phases = append(phases, phase.takes.String()+" to "+phase.verb)
			}
		}
		fmt.Fprintf(&list, "- %s: %s", one.Name, strings.Join(phases, ", "))
		if one.Slow > 0 {
			fmt.Fprintf(&list, "; %.0f %% of the drains take %.0f to %.0f minutes", 100*one.Slow, one.SlowFrom.Minutes(), one.SlowTo.Minutes())
		}
		list.WriteString(";\n")
	}
	return strings.TrimSuffix(list.String(), ";\n")
}

// String returns the spread in words.
func (s Spread) String() string {
	if s.Median < time.Minute {
		return fmt.Sprintf("%.0f seconds (%.2g)", s.Median.Seconds(), s.Sigma)
	}
	return fmt.Sprintf("%.0f minutes (%.2g)", s.Median.Minutes(), s.Sigma)
}

func table(rows []row) string {
	var made strings.Builder
	made.WriteString("| times | nodes | at a time | the update took |")
	for _, share := range shares {
		fmt.Fprintf(&made, " at %d %% |", share)
	}
	made.WriteString(" without |\n|---|---|---|---|" + strings.Repeat("---|", len(shares)) + "---|\n")
	for _, one := range rows {
		took := one.took.Round(time.Minute)
		fmt.Fprintf(&made, "| %s | %d | %d | %d h %02d min |%s %d |\n", one.Times.Name, one.Nodes, one.MaxUnavailable,
			int(took.Hours()), int(took.Minutes())%60, errorCells(one.errors), one.without)
	}
	all := together(rows)
	fmt.Fprintf(&made, "| **all of them** | | | |%s %d |\n", errorCells(all.errors), all.without)
	return made.String()
}

func errorCells(errors [][]float64) string {
	var cells strings.Builder
	for _, sorted := range errors {
		fmt.Fprintf(&cells, " %.0f / %.0f |", 100*quantile(sorted, 0.5), 100*quantile(sorted, 0.9))
	}
	return cells.String()
}

// together is what was measured of all scenarios.
func together(rows []row) row {
	all := row{errors: make([][]float64, len(shares))}
	for _, one := range rows {
		for at := range shares {
			all.errors[at] = append(all.errors[at], one.errors[at]...)
		}
		all.without += one.without
	}
	for _, errors := range all.errors {
		slices.Sort(errors)
	}
	return all
}

// rangesTable has, at each of the moments, how many of the ranges covered the end and how wide they were, in percent.
func rangesTable(measured *measuredRanges) string {
	var made strings.Builder
	made.WriteString("| updates |")
	for _, share := range moments {
		fmt.Fprintf(&made, " at %d %% |", share)
	}
	made.WriteString("\n|---|" + strings.Repeat("---|", len(moments)) + "\n")
	add := func(one *ranges) {
		made.WriteString("| " + one.name + " |")
		for at := range moments {
			fmt.Fprintf(&made, " %.0f / %.0f |", 100*one.coverage(at), 100*one.width(at))
		}
		made.WriteString("\n")
	}
	for _, one := range measured.sequences {
		add(one.later)
	}
	for _, one := range []*ranges{measured.first, measured.later, measured.controlPlane, measured.pools} {
		add(one)
	}
	return made.String()
}
