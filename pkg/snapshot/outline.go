package snapshot

import (
	"bytes"
	"regexp"
)

// This file looks at YAML without parsing it, to tell documents, keys and the elements of lists apart. It knows block
// style as tools write it; of anything else it says that it is not plain, and the caller has it parsed as a whole.

// part is lines of a file.
type part struct {
	// line is where in the file the part begins, counted from one.
	line int
	text []byte
}

// block is a key of a mapping and the lines of its value, the one with the key included.
type block struct {
	part
	key string
	// value is what follows the key on its line.
	value string
}

// eachLine calls with every line of a part, its newline included, and where it begins in the text, until told to stop.
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

// documents splits a file at its separators, lines that begin with three hyphens or dots.
func documents(content []byte) []part {
	whole := part{line: 1, text: content}
	var found []part
	begin, beginLine := 0, 1
	whole.eachLine(func(at, line int, text []byte) bool {
		if !isSeparator(text) {
			return true
		}
		found = append(found, part{line: beginLine, text: content[begin:at]})
		begin, beginLine = at+3, line
		return true
	})
	return append(found, part{line: beginLine, text: content[begin:]})
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

// isBlank is whether nothing but blanks and comments is in a text.
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
func (p part) blocks() (found []block, plain bool) {
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
		// The elements of a list may stand right below their key.
		if indent == column && len(found) > 0 && isElement(content) {
			return true
		}
		key := keyOfBlock.FindSubmatch(content)
		if indent != column || key == nil {
			plain = false
			return false
		}
		end(at)
		index := len(found)
		found = append(found, block{
			part: part{line: line}, key: string(key[1]) + string(key[2]) + string(key[3]), value: scalar(key[4]),
		})
		end = func(end int) { found[index].text = p.text[at:end] }
		return true
	})
	end(len(p.text))
	return found, plain && len(found) > 0
}

// scalar is a plain or quoted text without escapes, without the comment behind it.
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

// elements splits the list that is a block's value.
func (b block) elements() (found []part, plain bool) {
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
		index := len(found)
		found = append(found, part{line: line})
		end = func(end int) { found[index].text = b.text[at:end] }
		return true
	})
	end(len(b.text))
	return found, plain
}

// asDocument calls with an element of a list as a document of its own, for which its hyphen is a blank meanwhile.
func (p part) asDocument(read func(document part)) {
	hyphen := bytes.IndexByte(p.text, '-')
	p.text[hyphen] = ' '
	read(p)
	p.text[hyphen] = '-'
}

// without returns a mapping with only some of its keys. The lines of the others stay, empty, so that the numbers of lines
// don't change.
func (p part) without(blocks []block, keep func(key string) bool) part {
	var text bytes.Buffer
	for _, b := range blocks {
		if keep(b.key) {
			text.Write(b.text)
			continue
		}
		text.Write(bytes.Repeat([]byte("\n"), bytes.Count(b.text, []byte("\n"))))
	}
	return part{line: blocks[0].line, text: text.Bytes()}
}
