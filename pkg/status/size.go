package status

import (
	"math"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// What parts of JSON take, in bytes.
const (
	// timeSize is a time in quotes: RFC 3339 to the second, in UTC.
	timeSize = len(`"2006-01-02T15:04:05Z"`)
	// frameSize is the braces of an object and the comma behind it.
	frameSize = len(`{},`)
	// memberSize is what stands around the name of a member, and the comma behind its value.
	memberSize = len(`"":,`)
)

// size is the number of bytes that something takes as JSON at most, with its long texts cut to each of textLimits. Counted
// by hand, since a status is made several times a second and encoding it costs ten times as much; a test compares with
// encoding/json, field by field.
type size struct {
	// fixed is what takes the same in any case.
	fixed int
	// texts is what the long texts take.
	texts [len(textLimits)]int
}

func (s *size) at(limit int) int {
	return s.fixed + s.texts[limit]
}

func (s *size) add(other *size) {
	s.fixed += other.fixed
	for limit := range s.texts {
		s.texts[limit] += other.texts[limit]
	}
}

// long is whether there are texts that are ever cut.
func (s *size) long() bool {
	return s.texts[0] > 0
}

// member adds a member whose value has a size.
func (s *size) member(name string, value int) {
	s.fixed += memberSize + len(name) + value
}

// word adds a short string.
func (s *size) word(name, value string) {
	s.member(name, textSize(value))
}

// optional adds a short string that is absent if it is empty.
func (s *size) optional(name, value string) {
	if value != "" {
		s.word(name, value)
	}
}

// text adds a string that may be cut.
func (s *size) text(name, value string) {
	length := textSize(value)
	if length <= textLimits[len(textLimits)-1] {
		s.member(name, length)
		return
	}
	s.member(name, 0)
	for at, limit := range textLimits {
		s.texts[at] += min(length, limit)
	}
}

func (s *size) time(name string, at *metav1.Time) {
	if at != nil {
		s.member(name, timeSize)
	}
}

func (s *size) number(name string, value int64) {
	s.member(name, digits(value)+1)
}

// item adds a number of a list.
func (s *size) item(value int64) {
	s.fixed += digits(value) + len("-,")
}

func digits(value int64) int {
	digits := 1
	for ; value <= -10 || value >= 10; value /= 10 {
		digits++
	}
	return digits
}

func (s *size) conditions(conditions []metav1.Condition) {
	if len(conditions) == 0 {
		return
	}
	s.member("conditions", frameSize)
	for at := range conditions {
		one := &conditions[at]
		s.fixed += frameSize
		s.word("type", one.Type)
		s.word("status", string(one.Status))
		if one.ObservedGeneration != 0 {
			s.number("observedGeneration", one.ObservedGeneration)
		}
		s.time("lastTransitionTime", &one.LastTransitionTime)
		s.word("reason", one.Reason)
		s.text("message", one.Message)
	}
}

func (s *size) resource(name string, ref *updatev1alpha1.ResourceRef) {
	s.member(name, frameSize)
	s.optional("group", ref.Group)
	s.word("resource", ref.Resource)
	s.word("name", ref.Name)
	s.optional("namespace", ref.Namespace)
}

// asciiSize is how many bytes each byte of a text takes in a JSON string, as encoding/json writes it.
var asciiSize = func() (sizes [utf8.RuneSelf]uint8) {
	for at := range sizes {
		switch {
		case at < ' ' || at == '<' || at == '>' || at == '&':
			sizes[at] = uint8(len(`\u0000`))
		case at == '"' || at == '\\':
			sizes[at] = uint8(len(`\"`))
		default:
			sizes[at] = 1
		}
	}
	return sizes
}()

// runeSize is how many bytes a character takes in a JSON string at most.
func runeSize(char rune, bytes int) int {
	switch {
	case char < utf8.RuneSelf:
		return int(asciiSize[char])
	case char == utf8.RuneError || char == '\u2028' || char == '\u2029':
		return len(`\u2028`)
	default:
		return bytes
	}
}

// textSize is how many bytes a text takes as a JSON string at most, with its quotes.
func textSize(text string) int {
	total := len(`""`)
	for at := range len(text) {
		if text[at] >= utf8.RuneSelf {
			return total + wideSize(text[at:])
		}
		total += int(asciiSize[text[at]])
	}
	return total
}

func wideSize(text string) int {
	total := 0
	for text != "" {
		char, bytes := utf8.DecodeRuneInString(text)
		total += runeSize(char, bytes)
		text = text[bytes:]
	}
	return total
}

// textLimits are the sizes, as JSON strings, that the long texts (messages of conditions and nodes, descriptions of health
// insights) are cut to, one after the other, until everything fits. First they are as the assessments made them.
var textLimits = [...]int{math.MaxInt, 2048, 1024, 512, 256}

// cut cuts a text to a size as a JSON string, the last character an ellipsis where anything was cut.
func cut(text string, limit int) string {
	const ellipsis = "…"
	if len(text)+len(`""`) <= limit && textSize(text) <= limit || limit == math.MaxInt {
		return text
	}
	room := limit - len(`""`) - len(ellipsis)
	for at, char := range text {
		room -= runeSize(char, utf8.RuneLen(char))
		if room < 0 {
			return text[:at] + ellipsis
		}
	}
	return text
}
