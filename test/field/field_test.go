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

	"github.com/openshift/cluster-version-operator/pkg/cli"
	"github.com/openshift/cluster-version-operator/test/mustgather"
	"github.com/openshift/cluster-version-operator/test/repository"
)

// firstLines is how many lines a reader is sure to read.
const firstLines = 12

// TestReports checks what the client says first about each report.
func TestReports(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join("testdata", "[0-9]*"))
	if err != nil || len(cases) == 0 {
		t.Fatal(len(cases), err)
	}
	runAll(t, cases)
}

// TestSharedReports checks the same for the reports that are kept outside the repository, if they are there.
func TestSharedReports(t *testing.T) {
	root, err := repository.Root()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := filepath.Glob(filepath.Join(root, "..", "shared", "field", "[0-9]*"))
	if err != nil {
		t.Fatal(err)
	}
	runAll(t, cases)
}

func runAll(t *testing.T, cases []string) {
	t.Helper()
	t.Setenv("NO_COLOR", "1")
	t.Setenv("LC_ALL", "C.UTF-8")
	for _, folder := range cases {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			now := strings.TrimSpace(read(t, folder, "now"))
			out := show(t, files(t, folder, now), now)
			missed := misses(read(t, folder, "expect"), out)
			if len(missed) > 0 {
				t.Errorf("%s\nmissed: %s\n%s", read(t, folder, "about"), strings.Join(missed, "  "), out)
			}
		})
	}
}

// misses returns the expectations that an output does not meet.
func misses(expect, out string) []string {
	lines := strings.SplitAfterN(out, "\n", firstLines+1)
	head := strings.Join(lines[:min(firstLines, len(lines))], "")
	var missed []string
	for line := range strings.Lines(expect) {
		line = strings.TrimSpace(line)
		pattern, isUnwanted := strings.CutPrefix(line, "!")
		matcher := regexp.MustCompile("(?im)" + pattern)
		isMet := matcher.MatchString(head)
		if isUnwanted {
			isMet = !matcher.MatchString(out)
		}
		if line != "" && !isMet {
			missed = append(missed, "["+line+"]")
		}
	}
	return missed
}

// show returns what the client prints about files.
func show(t *testing.T, files, now string) string {
	t.Helper()
	var out, errOut bytes.Buffer
	cmd := cli.NewCommand(genericclioptions.NewConfigFlags(false), genericiooptions.IOStreams{In: nil, Out: &out, ErrOut: &errOut})
	cmd.SetArgs([]string{"--must-gather", files, "--now", now})
	// Missing files are an error that is told last, and no reason not to look at the rest.
	if err := cmd.ExecuteContext(t.Context()); err != nil && out.Len() == 0 {
		t.Fatalf("%v\n%s", err, &errOut)
	}
	return out.String()
}

// files returns a folder with the objects of a case.
func files(t *testing.T, folder, now string) string {
	t.Helper()
	overlay := filepath.Join(folder, "files")
	text, err := os.ReadFile(filepath.Join(folder, "cluster"))
	if errors.Is(err, fs.ErrNotExist) {
		return overlay
	}
	if err != nil {
		t.Fatal(err)
	}
	base := &cluster{now: parse(t, now)}
	if err := yaml.UnmarshalStrict(text, base); err != nil {
		t.Fatal(err)
	}
	objects, err := base.objects()
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(overlay, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		changes, err := documents([]byte(read(t, name)))
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, changes...)
	}
	return layOut(t, objects, base.now)
}

// layOut writes a must-gather. Of several objects of one name, the later ones are laid over the first.
func layOut(t *testing.T, objects []object, now time.Time) string {
	t.Helper()
	merged := map[string]any{}
	for _, one := range objects {
		merged[one.file()] = merge(merged[one.file()], map[string]any(one))
	}
	texts := map[string]string{"timestamp": fmt.Sprintf("%s m=+0.1\n%s m=+60.1\n", now.Add(-time.Minute), now)}
	for name, fields := range merged {
		text, err := yaml.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	result := t.TempDir()
	if err := mustgather.Write(result, texts); err != nil {
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

func parse(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
