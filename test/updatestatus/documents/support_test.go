package documents_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

func root(t *testing.T) string {
	t.Helper()
	return repository.RootOf(t)
}

// rows returns the rows of all tables of a page, without the spaces around the cells.
func rows(t *testing.T, page string) [][]string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root(t), "docs", "updatestatus", page))
	if err != nil {
		t.Fatal(err)
	}
	var found [][]string
	for line := range strings.Lines(string(content)) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		var row []string
		for _, cell := range strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|") {
			row = append(row, strings.TrimSpace(cell))
		}
		found = append(found, row)
	}
	return found
}

func parse(t *testing.T, file string) *ast.File {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// reasonsOfTheController returns the values of the constants whose block begins with one of these comments: reasons of
// conditions that are about the controller itself.
func reasonsOfTheController(t *testing.T) []string {
	t.Helper()
	blocks := []string{"Reasons of Available in .status.conditions", "Reasons of InsightsComplete", "Reasons of AlertsComplete", "Reasons of InformersReporting"}
	var reasons []string
	for _, declaration := range parse(t, filepath.Join(root(t), "pkg/apis/update/v1alpha1/conditions.go")).Decls {
		block, ok := declaration.(*ast.GenDecl)
		if !ok || !slices.ContainsFunc(blocks, func(start string) bool { return strings.HasPrefix(block.Doc.Text(), start) }) {
			continue
		}
		for _, spec := range block.Specs {
			for _, value := range spec.(*ast.ValueSpec).Values {
				reasons = append(reasons, literal(t, value))
			}
		}
	}
	return reasons
}

func literal(t *testing.T, value ast.Expr) string {
	t.Helper()
	text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestSupportListsReasons(t *testing.T) {
	var told []string
	for _, row := range rows(t, "support.md") {
		if len(row) == 4 {
			told = append(told, row[1])
		}
	}
	reasons := reasonsOfTheController(t)
	if len(reasons) < 4 {
		t.Errorf("only these reasons were found: %v", reasons)
	}
	for _, reason := range reasons {
		if !slices.Contains(told, reason) {
			t.Errorf("docs/updatestatus/support.md does not list the reason %s", reason)
		}
	}
}

// logged returns the messages that the packages of a folder log: the first text given to Info or Error.
func logged(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		ast.Inspect(parse(t, file), func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			function, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Info", "Error"}, function.Sel.Name) {
				return true
			}
			for _, argument := range call.Args {
				if text, ok := argument.(*ast.BasicLit); ok && text.Kind == token.STRING {
					messages = append(messages, literal(t, text))
					break
				}
			}
			return true
		})
	}
	return messages
}

// controllerPackages returns the folders of the packages that the controller's binary is made of.
func controllerPackages(t *testing.T) []string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if .Module}}{{if .Module.Main}}{{.Dir}}{{end}}{{end}}",
		"./cmd/cluster-version-operator")
	command.Dir = root(t)
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for folder := range strings.Lines(string(output)) {
		relative, err := filepath.Rel(root(t), strings.TrimSpace(folder))
		if err != nil {
			t.Fatal(err)
		}
		folders = append(folders, relative)
	}
	return folders
}

func TestSupportListsLogMessages(t *testing.T) {
	var messages []string
	for _, folder := range controllerPackages(t) {
		messages = append(messages, logged(t, filepath.Join(root(t), folder))...)
	}
	if len(messages) < 10 {
		t.Errorf("only these messages were found: %q", messages)
	}
	var told []string
	for _, row := range rows(t, "support.md") {
		if len(row) == 3 && row[0] != "message" && !strings.HasPrefix(row[0], "--") {
			told = append(told, row[0])
		}
	}
	for _, message := range messages {
		if !slices.Contains(told, message) {
			t.Errorf("docs/updatestatus/support.md does not list the log message %q", message)
		}
	}
	for _, message := range told {
		if !slices.Contains(messages, message) {
			t.Errorf("docs/updatestatus/support.md lists the log message %q, which no package logs", message)
		}
	}
}
