package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// This file recognizes files that are not in UTF-8, as all tools write YAML and JSON: "oc get -o yaml > FILE" is UTF-16 with a byte
// order mark in PowerShell 5, and is read. Other encodings are named in the problem of what is skipped.

const (
	utf8Mark  = "\xef\xbb\xbf"
	utf16Mark = "UTF-16 with a byte order mark"
)

// asUTF8 returns the text of a stream in UTF-8 if it is UTF-16 with a byte order mark, and else the stream as it is.
func asUTF8(stream io.Reader) io.Reader {
	head, whole := peek(stream)
	if encodingOf(head) != utf16Mark {
		return whole
	}
	return transform.NewReader(whole, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder())
}

// encodingOf returns the encoding of a text other than UTF-8 by its first four bytes: a byte order mark, or the NULs of two ASCII
// characters (RFC 4627, section 3). It is empty if they don't tell.
func encodingOf(text []byte) string {
	if len(text) < 4 {
		return ""
	}
	isNUL := [4]bool{text[0] == 0, text[1] == 0, text[2] == 0, text[3] == 0}
	switch {
	case isNUL == [4]bool{true, true, true, false}, isNUL == [4]bool{false, true, true, true},
		bytes.HasPrefix(text, []byte("\x00\x00\xfe\xff")), bytes.HasPrefix(text, []byte("\xff\xfe\x00\x00")):
		return "UTF-32"
	case bytes.HasPrefix(text, []byte("\xfe\xff")), bytes.HasPrefix(text, []byte("\xff\xfe")):
		return utf16Mark
	case isNUL == [4]bool{true, false, true, false}, isNUL == [4]bool{false, true, false, true}:
		return "UTF-16 without a byte order mark"
	default:
		return ""
	}
}

// readEncoding reports a file with needed objects that is in an encoding that is not read, and returns whether it is in one.
func (c *collector) readEncoding(file string, content []byte) bool {
	encoding := encodingOf(content)
	if encoding != "" && mayHaveNeeded(bytes.ReplaceAll(content, []byte{0}, nil)) {
		c.problem(file, 0, fmt.Errorf("skipped: it is %s: save it as UTF-8", encoding))
	}
	return encoding != ""
}

// errNotUTF8 is the problem of bytes that are not UTF-8.
var errNotUTF8 = errors.New("it is not UTF-8, but perhaps Latin-1 or Windows-1252: save it as UTF-8")

// invalidUTF8 matches the error of the YAML parser about such bytes, but for a character that is cut off.
var invalidUTF8 = regexp.MustCompile(`invalid \w+ UTF-8 octet`)
