package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumentedExamples runs the commands in docs/updatestatus/client.md whose output is below them.
func TestDocumentedExamples(t *testing.T) {
	const prompt = "$ oc update status "
	server := serve(t, map[string]response{updateStatusPath: objectResponse(t, content(t, nodesFile))})
	blocks := strings.Split(content(t, filepath.Join("..", "..", "..", "docs", "updatestatus", "client.md")), "```console\n")[1:]
	examples := 0
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		for _, example := range strings.Split("\n"+block, "\n"+prompt)[1:] {
			command, want, _ := strings.Cut(strings.TrimSuffix(example, "\n")+"\n", "\n")
			got := run(t, "", append(arguments(command), "--server", server.url, nodesNow)...)
			if got.out != want || got.errOut != "" || got.err != nil {
				t.Errorf("%s: %v, %s\ngot\n%s\nwant\n%s", command, got.err, got.errOut, got.out, want)
			}
			examples++
		}
	}
	if examples == 0 {
		t.Error("there is no example")
	}
}

// arguments returns the arguments in a command. Those in single quotes can have spaces.
func arguments(command string) []string {
	var all []string
	for at, part := range strings.Split(command, "'") {
		if isQuoted := at%2 == 1; isQuoted {
			all[len(all)-1] += part
			continue
		}
		all = append(all, strings.Fields(part)...)
	}
	return all
}
