package snapshot

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// readJSON reads a sequence of JSON objects. A file that starts like JSON can also be YAML in flow style.
func (c *collector) readJSON(file string, text part) {
	decoder := json.NewDecoder(bytes.NewReader(text.text))
	lines := lineCounter{part: text}
	for first := true; ; first = false {
		var object json.RawMessage
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil && first && isFlowStyle(text.text) {
			c.readDocuments(file, text.text)
			return
		}
		if err != nil {
			c.problem(file, text.lineAt(syntaxErrorOffset(err, len(text.text))), err)
			return
		}
		start := int(decoder.InputOffset()) - len(object)
		c.readJSONObject(file, part{line: lines.at(start), text: object}, listOf{})
	}
}

// syntaxErrorOffset returns the offset of a syntax error, the end for other errors.
func syntaxErrorOffset(err error, end int) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return min(int(syntax.Offset), end)
	}
	return end
}

func isFlowStyle(content []byte) bool {
	_, err := toJSON(documents(content)[0].text)
	return err == nil
}

func (p part) lineAt(offset int) int {
	return p.line + bytes.Count(p.text[:offset], []byte("\n"))
}

// lineCounter counts the lines of a part once, for offsets that grow.
type lineCounter struct {
	part

	counted int
}

func (l *lineCounter) at(offset int) int {
	l.line += bytes.Count(l.text[l.counted:offset], []byte("\n"))
	l.counted = offset
	return l.line
}

func (c *collector) readJSONObject(file string, text part, list listOf) {
	var head struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}
	if err := checkElements(text.text, maxElements+len(text.text)/minElement); err != nil {
		c.problem(file, text.line, err)
		return
	}
	if err := json.Unmarshal(text.text, &head); err != nil {
		// Other JSON, such as a list, or a configuration whose kind is a number.
		return
	}
	if head.Kind == "" && list.kind == "" {
		c.readAlerts(file, text)
		return
	}
	if strings.HasSuffix(head.Kind, "List") {
		start, lines := 0, lineCounter{part: text}
		for _, item := range head.Items {
			start += max(0, bytes.Index(text.text[start:], item))
			c.readJSONObject(file, part{line: lines.at(start), text: item}, listOf{head.APIVersion, head.Kind})
			start += len(item)
		}
		return
	}
	apiVersion, kind := list.or(head.APIVersion, head.Kind)
	if wanted, ok := kindOf(apiVersion, kind); ok && mayInclude(wanted, text.text) {
		c.decode(file, text, wanted, json.Unmarshal)
	}
}
