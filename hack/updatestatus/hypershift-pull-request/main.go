package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/openshift/cluster-version-operator/test/updatestatus/hypershift"
)

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "hypershift-pull-request:", err)
		os.Exit(1)
	}
}

func write() error {
	files, err := hypershift.AssetFiles(".")
	if err != nil {
		return err
	}
	for file, content := range files {
		target := filepath.Join(hypershift.Assets, file)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil { //nolint:gosec // folders of the repository
			return err
		}
		if err := os.WriteFile(target, content, 0o644); err != nil { //nolint:gosec // files of the repository
			return err
		}
	}
	return nil
}
