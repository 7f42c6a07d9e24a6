package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// repository is where the source is.
const repository = "https://github.com/openshift/cluster-version-operator"

func main() {
	var b build
	flag.StringVar(&b.version, "version", "", "The version of the binary.")
	flag.StringVar(&b.commit, "commit", "", "The commit that it was built from.")
	flag.StringVar(&b.builder, "builder", "", "The image that it was built in, empty for none.")
	flag.Parse()
	if err := run(b, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// run writes the two files.
func run(b build, binaries []string) error {
	if len(binaries) != 1 || b.version == "" || b.commit == "" {
		return errors.New("usage: sbom --version VERSION --commit COMMIT [--builder NAME] BINARY")
	}
	path := binaries[0]
	var err error
	if b.info, err = buildinfo.ReadFile(path); err != nil {
		return fmt.Errorf("reading how the binary was built: %w", err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading the binary: %w", err)
	}
	sum := sha256.Sum256(content)
	b.name, b.sha256 = filepath.Base(path), hex.EncodeToString(sum[:])
	return errors.Join(write(path+".cdx.json", b.bom()), write(path+".provenance.json", b.provenance()))
}

func write(path string, value any) error {
	content, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := os.WriteFile(path, append(content, '\n'), 0o644); err != nil { //nolint:gosec // everyone may read it
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
