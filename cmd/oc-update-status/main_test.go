package main

import (
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// TestHelp checks that help has the command as the user types it.
func TestHelp(t *testing.T) {
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
			t.Errorf("%s: the help is not for %s:\n%s", binary, want, help)
		}
		other := map[bool]string{true: "kubectl ", false: " oc "}[strings.HasPrefix(want, "oc")]
		if examples, _, _ := strings.Cut(help, "Flags:"); strings.Contains(examples, other) {
			t.Errorf("%s: the help has examples for %s:\n%s", binary, other, examples)
		}
	}
}

// TestCompletion checks the names of the binary for shell completion.
func TestCompletion(t *testing.T) {
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
