package insight

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// NoEstimate is the start of the message of a pool's Updating condition that says why there is no estimate. Readers that show
// the rest beside an empty estimate leave it out.
const NoEstimate = "No estimate of when the pool is complete: "

const ellipsis = "…"

// Shorten cuts a text to a number of characters (not bytes), the last of them an ellipsis where anything was cut. Bytes
// that are no UTF-8 become the replacement character, which the API server would refuse otherwise.
func Shorten(text string, characters int) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	if len(text) <= characters || utf8.RuneCountInString(text) <= characters {
		return text
	}
	count := 0
	for at := range text {
		if count == characters-1 {
			return text[:at] + ellipsis
		}
		count++
	}
	return text
}

// OneLine puts a text on one line: newlines and runs of blanks become one blank.
func OneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}

// Count writes a number of things whose plural ends in s: 1 pod, 2 pods.
func Count(count int, thing string) string {
	if count != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", count, thing)
}

// Duration writes a duration for people, to the second and without the units at its end that are zero: 2m, 24h8m54s.
func Duration(d time.Duration) string {
	text := d.Truncate(time.Second).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
