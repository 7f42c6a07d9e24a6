package gitops

import (
	"os"
	"strings"
	"testing"
)

const page = "../../../docs/updatestatus/gitops.md"

func readPage(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// example returns the example of the page in a language.
func example(t *testing.T, language string) string {
	t.Helper()
	parts := strings.Split(readPage(t), "```"+language+"\n")
	if len(parts) != 2 {
		t.Fatalf("%s has %d examples in %s", page, len(parts)-1, language)
	}
	code, _, found := strings.Cut(parts[1], "```")
	if !found {
		t.Fatalf("the example in %s has no end", language)
	}
	return code
}

// tableRows returns the rows of the table of the page, with its head.
func tableRows(t *testing.T) []string {
	t.Helper()
	var rows []string
	for line := range strings.Lines(readPage(t)) {
		if strings.HasPrefix(line, "| ") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	return rows
}
