package main

import (
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// TestNames covers that help shows the command as its caller has to type it.
func TestNames(t *testing.T) {
	for binary, want := range map[string]string{
		"/usr/local/bin/oc-update-status":      "oc update status",
		"/usr/local/bin/kubectl-update-status": "kubectl update status",
		"bin/anything":                         "oc update status",
	} {
		streams, _, out, _ := genericiooptions.NewTestIOStreams()
		cmd := newCommand(binary, streams)
		cmd.SetOut(out)
		cmd.SetArgs([]string{"--help"})
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		help := out.String()
		if !strings.Contains(help, "Usage:\n  "+want+" [flags]\n") || !strings.Contains(help, "  "+want+" --details=all\n") {
			t.Errorf("%s: the help is not of %s:\n%s", binary, want, help)
		}
		other := map[bool]string{true: "kubectl ", false: " oc "}[strings.HasPrefix(want, "oc")]
		if examples, _, _ := strings.Cut(help, "Flags:"); strings.Contains(examples, other) {
			t.Errorf("%s: the help has examples of %s:\n%s", binary, other, examples)
		}
	}
}

// TestCompletes covers the names under which shells ask for completions.
func TestCompletes(t *testing.T) {
	for binary, want := range map[string]string{
		"/bin/oc-update-status":               "--details none",
		"/bin/oc_complete-update-status":      "__complete --details none",
		"/bin/kubectl_complete-update-status": "__complete --details none",
	} {
		if got := strings.Join(argsOf([]string{binary, "--details", "none"}), " "); got != want {
			t.Errorf("%s: got %s, want %s", binary, got, want)
		}
	}
}
