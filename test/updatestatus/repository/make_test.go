package repository_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

// TestMissingVariables checks that a target of the Makefile without what it needs, or with a wrong value, says so before it builds anything.
func TestMissingVariables(t *testing.T) {
	root := repository.RootOf(t)
	for line, want := range map[string]string{
		"image":         "ERROR: IMAGE=NAME is missing",
		"deploy":        "ERROR: IMAGE=NAME is missing",
		"deflake":       "ERROR: PACKAGE= is missing",
		"conformance":   "ERROR: EXAMPLES=DIR is missing",
		"fuzz FUZZ=abc": "ERROR: FUZZ=abc is neither a number of inputs nor a time",
		"fuzz FUZZ=10":  "ERROR: FUZZ=10 is neither a number of inputs nor a time",
	} {
		command := exec.CommandContext(t.Context(), "make", append([]string{"--no-print-directory"}, strings.Fields(line)...)...)
		command.Dir = root
		// Not those of the make that runs this test, nor what its user has set.
		for _, variable := range os.Environ() {
			name, _, _ := strings.Cut(variable, "=")
			if name == "PATH" || name == "HOME" || strings.HasPrefix(name, "GO") {
				command.Env = append(command.Env, variable)
			}
		}
		output, err := command.CombinedOutput()
		if err == nil || !strings.HasPrefix(string(output), want) || !strings.Contains(string(output), ": make "+strings.Fields(line)[0]+" ") {
			t.Errorf("make %s: %v\n%s", line, err, output)
		}
	}
}
