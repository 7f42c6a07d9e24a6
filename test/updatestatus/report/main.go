package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/report"
)

func main() {
	page := flag.String("screens", "", "The page to write the screens into, instead of reports.")
	flag.Parse()
	if *page == "" && flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: report DIR [NAME...], or report -screens FILE")
		os.Exit(2)
	}
	write := func() error { return writeReports(flag.Arg(0), flag.Args()[1:]) }
	if *page != "" {
		write = func() error { return writeScreens(*page) }
	}
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// writeReports writes the reports with some names, or all.
func writeReports(folder string, names []string) error {
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
