package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: finish-manifests TOMBSTONES FILE...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "finish-manifests:", err)
		os.Exit(1)
	}
}

func run(tombstones string, files []string) error {
	if err := checkNames(files); err != nil {
		return err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		finished, err := finish(string(content))
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := os.WriteFile(file, []byte(finished), 0o600); err != nil {
			return err
		}
	}
	return writeTombstones(tombstones, files)
}
