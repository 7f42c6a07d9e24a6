package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/printers"
	"k8s.io/client-go/util/jsonpath"
)

// The formats with the columns that are asked for. They are those of kubectl (k8s.io/kubectl/pkg/cmd/get), whose package has all of
// `kubectl get`.
const (
	formatColumns     = "custom-columns"
	formatColumnsFile = "custom-columns-file"
)

var columnFormats = []string{formatColumns, formatColumnsFile}

// columnsPrinter prints an object in a line, or each object of a list, below the headers.
type columnsPrinter struct {
	headers []string
	// paths are JSONPath expressions, one for each header.
	paths []string
	// hasHeaders is whether the headers have been printed.
	hasHeaders bool
}

// newColumnsPrinter returns the printer of a format, which may be followed by the columns or the file with them. It returns nil for
// other formats.
func newColumnsPrinter(format, argument string) (printers.ResourcePrinter, error) {
	if argument == "" {
		format, argument, _ = strings.Cut(format, "=")
	}
	switch {
	case !slices.Contains(columnFormats, format):
		return nil, nil
	case argument == "":
		return nil, errors.New("custom-columns format specified but no custom columns given")
	case format == formatColumns:
		return columnsOf(argument)
	}
	content, err := os.ReadFile(argument)
	if err != nil {
		return nil, fmt.Errorf("error reading template %s, %w", argument, err)
	}
	return columnsIn(string(content))
}

// columnsOf returns the columns of a text such as NAME:.metadata.name,KIND:.kind.
func columnsOf(text string) (*columnsPrinter, error) {
	p := &columnsPrinter{}
	for _, column := range strings.Split(text, ",") {
		header, path, found := strings.Cut(column, ":")
		if !found {
			return nil, fmt.Errorf("unexpected custom-columns spec: %s, expected <header>:<json-path-expr>", column)
		}
		p.headers, p.paths = append(p.headers, header), append(p.paths, path)
	}
	if err := p.completePaths(); err != nil {
		return nil, err
	}
	return p, nil
}

// columnsIn returns the columns of a file: a line with the headers and one with the paths.
func columnsIn(file string) (*columnsPrinter, error) {
	const expected = "expected format is one line of space separated headers, one line of space separated column specs"
	lines := slices.Collect(strings.Lines(file))
	switch len(lines) {
	case 0:
		return nil, errors.New("invalid template, missing header line: " + expected)
	case 1:
		return nil, errors.New("invalid template, missing spec line: " + expected)
	}
	p := &columnsPrinter{headers: strings.Fields(lines[0]), paths: strings.Fields(lines[1])}
	if len(p.headers) != len(p.paths) {
		return nil, fmt.Errorf("number of headers (%d) and field specifications (%d) don't match", len(p.headers), len(p.paths))
	}
	if err := p.completePaths(); err != nil {
		return nil, err
	}
	return p, nil
}

var relaxedPath = regexp.MustCompile(`^(?:\{\.?([^{}]+)\}|\.?([^{}]+))$`)

// completePaths adds the point and the braces of JSONPath expressions, which may be left out.
func (p *columnsPrinter) completePaths() error {
	for at, path := range p.paths {
		if path == "" {
			continue
		}
		match := relaxedPath.FindStringSubmatch(path)
		if match == nil {
			return errors.New("unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'")
		}
		p.paths[at] = "{." + match[1] + match[2] + "}"
	}
	return nil
}

// PrintObj implements printers.ResourcePrinter.
func (p *columnsPrinter) PrintObj(object runtime.Object, out io.Writer) error {
	table := printers.GetNewTabWriter(out)
	if err := p.writeTo(table, object); err != nil {
		return err
	}
	return table.Flush() //nolint:wrapcheck // the caller says what it prints
}

func (p *columnsPrinter) writeTo(table io.Writer, object runtime.Object) error {
	if !p.hasHeaders {
		p.hasHeaders = true
		if _, err := fmt.Fprintln(table, strings.Join(p.headers, "\t")); err != nil {
			return err //nolint:wrapcheck // the caller says what it prints
		}
	}
	objects := []runtime.Object{object}
	if meta.IsListType(object) {
		var err error
		if objects, err = meta.ExtractList(object); err != nil {
			return err //nolint:wrapcheck // the caller says what it prints
		}
	}
	for _, one := range objects {
		cells, err := p.cells(one)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(table, strings.Join(cells, "\t")); err != nil {
			return err //nolint:wrapcheck // the caller says what it prints
		}
	}
	return nil
}

// cells returns the text of each column.
func (p *columnsPrinter) cells(object runtime.Object) ([]string, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller says what it prints
	}
	var cells []string
	for at, path := range p.paths {
		parsed := jsonpath.New(p.headers[at]).AllowMissingKeys(true)
		if err := parsed.Parse(path); err != nil {
			return nil, err //nolint:wrapcheck // it names the mistake
		}
		found, err := parsed.FindResults(content)
		if err != nil {
			return nil, err //nolint:wrapcheck // it names the mistake
		}
		var values []string
		for _, value := range slices.Concat(found...) {
			values = append(values, printers.EscapeTerminal(fmt.Sprint(value.Interface())))
		}
		if len(values) == 0 {
			values = []string{"<none>"}
		}
		cells = append(cells, strings.Join(values, ","))
	}
	return cells, nil
}
