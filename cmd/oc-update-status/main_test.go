package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"
	apiversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/klog/v2"
)

// TestHelp checks that help has the command as the user types it.
func TestHelp(t *testing.T) {
	for binary, want := range map[string]string{
		"/usr/local/bin/oc-update-status":       "oc update status",
		"/usr/local/bin/kubectl-update-status":  "kubectl update status",
		"/usr/local/bin/oc-update-report":       "oc update report",
		"/usr/local/bin/kubectl-update-report":  "kubectl update report",
		"/krew/kubectl-openshift_update_status": "kubectl openshift-update-status",
		`kubectl-openshift_update_report.exe`:   "kubectl openshift-update-report",
		"/usr/local/bin/oc-update-rehearse":     "oc update rehearse",
		"bin/anything":                          "oc update status",
		"bin/demo-update-status":                "oc update status",
	} {
		flag := " --details=all\n"
		if strings.HasSuffix(want, "report") {
			flag = " --output-file report.html\n"
		} else if strings.HasSuffix(want, "rehearse") {
			flag = " -o markdown\n"
		}
		streams, _, out, _ := genericiooptions.NewTestIOStreams()
		cmd := newCommand(binary, streams)
		cmd.SetOut(out)
		cmd.SetArgs([]string{"--help"})
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		help := out.String()
		if !strings.Contains(help, "Usage:\n  "+want+" [flags]\n") || !strings.Contains(help, "  "+want+flag) {
			t.Errorf("%s: the help is not for %s:\n%s", binary, want, help)
		}
		other := map[bool]string{true: "kubectl ", false: " oc "}[strings.HasPrefix(want, "oc")]
		if examples, _, _ := strings.Cut(help, "Flags:"); strings.Contains(examples, other) {
			t.Errorf("%s: the help has examples for %s:\n%s", binary, other, examples)
		}
		_, flags, _ := strings.Cut(help, "Flags:\n")
		own, connection, _ := strings.Cut(flags, "Flags for the cluster and the user:\n")
		if !strings.Contains(own, "--must-gather") || strings.Contains(own, "--kubeconfig") || !strings.Contains(connection, "--kubeconfig") || strings.Contains(connection, "--must-gather") {
			t.Errorf("%s: the flags are not in two groups:\n%s", binary, flags)
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

// TestVerbosity checks that -v is the level of the log, as in kubectl, and --version alone the version.
func TestVerbosity(t *testing.T) {
	streams, _, out, _ := genericiooptions.NewTestIOStreams()
	cmd := newCommand("oc-update-status", streams)
	cmd.SetOut(out)
	cmd.SetArgs([]string{"--version", "-v=6"})
	if err := cmd.Execute(); err != nil || !strings.HasPrefix(out.String(), "oc update status version ") {
		t.Errorf("%v\n%s", err, out)
	}
	if level := cmd.Flags().Lookup("v"); level == nil || level.Value.String() != "6" || level.Shorthand != "v" {
		t.Errorf("-v is %+v", level)
	}
}

// TestQuiet: client-go logs nothing into the terminal of the user, unless -v is set.
func TestQuiet(t *testing.T) {
	for _, test := range []struct {
		args    []string
		isQuiet bool
	}{
		{[]string{"-f", "none"}, true},
		{[]string{"nodes", "-f", "none"}, true},
		{[]string{"-f", "none", "-v=6"}, false},
	} {
		isQuiet := true
		klog.SetLogger(funcr.New(func(string, string) { isQuiet = false }, funcr.Options{}))
		t.Cleanup(klog.ClearLogger)
		streams, _, _, _ := genericiooptions.NewTestIOStreams()
		cmd := newCommand("oc-update-status", streams)
		cmd.SetArgs(test.args)
		if err := cmd.Execute(); err == nil {
			t.Errorf("%v: a missing file is no error", test.args)
		}
		klog.Background().Info("Waited before sending request")
		if isQuiet != test.isQuiet {
			t.Errorf("%v: quiet %t, want %t", test.args, isQuiet, test.isQuiet)
		}
	}
}

// TestVersion: a binary of the Makefile has the version that this sets, one of `go install` the stamped one.
func TestVersion(t *testing.T) {
	const unset = "v0.0.0-master+$Format:%H$"
	stamped := func() (*debug.BuildInfo, bool) {
		return &debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20260302-abc"}}, true
	}
	unstamped := func() (*debug.BuildInfo, bool) { return &debug.BuildInfo{}, true }
	none := func() (*debug.BuildInfo, bool) { return nil, false }
	for want, got := range map[string]string{
		"v0.1.0 (commit abc)": versionOf(apiversion.Info{GitVersion: "v0.1.0", GitCommit: "abc"}, stamped),
		"v0.0.0-20260302-abc": versionOf(apiversion.Info{GitVersion: unset}, stamped),
		"unknown":             versionOf(apiversion.Info{GitVersion: unset}, unstamped),
		"unknown ":            versionOf(apiversion.Info{GitVersion: unset}, none) + " ",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestContextCompletion checks that --context and --contexts are completed with those of the kubeconfig.
func TestContextCompletion(t *testing.T) {
	config := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(config, []byte("apiVersion: v1\nkind: Config\ncontexts: [{name: west, context: {}}, {name: east, context: {}}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBECONFIG", config)
	for _, flag := range []string{"--context", "--contexts"} {
		streams, _, out, _ := genericiooptions.NewTestIOStreams()
		cmd := newCommand("oc-update-status", streams)
		cmd.SetOut(out)
		cmd.SetErr(io.Discard)
		cmd.SetArgs([]string{"__complete", flag, ""})
		if err := cmd.Execute(); err != nil || !strings.HasPrefix(out.String(), "east\nwest\n") {
			t.Errorf("%s: %v\n%s", flag, err, out)
		}
	}
}

// TestNodesCommand checks that the subcommand has the flags for the cluster and the user, and the examples of its client.
func TestNodesCommand(t *testing.T) {
	for binary, client := range map[string]string{"oc-update-status": "oc", "kubectl-update-status": "kubectl"} {
		streams, _, out, _ := genericiooptions.NewTestIOStreams()
		cmd := newCommand(binary, streams)
		cmd.SetOut(out)
		cmd.SetArgs([]string{"nodes", "--help"})
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"Usage:\n  " + client + " update status nodes [flags]\n\nExamples:\n", "\n  " + client + " update status nodes -o json\n", "-r " + client + " get -o wide\n", "      --pool strings",
			"\nFlags for the cluster and the user:\n",
		} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: the help lacks %q:\n%s", binary, want, out)
			}
		}
		_, connection, _ := strings.Cut(out.String(), "Flags for the cluster and the user:\n")
		if !strings.Contains(connection, "--kubeconfig") || strings.Contains(connection, "--pool") {
			t.Errorf("%s: the flags are not in two groups:\n%s", binary, out)
		}
		out.Reset()
		cmd = newCommand(binary, streams)
		cmd.SetOut(out)
		cmd.SetArgs([]string{"--help"})
		if err := cmd.Execute(); err != nil || !strings.Contains(out.String(), client+" update status nodes     List the nodes of a cluster's update\n\nExamples:") || strings.Contains(out.String(), "completion") {
			t.Errorf("%s: %v: the help has other subcommands than nodes:\n%s", binary, err, out)
		}
	}
}
