package cli

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
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

// writeMustGather writes objects to files as a must-gather does, and returns its directory.
func writeMustGather(t *testing.T, objects map[string]string) string {
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
	dir := writeMustGather(t, map[string]string{
		"update.openshift.io/updatestatuses/cluster.yaml":  content(t, updateStatusFile),
		"config.openshift.io/clusterversions/version.yaml": content(t, filepath.Join("testdata", "clusterversion.yaml")),
		"core/nodes/a.yaml": "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {conditions: [{type: Ready}]}\n",
	})
	url := serveMustGather(t, dir)
	for _, args := range [][]string{{"--classic"}, {"--classic", "--details=all"}, {"-o", "json"}, {"-o", "yaml"}, {"-o", "name"}} {
		want := run(t, "", append(args, "--must-gather", dir)...).withoutMoment()
		got := run(t, "", append(args, "--server", url, "--now", "2025-03-01T12:00:00Z")...)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" || want.err != nil || want.out == "" {
			t.Errorf("%v (-files +served):\n%s", args, diff)
		}
	}
}

// TestOlderRelease checks that without an UpdateStatus files and a cluster are assessed by the same rules.
func TestOlderRelease(t *testing.T) {
	dir := writeMustGather(t, map[string]string{
		"config.openshift.io/clusterversions/version.yaml": content(t, filepath.Join("testdata", "clusterversion.yaml")),
	})
	served := run(t, "", "--server", serveMustGather(t, dir))
	collected := run(t, "", "--must-gather", dir)
	for name, got := range map[string]outcome{"cluster": served, "files": collected} {
		if got.err == nil || !strings.Contains(got.err.Error(), "no ClusterOperators found") || !strings.Contains(got.out, "Update state unknown") {
			t.Errorf("%s: error %v\n%s", name, got.err, got.out)
		}
	}
	for _, want := range []string{"the cluster has no UpdateStatus: the client assesses it", "unable to read alerts: "} {
		if !strings.Contains(served.errOut, want) {
			t.Errorf("standard error lacks %q:\n%s", want, served.errOut)
		}
	}
}

// TestManyProblems: of an archive with thousands of bad files twenty are named, in every form of the output, and the others are counted.
func TestManyProblems(t *testing.T) {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	add := func(name, content string) {
		if err := errors.Join(w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content))}), func() error {
			_, err := io.WriteString(w, content)
			return err
		}()); err != nil {
			t.Fatal(err)
		}
	}
	add("cv.yaml", content(t, recordedCluster+"-cv.yaml"))
	for number := range 2000 {
		add(fmt.Sprintf("nodes/%d.yaml", number), "apiVersion: v1\nkind: Node\nmetadata: [\n")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"--summary"}, {"-o", "json"}, {"-o", "markdown"}, {"nodes"}} {
		got := run(t, archive.String(), append(args, "--must-gather", "-")...)
		all := got.out + got.errOut
		if named := strings.Count(all, "nodes/"); got.err == nil || named == 0 || named > 3*20 || !strings.Contains(all, "and 1980 more problems in the files") {
			t.Errorf("%v: %d files are named, error %v\n%.2000s", args, named, got.err, all)
		}
	}
}
