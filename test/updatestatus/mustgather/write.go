package mustgather

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Write writes files below a folder.
func Write(folder string, files map[string]string) error {
	for name, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return fmt.Errorf("creating a folder: %w", err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return fmt.Errorf("writing a file: %w", err)
		}
	}
	return nil
}

// Archive returns a .tar.gz of files, in the order of their names.
func Archive(files map[string]string) ([]byte, error) {
	var content bytes.Buffer
	zipped := gzip.NewWriter(&content)
	archive := tar.NewWriter(zipped)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: "must-gather.local.1/" + name, Mode: 0o600, Size: int64(len(files[name]))}
		if err := archive.WriteHeader(header); err != nil {
			return nil, fmt.Errorf("writing the header of %s: %w", name, err)
		}
		if _, err := archive.Write([]byte(files[name])); err != nil {
			return nil, fmt.Errorf("writing %s: %w", name, err)
		}
	}
	if err := archive.Close(); err != nil {
		return nil, fmt.Errorf("closing the archive: %w", err)
	}
	if err := zipped.Close(); err != nil {
		return nil, fmt.Errorf("compressing the archive: %w", err)
	}
	return content.Bytes(), nil
}
