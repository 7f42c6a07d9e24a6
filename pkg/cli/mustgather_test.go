package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// image is the folder that a must-gather names after the image that made it.
const image = "quay-io-openshift-release-dev-ocp-v4-0-art-dev-sha256-0f1e2d3c"

// mustGatherOf writes objects into the layout of a must-gather, each in a file of its own, and returns its folder.
func mustGatherOf(t *testing.T, objects map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range objects {
		file := filepath.Join(folder, image, "cluster-scoped-resources", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// serveMustGather serves the files of a must-gather as an API server would, one object a request.
func serveMustGather(t *testing.T, folder string) string {
	t.Helper()
	answers := map[string]answer{updateStatusPath: refused(t, http.StatusNotFound, metav1.StatusReasonNotFound)}
	resources := filepath.Join(folder, image, "cluster-scoped-resources")
	for path, file := range map[string]string{
		updateStatusPath:   filepath.Join(resources, "update.openshift.io", "updatestatuses", "cluster.yaml"),
		clusterVersionPath: filepath.Join(resources, "config.openshift.io", "clusterversions", "version.yaml"),
	} {
		if text, err := os.ReadFile(file); err == nil {
			answers[path] = foundObject(t, string(text))
		}
	}
	return serve(t, answers).url
}

// TestServedMustGather: a must-gather behind a static API server says what its files say.
func TestServedMustGather(t *testing.T) {
	folder := mustGatherOf(t, map[string]string{
		"update.openshift.io/updatestatuses/cluster.yaml":  content(t, updateStatusFile),
		"config.openshift.io/clusterversions/version.yaml": content(t, filepath.Join("testdata", "clusterversion.yaml")),
		"core/nodes/a.yaml": "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n",
	})
	url := serveMustGather(t, folder)
	for _, args := range [][]string{nil, {"--details=all"}, {"-o", "json"}, {"-o", "yaml"}, {"-o", "name"}} {
		want := run(t, "", append(args, "--must-gather", folder)...)
		got := run(t, "", append(args, "--server", url, "--now", "2025-03-01T12:00:00Z")...)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" || want.err != nil || want.out == "" {
			t.Errorf("%v (-files +served):\n%s", args, diff)
		}
	}
}

// TestServedMustGatherOfAnOlderRelease has no UpdateStatus: what is served can't be assessed, but says what to look at.
func TestServedMustGatherOfAnOlderRelease(t *testing.T) {
	folder := mustGatherOf(t, map[string]string{
		"config.openshift.io/clusterversions/version.yaml": content(t, filepath.Join("testdata", "clusterversion.yaml")),
	})
	got := run(t, "", "--server", serveMustGather(t, folder))
	if got.err == nil || got.out != content(t, filepath.Join("testdata", "clusterversion.txt")) {
		t.Errorf("error %v\n%s", got.err, got.out)
	}
	if got := run(t, "", "--must-gather", folder); got.err != nil || !strings.Contains(got.out, "= Control Plane =") {
		t.Errorf("error %v\n%s", got.err, got.out)
	}
}
