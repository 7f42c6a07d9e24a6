package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
)

const document = "docs/updatestatus/dependencies.md"

// goMod is the output of `go mod edit -json`.
type goMod struct {
	Require []struct {
		Path     string
		Indirect bool
	}
	Tool []struct{ Path string }
}

func main() {
	problems, err := run(context.Background(), os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "dependencies:", err)
		os.Exit(1)
	}
	for _, problem := range problems {
		fmt.Fprintln(os.Stderr, "ERROR:", problem)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}

func run(ctx context.Context, modules []string) ([]string, error) {
	content, err := os.ReadFile(document)
	if err != nil {
		return nil, err
	}
	explained := parse(string(content))
	var problems []string
	for _, module := range modules {
		file := path.Join(module, "go.mod")
		output, err := exec.CommandContext(ctx, "go", "mod", "edit", "-json", file).Output()
		if err != nil {
			return nil, fmt.Errorf("go mod edit -json %s: %w", file, err)
		}
		var mod goMod
		if err := json.Unmarshal(output, &mod); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		problems = append(problems, compare(file, mod.direct(), explained[file])...)
	}
	return problems, nil
}

// direct returns the direct dependencies of a module, and the modules of its tools.
func (m goMod) direct() []string {
	var direct []string
	for _, required := range m.Require {
		if !required.Indirect {
			direct = append(direct, required.Path)
		}
	}
	for _, tool := range m.Tool {
		module := ""
		for _, required := range m.Require {
			if strings.HasPrefix(tool.Path+"/", required.Path+"/") && len(required.Path) > len(module) {
				module = required.Path
			}
		}
		direct = append(direct, module)
	}
	slices.Sort(direct)
	return slices.Compact(direct)
}

var (
	heading = regexp.MustCompile("^## .*`(.*go\\.mod)`")
	row     = regexp.MustCompile(`^\| ([^ |]+\.[^ |]+/[^ |]+) \| *[^ |]`)
)

// parse returns the modules in the tables of the document by the go.mod in the heading of the table.
func parse(content string) map[string][]string {
	explained := map[string][]string{}
	file := ""
	for line := range strings.Lines(content) {
		if match := heading.FindStringSubmatch(line); match != nil {
			file = match[1]
		} else if match := row.FindStringSubmatch(line); match != nil {
			explained[file] = append(explained[file], match[1])
		}
	}
	return explained
}

func compare(file string, direct, explained []string) []string {
	var problems []string
	for _, module := range direct {
		if !slices.Contains(explained, module) {
			problems = append(problems, fmt.Sprintf("%s: %s has no line in %s", file, module, document))
		}
	}
	for _, module := range explained {
		if !slices.Contains(direct, module) {
			problems = append(problems, fmt.Sprintf("%s: %s has a line in %s but is no direct dependency", file, module, document))
		}
	}
	return problems
}
