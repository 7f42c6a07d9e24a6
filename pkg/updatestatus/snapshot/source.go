package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// maxFileSize bounds what is read into memory at a time. The largest lists of real clusters, of 5,000 nodes, have half of it.
const maxFileSize = 256 << 20

// maxObjectSize bounds a file with a single object. An API server stores no more than 1.5 MiB.
const maxObjectSize = 16 << 20

// ErrArchive is the error of Decode for an archive, which Load reads.
var ErrArchive = errors.New("it is an archive or compressed, not YAML or JSON")

func tooLarge(limit int64) error {
	return fmt.Errorf("larger than %d MiB", limit>>20)
}

// Load reads the objects of a cluster from a directory, an archive of one (tar, also compressed with gzip), a file or a recorded
// cluster (DIR/NAME). Archives are recognized by content, not name.
func Load(path string) (*Snapshot, error) {
	info, err := os.Stat(path)
	c := newCollector()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = c.readRecorded(path)
	case err != nil:
		err = fmt.Errorf("opening the files: %w", err)
	case info.IsDir():
		err = c.readDirectory(path)
	default:
		err = c.readFileOrArchive(path)
	}
	if err != nil {
		return nil, err
	}
	return c.snapshot()
}

// LoadStream reads the objects of a cluster from a stream with an archive or a file. The name is that of the stream in problems.
func LoadStream(name string, stream io.Reader) (*Snapshot, error) {
	c := newCollector()
	if err := c.readStreamOrArchive(name, stream, 0); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return c.snapshot()
}

// Decode reads an object from a stream of at most 16 MiB. The name is that of the stream in problems. The error is ErrArchive for
// an archive.
func Decode(name string, stream io.Reader) (*Snapshot, error) {
	c := newCollector()
	c.maxFileSize = maxObjectSize
	head, whole := peek(stream)
	err := ErrArchive
	if formatOf(head) == formatText {
		err = c.readStream(name, whole, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return c.snapshot()
}

// readDirectory reads the files of a directory at any depth. It opens the directory as a root, so that links don't lead out
// of it.
func (c *collector) readDirectory(dir string) error {
	if names, err := Clusters(dir); err == nil && len(names) > 1 {
		return fmt.Errorf("%s has the clusters %s: choose one, as in %s", dir, strings.Join(names, ", "), filepath.Join(dir, names[0]))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("opening the directory: %w", err)
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && mayHaveObjects(name) {
			var file *os.File
			if file, err = root.Open(name); err == nil {
				err = c.readFile(filepath.Join(dir, name), file)
			}
		}
		if err != nil {
			c.problem(filepath.Join(dir, name), 0, err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the directory %s: %w", dir, err)
	}
	return nil
}

func (c *collector) readPath(path string) error {
	file, err := os.Open(path)
	if err == nil {
		err = c.readFile(path, file)
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}

// readFile reads an open file and closes it.
func (c *collector) readFile(path string, file *os.File) error {
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return c.readStream(path, file, info.Size())
}

// readStream reads the content of a file of about a size. All files use the same buffer, as no object refers to it.
func (c *collector) readStream(name string, stream io.Reader, size int64) error {
	if size > c.maxFileSize {
		return tooLarge(c.maxFileSize)
	}
	c.buffer.Reset()
	c.buffer.Grow(bytes.MinRead + int(size))
	if _, err := c.buffer.ReadFrom(io.LimitReader(asUTF8(stream), c.maxFileSize+1)); err != nil {
		return err
	}
	if int64(c.buffer.Len()) > c.maxFileSize {
		return tooLarge(c.maxFileSize)
	}
	c.read(name, c.buffer.Bytes())
	return nil
}

func mayHaveObjects(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name)) || path.Base(name) == timestampFile
}
