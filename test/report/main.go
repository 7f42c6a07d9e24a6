package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/openshift/cluster-version-operator/pkg/report"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: report DIR [NAME...]")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// run writes the reports with some names, or all.
func run(folder string, names []string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // reports of played updates
		return fmt.Errorf("making the folder: %w", err)
	}
	for _, one := range scenes() {
		if len(names) > 0 && !slices.Contains(names, one.name) {
			continue
		}
		in, err := one.input()
		if err != nil {
			return err
		}
		if err := write(filepath.Join(folder, one.name+".html"), in); err != nil {
			return err
		}
	}
	return nil
}

// write writes a report to a file.
func write(file string, in report.Input) error {
	target, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("creating the report: %w", err)
	}
	if err := report.New(in).Write(target); err != nil {
		return err
	}
	if err := target.Close(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
