package snapshot

import (
	"bytes"
	"regexp"
)

// This file splits YAML into documents, keys and the elements of lists without parsing it. It supports the block style that
// tools write. Other YAML is not plain, and the caller parses it as a whole.

// part is lines of a file.
type part struct {
	// line is the first line in the file, counted from one.
	line int
	text []byte
}

// block is a key of a mapping with the lines of the key and its value.
type block struct {
	part
	key string
	// value is the text after the key on its line.
	value string
}

// eachLine calls visit with each line, with its newline, and its offset in the text, until visit returns false.
func (p part) eachLine(visit func(at, line int, text []byte) bool) {
	line := p.line
	for at := 0; at < len(p.text); line++ {
		end := len(p.text)
		if newline := bytes.IndexByte(p.text[at:], '\n'); newline >= 0 {
			end = at + newline + 1
		}
		if !visit(at, line, p.text[at:end]) {
			return
		}
		at = end
	}
}

// documents splits a file at its separators, lines that start with three hyphens or dots.
func documents(content []byte) []part {
	whole := part{line: 1, text: content}
	var parts []part
	start, startLine := 0, 1
	whole.eachLine(func(at, line int, text []byte) bool {
		if !isSeparator(text) {
			return true
		}
		parts = append(parts, part{line: startLine, text: content[start:at]})
		start, startLine = at+3, line
		return true
	})
	return append(parts, part{line: startLine, text: content[start:]})
}

func isSeparator(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("---")) && !bytes.HasPrefix(line, []byte("...")) {
		return false
	}
	return len(line) == 3 || isSpace(line[3])
}

func isSpace(b byte) bool {
	return b == ' ' || b == '\t' || b == '\r' || b == '\n'
}

// isBlank returns whether a text has only whitespace and comments.
func isBlank(text []byte) bool {
	blank := true
	part{text: text}.eachLine(func(_, _ int, line []byte) bool {
		line = bytes.TrimSpace(line)
		blank = len(line) == 0 || line[0] == '#'
		return blank
	})
	return blank
}

var keyOfBlock = regexp.MustCompile(`^(?:"([\w./-]+)"|'([\w./-]+)'|([\w./-]+)):(?:[ \t]+(.*))?[ \t\r\n]*$`)

// blocks splits a mapping into its keys.
func (p part) blocks() (blocks []block, plain bool) {
	plain = true
	column, end := -1, func(int) {}
	p.eachLine(func(at, line int, text []byte) bool {
		content := bytes.TrimLeft(text, " ")
		indent := len(text) - len(content)
		switch {
		case isBlank(content), column >= 0 && indent > column:
			return true
		case column < 0:
			column = indent
		}
		// The elements of a list can have the indentation of their key.
		if indent == column && len(blocks) > 0 && isElement(content) {
			return true
		}
		key := keyOfBlock.FindSubmatch(content)
		if indent != column || key == nil {
			plain = false
			return false
		}
		end(at)
		index := len(blocks)
		blocks = append(blocks, block{
			part: part{line: line}, key: string(key[1]) + string(key[2]) + string(key[3]), value: scalar(key[4]),
		})
		end = func(end int) { blocks[index].text = p.text[at:end] }
		return true
	})
	end(len(p.text))
	return blocks, plain && len(blocks) > 0
}

// scalar returns a plain or quoted text without escapes, without a comment after it.
func scalar(text []byte) string {
	if bytes.HasPrefix(text, []byte("#")) {
		return ""
	}
	if at := bytes.Index(text, []byte(" #")); at >= 0 {
		text = text[:at]
	}
	return string(bytes.Trim(text, "\"' \t\r\n"))
}

func isElement(content []byte) bool {
	return len(content) > 1 && content[0] == '-' && isSpace(content[1])
}

// elements splits the list that is the value of a block.
func (b block) elements() (elements []part, plain bool) {
	plain = b.value == ""
	column, end := -1, func(int) {}
	b.eachLine(func(at, line int, text []byte) bool {
		content := bytes.TrimLeft(text, " ")
		indent := len(text) - len(content)
		switch {
		case at == 0, isBlank(content), column >= 0 && indent > column:
			return true
		case !isElement(content), column >= 0 && indent < column:
			plain = false
			return false
		}
		column = indent
		end(at)
		index := len(elements)
		elements = append(elements, part{line: line})
		end = func(end int) { elements[index].text = b.text[at:end] }
		return true
	})
	end(len(b.text))
	return elements, plain
}

// asDocument calls read with an element of a list as a document. Its hyphen is a space during the call.
func (p part) asDocument(read func(document part)) {
	hyphen := bytes.IndexByte(p.text, '-')
	p.text[hyphen] = ' '
	read(p)
	p.text[hyphen] = '-'
}

// without returns a mapping with some of its keys. The lines of the others are empty, so that line numbers stay the same.
func (p part) without(blocks []block, keep func(key string) bool) part {
	var text bytes.Buffer
	for _, b := range blocks {
		if keep(b.key) {
			text.Write(b.text)
			continue
		}
		text.Write(emptied(b.text))
	}
	return part{line: blocks[0].line, text: text.Bytes()}
}

// emptied returns as many empty lines as a text has lines.
func emptied(text []byte) []byte {
	return bytes.Repeat([]byte("\n"), bytes.Count(text, []byte("\n")))
}

// withoutUnread returns a mapping without keys of its values that are large and have no use here. Values that are not plain stay.
func (p part) withoutUnread(blocks []block) part {
	var text bytes.Buffer
	text.Write(bytes.Repeat([]byte("\n"), blocks[0].line-p.line))
	for _, b := range blocks {
		key, value, _ := bytes.Cut(b.text, []byte("\n"))
		inner, plain := part{line: b.line + 1, text: value}.blocks()
		if unread := unreadKeys[b.key]; plain && unread != "" {
			text.Write(key)
			text.WriteByte('\n')
			text.Write(part{}.without(inner, func(key string) bool { return key != unread }).text)
			continue
		}
		text.Write(b.text)
	}
	return part{line: p.line, text: text.Bytes()}
}

// unreadKeys are keys of metadata and status that are most of an object, and that no assessment reads.
var unreadKeys = map[string]string{"metadata": "managedFields", "status": "images"}
