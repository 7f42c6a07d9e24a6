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

// largestFile bounds what is read into memory at once. The largest lists of real clusters have a tenth of it.
const largestFile = 1 << 30

// largestArchive bounds what of an archive is unpacked, in bytes: a small one may have no end. The largest must-gathers have
// a tenth of it.
const largestArchive = 64 << 30

var errTooLarge = fmt.Errorf("passed over, since it has more than %d MiB", largestFile>>20)

// Load reads what a folder, a .tar.gz of one, a file or a recorded cluster (DIR/NAME) holds of a cluster.
func Load(from string) (*Snapshot, error) {
	info, err := os.Stat(from)
	c := newCollector()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = c.readRecorded(from)
	case err != nil:
		err = fmt.Errorf("looking for a cluster's objects: %w", err)
	case info.IsDir():
		err = c.readFolder(from)
	case isArchive(from):
		err = c.readArchive(from)
	default:
		err = c.readFile(from)
	}
	if err != nil {
		return nil, err
	}
	return c.snapshot()
}

// Decode reads what a stream holds of a cluster. Problems are named after it.
func Decode(name string, from io.Reader) (*Snapshot, error) {
	c := newCollector()
	content, err := c.readAll(from)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	c.read(name, content)
	return c.snapshot()
}

// readFolder reads the files of a folder, at any depth. The folder is opened as a root, so that no link leads out of it.
func (c *collector) readFolder(folder string) error {
	if names, err := Clusters(folder); err == nil && len(names) > 1 {
		return fmt.Errorf("%s holds the clusters %s: name one, as in %s",
			folder, strings.Join(names, ", "), filepath.Join(folder, names[0]))
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("opening the folder: %w", err)
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		file := filepath.Join(folder, name)
		switch {
		case err != nil:
			c.problem(file, 0, err)
		case entry.Type().IsRegular() && mayBeObject(name):
			c.readRegular(file, func() (fs.File, error) { return root.FS().Open(name) })
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the folder %s: %w", folder, err)
	}
	return nil
}

// readRegular reads a file unless it holds nothing of interest, which a first pass tells without keeping it.
func (c *collector) readRegular(name string, open func() (fs.File, error)) {
	holds, err := pass(open, func(file fs.File) (bool, error) { return mayHoldNeeded(file) })
	if err == nil && !holds {
		return
	}
	var content []byte
	if err == nil {
		content, err = pass(open, c.readWhole)
	}
	if err != nil {
		c.problem(name, 0, err)
		return
	}
	c.read(name, content)
}

func pass[T any](open func() (fs.File, error), read func(fs.File) (T, error)) (T, error) {
	var none T
	file, err := open()
	if err != nil {
		return none, err
	}
	defer file.Close()
	return read(file)
}

// readWhole reads a file that is on disk, whose size can be relied on.
func (c *collector) readWhole(file fs.File) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	c.buffer.Reset()
	c.buffer.Grow(bytes.MinRead + int(min(info.Size(), largestFile)))
	return c.readAll(file)
}

// readAll reads into the one buffer that all files share, one after the other. What it returns is good until the next
// call: objects that are kept share nothing with it.
func (c *collector) readAll(from io.Reader) ([]byte, error) {
	c.buffer.Reset()
	if _, err := c.buffer.ReadFrom(io.LimitReader(from, largestFile+1)); err != nil {
		return nil, err
	}
	if c.buffer.Len() > largestFile {
		return nil, errTooLarge
	}
	return c.buffer.Bytes(), nil
}

// readArchive reads the files of a .tar.gz. Nothing is unpacked to disk; links, and names that lead out of the archive,
// are passed over.
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
	bounded := &io.LimitedReader{R: unzipped, N: c.largestArchive}
	for files := tar.NewReader(bounded); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			// The checksum is behind the last file.
			if _, err = io.Copy(io.Discard, io.LimitReader(unzipped, largestFile)); err == nil {
				return nil
			}
		}
		switch {
		case err != nil && bounded.N == 0:
			c.problem(archive, 0, fmt.Errorf("what comes behind the first %d MiB of the unpacked archive is passed over", c.largestArchive>>20))
			return nil
		case err != nil:
			// What came before the damage is worth having: the transfer of a large archive often breaks off.
			c.problem(archive, 0, fmt.Errorf("the archive is damaged, what comes behind is missing: %w", err))
			return nil
		case header.Typeflag != tar.TypeReg || !mayBeObject(header.Name):
			continue
		case !filepath.IsLocal(header.Name):
			c.problem(archive, 0, fmt.Errorf("passed over %q, a name that leads out of the archive", header.Name))
			continue
		}
		name := archive + "/" + header.Name
		content, err := c.readAll(files)
		if err != nil {
			c.problem(name, 0, err)
			continue
		}
		c.read(name, content)
	}
}

func (c *collector) readFile(file string) error {
	content, err := pass(func() (fs.File, error) { return os.Open(file) }, c.readWhole)
	if err != nil {
		return fmt.Errorf("reading %s: %w", file, err)
	}
	c.read(file, content)
	return nil
}

func isArchive(name string) bool {
	return strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz")
}

func mayBeObject(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name))
}
