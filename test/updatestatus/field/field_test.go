package field

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/cli"
	"github.com/openshift/cluster-version-operator/test/updatestatus/mustgather"
	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

// firstLines is how many lines a reader is sure to read.
const firstLines = 12

// TestReports checks what the client says first about each report, also about those that are kept beside the repository, if they are.
func TestReports(t *testing.T) {
	root, err := repository.Root()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("NO_COLOR", "1")
	t.Setenv("LC_ALL", "C.UTF-8")
	for _, folder := range []string{"testdata", filepath.Join(root, "..", "shared", "field")} {
		cases, err := filepath.Glob(filepath.Join(folder, "[0-9]*"))
		if err != nil || len(cases) == 0 && folder == "testdata" {
			t.Fatal(len(cases), err)
		}
		for _, folder := range cases {
			t.Run(filepath.Base(folder), func(t *testing.T) { check(t, folder) })
		}
	}
}

func check(t *testing.T, folder string) {
	t.Helper()
	now := strings.TrimSpace(read(t, folder, "now"))
	files := filepath.Join(folder, "files")
	if _, err := os.Stat(filepath.Join(folder, "cluster")); !errors.Is(err, fs.ErrNotExist) {
		files = rebuild(t, folder, now)
	}
	var out, errOut bytes.Buffer
	cmd := cli.NewCommand(genericclioptions.NewConfigFlags(false), genericiooptions.IOStreams{Out: &out, ErrOut: &errOut})
	cmd.SetArgs([]string{"--must-gather", files, "--now", now})
	// Missing files are an error that is told last, and no reason not to look at the rest.
	if err := cmd.ExecuteContext(t.Context()); err != nil && out.Len() == 0 {
		t.Fatalf("%v\n%s", err, &errOut)
	}
	if missed := misses(read(t, folder, "expect"), out.String()); len(missed) > 0 {
		t.Errorf("%s\nmissed: %s\n%s", read(t, folder, "about"), strings.Join(missed, "  "), &out)
	}
}

// misses returns the expectations that an output does not meet.
func misses(expect, out string) []string {
	lines := strings.SplitAfterN(out, "\n", firstLines+1)
	head := strings.Join(lines[:min(firstLines, len(lines))], "")
	var missed []string
	for line := range strings.SplitSeq(strings.TrimSpace(expect), "\n") {
		pattern, isUnwanted := strings.CutPrefix(line, "!")
		matcher := regexp.MustCompile("(?im)" + pattern)
		if isUnwanted && matcher.MatchString(out) || !isUnwanted && !matcher.MatchString(head) {
			missed = append(missed, "["+line+"]")
		}
	}
	return missed
}

// rebuild returns a folder with the cluster of a case.
func rebuild(t *testing.T, folder, now string) string {
	t.Helper()
	base := &cluster{Masters: 3, Workers: 3}
	err := yaml.UnmarshalStrict([]byte(read(t, folder, "cluster")+"now: "+now+"\n"), base)
	if err != nil {
		t.Fatal(err)
	}
	text, err := base.base()
	if err != nil {
		t.Fatal(err)
	}
	files, err := layOut(text + "\n---\n" + read(t, folder, "files", "objects.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	files["timestamp"] = fmt.Sprintf("%s m=+0.1\n%s m=+60.1\n", base.Now.Add(-time.Minute), base.Now)
	result := t.TempDir()
	if err := mustgather.Write(result, files); err != nil {
		t.Fatal(err)
	}
	return result
}

func read(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
