package snapshot

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// encode returns a text in UTF-16 or UTF-32, which have units of 2 or 4 bytes.
func encode(text string, order binary.AppendByteOrder, size int, mark bool) string {
	if mark {
		text = "\ufeff" + text
	}
	var encoded []byte
	for _, r := range text {
		if size == 4 {
			encoded = order.AppendUint32(encoded, uint32(r))
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			encoded = order.AppendUint16(encoded, unit)
		}
	}
	return string(encoded)
}

const (
	markedNode = "apiVersion: v1\r\nkind: Node\r\nmetadata:\r\n  name: a\r\n  labels: {text: \"ü😀\"}\r\nstatus:\r\n  conditions:\r\n  - type: Ready\r\n"
	jsonNode   = `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a", "labels": {"text": "ü😀"}}}` + "\r\n"
)

// TestUTF16 checks that files in UTF-16 with a byte order mark are read: of a folder, an archive's or standard input, YAML and JSON.
func TestUTF16(t *testing.T) {
	for name, content := range map[string]string{"YAML": markedNode, "JSON": jsonNode} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			encoded := encode(content, order, 2, true)
			folder := load(t, write(t, map[string]string{"a.yaml": encoded}))
			stream, err := LoadStream("stream", strings.NewReader(encoded))
			if err != nil {
				t.Fatal(err)
			}
			one, err := Decode("file", strings.NewReader(encoded))
			if err != nil {
				t.Fatal(err)
			}
			for from, s := range map[string]*Snapshot{"folder": folder, "stream": stream, "file": one} {
				if len(s.Nodes) != 1 || s.Nodes[0].Labels["text"] != "ü😀" || len(s.Problems) > 0 {
					t.Errorf("%s, %s, %s: nodes %v, problems %v", name, order, from, s.Nodes, s.Problems)
				}
			}
		}
	}
	dir := write(t, map[string]string{"a.yaml": clusterVersion})
	const gathered = "2025-03-01 12:00:00 +0000 UTC\r\n2025-03-01 12:30:00 +0000 UTC\r\n"
	if err := os.WriteFile(filepath.Join(dir, timestampFile), []byte(encode(gathered, binary.LittleEndian, 2, true)), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := load(t, dir); s.Gathered.IsZero() {
		t.Errorf("no time of gathering, problems %v", s.Problems)
	}
}

// TestCutUTF16 checks that a file in UTF-16 that is cut off is reported, at each of its bytes.
func TestCutUTF16(t *testing.T) {
	const start = len("apiVersion: v1\r\nkind: Node\r\n")
	encoded := encode(markedNode, binary.LittleEndian, 2, true)
	for cut := 2 + 2*start; cut < len(encoded); cut++ {
		s, err := Decode("file", strings.NewReader(encoded[:cut]))
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Problems) == 0 {
			t.Errorf("%d of %d bytes: nodes %v, no problem", cut, len(encoded), s.Nodes)
		}
	}
}

// TestOtherEncodings checks that the problem of a file in another encoding names it.
func TestOtherEncodings(t *testing.T) {
	const utf32, utf16Unmarked = "skipped: it is UTF-32: save it as UTF-8", "skipped: it is UTF-16 without a byte order mark: save it as UTF-8"
	latin := func(text string) string { return strings.NewReplacer("ü", "\xfc", "😀", "").Replace(text) }
	const notUTF8 = "decoding Node: it is not UTF-8, but perhaps Latin-1 or Windows-1252: save it as UTF-8"
	for name, tc := range map[string]struct {
		content string
		want    []string
	}{
		"UTF-32LE":                {encode(markedNode, binary.LittleEndian, 4, true), []string{"a.yaml: " + utf32}},
		"UTF-32BE":                {encode(markedNode, binary.BigEndian, 4, true), []string{"a.yaml: " + utf32}},
		"UTF-32LE without a mark": {encode(markedNode, binary.LittleEndian, 4, false), []string{"a.yaml: " + utf32}},
		"UTF-32BE without a mark": {encode(jsonNode, binary.BigEndian, 4, false), []string{"a.yaml: " + utf32}},
		"UTF-16LE without a mark": {encode(markedNode, binary.LittleEndian, 2, false), []string{"a.yaml: " + utf16Unmarked}},
		"UTF-16BE without a mark": {encode(jsonNode, binary.BigEndian, 2, false), []string{"a.yaml: " + utf16Unmarked}},
		"nothing that is needed":  {encode(strings.Replace(markedNode, "Node", "Other", 1), binary.LittleEndian, 2, false), nil},
		"too short":               {"k\x00", nil},
		"Latin-1":                 {latin(markedNode), []string{"a.yaml:5: " + notUTF8}},
		"Latin-1 in flow style":   {"# a node\n{kind: Node, apiVersion: v1,\n metadata: {name: \"\xfc\"}}\n", []string{"a.yaml:3: " + strings.TrimPrefix(notUTF8, "decoding Node: ")}},
		"a character cut off": {
			"apiVersion: v1\nkind: Node\nmetadata:\n  name: a\xc3",
			[]string{"a.yaml:1: decoding Node: error converting YAML to JSON: yaml: incomplete UTF-8 octet sequence"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, map[string]string{"a.yaml": tc.content})
			s := load(t, dir)
			if diff := cmp.Diff(tc.want, problems(s, dir)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if len(s.Nodes) > 0 {
				t.Errorf("got %v", s.Nodes)
			}
			s.Assess(time.Now())
		})
	}
}

// TestTimestamps: the gathering of several images starts with the first one and ends with the last one, whatever the names of their folders are.
func TestTimestamps(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2025, 3, 1, 12, minute, 0, 0, time.UTC) }
	lines := func(minutes ...int) (content string) {
		for _, minute := range minutes {
			content += at(minute).Format("2006-01-02 15:04:05 -0700 MST") + " m=+0.1\n"
		}
		return content
	}
	for name, test := range map[string]struct {
		files        map[string]string
		started, end int
	}{
		"one":                  {map[string]string{"a": lines(10, 20)}, 10, 20},
		"a line in between":    {map[string]string{"a": lines(10, 15, 20)}, 10, 20},
		"first started first":  {map[string]string{"a": lines(10, 20), "b": lines(15, 25)}, 10, 25},
		"second started first": {map[string]string{"a": lines(15, 25), "b": lines(10, 20)}, 10, 25},
	} {
		files := map[string]string{}
		for folder, content := range test.files {
			files[folder+"/timestamp"] = content
		}
		s := load(t, write(t, files))
		if !s.LeaseReadAt.Equal(at(test.started)) || !s.Gathered.Equal(at(test.end)) {
			t.Errorf("%s: from %s to %s, problems %v", name, s.LeaseReadAt, s.Gathered, s.Problems)
		}
	}
}
