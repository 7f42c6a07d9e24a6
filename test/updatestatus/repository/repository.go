package repository

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/openshift/cluster-version-operator"

// RootOf is Root for a test.
func RootOf(t testing.TB) string {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// Root returns the root of the repository that the working directory is in.
func Root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		content, err := os.ReadFile(filepath.Join(folder, "go.mod"))
		if err == nil && strings.HasPrefix(string(content), "module "+module+"\n") {
			return folder, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", fmt.Errorf("the working directory is not in the repository of %s", module)
		}
		folder = parent
	}
}
