package snapshot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// collector reads files, and keeps the objects that are needed.
type collector struct {
	objects  map[identity]kept
	alerts   []assess.Alert
	problems []Problem
	// largestArchive is the constant, but for tests.
	largestArchive int64
	// buffer has the content of the file that is being read.
	buffer bytes.Buffer
}

func newCollector() *collector {
	return &collector{objects: map[identity]kept{}, largestArchive: largestArchive}
}

func (c *collector) problem(file string, line int, err error) {
	c.problems = append(c.problems, Problem{File: file, Line: line, Err: err})
}

// read reads the content of a file. What is wrong in a file without anything of interest is of no interest either.
func (c *collector) read(file string, content []byte) {
	if !saysNeeded(content) {
		return
	}
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(bytes.TrimLeft(content, " \t\r\n"), []byte("{")) {
		c.readJSON(file, part{line: 1, text: content})
		return
	}
	c.readDocuments(file, content)
}

// readDocuments reads YAML.
func (c *collector) readDocuments(file string, content []byte) {
	for _, document := range documents(content) {
		if !isBlank(document.text) {
			c.readYAML(file, document, listOf{})
		}
	}
}

// listOf is the list that an object is an element of. Its elements need not name their kind.
type listOf struct {
	apiVersion, kind string
}

// mayHoldNeeded is whether objects that are needed may be in the list: not in one of another kind.
func (l listOf) mayHoldNeeded() bool {
	if l.kind == "" || l.kind == "List" {
		return true
	}
	_, needed := needOf(l.apiVersion, strings.TrimSuffix(l.kind, "List"))
	return needed
}

func (l listOf) or(apiVersion, kind string) (string, string) {
	if kind == "" {
		return l.apiVersion, strings.TrimSuffix(l.kind, "List")
	}
	return apiVersion, kind
}

// readYAML reads an object, or a list of them, without parsing what is not needed.
func (c *collector) readYAML(file string, text part, list listOf) {
	blocks, plain := text.blocks()
	if !plain {
		c.readAsJSON(file, text, list)
		return
	}
	var apiVersion, kind string
	var items *block
	for at := range blocks {
		switch blocks[at].key {
		case "apiVersion":
			apiVersion = blocks[at].value
		case "kind":
			kind = blocks[at].value
		case "items":
			items = &blocks[at]
		}
	}
	if items != nil && (kind == "" || strings.HasSuffix(kind, "List")) {
		c.readList(file, text, *items, listOf{apiVersion, kind})
		return
	}
	apiVersion, kind = list.or(apiVersion, kind)
	needed, ok := needOf(apiVersion, kind)
	if !ok || !needed.mayBe(text.text) {
		return
	}
	if needed.metadata {
		text = text.without(blocks, func(key string) bool { return key == "apiVersion" || key == "kind" || key == "metadata" })
	}
	c.keepDecoded(file, text, kind, needed, yamlUnmarshal)
}

func (c *collector) readList(file string, text part, items block, list listOf) {
	if !list.mayHoldNeeded() {
		return
	}
	elements, plain := items.elements()
	if !plain {
		c.readAsJSON(file, text, listOf{})
		return
	}
	if list.kind == "" {
		c.problem(file, items.line, errors.New("a list that does not say its kind: the file may have been cut off"))
	}
	for _, element := range elements {
		element.asDocument(func(document part) { c.readYAML(file, document, list) })
	}
}

// readAsJSON reads YAML that is not plain.
func (c *collector) readAsJSON(file string, text part, list listOf) {
	converted, err := toJSON(text.text)
	if err != nil {
		line, err := text.lineOf(err)
		c.problem(file, line, err)
		return
	}
	c.readJSONObject(file, part{line: text.line, text: converted}, list)
}

// readJSON reads JSON objects one after the other. What begins like JSON, but is not, may be YAML in flow style.
func (c *collector) readJSON(file string, text part) {
	decoder := json.NewDecoder(bytes.NewReader(text.text))
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
			c.problem(file, text.lineAt(brokenAt(err, len(text.text))), err)
			return
		}
		begin := int(decoder.InputOffset()) - len(object)
		c.readJSONObject(file, part{line: text.lineAt(begin), text: object}, listOf{})
	}
}

// brokenAt is where a syntax error is, at the end if that is what came too soon.
func brokenAt(err error, end int) int {
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

func (c *collector) readJSONObject(file string, text part, list listOf) {
	var head struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(text.text, &head); err != nil {
		// An object of an unknown form may be anything: a list of strings, a configuration with a kind that is a number.
		return
	}
	if head.Kind == "" && list.kind == "" {
		c.readAlerts(file, text)
		return
	}
	if strings.HasSuffix(head.Kind, "List") {
		begin := 0
		for _, item := range head.Items {
			begin += max(0, bytes.Index(text.text[begin:], item))
			c.readJSONObject(file, part{line: text.lineAt(begin), text: item}, listOf{head.APIVersion, head.Kind})
			begin += len(item)
		}
		return
	}
	apiVersion, kind := list.or(head.APIVersion, head.Kind)
	if needed, ok := needOf(apiVersion, kind); ok && needed.mayBe(text.text) {
		c.keepDecoded(file, text, kind, needed, json.Unmarshal)
	}
}

func yamlUnmarshal(text []byte, object any) error {
	if err := checkAliases(text); err != nil {
		return err
	}
	return yaml.Unmarshal(text, object)
}

func toJSON(text []byte) ([]byte, error) {
	if err := checkAliases(text); err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(text)
}

// keepDecoded keeps an object if it is needed, and can be decoded.
func (c *collector) keepDecoded(file string, text part, kind string, needed need, unmarshal func([]byte, any) error) {
	object := needed.make()
	if err := unmarshal(text.text, object); err != nil {
		line, err := text.lineOf(err)
		c.problem(file, line, fmt.Errorf("%s can't be read: %w", kind, err))
		return
	}
	if !needed.includes(object) {
		return
	}
	if object.GetName() == "" {
		c.problem(file, text.line, fmt.Errorf("%s without a name", kind))
		return
	}
	object.SetManagedFields(nil)
	if needed.trim != nil {
		object = needed.trim(object)
	}
	c.keep(identity{kind, object.GetNamespace(), object.GetName()}, kept{object, file, text.line})
}

var yamlLine = regexp.MustCompile(`yaml: line (\d+): `)

// lineOf returns the line of a file at which YAML is broken, and the error without its own idea of it: a parser counts
// from the beginning of the part that it was given, and may be behind its end when it notices.
func (p part) lineOf(err error) (int, error) {
	text := err.Error()
	found := yamlLine.FindStringSubmatchIndex(text)
	if found == nil {
		return p.line, err
	}
	line, numberErr := strconv.Atoi(text[found[2]:found[3]])
	if numberErr != nil {
		return p.line, err
	}
	last := p.line + bytes.Count(p.text, []byte("\n"))
	return min(p.line+line-1, last), errors.New(text[found[1]:])
}
