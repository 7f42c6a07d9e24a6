package snapshot

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// archive writes a .tar.gz and returns its path.
func archive(t *testing.T, entries []tar.Header, contents map[string]string) string {
	t.Helper()
	var content bytes.Buffer
	zipped := gzip.NewWriter(&content)
	files := tar.NewWriter(zipped)
	for _, header := range entries {
		header.Mode, header.Size = 0o600, int64(len(contents[header.Name]))
		if err := files.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		if _, err := files.Write([]byte(contents[header.Name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "must-gather.tar.gz")
	if err := os.WriteFile(name, content.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestLoadArchive checks that links and paths outside of the archive are not read.
func TestLoadArchive(t *testing.T) {
	elsewhere := filepath.Join(write(t, map[string]string{"node.yaml": nodesWithoutKind}), "node.yaml")
	name := archive(t, []tar.Header{
		{Name: "must-gather/", Typeflag: tar.TypeDir},
		{Name: "must-gather/cv.yaml", Typeflag: tar.TypeReg},
		{Name: "../pools.yaml", Typeflag: tar.TypeReg},
		{Name: "must-gather/link.yaml", Typeflag: tar.TypeSymlink, Linkname: elsewhere},
		{Name: "must-gather/same.yaml", Typeflag: tar.TypeLink, Linkname: "must-gather/cv.yaml"},
		{Name: "must-gather/node.yaml", Typeflag: tar.TypeReg},
		{Name: "must-gather/co.yaml", Typeflag: tar.TypeReg},
	}, map[string]string{
		"must-gather/cv.yaml": clusterVersion, "../pools.yaml": pools, "must-gather/co.yaml": operators,
		"must-gather/node.yaml": "kind: Node\napiVersion: v1\n",
	})
	s := load(t, name)
	if diff := cmp.Diff([]string{"clusteroperator/dns", "clusteroperator/etcd", "clusterversion/version"}, names(s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := []string{
		name[1:] + `: skipped "../pools.yaml": a path outside of the archive`,
		name[1:] + "/must-gather/node.yaml:1: Node has no name",
	}
	if diff := cmp.Diff(want, problems(s, "/")); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestLoadDamagedArchive checks that the files before the damage are read.
func TestLoadDamagedArchive(t *testing.T) {
	name := archive(t, []tar.Header{{Name: "cv.yaml", Typeflag: tar.TypeReg}, {Name: "co.yaml", Typeflag: tar.TypeReg}},
		map[string]string{"cv.yaml": clusterVersion, "co.yaml": operators})
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	// Without the checksum and the end of the last block.
	if err := os.WriteFile(name, whole[:len(whole)-12], 0o600); err != nil {
		t.Fatal(err)
	}
	s := load(t, name)
	if s.ClusterVersion == nil || len(s.Problems) == 0 {
		t.Errorf("got %v, problems %v", names(s), s.Problems)
	}
	if err := os.WriteFile(name, []byte("no archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(name); err == nil {
		t.Error("no error for a file that is no archive")
	}
}

// TestLoadLargeArchive checks that only the first files of an archive with a huge unpacked size are read.
func TestLoadLargeArchive(t *testing.T) {
	name := archive(t, []tar.Header{{Name: "cv.yaml", Typeflag: tar.TypeReg}, {Name: "zeros", Typeflag: tar.TypeReg}, {Name: "co.yaml", Typeflag: tar.TypeReg}},
		map[string]string{"cv.yaml": clusterVersion, "zeros": strings.Repeat("0", 4<<20), "co.yaml": operators})
	c := newCollector()
	c.maxArchiveSize = 2 << 20
	if err := c.readArchive(name); err != nil {
		t.Fatal(err)
	}
	if len(c.objects) != 1 || len(c.problems) != 1 || !strings.Contains(c.problems[0].Err.Error(), "the first 2 MiB") {
		t.Errorf("%d objects, problems %v", len(c.objects), c.problems)
	}
}
