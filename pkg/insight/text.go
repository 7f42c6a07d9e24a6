package insight

import (
	"strings"
	"unicode/utf8"
)

const ellipsis = "…"

// Shorten cuts a text to a number of characters (not bytes), the last of them an ellipsis where anything was cut. Bytes
// that are no UTF-8 become the replacement character, which the API server would refuse otherwise.
func Shorten(text string, characters int) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	if len(text) <= characters || utf8.RuneCountInString(text) <= characters {
		return text
	}
	kept := 0
	for at := range text {
		if kept == characters-1 {
			return text[:at] + ellipsis
		}
		kept++
	}
	return text
}

// OneLine puts a text on one line: newlines and runs of blanks become one blank.
func OneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}
