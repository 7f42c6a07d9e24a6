package documents_test

import (
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
)

// The packages that read what the hosts write by its text.
var readers = []string{
	"pkg/updatestatus/assess", "pkg/updatestatus/assess/controlplane", "pkg/updatestatus/assess/nodestate", "pkg/updatestatus/assess/standalone", "pkg/updatestatus/assess/hosted", "pkg/updatestatus/drain",
}

// hostAPIs are the API packages, below vendor, whose constants name what the hosts write.
var hostAPIs = map[string]string{
	"configv1":        "github.com/openshift/api/config/v1",
	"machineconfigv1": "github.com/openshift/api/machineconfiguration/v1",
	"corev1":          "k8s.io/api/core/v1",
	"policyv1":        "k8s.io/api/policy/v1",
}

// ownConstants are constants of the readers that no host writes, by the start of their name.
var ownConstants = []string{"unnamedAlert", "unknownVersion", "ownNamespace", "ownComponent", "case"}

// TestHostsListsTexts: each text of a host that is read is on the page.
func TestHostsListsTexts(t *testing.T) {
	page := hostsPage(t)
	texts := map[string]string{}
	for _, folder := range readers {
		files := sourcesOf(t, filepath.Join(root(t), folder))
		for name, value := range constantsOf(t, files) {
			if isHostText(name, value) {
				texts[value] = folder + ": " + name
			}
		}
		for name, value := range importedConstants(t, files) {
			texts[value] = folder + ": " + name
		}
	}
	if len(texts) < 60 {
		t.Errorf("only these texts were found: %v", texts)
	}
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		if !isQuoted(page, text) {
			t.Errorf("docs/updatestatus/hosts.md does not list %q (%s)", text, texts[text])
		}
	}
}

// TestHostsListsSources: the page names each file by whose texts faults are played. builders.Text has no other maker than builders.Source.
func TestHostsListsSources(t *testing.T) {
	page := hostsPage(t)
	sources := constantsOf(t, []*ast.File{parse(t, filepath.Join(root(t), "test", "updatestatus", "builders", "source.go"))})
	if len(sources) < 20 {
		t.Errorf("only these sources were found: %v", sources)
	}
	for name, file := range sources {
		if !regexp.MustCompile(regexp.QuoteMeta(file) + `($|[^\w./-])`).MatchString(page) {
			t.Errorf("docs/updatestatus/hosts.md does not list %s (builders.%s)", file, name)
		}
	}
}

// TestHostsRows: each row of the page says who writes and reads it, in which releases, and names tests that exist.
func TestHostsRows(t *testing.T) {
	tests, named := testsIn(t), 0
	for _, row := range rows(t, "hosts.md") {
		if row[0] == "what" || strings.HasPrefix(row[0], "--") {
			continue
		}
		if len(row) != 5 || slices.Contains(row, "") {
			t.Errorf("docs/updatestatus/hosts.md has a row without five cells: %q", row)
			continue
		}
		found := regexp.MustCompile("`((Test|Fuzz)[A-Za-z]+)`").FindAllStringSubmatch(row[4], -1)
		if len(found) == 0 && row[4] != "–" {
			t.Errorf("docs/updatestatus/hosts.md names neither a test nor none of %s: %q", row[0], row[4])
		}
		for _, name := range found {
			named++
			if !tests[name[1]] {
				t.Errorf("docs/updatestatus/hosts.md names %s, which is no test", name[1])
			}
		}
	}
	if named < 100 {
		t.Errorf("docs/updatestatus/hosts.md names %d tests", named)
	}
}

func hostsPage(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root(t), "docs", "updatestatus", "hosts.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// isQuoted returns whether a page has a text, whole, between backquotes.
func isQuoted(page, text string) bool {
	whole := regexp.MustCompile(`(^|[^\w./-])` + regexp.QuoteMeta(text) + `($|[^\w./-])`)
	return slices.ContainsFunc(regexp.MustCompile("`[^`\n]+`").FindAllString(page, -1), whole.MatchString)
}

// isHostText leaves out texts for people and what the project itself names.
func isHostText(name, value string) bool {
	isOwn := slices.ContainsFunc(ownConstants, func(start string) bool { return strings.HasPrefix(name, start) })
	return value != "" && !isOwn && !strings.HasSuffix(value, "/") && !strings.ContainsAny(value, " {:")
}

// sourcesOf returns the parsed files of a package, without its tests.
func sourcesOf(t *testing.T, folder string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files in %s: %v", folder, err)
	}
	var files []*ast.File
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			files = append(files, parse(t, name))
		}
	}
	return files
}

// constantsOf returns the constants of a package whose value is a text, or a constant and a text.
func constantsOf(t *testing.T, files []*ast.File) map[string]string {
	t.Helper()
	constants := map[string]string{}
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			declared, ok := node.(*ast.GenDecl)
			if !ok || declared.Tok != token.CONST {
				return true
			}
			for _, spec := range declared.Specs {
				value := spec.(*ast.ValueSpec)
				for at := range value.Values {
					if text, ok := textOf(value.Values[at], constants); ok {
						constants[value.Names[at].Name] = text
					}
				}
			}
			return true
		})
	}
	return constants
}

// textOf returns the value of a constant expression, of constants that are known already.
func textOf(value ast.Expr, constants map[string]string) (string, bool) {
	switch value := value.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(value.Value)
		return text, err == nil && value.Kind == token.STRING
	case *ast.Ident:
		text, ok := constants[value.Name]
		return text, ok
	case *ast.SelectorExpr:
		from, ok := value.X.(*ast.Ident)
		return hypershiftv1beta1.GroupName, ok && from.Name == "hypershiftv1beta1" && value.Sel.Name == "GroupName"
	case *ast.BinaryExpr:
		left, known := textOf(value.X, constants)
		right, alsoKnown := textOf(value.Y, constants)
		return left + right, known && alsoKnown
	default:
		return "", false
	}
}

// importedConstants returns the constants of the hosts' APIs that a package uses, without statuses.
func importedConstants(t *testing.T, files []*ast.File) map[string]string {
	t.Helper()
	known, used := map[string]map[string]string{}, map[string]string{}
	for alias, path := range hostAPIs {
		known[alias] = constantsOf(t, sourcesOf(t, filepath.Join(root(t), "vendor", path)))
	}
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			from, ok := selector.X.(*ast.Ident)
			if !ok {
				return true
			}
			if value, ok := known[from.Name][selector.Sel.Name]; ok && !strings.HasPrefix(selector.Sel.Name, "Condition") {
				used[from.Name+"."+selector.Sel.Name] = value
			}
			return true
		})
	}
	return used
}
