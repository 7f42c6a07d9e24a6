package causes_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
)

var update = flag.Bool("update", false, "write the edges to the page")

const (
	page  = "../../../docs/updatestatus/insights.md"
	begin = "<!-- begin edges: hack/updatestatus/update-insights.sh -->\n"
	end   = "<!-- end edges -->\n"
)

// TestPage compares the picture and the table of docs/updatestatus/insights.md with the edges, or writes them with -update.
func TestPage(t *testing.T) {
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, hasBegin := strings.Cut(string(content), begin)
	written, after, hasEnd := strings.Cut(rest, end)
	if !hasBegin || !hasEnd {
		t.Fatalf("%s has no place for the edges", page)
	}
	want := picture(causes.Edges()) + "\nIn a hosted cluster also:\n\n" + picture(causes.HostedEdges()) + "\n" +
		table(slices.Concat(causes.Edges(), causes.HostedEdges()))
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, written); diff != "" {
		t.Errorf("%s, write it with hack/updatestatus/update-insights.sh (-want +got):\n%s", page, diff)
	}
}

// picture is edges as a graph of Mermaid.
func picture(edges []causes.Edge) string {
	var boxes []string
	box := func(of causes.Problems) string {
		at := slices.Index(boxes, of.Name)
		if at < 0 {
			at = len(boxes)
			boxes = append(boxes, of.Name)
		}
		return fmt.Sprintf("c%d", at)
	}
	var arrows strings.Builder
	for _, edge := range edges {
		fmt.Fprintf(&arrows, "  %s -->|%s| %s\n", box(edge.Causes), edge.Name, box(edge.Effects))
	}
	var text strings.Builder
	text.WriteString("```mermaid\ngraph LR\n")
	for at, label := range boxes {
		fmt.Fprintf(&text, "  c%d[\"%s\"]\n", at, label)
	}
	return text.String() + arrows.String() + "```\n"
}

// table lists edges, and the health checks of what they are about.
func table(edges []causes.Edge) string {
	var text strings.Builder
	text.WriteString("| edge | what proves it |\n|---|---|\n")
	for _, edge := range edges {
		fmt.Fprintf(&text, "| %s | %s |\n", edge.Name, edge.Evidence)
	}
	text.WriteString("\n| in the picture | health checks |\n|---|---|\n")
	var told []string
	for _, edge := range edges {
		for _, problems := range []causes.Problems{edge.Causes, edge.Effects} {
			if !slices.Contains(told, problems.Name) {
				told = append(told, problems.Name)
				fmt.Fprintf(&text, "| %s | %s |\n", problems.Name, strings.Join(problems.Checks, ", "))
			}
		}
	}
	return text.String()
}
