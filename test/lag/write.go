package lag

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// The columns of the table.
const (
	header = "%-12s%11s%7s%12s%9s%9s%9s\n"
	row    = "%-12s%11d%7d%12d%9s%9s%9s\n"
)

// Write writes results as a table, and below it a sentence on each number that needs one.
func Write(w io.Writer, results []Result) error {
	var text strings.Builder
	fmt.Fprintf(&text, header, "", "TRANSITIONS", "SEEN", "OVERTAKEN", "P50", "P95", "MAX")
	overtaken, missing := 0, 0
	for _, result := range results {
		fmt.Fprintf(&text, row, result.Kind, result.Transitions(), len(result.Lags), result.Overtaken,
			short(result.Percentile(50)), short(result.Percentile(95)), short(result.Percentile(100)))
		overtaken += result.Overtaken
		missing += result.Missing
	}
	if overtaken > 0 {
		fmt.Fprintf(&text, "Overtaken: %d changed again before a version of the status had shown them.\n", overtaken)
	}
	if missing > 0 {
		fmt.Fprintf(&text, "Missing: %d were never shown, though nothing came after them.\n", missing)
	}
	if _, err := io.WriteString(w, text.String()); err != nil {
		return fmt.Errorf("writing how far the status lagged behind: %w", err)
	}
	return nil
}

func short(lag time.Duration) string {
	return lag.Round(time.Millisecond).String()
}
