package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// collector reads files and collects the needed objects.
type collector struct {
	objects map[identity]located
	// poolOrder are the names of the MachineConfigPools in the order in which they were found.
	poolOrder []string
	alerts    []assess.Alert
	problems  []Problem
	// decoded counts the needed objects that were found, also those of which others are newer.
	decoded int
	// gatheredFrom and gathered are the start and the end of gathering, zero if they are not known.
	gatheredFrom, gathered time.Time
	// maxFileSize bounds each file, and maxArchiveSize an archive.
	maxFileSize, maxArchiveSize int64
	// buffer has the content of the current file.
	buffer bytes.Buffer
}

func newCollector() *collector {
	return &collector{objects: map[identity]located{}, maxFileSize: maxFileSize, maxArchiveSize: maxArchiveSize}
}

func (c *collector) problem(file string, line int, err error) {
	c.problems = append(c.problems, Problem{File: file, Line: line, Err: err})
}

// read reads the content of a file. It reports no problems in files without needed objects.
func (c *collector) read(file string, content []byte) {
	if path.Base(file) == timestampFile {
		c.readTimestamp(file, content)
		return
	}
	if c.readEncoding(file, content) || !mayHaveNeeded(content) {
		return
	}
	content = bytes.TrimPrefix(content, []byte(utf8Mark))
	if bytes.HasPrefix(bytes.TrimLeft(content, " \t\r\n"), []byte("{")) {
		c.readJSON(file, part{line: 1, text: content})
		return
	}
	c.readDocuments(file, content)
}

// errNoNewline is the problem of a file whose last line does not end, as those that tools write do.
var errNoNewline = errors.New("missing final newline: the file may be cut off")

// readDocuments reads YAML.
func (c *collector) readDocuments(file string, content []byte) {
	decoded := c.decoded
	for _, document := range documents(content) {
		if !isBlank(document.text) {
			c.readYAML(file, document, listOf{})
		}
	}
	if c.decoded > decoded && !bytes.HasSuffix(content, []byte("\n")) {
		c.problem(file, 1+bytes.Count(content, []byte("\n")), errNoNewline)
	}
}

// listOf is the list of an object. The elements of a list need no kind.
type listOf struct {
	apiVersion, kind string
}

// mayHaveNeeded returns whether the list can have needed objects.
func (l listOf) mayHaveNeeded() bool {
	if l.kind == "" || l.kind == "List" {
		return true
	}
	_, wanted := kindOf(l.apiVersion, strings.TrimSuffix(l.kind, "List"))
	return wanted
}

func (l listOf) or(apiVersion, kind string) (string, string) {
	if kind == "" {
		return l.apiVersion, strings.TrimSuffix(l.kind, "List")
	}
	return apiVersion, kind
}

// readYAML reads an object or a list without parsing objects that are not needed.
func (c *collector) readYAML(file string, text part, list listOf) {
	blocks, plain := text.blocks()
	if !plain {
		c.readAsJSON(file, text, list)
		return
	}
	var apiVersion, kind string
	var items *block
	for i := range blocks {
		switch blocks[i].key {
		case "apiVersion":
			apiVersion = blocks[i].value
		case "kind":
			kind = blocks[i].value
		case "items":
			items = &blocks[i]
		}
	}
	if items != nil && (kind == "" || strings.HasSuffix(kind, "List")) {
		c.readList(file, text, *items, listOf{apiVersion, kind})
		return
	}
	apiVersion, kind = list.or(apiVersion, kind)
	wanted, ok := kindOf(apiVersion, kind)
	if !ok || !mayInclude(wanted, text.text) {
		return
	}
	switch {
	case wanted.MetadataOnly:
		text = text.without(blocks, func(key string) bool { return key == "apiVersion" || key == "kind" || key == "metadata" })
	case !wanted.ManagedFields:
		text = text.withoutUnread(blocks)
	}
	object := c.decode(file, text, wanted, yamlUnmarshal)
	if object != nil && wanted.IsWhole != nil && !wanted.IsWhole(object, text.text) {
		c.problem(file, text.line, fmt.Errorf("%s %s has an incomplete status: the file may be cut off", kind, object.GetName()))
	}
}

func (c *collector) readList(file string, text part, items block, list listOf) {
	if !list.mayHaveNeeded() {
		return
	}
	elements, plain := items.elements()
	if !plain {
		c.readAsJSON(file, text, listOf{})
		return
	}
	if list.kind == "" {
		c.problem(file, items.line, errors.New("a list without a kind: the file may be truncated"))
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

// maxElements bounds the elements of what is decoded as a whole, as each takes a hundred times the memory of its text. An object that an API
// server stores, of at most 1.5 MiB, has less than half of them.
const maxElements = 1 << 18

// minElement is how many bytes an element of a list of objects has at least, on average: those of real clusters have three times as many.
const minElement = 8

// elementEnds are what ends an element: a comma, or one of the line breaks of YAML 1.1.
var elementEnds = [][]byte{[]byte(","), []byte("\n"), []byte("\r"), []byte("\u0085"), []byte("\u2028"), []byte("\u2029")}

// checkElements returns an error for a text with more elements than a number.
func checkElements(text []byte, most int) error {
	found := -bytes.Count(text, []byte("\r\n"))
	for _, end := range elementEnds {
		found += bytes.Count(text, end)
	}
	if found > most {
		return fmt.Errorf("skipped: it has more than %d elements", most)
	}
	return nil
}

func yamlUnmarshal(text []byte, object any) error {
	if err := checkAliases(text); err != nil {
		return err
	}
	return yaml.Unmarshal(text, object)
}

func toJSON(text []byte) ([]byte, error) {
	if err := checkElements(text, maxElements); err != nil {
		return nil, err
	}
	if err := checkAliases(text); err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(text)
}

// decode adds an object if it is needed, and returns it then.
func (c *collector) decode(file string, text part, of *kinds.Kind, unmarshal func([]byte, any) error) kinds.Object {
	object := of.New()
	all := &whole{object: object}
	var target any = object
	if of.UnknownFields {
		target = all
	}
	if err := checkElements(text.text, maxElements); err != nil {
		c.problem(file, text.line, fmt.Errorf("%s: %w", of.Kind, err))
		return nil
	}
	if err := unmarshal(text.text, target); err != nil {
		line, err := text.lineOf(err)
		c.problem(file, line, fmt.Errorf("decoding %s: %w", of.Kind, err))
		return nil
	}
	if !of.Includes(object) {
		return nil
	}
	if object.GetName() == "" {
		c.problem(file, text.line, fmt.Errorf("%s has no name", of.Kind))
		return nil
	}
	c.decoded++
	if !of.ManagedFields {
		object.SetManagedFields(nil)
	}
	if of.TrimFile != nil {
		object = of.TrimFile(object)
	}
	c.add(identity{of, object.GetNamespace(), object.GetName()}, located{object, file, text.line, all.fields})
	return object
}

var yamlLine = regexp.MustCompile(`yaml: line (\d+): `)

// lineOf returns the line in the file of an error in YAML, and the error without its own line: a parser counts from the
// start of the part, and may report a line after its end.
func (p part) lineOf(err error) (int, error) {
	text := err.Error()
	if invalidUTF8.MatchString(text) {
		return p.lineAt(max(0, bytes.IndexRune(p.text, utf8.RuneError))), errNotUTF8
	}
	match := yamlLine.FindStringSubmatchIndex(text)
	if match == nil {
		return p.line, err
	}
	line, numberErr := strconv.Atoi(text[match[2]:match[3]])
	if numberErr != nil {
		return p.line, err
	}
	last := p.line + bytes.Count(p.text, []byte("\n"))
	return min(p.line+line-1, last), errors.New(text[match[1]:])
}
