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

// image is the directory of a must-gather that is named after its image.
const image = "quay-io-openshift-release-dev-ocp-v4-0-art-dev-sha256-0f1e2d3c"

// newMustGather writes objects to files as a must-gather does, and returns its directory.
func newMustGather(t *testing.T, objects map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range objects {
		file := filepath.Join(dir, image, "cluster-scoped-resources", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// serveMustGather returns the URL of an API server with the objects of a must-gather.
func serveMustGather(t *testing.T, dir string) string {
	t.Helper()
	responses := map[string]response{updateStatusPath: errorResponse(t, http.StatusNotFound, metav1.StatusReasonNotFound)}
	resources := filepath.Join(dir, image, "cluster-scoped-resources")
	for path, file := range map[string]string{
		updateStatusPath:   filepath.Join(resources, "update.openshift.io", "updatestatuses", "cluster.yaml"),
		clusterVersionPath: filepath.Join(resources, "config.openshift.io", "clusterversions", "version.yaml"),
	} {
		if text, err := os.ReadFile(file); err == nil {
			responses[path] = objectResponse(t, string(text))
		}
	}
	return serve(t, responses).url
}

// TestMustGatherEqualsCluster checks that files and an API server with the same UpdateStatus have the same output.
func TestMustGatherEqualsCluster(t *testing.T) {
	dir := newMustGather(t, map[string]string{
		"update.openshift.io/updatestatuses/cluster.yaml":  content(t, updateStatusFile),
		"config.openshift.io/clusterversions/version.yaml": content(t, filepath.Join("testdata", "clusterversion.yaml")),
		"core/nodes/a.yaml": "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n",
	})
	url := serveMustGather(t, dir)
	for _, args := range [][]string{nil, {"--details=all"}, {"-o", "json"}, {"-o", "yaml"}, {"-o", "name"}} {
		want := run(t, "", append(args, "--must-gather", dir)...)
		got := run(t, "", append(args, "--server", url, "--now", "2025-03-01T12:00:00Z")...)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" || want.err != nil || want.out == "" {
			t.Errorf("%v (-files +served):\n%s", args, diff)
		}
	}
}

// TestOlderRelease checks that without an UpdateStatus files are assessed, and that ClusterVersion is shown for a cluster.
func TestOlderRelease(t *testing.T) {
	dir := newMustGather(t, map[string]string{
		"config.openshift.io/clusterversions/version.yaml": content(t, filepath.Join("testdata", "clusterversion.yaml")),
	})
	got := run(t, "", "--server", serveMustGather(t, dir))
	if got.err == nil || got.out != content(t, filepath.Join("testdata", "clusterversion.txt")) {
		t.Errorf("error %v\n%s", got.err, got.out)
	}
	if got := run(t, "", "--must-gather", dir); got.err != nil || !strings.Contains(got.out, "= Control Plane =") {
		t.Errorf("error %v\n%s", got.err, got.out)
	}
}
