package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// theirs are files of the repository of the Cluster Version Operator, at whose paths there must be none of ours.
var theirs = map[string]string{
	"cmd/cluster-version-operator/main.go": `package main

import "github.com/spf13/cobra"

var rootCmd = &cobra.Command{Use: "cluster-version-operator"}

func init() {
	// the line
}

func main() {
	if err := rootCmd.Execute(); err != nil {
		panic(err)
	}
}
`,
	"cmd/cluster-version-operator/start.go":                      "package main\n",
	"cmd/cluster-version-operator/render.go":                     "package main\n",
	"cmd/cluster-version-operator/image.go":                      "package main\n",
	"cmd/cluster-version-operator/version.go":                    "package main\n",
	"hack/build-go.sh":                                           "theirs",
	"hack/build-image.sh":                                        "theirs",
	"hack/build-info.sh":                                         "theirs",
	"hack/push-image.sh":                                         "theirs",
	"hack/update-test-metadata.sh":                               "theirs",
	"hack/update-vendor.sh":                                      "theirs",
	"hack/verify-yaml.sh":                                        "theirs",
	"install/0000_00_cluster-version-operator_00_namespace.yaml": "theirs",
}

// theirFolders are folders of that repository.
var theirFolders = []string{
	"pkg/start", "pkg/tls", "pkg/version", "pkg/payload", "pkg/cvo", "pkg/internal", "pkg/readiness", "pkg/risk",
	"cmd/cluster-version-operator-tests", "lib", "test/cvo", "test/oc", "test/util",
}

// ours are the folders that are added beside theirs.
var ours = map[string][]string{
	"docs": {"updatestatus"}, "hack": {"updatestatus"}, "pkg": {"apis", "generated", "updatestatus"}, "test": {"updatestatus"},
}

// TestLongInstallInto copies the controller into a checkout of the repository of the Cluster Version Operator: nothing of theirs is
// changed, everything builds, and with the printed line their binary has the subcommand.
func TestLongInstallInto(t *testing.T) {
	target, root := t.TempDir(), filepath.Join("..", "..")
	for path, content := range theirs {
		write(t, filepath.Join(target, path), content)
	}
	for _, folder := range theirFolders {
		write(t, filepath.Join(target, folder, "theirs.txt"), "theirs")
	}
	line := run(t, root, "hack/updatestatus/install-into.sh", target)
	for path, want := range theirs {
		if content, err := os.ReadFile(filepath.Join(target, path)); err != nil || string(content) != want {
			t.Errorf("%s was changed: %v\n%s", path, err, content)
		}
	}
	for _, folder := range theirFolders {
		if files, err := os.ReadDir(filepath.Join(target, folder)); err != nil || len(files) != 1 {
			t.Errorf("%s has %v, %v", folder, files, err)
		}
	}
	for folder, want := range ours {
		if got := added(t, filepath.Join(target, folder)); !slices.Equal(got, want) {
			t.Errorf("%s got %v, want %v", folder, got, want)
		}
	}
	if files, err := filepath.Glob(filepath.Join(target, "install", "*_update-status-controller_*")); err != nil || len(files) < 10 {
		t.Errorf("%d manifests, %v", len(files), err)
	}

	const main = "cmd/cluster-version-operator/main.go"
	write(t, filepath.Join(target, main), strings.Replace(theirs[main], "// the line\n", line, 1))
	for _, name := range []string{"go.mod", "go.sum", "vendor"} {
		path, err := filepath.Abs(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(target, name)); err != nil {
			t.Fatal(err)
		}
	}
	run(t, target, "go", "vet", "./...")
	run(t, target, "go", "build", "-o", "cvo", "./cmd/cluster-version-operator")
	if help := run(t, target, "./cvo", "update-status-controller", "--help"); !strings.Contains(help, "UpdateStatus/cluster") {
		t.Errorf("the help of the subcommand:\n%s", help)
	}
}

// added returns the folders of a folder that have a file of ours.
func added(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		_, err := os.Stat(filepath.Join(folder, entry.Name(), "theirs.txt"))
		if entry.IsDir() && errors.Is(err, fs.ErrNotExist) {
			names = append(names, entry.Name())
		}
	}
	return names
}

func TestInstallIntoNothing(t *testing.T) {
	command := exec.CommandContext(t.Context(), "hack/updatestatus/install-into.sh", t.TempDir())
	command.Dir = filepath.Join("..", "..")
	if output, err := command.CombinedOutput(); err == nil || !strings.HasPrefix(string(output), "usage: ") {
		t.Errorf("%v\n%s", err, output)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs a command in a folder and returns its output.
func run(t *testing.T, folder, name string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir = folder
	command.Env = append(os.Environ(), "GOFLAGS=-trimpath -tags=grpcnotrace") // as make build, whose cache is used
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%s %v: %v", name, arguments, err)
	}
	return string(output)
}
