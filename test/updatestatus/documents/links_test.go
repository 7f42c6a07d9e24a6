package documents_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

var (
	// link is a link or an image: [text](target).
	link = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	// codePath is a path of the repository in a text: a folder at its root, and what is below.
	codePath = regexp.MustCompile(`(?:^|[\s"'(\[|` + "`" + `])((?:\./)?(?:cmd|docs|hack|manifests|pkg|test|tombstones)/[\w./-]*)([…*]?)`)
	// span is a span of code, in which nothing is a link.
	span = regexp.MustCompile("`[^`]*`")
	// heading is a heading, and anchor an anchor that is written in HTML.
	heading = regexp.MustCompile(`^#{1,6} +(.*?) *#*$`)
	anchor  = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
	// marked is what GitHub leaves out of a heading before it makes an anchor of it: the targets of links.
	marked = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// document is a Markdown file of the repository: its lines outside and inside of blocks of code.
type document struct {
	path        string
	lines, code []string
}

// documents returns all documents except for those of others, the expected output of tests, and the page from which docs/updatestatus/estimates.md
// is made.
func documents(t *testing.T) []document {
	t.Helper()
	var all []document
	err := filepath.WalkDir(root(t), func(path string, entry fs.DirEntry, err error) error {
		if entry.IsDir() && slices.Contains([]string{".git", "bin", "vendor", "testdata"}, entry.Name()) {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".md") || strings.HasSuffix(path, "test/updatestatus/estimates/page.md") {
			return err
		}
		content, err := os.ReadFile(path)
		all = append(all, parseDocument(path, string(content)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func parseDocument(path, content string) document {
	parsed, isCode := document{path: path}, false
	for line := range strings.Lines(content) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			isCode = !isCode
		case isCode:
			parsed.code = append(parsed.code, line)
		default:
			parsed.lines = append(parsed.lines, line)
		}
	}
	return parsed
}

// anchors returns the anchors of a document, by GitHub's rules.
func (d document) anchors() []string {
	var all []string
	count := map[string]int{}
	for _, line := range d.lines {
		for _, written := range anchor.FindAllStringSubmatch(line, -1) {
			all = append(all, written[1])
		}
		text := heading.FindStringSubmatch(line)
		if text == nil {
			continue
		}
		name := anchorOf(text[1])
		if before := count[name]; before > 0 {
			all = append(all, name+"-"+strconv.Itoa(before))
		} else {
			all = append(all, name)
		}
		count[name]++
	}
	return all
}

// anchorOf returns the anchor of a heading: in lower case, without punctuation, and with hyphens for spaces.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		default:
			return -1
		}
	}, marked.ReplaceAllString(heading, "$1"))
}

// broken returns the links of a document that lead nowhere. The anchors of a document are those of its path.
func (d document) broken(anchors map[string][]string) []string {
	var all []string
	for _, line := range d.lines {
		for _, found := range link.FindAllStringSubmatch(span.ReplaceAllString(line, ""), -1) {
			path, fragment, hasFragment := strings.Cut(found[1], "#")
			if strings.Contains(path, "://") || strings.HasPrefix(path, "mailto:") {
				continue
			}
			target := d.path
			if path != "" {
				target = filepath.Join(filepath.Dir(d.path), path)
			}
			if _, err := os.Stat(target); err != nil || hasFragment && !slices.Contains(anchors[target], fragment) {
				all = append(all, found[1])
			}
		}
	}
	return all
}

// missing returns the paths of the repository that a document names and that do not exist. Of those
// that end in a placeholder, the folder counts.
func (d document) missing(root string) []string {
	var all []string
	for _, line := range slices.Concat(d.lines, d.code) {
		for _, found := range codePath.FindAllStringSubmatch(line, -1) {
			path := strings.TrimRight(found[1], "./")
			if found[2] != "" {
				path = filepath.Dir(found[1])
			}
			// The files of a recorded cluster are NAME-….yaml.
			exact, err := filepath.Glob(filepath.Join(root, path))
			recorded, _ := filepath.Glob(filepath.Join(root, path+"-*"))
			if err != nil || len(exact)+len(recorded) == 0 {
				all = append(all, path)
			}
		}
	}
	return all
}

// ofOthers are the documents whose paths are those of other repositories.
var ofOthers = []string{"docs/updatestatus/hosts.md", "manifests/hypershift/pull-request/README.md"}

// TestLinks: each link, anchor and path of the repository in each document exists.
func TestLinks(t *testing.T) {
	all := documents(t)
	anchors := map[string][]string{}
	for _, one := range all {
		anchors[one.path] = one.anchors()
	}
	if len(all) < 25 || len(anchors[filepath.Join(root(t), "docs/updatestatus/api.md")]) < 60 {
		t.Errorf("only %d documents were read", len(all))
	}
	for _, one := range all {
		name, err := filepath.Rel(root(t), one.path)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range one.broken(anchors) {
			t.Errorf("%s: nothing is at the link %s", name, target)
		}
		if slices.Contains(ofOthers, name) {
			continue
		}
		for _, path := range one.missing(root(t)) {
			t.Errorf("%s: the repository has no %s", name, path)
		}
	}
}

// TestLinksAreChecked shows what is found, on a document.
func TestLinksAreChecked(t *testing.T) {
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "pkg", "updatestatus", "drain"), 0o700); err != nil {
		t.Fatal(err)
	}
	page := parseDocument(filepath.Join(folder, "page.md"), "# The `drain`, [so](x.md): *a_b*\n## Same\n## Same\n<a id=\"own\"></a>\n"+
		"[1](#the-drain-so-a_b) [2](#same-1) [3](page.md#own) [4](pkg) [5](https://example.com/x#y) [6](#same-2) [7](other.md) ![8](pkg#same)\n"+
		"`pkg/updatestatus/drain`, pkg/updatestatus/drain/…, `pkg/updatestatus/drain/x*.go`, `pkg/other/…`, pkg/gone.go.\n```\n# no heading\n[9](gone.md)\ngo test ./pkg/updatestatus/drain/... ./pkg/none\n```\n")
	if got := strings.Join(page.anchors(), " "); got != "the-drain-so-a_b same same-1 own" {
		t.Errorf("anchors: %s", got)
	}
	if err := os.WriteFile(page.path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(page.broken(map[string][]string{page.path: page.anchors()}), " "); got != "x.md #same-2 other.md pkg#same" {
		t.Errorf("broken: %s", got)
	}
	if got := strings.Join(page.missing(folder), " "); got != "pkg/other pkg/gone.go ./pkg/none" {
		t.Errorf("missing: %s", got)
	}
}
