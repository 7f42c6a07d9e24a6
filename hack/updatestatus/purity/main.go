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

func main() {
	violations, err := run(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, "purity:", err)
		os.Exit(1)
	}
	for _, violation := range violations {
		fmt.Fprintln(os.Stderr, "ERROR:", violation)
	}
	if len(violations) > 0 {
		os.Exit(1)
	}
}

// run checks the packages of the module in the current folder.
func run(ctx context.Context) ([]string, error) {
	output, err := goCommand(ctx, "list", "-m")
	if err != nil {
		return nil, err
	}
	module := strings.TrimSpace(string(output))
	layers, err := readLayers(table)
	if err != nil {
		return nil, err
	}
	output, err = goCommand(ctx, "list", "-test", "-json=ImportPath,ForTest,Dir,GoFiles,Imports,Deps", "./...")
	if err != nil {
		return nil, err
	}
	var packages []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return house{module, layers}.checkAll(packages), nil
		} else if err != nil {
			return nil, fmt.Errorf("output of go list: %w", err)
		}
		// The variants of a package that are compiled for tests have the same files, and those of its tests.
		if p.ForTest == "" && (isBelow(p.ImportPath, module+"/cmd") || isBelow(p.ImportPath, module+"/pkg")) {
			packages = append(packages, p)
		}
	}
}

func goCommand(ctx context.Context, arguments ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", strings.Join(arguments, " "), err)
	}
	return output, nil
}
