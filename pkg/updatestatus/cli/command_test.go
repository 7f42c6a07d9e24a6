package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// updateStatusFile has insights that were acquired at 2025-03-01T12:00:00Z.
var updateStatusFile = filepath.Join("testdata", "updatestatus.yaml")

// TestSources checks that all sources of the same object have the same text.
func TestSources(t *testing.T) {
	object := content(t, updateStatusFile)
	api := serve(t, map[string]response{updateStatusPath: objectResponse(t, object)})
	for name, tc := range map[string]struct {
		input string
		args  []string
	}{
		"file":           {args: []string{"-f", updateStatusFile}},
		"standard input": {input: asJSON(t, object), args: []string{"-f", "-"}},
		"must-gather":    {args: []string{"--must-gather", "testdata"}},
		"cluster":        {args: []string{"--server", api.url, "--now", "2025-03-01T12:00:00Z"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, tc.input, append(tc.args, "--classic")...).withoutMoment()
			if diff := cmp.Diff(outcome{out: wantText(t)}, got, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRequests checks that the command sends three requests to the API server.
func TestRequests(t *testing.T) {
	api := serve(t, map[string]response{updateStatusPath: objectResponse(t, content(t, updateStatusFile))})
	for _, args := range [][]string{nil, {"-o", "yaml"}} {
		api.requests.Store(0)
		if got := run(t, "", append(args, "--server", api.url)...); got.err != nil || api.requests.Load() != 3 {
			t.Errorf("%v: %d requests, error %v", args, api.requests.Load(), got.err)
		}
	}
}

func TestNow(t *testing.T) {
	got := run(t, "", "-f", updateStatusFile, "--classic", "--now", "2025-03-01T13:00:00+01:00")
	if diff := cmp.Diff(outcome{out: wantText(t)}, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = run(t, "", "-f", updateStatusFile, "--now", "2025-03-01T12:30:00Z")
	if want := "Updating from 4.19.3 to 4.20.0 for 1h30m: "; !strings.Contains(got.out, want) {
		t.Errorf("the text lacks %q:\n%s", want, got.out)
	}
}

// TestHostileTimes: a time in a file that cannot be true is shown as unknown, and is not taken for the time of the file.
func TestHostileTimes(t *testing.T) {
	for _, hostile := range []string{"9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00+14:00"} {
		object := strings.Replace(content(t, updateStatusFile), `startedAt: "2025-03-01T11:00:00Z"`, `startedAt: "`+hostile+`"`, 1)
		got := run(t, strings.Replace(object, `acquiredAt: "2025-03-01T12:00:00Z"`, `acquiredAt: "`+hostile+`"`, 1), "-f", "-", "--classic").withoutMoment()
		want := strings.Replace(wantText(t), "1h (Est. Time Remaining: 45m)", "unknown", 1)
		if diff := cmp.Diff(outcome{out: want}, got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", hostile, diff)
		}
	}
}

func TestDetails(t *testing.T) {
	got := run(t, "", "-f", updateStatusFile, "--details=health")
	if want := "  Description: Very wrong\n"; !strings.Contains(got.out, want) {
		t.Errorf("the text lacks %q:\n%s", want, got.out)
	}
}

// TestOutput checks that the output in each format can be decoded and read back.
func TestOutput(t *testing.T) {
	want := &updatev1alpha1.UpdateStatus{}
	if err := yaml.Unmarshal([]byte(content(t, updateStatusFile)), want); err != nil {
		t.Fatal(err)
	}
	want.ManagedFields = nil
	for format, unmarshal := range map[string]func([]byte, any) error{
		"json": json.Unmarshal,
		"yaml": func(text []byte, object any) error { return yaml.UnmarshalStrict(text, object) },
	} {
		printed := run(t, "", "-f", updateStatusFile, "-o", format)
		got := &updatev1alpha1.UpdateStatus{}
		if err := unmarshal([]byte(printed.out), got); err != nil || printed.err != nil {
			t.Fatalf("%s: %v, %v", format, err, printed.err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
		if again := run(t, printed.out, "-f", "-", "--classic"); again.out != wantText(t) {
			t.Errorf("%s read back:\n%s%v", format, again.out, again.err)
		}
	}
	if got := run(t, "", "-f", updateStatusFile, "-o", "name"); got.out != "updatestatus.update.openshift.io/cluster\n" {
		t.Errorf("name: got %q, %v", got.out, got.err)
	}
}

// TestUnknownFields checks that the fields of a newer version are printed.
func TestUnknownFields(t *testing.T) {
	object := strings.Replace(content(t, updateStatusFile), "completion: 40\n", "completion: 40\n          pace: {steps: 9007199254740993}\n", 1)
	api := serve(t, map[string]response{updateStatusPath: objectResponse(t, object)})
	for name, got := range map[string]outcome{
		"file":    run(t, object, "-f", "-", "-o", "yaml"),
		"cluster": run(t, "", "--server", api.url, "-o", "yaml"),
	} {
		if got.err != nil || !strings.Contains(got.out, "pace:\n            steps: 9007199254740993\n") {
			t.Errorf("%s: error %v\n%s", name, got.err, got.out)
		}
	}
}

// TestColor checks the values of --color. The output of a test is no terminal.
func TestColor(t *testing.T) {
	for _, tc := range []struct {
		args    []string
		noColor string
		want    bool
	}{
		{args: nil},
		{args: []string{"--color", "auto"}},
		{args: []string{"--color", "never"}},
		{args: []string{"--color", "always"}, want: true},
		{args: []string{"--color", "always"}, noColor: "1", want: true},
	} {
		t.Setenv("NO_COLOR", tc.noColor)
		got := run(t, "", append(tc.args, "-f", updateStatusFile)...)
		if colored := strings.Contains(got.out, "\x1b[33mWarning\x1b[0m"); colored != tc.want || colored != strings.Contains(got.out, "\x1b") {
			t.Errorf("%v, NO_COLOR=%q: colored is %t:\n%s", tc.args, tc.noColor, colored, got.out)
		}
	}
}

// TestWide: -o wide is the text with all details, unless others are asked for. The text without details ends with what else there is.
func TestWide(t *testing.T) {
	source := []string{"-f", updateStatusFile, "--now=2025-03-01T12:00:00Z"}
	text := func(args ...string) string {
		got := run(t, "", slices.Concat(source, args)...)
		if got.err != nil {
			t.Fatal(got.err)
		}
		return got.out
	}
	all, more := text("--details=all"), "\nMore: --details=all, --timeline, report\n"
	if wide := text("-o", "wide"); wide != all || strings.Contains(wide, more) {
		t.Errorf("wide:\n%s", wide)
	}
	if nodes := text("-o", "wide", "--details=nodes"); nodes != text("--details=nodes") || nodes == all {
		t.Errorf("wide, nodes in full:\n%s", nodes)
	}
	if short := text(); !strings.HasSuffix(short, more) {
		t.Errorf("without details:\n%s", short)
	}
}

// TestUnavailable checks that a status that may be outdated is shown, with an error that has its age.
func TestUnavailable(t *testing.T) {
	object := strings.Replace(content(t, updateStatusFile),
		`{type: Available, status: "True", reason: AsExpected, message: ""`,
		`{type: Available, status: "False", reason: CannotListNodes, message: "the node-informer\n\e[1mmay not list nodes"`, 1)
	got := run(t, object, "-f", "-", "--classic")
	if got.out != "This may be outdated: the node-informer may not list nodes.\n"+wantText(t) {
		t.Errorf("got:\n%s", got.out)
	}
	if printed := run(t, object, "-f", "-", "-o", "jsonpath={.notices}{.kind}"); printed.out != `["This may be outdated: the node-informer may not list nodes."]UpdateStatus` {
		t.Errorf("got %s", printed.out)
	}
	if printed := run(t, "", "-f", updateStatusFile, "-o", "jsonpath={.notices}"); printed.out != "" {
		t.Errorf("got %s", printed.out)
	}
	const want = "the Update Status Controller has been unable to report the whole cluster for 120m, the status may be outdated: " +
		"the node-informer may not list nodes (CannotListNodes)"
	if printed := run(t, object, "-f", "-"); printed.err == nil || printed.err.Error() != want {
		t.Errorf("got  %v\nwant %s", printed.err, want)
	}
	if got.err != nil || !strings.HasSuffix(got.errOut, "\nwarning: "+want+"\n") {
		t.Errorf("as oc: %v, %s", got.err, got.errOut)
	}
}

// TestUnavailableSinceNow checks that an age of zero is not shown.
func TestUnavailableSinceNow(t *testing.T) {
	object := strings.Replace(content(t, updateStatusFile),
		`{type: Available, status: "True", reason: AsExpected, message: "", lastTransitionTime: "2025-03-01T10:00:00Z"`,
		`{type: Available, status: "False", reason: CannotListNodes, message: "may not", lastTransitionTime: "2025-03-01T14:00:00Z"`, 1)
	const want = "the Update Status Controller has been unable to report the whole cluster, the status may be outdated: may not (CannotListNodes)"
	if got := run(t, object, "-f", "-"); got.err == nil || got.err.Error() != want {
		t.Errorf("got  %v\nwant %s", got.err, want)
	}
}

// TestTruncated checks that a file that ends at any line is an error.
func TestTruncated(t *testing.T) {
	whole := run(t, "", "-f", updateStatusFile, "-o", "yaml").out
	if got := run(t, whole, "-f", "-"); got.err != nil {
		t.Fatalf("the whole object: %v", got.err)
	}
	lines := strings.SplitAfter(whole, "\n")
	for first := range lines {
		if strings.HasPrefix(lines[first], "status:") {
			lines, whole = lines[first+1:], strings.Join(lines[:first+1], "")
			break
		}
	}
	for at, line := range lines[:len(lines)-2] { // without the last line the object is still complete
		if got := run(t, whole+strings.Join(lines[:at], ""), "-f", "-"); got.err == nil {
			t.Errorf("truncated before line %d of the status, %q: no error", at+1, line)
		}
	}
}

// TestEmptyUpdateStatus checks that an object without a status is an error, unless other objects in files can be assessed.
func TestEmptyUpdateStatus(t *testing.T) {
	const empty = "apiVersion: update.openshift.io/v1alpha1\nkind: UpdateStatus\nmetadata: {name: cluster}\n"
	api := serve(t, map[string]response{updateStatusPath: objectResponse(t, empty)})
	for name, got := range map[string]outcome{
		"cluster":     run(t, "", "--server", api.url),
		"file":        run(t, empty, "-f", "-"),
		"must-gather": run(t, "", "--must-gather", writeMustGather(t, map[string]string{"a.yaml": empty})),
	} {
		if got.err == nil || !strings.Contains(got.err.Error(), "has not reported anything yet") || !strings.Contains(got.out, "Update state unknown") {
			t.Errorf("%s: error %v\n%s", name, got.err, got.out)
		}
	}
	got := run(t, "", "--must-gather", writeMustGather(t, map[string]string{
		"a.yaml": empty, "b.yaml": content(t, filepath.Join("testdata", "clusterversion.yaml")),
	}))
	if got.err == nil || !strings.Contains(got.out, "\nTarget         4.20.0 ") || !strings.Contains(got.errOut, "the status is assessed from the other objects") {
		t.Errorf("with other objects: error %v\n%s%s", got.err, got.errOut, got.out)
	}
}

// TestMoment checks which time files are shown as of, and that the text has it, or a warning beside the classic one.
func TestMoment(t *testing.T) {
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {conditions: [{type: Ready, status: \"True\", lastHeartbeatTime: \"2025-03-01T%s:00Z\"}]}\n"
	const noon = "2025-03-01T12:00:00Z, the last change in the files"
	const gathered = "2025-03-01 15:40:11.12 +0000 UTC m=+0.12\n2025-03-01 15:43:11 +0000 UTC m=+180.1\n"
	updating := content(t, updateStatusFile)
	done := strings.ReplaceAll(updating, `{type: Updating, status: "True"`, `{type: Updating, status: "False"`)
	for name, tc := range map[string]struct {
		object    string
		report    string // time of the last report
		timestamp string
		args      []string
		want      string
		err       string
	}{
		"hours later":            {object: updating, report: "16:30", want: noon + ", but nodes reported until 2025-03-01T16:30:00Z: show that time with --now 2025-03-01T16:30:00Z\n"},
		"a little later":         {object: updating, report: "12:09", want: noon + "\n"},
		"another time":           {object: updating, report: "16:30", args: []string{"--now", "2025-03-01T13:00:00Z"}},
		"not updating":           {object: done, report: "16:30", want: noon + "\n"},
		"earlier":                {object: updating, report: "11:00", want: noon + "\n"},
		"gathered":               {object: updating, report: "15:30", timestamp: gathered, want: "2025-03-01T15:43:11Z, the end of gathering\n"},
		"gathered, another time": {object: updating, report: "15:30", timestamp: gathered, args: []string{"--now", "2025-03-01T13:00:00Z"}},
		"before the files":       {object: updating, report: "11:00", args: []string{"--now", "2025-03-01T11:59:59Z"}, err: "--now 2025-03-01T11:59:59Z is before the last change in the files, which is at 2025-03-01T12:00:00Z"},
	} {
		dir := writeMustGather(t, map[string]string{"object.yaml": tc.object, "node.yaml": fmt.Sprintf(node, tc.report)})
		if tc.timestamp != "" {
			if err := os.WriteFile(filepath.Join(dir, "timestamp"), []byte(tc.timestamp), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := run(t, "", append(tc.args, "--must-gather", dir)...)
		if tc.err != "" && (got.err == nil || got.err.Error() != tc.err) || tc.err == "" && got.err != nil || got.errOut != "" {
			t.Errorf("%s: error %v, warnings %q", name, got.err, got.errOut)
		}
		if _, asOf, _ := strings.Cut(got.out, "\nAs of          "); !strings.HasPrefix(asOf, tc.want) || tc.want == "" && asOf != "" {
			t.Errorf("%s: not as of %q:\n%s", name, tc.want, got.out)
		}
		want := tc.want
		if want != "" {
			want = "warning: the status is as of " + want
		}
		if classic := run(t, "", append(tc.args, "--must-gather", dir, "--classic")...); classic.errOut != want {
			t.Errorf("%s: warnings %q", name, classic.errOut)
		}
	}
}

// TestIncompleteFiles checks that what files lack is said before the text, and is an error.
func TestIncompleteFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cv.yaml":  "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\n",
		"bad.yaml": "apiVersion: v1\nkind: Node\nmetadata: {\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := run(t, "", "--must-gather", dir)
	if got.err == nil || !strings.Contains(got.err.Error(), "incomplete") || !strings.Contains(got.out, "\nUpdate state unknown: ") {
		t.Errorf("got %v:\n%s", got.err, got.out)
	}
	for _, want := range []string{dir + "/bad.yaml:3: ", "ClusterVersion version has an incomplete status", "no ClusterOperators", "no MachineConfigPools", "set another one with --now"} {
		if !strings.Contains(got.out, "Incomplete: ") || !strings.Contains(got.out, want) {
			t.Errorf("the text lacks %q:\n%s", want, got.out)
		}
	}
	if !strings.Contains(got.errOut, "no alerts in these files") {
		t.Errorf("standard error: %s", got.errOut)
	}
}

// TestInterrupted checks that the command ends with its context.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	cmd := newPlugin(genericiooptions.NewTestIOStreamsDiscard())
	cmd.SetArgs([]string{"--server", "http://127.0.0.1:1"})
	if err := cmd.ExecuteContext(ctx); codeOf(err) != exitInterrupted {
		t.Errorf("the error of an interrupted command is %v", err)
	}
}

// TestCompletion checks the shell completions of flags.
func TestCompletion(t *testing.T) {
	for flag, want := range map[string][]string{
		"--details": {"none", "all", "nodes", "health", "operators"},
		"--output": {
			"custom-columns", "custom-columns-file", "go-template", "go-template-file", "json", "jsonpath", "jsonpath-as-json",
			"jsonpath-file", "kyaml", "name", "template", "templatefile", "yaml", "markdown", "wide",
		},
		"--for":   {"all", "control-plane", "management", "data-plane", "workers"},
		"--color": {"auto", "always", "never"}, "--fail-on": {"error", "warning", "never"},
	} {
		var out bytes.Buffer
		cmd := newPlugin(genericiooptions.NewTestIOStreamsDiscard())
		cmd.SetOut(&out)
		cmd.SetErr(io.Discard)
		cmd.SetArgs([]string{"__complete", flag, ""})
		if err := cmd.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Fields(strings.Split(out.String(), ":")[0]); cmp.Diff(want, got) != "" {
			t.Errorf("%s: got %v, want %v", flag, got, want)
		}
	}
}
