package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// TestFormats checks each format that needs more than its name, and Markdown.
func TestFormats(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	const path = "{.status.controlPlane.resource.name}"
	const template = "{{.kind}} {{.metadata.name}}"
	const columns = "NAME:.metadata.name,PART:.status.controlPlane.resource.name"
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"jsonpath":         {[]string{"-o", "jsonpath=" + path}, "version"},
		"jsonpath-file":    {[]string{"-o", "jsonpath-file=" + write("path", path)}, "version"},
		"go-template":      {[]string{"-o", "go-template=" + template}, "UpdateStatus cluster"},
		"go-template-file": {[]string{"-o", "go-template-file=" + write("template", template)}, "UpdateStatus cluster"},
		"template":         {[]string{"--template", template}, "UpdateStatus cluster"},
		"custom-columns":   {[]string{"-o", "custom-columns=" + columns}, "NAME      PART\ncluster   version\n"},
		"markdown":         {[]string{"-o", "markdown"}, "### Updating from 4.19.3 to 4.20.0 for 1h: the control plane\n"},
	} {
		got := run(t, "", append([]string{"-f", updateStatusFile}, tc.args...)...)
		if got.err != nil || !strings.HasPrefix(got.out, tc.want) {
			t.Errorf("%s: error %v\n%s", name, got.err, got.out)
		}
	}
}

// TestClassic checks which text is the default where there is no terminal: the whole update, but in oc the classic text. The other one can
// be had.
func TestClassic(t *testing.T) {
	const head = "Updating from 4.19.3 to 4.20.0 for 1h: the control plane\n"
	for _, test := range []struct {
		flag          string
		isHead, isOCs bool
	}{
		{"", true, false},
		{"--classic", false, false},
		{"--classic=false", true, true},
	} {
		args := append(strings.Fields(test.flag), "-f", updateStatusFile)
		got := run(t, "", args...)
		if strings.HasPrefix(got.out, head) != test.isHead || got.err != nil {
			t.Errorf("%v: error %v\n%s", args, got.err, got.out)
		}
		var out bytes.Buffer
		oc := newOC(genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: io.Discard})
		oc.SetArgs(append([]string{"adm", "upgrade", "status"}, args...))
		if err := oc.ExecuteContext(t.Context()); strings.HasPrefix(out.String(), head) != test.isOCs || err != nil {
			t.Errorf("oc adm upgrade status %v: error %v\n%s", args, err, out.String())
		}
	}
}

// TestOCOnTerminal: on a terminal the text in oc begins with the whole update.
func TestOCOnTerminal(t *testing.T) {
	terminal := newTerminal(t)
	oc := newOC(genericiooptions.IOStreams{In: strings.NewReader(""), Out: terminal.screen, ErrOut: io.Discard})
	oc.SetArgs([]string{"adm", "upgrade", "status", "-f", updateStatusFile})
	if err := oc.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	terminal.until(ctx, t, func(written string) bool {
		return strings.HasPrefix(written, "Updating from 4.19.3 to 4.20.0 for 1h: ")
	})
}

// TestWatchInLines checks the output of a watch that is piped: a line for each thing that happens, or a document in each line.
func TestWatchInLines(t *testing.T) {
	for name, tc := range map[string]struct {
		format string
		want   []string
	}{
		"text": {"", []string{
			"2025-03-01T12:00:00Z  Updating from 4.19.3 to 4.20.0 for 1h: the control plane\n",
			"2025-03-01T12:00:00Z  control plane: Completed, to 4.20.0\n",
			"2025-03-01T12:00:00Z  resolved: Something is wrong\n",
			"The update to 4.20.0 is complete. The control plane took 1h.\n",
		}},
		"JSON": {"json", []string{`{"apiVersion":"update.openshift.io/v1alpha1"`}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			server := newFakeCluster(t, content(t, updateStatusFile))
			streams, _, out, errOut := genericiooptions.NewTestIOStreams()
			o := newOptions(nil, streams)
			o.Watch, o.clock = true, func() time.Time { return time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC) }
			*o.Print.OutputFormat = tc.format
			printer, err := o.Print.toPrinter()
			if err != nil {
				t.Fatal(err)
			}
			from, err := newCluster(server.config(), target{}, o.clock)
			if err != nil {
				t.Fatal(err)
			}
			o.printer, o.source = printer, from
			server.onWatch = func() { server.set(t, idleStatus) }
			if err := o.Run(ctx); err != nil {
				t.Fatalf("%v\n%s%s", err, errOut, out)
			}
			for _, want := range tc.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the output lacks %q:\n%s", want, out)
				}
			}
			for line := range strings.Lines(out.String()) {
				if tc.format == "json" && !json.Valid([]byte(line)) {
					t.Errorf("a line is no document: %s", line)
				}
			}
		})
	}
}

// TestContexts checks that each cluster has its line, also one that can't be read.
func TestContexts(t *testing.T) {
	updating := serve(t, map[string]response{updateStatusPath: objectResponse(t, content(t, updateStatusFile))})
	idle := serve(t, map[string]response{updateStatusPath: objectResponse(t, idleStatus)})
	forbidden := serve(t, map[string]response{updateStatusPath: errorResponse(t, http.StatusForbidden, "Forbidden")})
	config := "apiVersion: v1\nkind: Config\ncurrent-context: east\nclusters:\n"
	contexts := "contexts:\n"
	for name, server := range map[string]*apiServer{"east": updating, "west": idle, "north": forbidden} {
		config += "- {name: " + name + ", cluster: {server: " + server.url + "}}\n"
		contexts += "- {name: " + name + ", context: {cluster: " + name + "}}\n"
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(config+contexts), 0o600); err != nil {
		t.Fatal(err)
	}
	got := run(t, "", "--kubeconfig", file, "--contexts", "west,east,north,south")
	lines := strings.Split(got.out, "\n")
	for at, want := range []string{"CONTEXT   UPDATING   FROM", "west      False      4.19.3   4.20.0", "east      True       4.19.3   4.20.0", "north     ?", "south     ?"} {
		if !strings.HasPrefix(lines[at], want) {
			t.Errorf("line %d is %q, want %q", at, lines[at], want)
		}
	}
	for _, want := range []string{"north: not allowed to read", "south: the kubeconfig has no such context"} {
		if got.err == nil || !strings.Contains(got.err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, got.err)
		}
	}
	for args, want := range map[string]int{
		"east,west": 0, "east,west --exit-code": exitNeedsAttention, "west --exit-code": 0, "west,east --fail-on=warning": exitNeedsAttention,
		"west --fail-on=warning": 0, "east,north --exit-code": 1, "north,east --fail-on=warning": 1,
	} {
		got := run(t, "", strings.Fields("--kubeconfig "+file+" --contexts "+args)...)
		if codeOf(got.err) != want {
			t.Errorf("%s: exit status %d, want %d: %v", args, codeOf(got.err), want, got.err)
		}
	}
}
