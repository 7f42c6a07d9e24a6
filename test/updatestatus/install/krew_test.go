package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// root is the root of the repository.
const root = "../../.."

// run runs a command in a directory, with variables of its environment, and returns its output.
func run(t *testing.T, directory string, environment []string, name string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir, command.Env = directory, append(os.Environ(), environment...)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, output)
	}
	return string(output)
}

// TestKrew installs the plugins with krew, which compares the checksum of the archive, and runs them by their names.
func TestKrew(t *testing.T) {
	tools, packed, home := t.TempDir(), filepath.Join(t.TempDir(), "krew"), t.TempDir()
	run(t, ".", nil, "go", "build", "-o", tools+"/", "sigs.k8s.io/krew/cmd/krew", "sigs.k8s.io/krew/cmd/validate-krew-manifest")
	run(t, root, []string{"MAKEFLAGS="}, "make", "krew", "KREW="+packed, "URL=https://example.com/v0.1.0/",
		"VERSION=v0.1.0", "PLATFORMS="+runtime.GOOS+"/"+runtime.GOARCH)
	archive := "update-status-" + runtime.GOOS + "-" + runtime.GOARCH + ".tar.gz"
	environment := []string{"KREW_ROOT=" + home, "KREW_NO_UPGRADE_CHECK=1", "PATH=" + filepath.Join(home, "bin") + ":" + os.Getenv("PATH")}
	for plugin, want := range map[string]string{
		"openshift-update-status":   "kubectl openshift-update-status nodes",
		"openshift-update-report":   "kubectl openshift-update-report --output-file report.html",
		"openshift-update-rehearse": "kubectl openshift-update-rehearse -o markdown",
	} {
		manifest := filepath.Join(packed, plugin+".yaml")
		content, err := os.ReadFile(manifest)
		if err != nil || !strings.Contains(string(content), "uri: https://example.com/v0.1.0/"+archive+"\n") {
			t.Errorf("%s: the archive is not below URL (%v):\n%s", plugin, err, content)
		}
		run(t, ".", environment, filepath.Join(tools, "validate-krew-manifest"), "-manifest", manifest, "-skip-install")
		run(t, ".", environment, filepath.Join(tools, "krew"), "install", "--manifest="+manifest, "--archive="+filepath.Join(packed, archive))
		binary := filepath.Join(home, "bin", "kubectl-"+strings.ReplaceAll(plugin, "-", "_"))
		if help := run(t, ".", environment, binary, "--help"); !strings.Contains(help, want) {
			t.Errorf("%s: the help has no %q:\n%s", plugin, want, help)
		}
		if version := run(t, ".", environment, binary, "--version"); !strings.Contains(version, "kubectl "+plugin+" version v0.1.0 ") {
			t.Errorf("%s: %s", plugin, version)
		}
	}
	contents := strings.Fields(run(t, ".", nil, "tar", "--list", "--file", filepath.Join(packed, archive)))
	if got := strings.Join(contents, " "); got != "./ ./LICENSE ./oc-update-status" {
		t.Errorf("the archive has %s", got)
	}
}

// TestGoInstall runs the recipe of README.md.
func TestGoInstall(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "<!-- install -->\n```\n")
	recipe, _, found := strings.Cut(block, "```")
	if !found {
		t.Fatal("README.md has no block of commands after <!-- install -->")
	}
	bin := t.TempDir()
	environment := []string{"GOBIN=" + bin, "PATH=" + bin + ":" + os.Getenv("PATH"), "GOFLAGS=" + os.Getenv("GOFLAGS")}
	run(t, root, environment, "bash", "-o", "errexit", "-c", recipe)
	for binary, want := range map[string]string{
		"oc-update-status": "oc update status", "oc-update-report": "oc update report", "oc-update-rehearse": "oc update rehearse",
	} {
		if help := run(t, ".", environment, filepath.Join(bin, binary), "--help"); !strings.Contains(help, want) {
			t.Errorf("%s: the help has no %q:\n%s", binary, want, help)
		}
	}
}
