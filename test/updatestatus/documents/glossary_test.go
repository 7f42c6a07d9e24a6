package documents_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the words to docs/updatestatus/glossary.md")

const (
	beginWords = "<!-- begin words: hack/updatestatus/update-glossary.sh -->\n"
	endWords   = "<!-- end words -->\n"
)

// glossary are the sections of the page: the constants of a type, or those without a type whose name begins with a text.
var glossary = []struct{ title, folder, constants string }{
	{"Assessments of the control plane and of pools", "pkg/apis/update/v1alpha1", "Assessment"},
	{"Assessments of nodes", "pkg/updatestatus/insight", "NodeAssessment"},
	{"Phases of the update of a node", "pkg/apis/update/v1alpha1", "NodeUpdatePhase"},
	{"Counts of nodes", "pkg/apis/update/v1alpha1", "NodeSummaryType"},
	{"Levels of problems", "pkg/apis/update/v1alpha1", "HealthLevel"},
	{"Impacts of problems", "pkg/apis/update/v1alpha1", "ImpactType"},
	{"Results of updates", "pkg/apis/update/v1alpha1", "UpdateResult"},
	{"Bases of estimates", "pkg/apis/update/v1alpha1", "EstimateBasis"},
	{"Tracks of hosted clusters", "pkg/apis/update/v1alpha1", "TrackState"},
	{"Types of conditions", "pkg/apis/update/v1alpha1", "Condition"},
	{"Reasons of conditions", "pkg/apis/update/v1alpha1", "Reason"},
}

// TestGlossary compares the tables of docs/updatestatus/glossary.md with the constants, or writes them with -update.
func TestGlossary(t *testing.T) {
	page := filepath.Join(root(t), "docs", "updatestatus", "glossary.md")
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, hasBegin := strings.Cut(string(content), beginWords)
	written, after, hasEnd := strings.Cut(rest, endWords)
	if !hasBegin || !hasEnd {
		t.Fatalf("%s has no place for the words", page)
	}
	var want strings.Builder
	for _, section := range glossary {
		words := wordsOf(t, section.folder, section.constants)
		if len(words) < 3 {
			t.Errorf("%s: only %d words were found", section.title, len(words))
		}
		fmt.Fprintf(&want, "### %s\n\n| word | meaning |\n|---|---|\n%s\n", section.title, strings.Join(words, ""))
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+beginWords+want.String()+endWords+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want.String(), written); diff != "" {
		t.Errorf("%s, write it with hack/updatestatus/update-glossary.sh (-want +got):\n%s", page, diff)
	}
}

// wordsOf returns a row for each constant of a type, or each whose name begins with a text and has no type.
func wordsOf(t *testing.T, folder, constants string) []string {
	t.Helper()
	var rows []string
	for _, file := range sourcesOf(t, filepath.Join(root(t), folder)) {
		for _, declaration := range file.Decls {
			block, ok := declaration.(*ast.GenDecl)
			if !ok || block.Tok != token.CONST {
				continue
			}
			for _, spec := range block.Specs {
				value := spec.(*ast.ValueSpec)
				name := value.Names[0].Name
				of, isTyped := value.Type.(*ast.Ident)
				if isTyped && of.Name == constants || !isTyped && strings.HasPrefix(name, constants) && value.Doc != nil {
					rows = append(rows, fmt.Sprintf("| %s | %s |\n", literal(t, value.Values[0]), meaning(name, value.Doc.Text())))
				}
			}
		}
	}
	return rows
}

// subject is the start of a comment, up to what the constant means: "NodesTotal counts", "ReasonPaused (False):", "LevelInfo is".
var subject = regexp.MustCompile(`^\w+( is,| is| are|:)? (when )?`)

// status is the value of a condition with a reason.
var status = regexp.MustCompile(`^\((\w+)\)(,[^:]*)?: `)

// constant is the name of another constant in a comment, of which the word is what people see.
var constant = regexp.MustCompile(`\b(Condition|Reason)([A-Z]\w+)`)

// meaning returns the comment of a constant without its name, on one line.
func meaning(name, comment string) string {
	text := strings.Join(strings.Fields(strings.ReplaceAll(comment, "|", `\|`)), " ")
	if strings.HasPrefix(text, name) {
		text = subject.ReplaceAllString(text, "")
	}
	text = status.ReplaceAllString(text, "$1$2: ")
	return constant.ReplaceAllString(text, "$2")
}
