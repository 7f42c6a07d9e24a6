package snapshot

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
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
	if s := load(t, name); len(names(s)) != 0 {
		t.Errorf("a file that is no archive has %v", names(s))
	}
}

// TestCutOff checks that an archive that was cut off between two files is not taken for whole.
func TestCutOff(t *testing.T) {
	var content bytes.Buffer
	files := tar.NewWriter(&content)
	if err := files.WriteHeader(&tar.Header{Name: "cv.yaml", Mode: 0o600, Size: int64(len(clusterVersion))}); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write([]byte(clusterVersion)); err != nil {
		t.Fatal(err)
	}
	if err := files.Flush(); err != nil {
		t.Fatal(err)
	}
	cut := content.Len()
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	for length, want := range map[int]string{cut: "the archive has no end", cut + 512: "the archive has no end", content.Len(): ""} {
		s, err := LoadStream("a.tar", bytes.NewReader(content.Bytes()[:length]))
		if err != nil || s.ClusterVersion == nil {
			t.Fatalf("the first %d bytes: %v", length, err)
		}
		if got := strings.Join(problems(s, ""), "\n"); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("the first %d bytes: problems %q, want %q", length, got, want)
		}
	}
}

// TestSparse checks that files with holes, which expand without end, are not read.
func TestSparse(t *testing.T) {
	var content bytes.Buffer
	files := tar.NewWriter(&content)
	const data = "1\n0\n1\n"
	padded := data + strings.Repeat("\x00", 512-len(data)) + "x"
	header := &tar.Header{Name: "GNUSparseFile.0/cv.yaml", Mode: 0o600, Size: int64(len(padded)), Format: tar.FormatPAX}
	// The writer leaves out what makes a file sparse: the records get their names afterwards.
	header.PAXRecords = map[string]string{"GNU.Sparse.major": "1", "GNU.Sparse.minor": "0", "GNU.Sparse.name": "cv.yaml", "GNU.Sparse.realsize": "268435456"}
	if err := files.WriteHeader(header); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write([]byte(padded)); err != nil {
		t.Fatal(err)
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := LoadStream("a.tar", bytes.NewReader(bytes.ReplaceAll(content.Bytes(), []byte("GNU.Sparse"), []byte("GNU.sparse"))))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(problems(s, ""), "\n"); !strings.Contains(got, "a sparse file") {
		t.Errorf("problems %q", got)
	}
}

// TestFormats checks that what an archive is its content tells: it is read by any name, as a stream too, and other compressions
// have a clear error.
func TestFormats(t *testing.T) {
	name := archive(t, []tar.Header{{Name: "cv.yaml", Typeflag: tar.TypeReg}}, map[string]string{"cv.yaml": clusterVersion})
	zippedTar, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	unzip, err := gzip.NewReader(bytes.NewReader(zippedTar))
	if err != nil {
		t.Fatal(err)
	}
	plainTar, err := io.ReadAll(unzip)
	if err != nil {
		t.Fatal(err)
	}
	var zippedFile bytes.Buffer
	zip := gzip.NewWriter(&zippedFile)
	if _, err := zip.Write([]byte(clusterVersion)); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	for file, tc := range map[string]struct {
		content []byte
		err     string
	}{
		"a.tar":         {plainTar, ""},
		"a.tar.gz":      {zippedTar, ""},
		"a.tar.gz.part": {zippedTar, ""},
		"a":             {zippedTar, ""},
		"a.tar.xz":      {zippedTar, ""}, // by its name only
		"cv.yaml.gz":    {zippedFile.Bytes(), ""},
		"cv.yaml":       {[]byte(clusterVersion), ""},
		"b.tar.xz":      {[]byte("\xfd7zXZ\x00..."), "it is compressed with xz: unpack it"},
		"b.zip":         {[]byte("PK\x03\x04..."), "it is compressed with zip"},
		"b.tar.gz":      {[]byte("\x1f\x8b..."), "it is damaged"},
	} {
		file = filepath.Join(t.TempDir(), file)
		if err := os.WriteFile(file, tc.content, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Load(file)
		streamed, streamErr := LoadStream("a stream", bytes.NewReader(tc.content))
		if tc.err != "" {
			if err == nil || streamErr == nil || !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%s: %v, as a stream %v", file, err, streamErr)
			}
			continue
		}
		if err != nil || streamErr != nil || s.ClusterVersion == nil || streamed.ClusterVersion == nil {
			t.Errorf("%s: %v, as a stream %v", file, err, streamErr)
		}
	}
	if _, err := Decode("a.tar.gz", bytes.NewReader(zippedTar)); !errors.Is(err, ErrArchive) {
		t.Errorf("a file with an object: %v", err)
	}
}

// maxAllocated is what reading a file may allocate that is too large: a few times the bound of its size, and twice that with the
// race detector.
const maxAllocated = 16 * maxObjectSize

// TestSizes checks that files are not read beyond their bounds, whatever their size seems to be.
func TestSizes(t *testing.T) {
	dir := t.TempDir()
	sparse := filepath.Join(dir, "sparse.yaml")
	if err := os.WriteFile(sparse, []byte(clusterVersion), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 4<<30); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() (*Snapshot, error){
		"a sparse file":           func() (*Snapshot, error) { return Load(sparse) },
		"a directory with one":    func() (*Snapshot, error) { return Load(dir) },
		"a stream without an end": func() (*Snapshot, error) { return Decode("zeros", zeros{}) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := read()
		runtime.ReadMemStats(&after)
		isRefused := err != nil && strings.Contains(err.Error(), "larger than") || err == nil && len(s.Problems) == 1
		if allocated := after.TotalAlloc - before.TotalAlloc; !isRefused || allocated > maxAllocated {
			t.Errorf("%s: error %v, %d MiB were allocated", name, err, allocated>>20)
		}
	}
}

// zeros is a stream that does not end.
type zeros struct{}

func (zeros) Read(buffer []byte) (int, error) {
	clear(buffer)
	return len(buffer), nil
}

// TestLoadLargeArchive checks that only the first files of an archive with a huge unpacked size are read.
func TestLoadLargeArchive(t *testing.T) {
	name := archive(t, []tar.Header{{Name: "cv.yaml", Typeflag: tar.TypeReg}, {Name: "zeros", Typeflag: tar.TypeReg}, {Name: "co.yaml", Typeflag: tar.TypeReg}},
		map[string]string{"cv.yaml": clusterVersion, "zeros": strings.Repeat("0", 4<<20), "co.yaml": operators})
	c := newCollector()
	c.maxArchiveSize = 2 << 20
	if err := c.readFileOrArchive(name); err != nil {
		t.Fatal(err)
	}
	if len(c.objects) != 1 || len(c.problems) != 1 || !strings.Contains(c.problems[0].Err.Error(), "the first 2 MiB") {
		t.Errorf("%d objects, problems %v", len(c.objects), c.problems)
	}
}
