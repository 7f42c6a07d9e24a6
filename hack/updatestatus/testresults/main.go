package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	failed, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "ERROR:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

// run prints the results of a folder, and returns whether a test failed.
func run(arguments []string) (failed bool, err error) {
	if len(arguments) != 1 {
		return false, errors.New("name the folder with the results: go run ./hack/updatestatus/testresults bin/test")
	}
	paths, err := filepath.Glob(filepath.Join(arguments[0], "*.json"))
	if err != nil {
		return false, err
	}
	var all results
	for _, path := range paths {
		if err := all.readFile(path); err != nil {
			return false, fmt.Errorf("%s: %w", path, err)
		}
	}
	logs, err := all.writeLogs(filepath.Join(arguments[0], "failed"))
	if err != nil {
		return false, err
	}
	return len(all.failed) > 0, all.print(os.Stdout, logs)
}
