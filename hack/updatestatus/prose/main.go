package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// readers are the packages that read what hosts have written, in conditions of the same type.
var readers = []string{"pkg/updatestatus/assess", "pkg/updatestatus/drain", "pkg/updatestatus/source", "pkg/updatestatus/alerts", "pkg/updatestatus/drainreader", "pkg/updatestatus/snapshot"}

// goPackage is a package as `go list -json` describes it.
type goPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

func main() {
	found, err := run(context.Background(), "./cmd/...", "./pkg/...")
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
	for _, one := range found {
		fmt.Fprintln(os.Stderr, "ERROR:", one)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

// run returns where packages of the module in the current folder read sentences.
func run(ctx context.Context, patterns ...string) ([]string, error) {
	named, err := list(ctx, patterns...)
	if err != nil {
		return nil, err
	}
	all, err := list(ctx, append([]string{"-deps", "-export"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	c := checker{exports: map[string]string{}}
	for _, p := range all {
		c.exports[p.ImportPath] = p.Export
	}
	var found []string
	for _, p := range named {
		if isReader(p.ImportPath) {
			continue
		}
		one, err := c.check(p)
		if err != nil {
			return nil, err
		}
		found = append(found, one...)
	}
	return found, nil
}

func isReader(path string) bool {
	for _, reader := range readers {
		if strings.HasSuffix(path, "/"+reader) || strings.Contains(path, "/"+reader+"/") {
			return true
		}
	}
	return false
}

// list returns what go list says of packages.
func list(ctx context.Context, arguments ...string) ([]goPackage, error) {
	command := exec.CommandContext(ctx, "go", append([]string{"list", "-json=ImportPath,Dir,Export,GoFiles"}, arguments...)...)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("output of go list: %w", err)
		}
		packages = append(packages, p)
	}
}
