package conformance

import (
	"regexp"
	"slices"
	"strings"
)

// difference is something in which our text differs from the recorded one on purpose.
type difference struct {
	// rule says what is different.
	rule string
	// apply changes lines of recorded text to what the rule asks for.
	apply func(lines []string) []string
}

// differences are all of them, in an order in which each finds what it needs.
var differences = []difference{
	{"the messages of nodes are one line in tables", oneLineMessages},
	{"the counts of a pool are always in the same order", countsInOrder},
	{"99.x % is never shown as 100 %", neverRoundedUp},
	{"the continuation lines of descriptions are aligned, without a comma at their start", alignedDescriptions},
	{"health rows of the same level and age are ordered by summary", healthBySummary},
	{"what requires no action is for information", infoIfNoAction},
	{"a node reboots by the annotation that its daemon writes", rebootingNodes},
	{"a recorded text contradicts the files that it was made from", asInTheFiles},
	{"an alert without a runbook has a page all the same", alertPages},
}

// Expected returns what our text has to be where a text was recorded, and the rules by which it differs.
func Expected(recorded string) (text string, rules []string) {
	lines := strings.Split(recorded, "\n")
	for _, d := range differences {
		changed := d.apply(slices.Clone(lines))
		if !slices.Equal(lines, changed) {
			rules = append(rules, d.rule)
		}
		lines = changed
	}
	return strings.Join(lines, "\n"), rules
}

// misrecorded are lines of recorded texts that contradict the recorded objects, and what the objects say.
var misrecorded = map[string]string{
	// 4.15.0-ec2-early: the operator's Progressing condition changed at 15:04:15, which is the moment of evaluation by all
	// other durations of the same text (etcd: 45s since 15:03:30). No time in its files is 6m8s before it.
	"kube-apiserver   6m8s    NodeInstaller   NodeInstallerProgressing: 3 nodes are at revision 274; 0 nodes have achieved new revision 276": "" +
		"kube-apiserver   now     NodeInstaller   NodeInstallerProgressing: 3 nodes are at revision 274; 0 nodes have achieved new revision 276",
}

func asInTheFiles(lines []string) []string {
	for at, line := range lines {
		if right, wrong := misrecorded[line]; wrong {
			lines[at] = right
		}
	}
	return lines
}

// rebooting are nodes of recorded clusters with post-config-action=Rebooting and the state Working: the older client reads a state
// that the daemon never writes.
var rebooting = map[string]bool{
	"ip-10-0-33-81.us-east-2.compute.internal": true, // to-multi-arch
}

// rebootingNodes changes the phase of nodes that reboot.
func rebootingNodes(lines []string) []string {
	var text []string
	for len(lines) > 0 {
		line := lines[0]
		text, lines = append(text, line), lines[1:]
		if !nodeHeader.MatchString(line) {
			continue
		}
		rows, changed := [][]string{strings.Fields(line)}, false
		for at := 0; at < len(lines) && nodeRow.MatchString(lines[at]); at++ {
			row := nodeRow.FindStringSubmatch(lines[at])[1:]
			if rebooting[row[0]] && row[phaseColumn] == "Updating" {
				row[phaseColumn], changed = "Rebooting", true
			}
			rows = append(rows, row)
		}
		if changed {
			text, lines = append(text[:len(text)-1], columns(rows)...), lines[len(rows)-1:]
		}
	}
	return text
}

const (
	phaseColumn = 2
	nodeColumns = 5
	columnGap   = 3
)

var (
	nodeHeader = regexp.MustCompile(`^NAME +ASSESSMENT +PHASE +VERSION +EST +MESSAGE$`)
	nodeRow    = regexp.MustCompile(`^(\S+) +(\S+) +(\S+) +(\S+) +(\+\S+|-|\?) *(.*)$`)
	afterNodes = regexp.MustCompile(`^(\.{3}$|= |Worker Pool Nodes: |$)`)
)

// oneLineMessages joins the lines of messages in tables of nodes. Such a table was in disorder around the message, so
// that its columns are set anew.
func oneLineMessages(lines []string) []string {
	var text []string
	for len(lines) > 0 {
		line := lines[0]
		text, lines = append(text, line), lines[1:]
		if !nodeHeader.MatchString(line) {
			continue
		}
		header, rows, joined := len(text)-1, [][]string{strings.Fields(line)}, false
		for len(lines) > 0 && !afterTable(lines) {
			if row := nodeRow.FindStringSubmatch(lines[0]); row != nil {
				rows = append(rows, row[1:])
			} else {
				last := rows[len(rows)-1]
				last[nodeColumns] = strings.Join(strings.Fields(last[nodeColumns]+" "+lines[0]), " ")
				joined = true
			}
			text, lines = append(text, lines[0]), lines[1:]
		}
		if joined {
			text = append(text[:header], columns(rows)...)
		}
	}
	return text
}

// afterTable is whether a table has ended. A blank line may also be one of a message.
func afterTable(lines []string) bool {
	if lines[0] != "" {
		return afterNodes.MatchString(lines[0])
	}
	return len(lines) == 1 || afterNodes.MatchString(lines[1])
}

// columns sets rows in columns, of which the last is not filled up.
func columns(rows [][]string) []string {
	lines := make([]string, len(rows))
	last := len(rows[0]) - 1
	for column := range rows[0] {
		width := 0
		for _, row := range rows {
			width = max(width, len([]rune(row[column])))
		}
		for at, row := range rows {
			lines[at] += row[column]
			if column < last {
				lines[at] += strings.Repeat(" ", width-len([]rune(row[column]))+columnGap)
			}
		}
	}
	return lines
}

// poolRows returns where the rows of pools begin and end.
func poolRows(lines []string) (begin, end int) {
	header := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "WORKER POOL ") })
	if header < 0 {
		return 0, 0
	}
	begin = header + 1
	end = begin
	for end < len(lines) && lines[end] != "" {
		end++
	}
	return begin, end
}

var countOrder = []string{"Total", "Available", "Progressing", "Draining", "Excluded", "Degraded"}

// countsInOrder orders the counts at the end of the rows of pools.
func countsInOrder(lines []string) []string {
	begin, end := poolRows(lines)
	if begin == end {
		return lines
	}
	column := strings.Index(lines[begin-1], "STATUS")
	for at := begin; at < end; at++ {
		if column < 0 || len(lines[at]) < column {
			continue
		}
		counts := strings.Split(lines[at][column:], ", ")
		slices.SortStableFunc(counts, func(a, b string) int { return countRank(a) - countRank(b) })
		lines[at] = lines[at][:column] + strings.Join(counts, ", ")
	}
	return lines
}

func countRank(count string) int {
	_, name, _ := strings.Cut(count, " ")
	return slices.Index(countOrder, name)
}

var (
	allOperators = regexp.MustCompile(`^(Completion: +)100(% \(\d+ operators updated, (\d+) updating, (\d+) waiting\))$`)
	allNodes     = regexp.MustCompile(`^(\S+ +\S+ +)100(% \((\d+)/(\d+)\) .*)$`)
)

// neverRoundedUp takes 100 % back from what is not complete.
func neverRoundedUp(lines []string) []string {
	for at, line := range lines {
		if found := allOperators.FindStringSubmatch(line); len(found) == 5 && (found[3] != "0" || found[4] != "0") {
			lines[at] = found[1] + "99" + found[2]
		}
	}
	begin, end := poolRows(lines)
	for at := begin; at < end; at++ {
		if found := allNodes.FindStringSubmatch(lines[at]); len(found) == 5 && found[3] != found[4] {
			// The column keeps its width, as the one digit less is filled up behind the bracket.
			percent, rest, _ := strings.Cut(found[2], ") ")
			lines[at] = found[1] + "99" + percent + ")  " + rest
		}
	}
	return lines
}
