package describe

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

const (
	// fieldWidth is where the values of the control plane begin.
	fieldWidth = len("Operator Health: ")
	// itemWidth is where the values of a health insight begin.
	itemWidth = len("  Description: ")
	// gap is the number of blanks between the columns of a table.
	gap = 3
	// unknownCell stands in a table for what nobody knows.
	unknownCell = "?"
	// leastMessage is the number of columns that a message keeps, however narrow the terminal is.
	leastMessage = 20
)

// page is the text as it grows. Everything is written through its methods, which see to it that nothing but clean text
// gets there.
type page struct {
	Options
	text strings.Builder
}

// flush writes the page.
func (p *page) flush(w io.Writer) error {
	if _, err := io.WriteString(w, p.text.String()); err != nil {
		return fmt.Errorf("writing the state of the update: %w", err)
	}
	return nil
}

// line writes one line.
func (p *page) line(format string, args ...any) {
	p.write(clean(fmt.Sprintf(format, args...)))
}

// write ends a clean text with a newline, and takes all others out.
func (p *page) write(text string) {
	p.text.WriteString(strings.ReplaceAll(text, "\n", " "))
	p.text.WriteByte('\n')
}

func (p *page) blank() {
	p.text.WriteByte('\n')
}

// field writes a value of the control plane and its name.
func (p *page) field(name, value string) {
	p.line("%-*s%s", fieldWidth, name+":", oneLine(value))
}

// item writes a value of a health insight and its name. The lines of the value stay, one below the other.
func (p *page) item(name, value string) {
	label := fmt.Sprintf("%-*s", itemWidth, "  "+name+":")
	for _, line := range lines(value) {
		p.line("%s%s", label, line)
		label = strings.Repeat(" ", itemWidth)
	}
}

// verdictField writes a verdict of the control plane and its name, and verdictItem one of a health insight.
func (p *page) verdictField(name, verdict string) {
	p.write(fmt.Sprintf("%-*s%s", fieldWidth, name+":", p.verdict(oneLine(verdict))))
}

func (p *page) verdictItem(name, verdict string) {
	p.write(fmt.Sprintf("%-*s%s", itemWidth, "  "+name+":", p.verdict(oneLine(verdict))))
}

// note says what the controller left out of a part of the cluster.
func (p *page) note(conditions []metav1.Condition) {
	if complete := leftOut(conditions); complete != nil {
		p.line("Note: %s", oneLine(wordsOf(complete)))
	}
}

func leftOut(conditions []metav1.Condition) *metav1.Condition {
	return ifFalse(conditions, updatev1alpha1.ConditionInsightsComplete)
}

// ifFalse returns a condition that is False, nil if there is none.
func ifFalse(conditions []metav1.Condition, conditionType string) *metav1.Condition {
	condition := meta.FindStatusCondition(conditions, conditionType)
	if condition == nil || condition.Status != metav1.ConditionFalse {
		return nil
	}
	return condition
}

// writeAlertsMissing says that the controller doesn't know all alerts of the cluster, each of which could be below Update
// Health.
func writeAlertsMissing(p *page, c *cluster) {
	if missing := ifFalse(c.conditions, updatev1alpha1.ConditionAlertsComplete); missing != nil {
		p.blank()
		p.line("Note: %s", oneLine(wordsOf(missing)))
	}
}

// writeLeftOut says what the controller left out altogether, unless one part of the cluster has said just that. It counts
// more than the parts do where worker pools are left out.
func writeLeftOut(p *page, c *cluster) {
	all := leftOut(c.conditions)
	if all == nil {
		return
	}
	says := func(conditions []metav1.Condition) bool {
		part := leftOut(conditions)
		return part != nil && wordsOf(part) == wordsOf(all)
	}
	said := says(c.controlPlane.conditions) || slices.ContainsFunc(c.workerPools, func(pool *workerPool) bool { return says(pool.conditions) })
	if said {
		return
	}
	p.blank()
	p.note(c.conditions)
}

// cutting says what happens to messages that are wider than the page.
type cutting bool

const (
	whole      cutting = false
	cutToWidth cutting = true
)

// cutUnless cuts unless the messages are wanted in full.
func cutUnless(inFull bool) cutting {
	return cutting(!inFull)
}

// table is rows of clean cells. Only the cells of the last column may have several lines.
type table struct {
	rows [][]string
}

func newTable(header ...string) *table {
	return &table{rows: [][]string{header}}
}

func (t *table) add(cells ...string) {
	row := make([]string, 0, len(cells))
	for _, cell := range cells[:len(cells)-1] {
		row = append(row, oneLine(cell))
	}
	t.rows = append(t.rows, append(row, strings.Join(lines(cells[len(cells)-1]), "\n")))
}

// table writes rows with their columns below each other. The last column is not filled up, and goes on below itself.
func (p *page) table(t *table, cutting cutting) {
	widths := t.widths()
	last := len(widths) - 1
	margin := 0
	for _, columns := range widths[:last] {
		margin += columns + gap
	}
	for _, row := range t.rows {
		var line strings.Builder
		for column, cell := range row[:last] {
			if verdictColumns[t.rows[0][column]] {
				line.WriteString(p.verdict(cell))
			} else {
				line.WriteString(cell)
			}
			line.WriteString(strings.Repeat(" ", widths[column]-width(cell)+gap))
		}
		for at, message := range strings.Split(row[last], "\n") {
			if at > 0 {
				line.Reset()
				line.WriteString(strings.Repeat(" ", margin))
			}
			if cutting == cutToWidth && p.Width > 0 {
				message = cutTo(message, max(p.Width-margin, leastMessage))
			}
			p.write(line.String() + message)
		}
	}
}

func (t *table) widths() []int {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for column, cell := range row {
			widths[column] = max(widths[column], width(cell))
		}
	}
	return widths
}
