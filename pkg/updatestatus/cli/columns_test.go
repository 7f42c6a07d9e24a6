package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestColumns checks custom columns against what kubectl prints and refuses.
func TestColumns(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return "custom-columns-file=" + name
	}
	object := file("object.yaml", `
apiVersion: update.openshift.io/v1alpha1
kind: UpdateStatus
metadata: {name: cluster, annotations: {text: "a\tb\nc\x1b[1md"}}
status:
  conditions:
  - {type: A, status: "True"}
  - {type: B, status: "False"}
  controlPlane: {resource: {resource: clusterversions, name: version}}
`)[len("custom-columns-file="):]
	for name, tc := range map[string]struct {
		args      []string
		want, err string
	}{
		"all ways to write a path": {
			args: []string{"-o", "custom-columns=A:metadata.name,B:.metadata.name,C:{metadata.name},D:{.metadata.name},E:"},
			want: "A         B         C         D         E\ncluster   cluster   cluster   cluster   <none>\n",
		},
		"several values, a map and none": {
			args: []string{"-o", "custom-columns=TYPES:.status.conditions[*].type,RESOURCE:.status.controlPlane.resource,NONE:.status.none,ONE:.status.conditions[?(@.type==\"B\")].status"},
			want: "TYPES   RESOURCE                                     NONE     ONE\nA,B     map[name:version resource:clusterversions]   <none>   False\n",
		},
		"control characters": {
			args: []string{"-o", "custom-columns=TEXT:.metadata.annotations.text"},
			want: "TEXT\na     b\nc^[[1md\n",
		},
		"a file": {
			args: []string{"-o", file("columns", "NAME  KIND\n{metadata.name} .kind\nmore")},
			want: "NAME      KIND\ncluster   UpdateStatus\n",
		},
		"an argument": {
			args: []string{"-o", "custom-columns", "--template", "NAME:.metadata.name"},
			want: "NAME\ncluster\n",
		},
		"no columns":         {args: []string{"-o", "custom-columns"}, err: `invalid --output "custom-columns": custom-columns format specified but no custom columns given`},
		"empty columns":      {args: []string{"-o", "custom-columns="}, err: "custom-columns format specified but no custom columns given"},
		"no path":            {args: []string{"-o", "custom-columns=A"}, err: "unexpected custom-columns spec: A, expected <header>:<json-path-expr>"},
		"braces in a path":   {args: []string{"-o", "custom-columns=A:{a}{b}"}, err: "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'"},
		"an invalid path":    {args: []string{"-o", "custom-columns=A:a[b"}, want: "A\n", err: "printing the UpdateStatus: unterminated array"},
		"a file with no end": {args: []string{"-o", file("short", "NAME\n")}, err: "invalid template, missing spec line: expected format is one line of space separated headers, one line of space separated column specs"},
		"an empty file":      {args: []string{"-o", file("empty", "")}, err: "invalid template, missing header line: expected format is one line of space separated headers, one line of space separated column specs"},
		"a file that counts": {args: []string{"-o", file("wrong", "NAME KIND\n.kind\n")}, err: "number of headers (2) and field specifications (1) don't match"},
		"a path in a file":   {args: []string{"-o", file("path", "NAME\n{a}{b}\n")}, err: "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'"},
		"no file":            {args: []string{"-o", "custom-columns-file=/none"}, err: "error reading template /none, open /none: no such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, "", append([]string{"-f", object}, tc.args...)...)
			if got.out != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got.out, tc.want)
			}
			if text := errorText(got.err); text != tc.err && (tc.err == "" || !strings.HasSuffix(text, ": "+tc.err)) {
				t.Errorf("got  %s\nwant %s", text, tc.err)
			}
		})
	}
	// The headers of a list are there once.
	got := run(t, "", "--history", "-o", "custom-columns=NAME:.metadata.name,RESULT:.status.result", "--server="+serveRecords(t).url)
	if want := "NAME                     RESULT\n20260201-080000-4.20.2   Partial\n20260101-080000-4.20.1   Completed\n"; got.out != want || got.err != nil {
		t.Errorf("got %v and\n%s\nwant\n%s", got.err, got.out, want)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
