package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

const introduction = `<!-- Made by make benchmark from the runs in docs/benchmark. -->
# Benchmark

%s

Each column is a cluster on a real etcd and kube-apiserver on the same machine; the controller runs as its Deployment says,
with the permissions of manifests/. Three of the nodes are masters; nodes have about 10 KB, and each kubelet posts an
unchanged status every five minutes. In the hard replay all nodes become pending at once, then 30 nodes change their state
each second (in clusters of less than 250 nodes fewer, in proportion), far more than in a real update. Afterwards nodes change
one at a time, %s apart. The lag of a change is the time from
sending the write of the Node until a watcher receives a version of the object that shows it.

The CPU time of kube-apiserver is that with the controller and the one watcher that measures, less that of the same replay
without both, which is played for plain clusters only. A bound is in parentheses; a missed one is bold.%s
The files in docs/benchmark/ hold more figures of each run, and [decisions.md](decisions.md) what was compared.

`

// latest is how late a write of the replay may be, in seconds: beyond it the machine was too slow for the replay.
const latest = 2

// slow says in which runs the machine was too slow.
func slow(runs []Run) string {
	var late []string
	for _, run := range runs {
		if run.Hard.Behind > latest {
			late = append(late, fmt.Sprintf("%s with %d nodes (%s)", run.Shape, run.Nodes, seconds(run.Hard.Behind)))
		}
	}
	if len(late) == 0 {
		return ""
	}
	return " The\nmachine was too slow for the hard replay in some runs, whose writes were late by up to:\n" + strings.Join(late, ", ") + "."
}

// Document is what docs/benchmark.md is made of.
type Document struct {
	Runs []Run
	// Apart says how far apart single changes are.
	Apart string
}

// Write writes the document, and returns how many bounds were missed.
func (d Document) Write(w io.Writer) (missed int, err error) {
	runs := slices.SortedFunc(slices.Values(d.Runs), func(a, b Run) int {
		return cmp.Or(cmp.Compare(a.Shape, b.Shape), cmp.Compare(a.Nodes, b.Nodes))
	})
	var text strings.Builder
	fmt.Fprintf(&text, introduction, d.madeBy(runs), d.Apart, slow(runs))
	ordinary := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.Shape != plain })
	odd := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.Shape == plain })
	missed = section(&text, "Clusters of all sizes", ordinary, func(r Run) string { return fmt.Sprintf("%d nodes", r.Nodes) })
	missed += section(&text, "Odd shapes", odd, func(r Run) string {
		return fmt.Sprintf("%s: %d nodes, %d pools, %d operators", r.Shape, r.Nodes, r.Pools, r.Operators)
	})
	if _, err := io.WriteString(w, strings.TrimSuffix(text.String(), "\n")); err != nil {
		return missed, fmt.Errorf("writing the table: %w", err)
	}
	return missed, nil
}

// madeBy says on what the runs were made.
func (d Document) madeBy(runs []Run) string {
	var machines []string
	for _, run := range runs {
		machine := fmt.Sprintf("%d cores, %s", run.Cores, run.Go)
		if !slices.Contains(machines, machine) {
			machines = append(machines, machine)
		}
	}
	return fmt.Sprintf("Made by `make benchmark` on %s.", strings.Join(machines, "; "))
}

func section(text *strings.Builder, title string, runs []Run, head func(Run) string) (missed int) {
	if len(runs) == 0 {
		return 0
	}
	fmt.Fprintf(text, "## %s\n\n|", title)
	for _, run := range runs {
		fmt.Fprintf(text, " | %s", head(run))
	}
	fmt.Fprintf(text, " |\n|---%s|\n", strings.Repeat("|---:", len(runs)))
	for _, row := range rows() {
		fmt.Fprintf(text, "| %s", row.name)
		for _, run := range runs {
			cell, kept := row.cell(run)
			if !kept {
				missed++
			}
			fmt.Fprintf(text, " | %s", cell)
		}
		text.WriteString(" |\n")
	}
	text.WriteString("\n")
	return missed
}
