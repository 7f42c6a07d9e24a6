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

Each column is a cluster on a real etcd and kube-apiserver, which test/benchmark starts on the same machine; it runs the
built controller as a process of its own, with whose start, once the binary is read, the cold start begins. Three of the
nodes are masters; nodes have about 10 KB, with their lists of images, and each sends a heartbeat every minute. Rendered
MachineConfigs have 400 KiB as JSON where there are few enough pools. In a cluster of 250 nodes and more the nodes change
their state 30 times a second, in smaller ones less often, in proportion; that is the hard replay. Before, at its begin, all
of them become pending at once, which the table counts as well. The lag of a change is the time from the moment at which the
write of the Node is sent to the moment at which a watcher has a version of the object that shows it. Afterwards nodes
change one by one, %s apart. The controller runs as its Deployment says, with
the rights that manifests/ grant.

The CPU time of kube-apiserver is that with the controller, and with the one watcher that measures, less that of the same
replay without both; where that was not played, as for clusters of odd shapes, there is a dash. It depends on the machine:
how fast this one was then, the CPU time for the replay alone tells. Each write is one of the whole object, and a shorter lag
takes more of them: the table says what kube-apiserver needs for each KiB that is written, and with how much its bound would
be met. A bound is in parentheses; one that is missed is bold.

`

// Document is what docs/benchmark.md is made of.
type Document struct {
	Runs     []Run
	Compared Compared
	// Apart says how far apart single changes are.
	Apart string
}

// Write writes the document, and returns how many bounds were missed.
func (d Document) Write(w io.Writer) (missed int, err error) {
	runs := slices.SortedFunc(slices.Values(d.Runs), func(a, b Run) int {
		return cmp.Or(cmp.Compare(a.Shape, b.Shape), cmp.Compare(a.Nodes, b.Nodes))
	})
	var text strings.Builder
	fmt.Fprintf(&text, introduction, d.madeBy(runs), d.Apart)
	ordinary := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.Shape != plain })
	odd := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.Shape == plain })
	missed = section(&text, "Clusters of all sizes", ordinary, func(r Run) string { return fmt.Sprintf("%d nodes", r.Nodes) })
	missed += section(&text, "Odd shapes", odd, func(r Run) string {
		return fmt.Sprintf("%s: %d nodes, %d pools, %d operators", r.Shape, r.Nodes, r.Pools, r.Operators)
	})
	compared(&text, d.Compared)
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

const waysIntroduction = `## Ways to write the status

What a write of the status of UpdateStatus/cluster costs, of 10 nodes that changed, on the average of some writes while
nothing else happens. The controller sends an update, and asks for the metadata as the answer; it watches metadata only. The
feature gate for CBOR is on for all of them, which has kube-apiserver store objects in it.

`

const informersIntroduction = `## Ways to watch nodes

What informers of %d nodes cost: until all nodes are known, and then while each node is changed once. The first line is what
these changes cost without any informer. All that the controller watches has one informer, whoever needs it.

`

// compared tells what was compared.
func compared(text *strings.Builder, measured Compared) {
	if len(measured.Ways) > 0 {
		text.WriteString(waysIntroduction)
		text.WriteString("| Nodes | | Sent | Answered | CPU of kube-apiserver | of etcd | Time |\n|---:|---|---:|---:|---:|---:|---:|\n")
		for _, way := range measured.Ways {
			fmt.Fprintf(text, "| %d | %s | %s | %s | %s | %s | %s |\n", way.Nodes, way.Name, bytes(float64(way.Sent)),
				bytes(float64(way.Answered)), seconds(way.ServerCPU), seconds(way.StoreCPU), seconds(way.Seconds))
		}
		text.WriteString("\n")
	}
	if len(measured.Informers) > 0 {
		fmt.Fprintf(text, informersIntroduction, measured.Informers[0].Nodes)
		text.WriteString("| | Read at first | Read with the changes | CPU of kube-apiserver | CPU of the process | Memory kept |\n|---|---:|---:|---:|---:|---:|\n")
		for _, informer := range measured.Informers {
			fmt.Fprintf(text, "| %s | %s | %s | %s | %s | %s |\n", informer.Name, bytes(float64(informer.Read)),
				bytes(float64(informer.Changes)), seconds(informer.ServerCPU), seconds(informer.CPU), bytes(float64(informer.Heap)))
		}
		text.WriteString("\n")
	}
}
