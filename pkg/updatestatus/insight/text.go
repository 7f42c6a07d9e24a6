package insight

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// terminalSequence matches commands for a terminal (ECMA-48): a control sequence, a control string with its end, or a
// two-character escape; each also in its one-character form.
var terminalSequence = regexp.MustCompile(
	`(\x1b\[|\x{9b})[0-?]*[\x20-\x2f]*[@-~]` +
		`|(\x1b[\]PX^_]|[\x{9d}\x{90}\x{98}\x{9e}\x{9f}])[^\x07\x1b\x{9c}\n]*(\x07|\x1b\\|\x{9c})` +
		`|\x1b[\x20-\x2f]*[0-~]`)

// Clean returns a text of an object without what is not visible in it: escape sequences, control characters other than newlines
// and tabs, and format characters (zero width, direction of text, tags). Consoles and terminals show the texts of the status,
// also to those who cannot tell such characters. Bytes that are no UTF-8 become the replacement character, since the API server
// would refuse them.
func Clean(text string) string {
	if isPlain(text) {
		return text
	}
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = terminalSequence.ReplaceAllString(text, "")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r == '\r', r == '\v', r == '\f', r == '\u0085', r == '\u2028', r == '\u2029':
			return '\n'
		case unicode.In(r, unicode.Cc, unicode.Cf):
			return -1
		default:
			return r
		}
	}, text)
}

// isPlain is whether a text stays as it is. Nearly all do, which spares them the search for escape sequences.
func isPlain(text string) bool {
	for at := range len(text) {
		switch one := text[at]; {
		case one == '\n', one == '\t':
		case one < ' ', one > '~':
			return false
		}
	}
	return true
}

const ellipsis = "…"

// Shorten returns a text of an object (Clean), cut to a number of characters (not bytes), the last of them an ellipsis where
// anything was cut. Every text passes it before it is stored.
func Shorten(text string, characters int) string {
	text = Clean(text)
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

// OneLine returns a text of an object (Clean) on one line: newlines and runs of blanks become one blank.
func OneLine(text string) string {
	return strings.Join(strings.Fields(Clean(text)), " ")
}

// wordStart matches where a word starts within a name in CamelCase, such as APIAvailability.
var wordStart = regexp.MustCompile(`([a-z])([A-Z])|([A-Z])([A-Z][a-z])`)

// Words returns the words of a name in CamelCase: "API Availability".
func Words[T ~string](name T) string {
	return wordStart.ReplaceAllString(string(name), "$1$3 $2$4")
}

// AssessmentText returns an assessment for people: "Progressing - Slow".
func AssessmentText(assessment updatev1alpha1.Assessment) string {
	if assessment == updatev1alpha1.AssessmentProgressingSlow {
		return "Progressing - Slow"
	}
	return string(assessment)
}

// InSentence returns a sentence as a part of another one: without its capital letter, but for names such as ClusterVersion.
func InSentence(sentence string) string {
	first, _, _ := strings.Cut(sentence, " ")
	if first == "" || first != strings.ToUpper(first[:1])+strings.ToLower(first[1:]) {
		return sentence
	}
	return strings.ToLower(sentence[:1]) + sentence[1:]
}

// LogEntry returns an entry of a log (Clean) in which only the first line starts without a tab: errors of an API server can have texts
// of others, such as of a webhook, which must not look like entries of their own.
func LogEntry(entry string) string {
	return strings.ReplaceAll(strings.TrimSuffix(Clean(entry), "\n"), "\n", "\n\t") + "\n"
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
