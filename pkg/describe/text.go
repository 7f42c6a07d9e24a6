package describe

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// terminalSequence is what a terminal takes as a command (ECMA-48): a control sequence, a control string with its end, or
// a two-character escape; each also in its one-character form.
var terminalSequence = regexp.MustCompile(
	`(\x1b\[|\x{9b})[0-?]*[\x20-\x2f]*[@-~]` +
		`|(\x1b[\]PX^_]|[\x{9d}\x{90}\x{98}\x{9e}\x{9f}])[^\x07\x1b\x{9c}\n]*(\x07|\x1b\\|\x{9c})` +
		`|\x1b[\x20-\x2f]*[0-~]`)

// clean makes a text from the cluster fit to be shown: no bytes that are no UTF-8, no escape sequences, no control
// characters, and none that turn the direction of what follows. Lines stay.
func clean(text string) string {
	if isPlain(text) {
		return text
	}
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = terminalSequence.ReplaceAllString(text, "")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t':
			return ' '
		case r == '\r', r == '\v', r == '\f', r == '\u0085', r == '\u2028', r == '\u2029':
			return '\n'
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		default:
			return r
		}
	}, text)
}

func isPlain(text string) bool {
	for at := range len(text) {
		if text[at] < ' ' || text[at] > '~' {
			return false
		}
	}
	return true
}

// Line puts a text from the cluster on one line, fit to be shown: for what is said of an update in other places than the
// text of Write.
func Line(text string) string {
	return oneLine(text)
}

// oneLine puts a text on one line, fit to be shown.
func oneLine(text string) string {
	return insight.OneLine(clean(text))
}

// lines returns the lines of a text, fit to be shown, without those that are blank. A comma at the start of a line is
// left from the joining of messages, and dropped.
func lines(text string) []string {
	var kept []string
	for line := range strings.Lines(clean(text)) {
		line = strings.TrimSpace(line)
		if len(kept) > 0 {
			line = strings.TrimPrefix(line, ", ")
		}
		if line != "" {
			kept = append(kept, line)
		}
	}
	return kept
}

// wide are the characters that take two columns besides those of the alphabets below: fullwidth forms, CJK punctuation
// and pictographs (Unicode Standard Annex 11).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x3000, Hi: 0x303e, Stride: 1}, {Lo: 0xff01, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, {Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1}, {Lo: 0x1f900, Hi: 0x1faff, Stride: 1}},
}

// width is the number of columns that a text takes on a terminal.
func width(text string) int {
	columns := 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, wide):
			columns += 2
		default:
			columns++
		}
	}
	return columns
}

// cutTo cuts a text to a number of columns, with an ellipsis where anything was cut.
func cutTo(text string, columns int) string {
	if width(text) <= columns {
		return text
	}
	left := columns - 1
	for at, r := range text {
		left -= width(string(r))
		if left < 0 {
			return strings.TrimRight(text[:at], " ") + "…"
		}
	}
	return text
}

// withoutName writes <node> for the node's name in its own message: the name is in the row already, and long. Names that
// merely begin or end with the node's are left alone.
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

// endsInName is whether a text ends within a longer name.
func endsInName(text string) bool {
	return text != "" && isNamePart(text[len(text)-1])
}

// startsInName is whether a text goes on with a longer name. A dot does so only if the name goes on behind it, since it
// may also end a sentence.
func startsInName(text string) bool {
	text = strings.TrimLeft(text, ".")
	return text != "" && isNamePart(text[0])
}

func isNamePart(b byte) bool {
	return b == '-' || b == '.' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func orUnknown(text string) string {
	if text == "" {
		return unknownCell
	}
	return text
}
