package describe

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// clean returns a text from the cluster that is safe to print: a newer controller, or a file, may have any.
func clean(text string) string {
	return strings.ReplaceAll(insight.Clean(text), "\t", " ")
}

// OneLine returns a text from the cluster as one line that is safe to print on a terminal.
func OneLine(text string) string {
	return insight.OneLine(text)
}

// lines returns the clean lines of a text without blank ones. It drops a comma at the start of a line, which is left over
// from joining messages.
func lines(text string) []string {
	var result []string
	for line := range strings.Lines(clean(text)) {
		line = strings.TrimSpace(line)
		if len(result) > 0 {
			line = strings.TrimPrefix(line, ", ")
		}
		if line != "" {
			result = append(result, line)
		}
	}
	return result
}

// width returns the number of columns of a text on a terminal.
func width(text string) int {
	return ansi.StringWidth(text)
}

// cutTo cuts a text to a number of columns, with an ellipsis at the end if anything was cut.
func cutTo(text string, columns int, ellipsis string) string {
	if width(text) <= columns {
		return text
	}
	return strings.TrimRight(ansi.Truncate(text, columns-width(ellipsis), ""), " ") + ellipsis
}

// noBreak stands for a hyphen while a text is wrapped: a control character, of which a clean text has none.
const noBreak = "\x1f"

// wrap returns the lines of a text on a terminal with a number of columns, zero if there is no limit. Lines do not end at hyphens, since
// most of these are in names.
func wrap(text string, columns int) []string {
	if columns > 0 {
		text = strings.ReplaceAll(ansi.Wrap(strings.ReplaceAll(text, "-", noBreak), columns, ""), noBreak, "-")
	}
	return strings.Split(text, "\n")
}

// withoutName replaces the node's name in its own message by <node>, since names are long and in the row already. Names that
// only start or end with the node's name stay.
func withoutName(message, name string) string {
	if name == "" {
		return message
	}
	var text strings.Builder
	for {
		before, after, found := strings.Cut(message, name)
		text.WriteString(before)
		if !found {
			return text.String()
		}
		if endsInName(text.String()) || startsInName(after) {
			text.WriteString(name)
		} else {
			text.WriteString("<node>")
		}
		message = after
	}
}

// endsInName returns whether a text ends within a name.
func endsInName(text string) bool {
	return text != "" && isNamePart(text[len(text)-1])
}

// startsInName returns whether a text starts within a name. A dot belongs to a name only if the name continues after it,
// since it can also end a sentence.
func startsInName(text string) bool {
	text = strings.TrimLeft(text, ".")
	return text != "" && isNamePart(text[0])
}

func isNamePart(b byte) bool {
	return b == '-' || b == '.' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
