package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: render-manifests IMAGE FOLDER FILE...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "render-manifests:", err)
		os.Exit(1)
	}
}

func run(image, to string, files []string) error {
	for _, file := range files {
		rendered, err := manifests.RenderFile(file, image)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), rendered, 0o600); err != nil {
			return err
		}
	}
	return nil
}
