package snapshot

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxArchiveSize bounds the unpacked size of an archive, since a small one can expand without end. The largest must-gathers
// have a tenth of it.
const maxArchiveSize = 64 << 30

// format is what a file is by its first bytes: names of archives often are wrong, as of x.tar.gz.part.
type format string

const (
	formatText format = "text"
	formatTar  format = "tar"
	formatGzip format = "gzip"
)

// magics has the first bytes of formats, and where they are.
var magics = []struct {
	format format
	at     int
	bytes  string
}{
	{formatTar, 257, "ustar"},
	{formatGzip, 0, "\x1f\x8b"},
	{"xz", 0, "\xfd7zXZ\x00"},
	{"zstd", 0, "\x28\xb5\x2f\xfd"},
	{"bzip2", 0, "BZh"},
	{"zip", 0, "PK\x03\x04"},
	{"7z", 0, "7z\xbc\xaf\x27\x1c"},
}

// headSize is how many bytes tell a format.
const headSize = 512

func formatOf(head []byte) format {
	for _, magic := range magics {
		if len(head) > magic.at && bytes.HasPrefix(head[magic.at:], []byte(magic.bytes)) {
			return magic.format
		}
	}
	return formatText
}

// peek returns the first bytes of a stream, and a stream that still has them.
func peek(stream io.Reader) ([]byte, *bufio.Reader) {
	buffered := bufio.NewReader(stream)
	head, _ := buffered.Peek(headSize) // an error is that of the next read
	return head, buffered
}

// readFileOrArchive reads what a path that is no directory has.
func (c *collector) readFileOrArchive(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("opening the files: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("opening the files: %w", err)
	}
	if err := c.readStreamOrArchive(path, file, info.Size()); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}

// readStreamOrArchive reads a stream of about a size, zero if it is not known.
func (c *collector) readStreamOrArchive(name string, stream io.Reader, size int64) error {
	head, whole := peek(stream)
	switch found := formatOf(head); found {
	case formatText:
		return c.readStream(name, whole, size)
	case formatTar:
		return c.readTar(name, whole)
	case formatGzip:
		return c.readGzip(name, whole)
	default:
		return fmt.Errorf("it is compressed with %s: unpack it, and pass the directory", found)
	}
}

// readGzip reads an archive, or a single file, that is compressed.
func (c *collector) readGzip(name string, stream io.Reader) error {
	unzipped, err := gzip.NewReader(stream)
	if err != nil {
		return fmt.Errorf("it is damaged: %w", err)
	}
	head, whole := peek(unzipped)
	if formatOf(head) != formatTar {
		return c.readStream(name, whole, 0)
	}
	return c.readTar(name, whole)
}

// readTar reads the files of an archive, without links and files outside of it.
func (c *collector) readTar(archive string, stream io.Reader) error {
	end := &tarEnd{}
	bounded := &io.LimitedReader{R: io.TeeReader(stream, end), N: c.maxArchiveSize}
	for files := tar.NewReader(bounded); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			// Verifies the checksum after the last file.
			if _, err = io.Copy(io.Discard, bounded); err == nil {
				if !end.isWhole() {
					c.problem(archive, 0, errCutOff)
				}
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
		case isSparse(header):
			c.problem(archive, 0, fmt.Errorf("skipped %q: a sparse file, which tools that collect objects don't write", header.Name))
			continue
		case !filepath.IsLocal(header.Name):
			c.problem(archive, 0, fmt.Errorf("skipped %q: a path outside of the archive", header.Name))
			continue
		}
		name := archive + "/" + header.Name
		if err := c.readStream(name, files, header.Size); err != nil {
			c.problem(name, 0, err)
		}
	}
}

// isSparse returns whether a file has holes, which expand a small archive without end: archive/tar reads those of the formats 0.1 and 1.0.
func isSparse(header *tar.Header) bool {
	for key := range header.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// errCutOff is the problem of an archive that was cut off between two files.
var errCutOff = errors.New("the archive has no end: it was cut off, and files may be missing")

// tarEnd sees whether an archive ends with two blocks of zeros, as the format has it: archive/tar takes one that was cut off between two files
// for whole.
type tarEnd struct {
	zeros int
}

// tarBlock is the size of a block of an archive.
const tarBlock = 512

func (e *tarEnd) Write(text []byte) (int, error) {
	kept := bytes.TrimRight(text, "\x00")
	if len(kept) > 0 {
		e.zeros = 0
	}
	e.zeros += len(text) - len(kept)
	return len(text), nil
}

func (e *tarEnd) isWhole() bool { return e.zeros >= 2*tarBlock }
