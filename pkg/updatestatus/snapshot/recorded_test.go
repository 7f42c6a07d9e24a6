package snapshot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLoadRecorded has clusters whose names start with each other.
func TestLoadRecorded(t *testing.T) {
	node := func(name string) string { return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\n" }
	dir := write(t, map[string]string{
		"a-cv.yaml": clusterVersion, "a-node.yaml": node("of-a"), "a-alerts.json": `{"status": "success"}`, "a.output": "text",
		"a-b-cv.yaml": clusterVersion, "a-b-node.yaml": node("of-a-b"), "a-b-c-node.yaml": node("also-of-a-b"),
		"other-node.yaml": node("of-none"),
	})
	clusters, err := Clusters(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "a-b"}, clusters); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for cluster, want := range map[string][]string{
		"a":   {"clusterversion/version", "node/of-a"},
		"a-b": {"clusterversion/version", "node/also-of-a-b", "node/of-a-b"},
	} {
		if diff := cmp.Diff(want, names(load(t, filepath.Join(dir, cluster)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", cluster, diff)
		}
	}
	for from, want := range map[string]string{
		filepath.Join(dir, "other"):     "no cluster other in " + dir + ", which has a, a-b",
		dir:                             dir + " has the clusters a, a-b: choose one, as in " + filepath.Join(dir, "a"),
		filepath.Join(dir, "x", "y"):    "listing recorded clusters: open " + filepath.Join(dir, "x") + ": no such file or directory",
		filepath.Join(t.TempDir(), "z"): "no such file or directory: ",
	} {
		if _, err := Load(from); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", from, err, want)
		}
	}
}

// TestLinksAreNotFollowed checks links out of a directory and within it.
func TestLinksAreNotFollowed(t *testing.T) {
	elsewhere := write(t, map[string]string{"nodes/node.yaml": nodesWithoutKind})
	dir := write(t, map[string]string{"cv.yaml": clusterVersion})
	for link, target := range map[string]string{
		"file.yaml": filepath.Join(elsewhere, "nodes", "node.yaml"),
		"dir":       filepath.Join(elsewhere, "nodes"),
		"loop":      dir,
		"same.yaml": "cv.yaml",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	s := load(t, dir)
	if diff := cmp.Diff([]string{"clusterversion/version"}, names(s)); diff != "" || len(s.Problems) > 0 {
		t.Errorf("(-want +got):\n%s%v", diff, s.Problems)
	}
}
