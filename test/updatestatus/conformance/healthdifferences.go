package conformance

import (
	"regexp"
	"slices"
	"strings"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// The parts of a recorded health section.
const (
	healthHeading     = "= Update Health ="
	messagePrefix     = "Message: "
	sincePrefix       = "  Since: "
	levelPrefix       = "  Level: "
	descriptionPrefix = "  Description: "
)

var healthHeader = regexp.MustCompile(`^SINCE +LEVEL +IMPACT +MESSAGE$`)

// noAction starts the message of what requires no action.
const noAction = "Previous update to "

// betweenColumns is between the columns of a table.
var betweenColumns = regexp.MustCompile(` {3,}`)

// infoIfNoAction changes the level of what requires no action, in a table or in blocks.
func infoIfNoAction(lines []string) []string {
	isBlock := false
	for at, line := range lines {
		if strings.HasPrefix(line, messagePrefix) {
			isBlock = strings.HasPrefix(line, messagePrefix+noAction)
		}
		if isBlock && strings.HasPrefix(line, levelPrefix) {
			lines[at] = strings.Replace(line, "Warning", "Info", 1)
		}
		if !healthHeader.MatchString(line) {
			continue
		}
		rows := [][]string{betweenColumns.Split(line, -1)}
		for _, row := range lines[at+1:] {
			cells := betweenColumns.Split(row, -1)
			if len(cells) != len(rows[0]) {
				break
			}
			if strings.HasPrefix(cells[len(cells)-1], noAction) {
				cells[1] = "Info"
			}
			rows = append(rows, cells)
		}
		copy(lines[at:], columns(rows))
	}
	return lines
}

// alignedDescriptions sets the lines of a description below each other.
func alignedDescriptions(lines []string) []string {
	var text []string
	for at := 0; at < len(lines); at++ {
		text = append(text, lines[at])
		if !strings.HasPrefix(lines[at], descriptionPrefix) {
			continue
		}
		for at+1 < len(lines) && !afterBlock(lines[at+1:]) {
			at++
			line := strings.TrimPrefix(strings.TrimSpace(lines[at]), ", ")
			if line != "" {
				text = append(text, strings.Repeat(" ", len(descriptionPrefix))+line)
			}
		}
	}
	return text
}

// afterBlock is whether a health insight has ended. A blank line may also be one of its description.
func afterBlock(lines []string) bool {
	return lines[0] == "" && (len(lines) == 1 || strings.HasPrefix(lines[1], messagePrefix))
}

// healthBySummary orders what has the same level and age, in a table or in blocks.
func healthBySummary(lines []string) []string {
	heading := slices.Index(lines, healthHeading)
	if heading < 0 || heading+1 == len(lines) {
		return lines
	}
	begin := heading + 1
	if strings.HasPrefix(lines[begin], messagePrefix) {
		return append(slices.Clip(lines[:begin]), sortedBlocks(lines[begin:])...)
	}
	if healthHeader.MatchString(lines[begin]) {
		sortRows(lines[begin], lines[begin+1:])
	}
	return lines
}

// alertPages has a page for alerts without a runbook, where a remark was recorded that is no address.
func alertPages(lines []string) []string {
	for at, line := range lines {
		if line == "  Reference:   <alert does not have a runbook_url annotation>" {
			lines[at] = "  Reference:   " + reference.Alerts
		}
	}
	return lines
}

// sortRows orders the rows of a table in place.
func sortRows(header string, rows []string) {
	if end := slices.Index(rows, ""); end >= 0 {
		rows = rows[:end]
	}
	message := strings.Index(header, "MESSAGE")
	sortRuns(rows,
		func(row string) string { return strings.Join(strings.Fields(row)[:2], " ") },
		func(row string) string { return row[min(message, len(row)):] })
}

// blocksOf returns blocks, each with the blank line behind it.
func blocksOf(lines []string) [][]string {
	var blocks [][]string
	for _, line := range lines {
		if strings.HasPrefix(line, messagePrefix) {
			blocks = append(blocks, nil)
		}
		last := len(blocks) - 1
		blocks[last] = append(blocks[last], line)
	}
	return blocks
}

func sortedBlocks(lines []string) []string {
	blocks := blocksOf(lines)
	sortRuns(blocks,
		func(block []string) string { return lineWith(block, levelPrefix) + lineWith(block, sincePrefix) },
		func(block []string) string { return block[0] })
	return slices.Concat(blocks...)
}

func lineWith(block []string, prefix string) string {
	at := slices.IndexFunc(block, func(line string) bool { return strings.HasPrefix(line, prefix) })
	if at < 0 {
		return ""
	}
	return block[at]
}

// sortRuns orders neighbors with the same key by what they say.
func sortRuns[T any](all []T, key, text func(T) string) {
	for begin := 0; begin < len(all); {
		end := begin + 1
		for end < len(all) && key(all[end]) == key(all[begin]) {
			end++
		}
		slices.SortStableFunc(all[begin:end], func(a, b T) int { return strings.Compare(text(a), text(b)) })
		begin = end
	}
}
