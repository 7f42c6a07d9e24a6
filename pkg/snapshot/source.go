package snapshot

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
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

// maxFileSize bounds what is read into memory at a time. The largest lists of real clusters have a tenth of it.
const maxFileSize = 1 << 30

// maxArchiveSize bounds the unpacked size of an archive, since a small one can expand without end. The largest must-gathers
// have a tenth of it.
const maxArchiveSize = 64 << 30

var errTooLarge = fmt.Errorf("skipped: larger than %d MiB", maxFileSize>>20)

// Load reads the objects of a cluster from a directory, a .tar.gz of one, a file or a recorded cluster (DIR/NAME).
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
	case strings.HasSuffix(path, ".tar.gz"), strings.HasSuffix(path, ".tgz"):
		err = c.readArchive(path)
	default:
		err = c.readPath(path)
	}
	if err != nil {
		return nil, err
	}
	return c.snapshot()
}

// Decode reads the objects of a cluster from a stream. The name is that of the file in problems.
func Decode(name string, stream io.Reader) (*Snapshot, error) {
	c := newCollector()
	if err := c.readStream(name, stream, 0); err != nil {
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
	c.buffer.Reset()
	c.buffer.Grow(bytes.MinRead + int(min(size, maxFileSize)))
	if _, err := c.buffer.ReadFrom(io.LimitReader(stream, maxFileSize+1)); err != nil {
		return err
	}
	if c.buffer.Len() > maxFileSize {
		return errTooLarge
	}
	c.read(name, c.buffer.Bytes())
	return nil
}

// readArchive reads the files of a .tar.gz, without links and files outside of the archive.
func (c *collector) readArchive(archive string) error {
	file, err := os.Open(archive)
	if err != nil {
		return fmt.Errorf("opening the archive: %w", err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("reading the archive %s: %w", archive, err)
	}
	bounded := &io.LimitedReader{R: unzipped, N: c.maxArchiveSize}
	for files := tar.NewReader(bounded); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			// Verifies the checksum after the last file.
			if _, err = io.Copy(io.Discard, io.LimitReader(unzipped, maxFileSize)); err == nil {
				return nil
			}
		}
		switch {
		case err != nil && bounded.N == 0:
			c.problem(archive, 0, fmt.Errorf("skipped everything after the first %d MiB of the unpacked archive", c.maxArchiveSize>>20))
			return nil
		case err != nil:
			// Transfers of large archives often fail: the files before the damage are still useful.
			c.problem(archive, 0, fmt.Errorf("the archive is damaged, the rest of it is missing: %w", err))
			return nil
		case header.Typeflag != tar.TypeReg || !mayHaveObjects(header.Name):
			continue
		case !filepath.IsLocal(header.Name):
			c.problem(archive, 0, fmt.Errorf("skipped %q: a path outside of the archive", header.Name))
			continue
		}
		name := archive + "/" + header.Name
		if err := c.readStream(name, files, 0); err != nil {
			c.problem(name, 0, err)
		}
	}
}

func mayHaveObjects(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name))
}
