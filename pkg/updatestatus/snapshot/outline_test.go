package snapshot

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDocuments(t *testing.T) {
	for name, tc := range map[string]struct {
		content string
		want    map[int]string // text by line
	}{
		"one":              {"a: 1\n", map[int]string{1: "a: 1\n"}},
		"empty":            {"", map[int]string{1: ""}},
		"separated":        {"a: 1\n---\nb: 2\n", map[int]string{1: "a: 1\n", 2: "\nb: 2\n"}},
		"start and end":    {"---\na: 1\n...\n", map[int]string{1: "\na: 1\n", 3: "\n"}},
		"comment":          {"--- # first\na: 1", map[int]string{1: " # first\na: 1"}},
		"no separators":    {"a: |\n  ---\n----\n--x\n", map[int]string{1: "a: |\n  ---\n----\n--x\n"}},
		"separator at end": {"a: 1\n---", map[int]string{1: "a: 1\n", 2: ""}},
		"CRLF":             {"a: 1\r\n---\r\nb: 2\r\n", map[int]string{1: "a: 1\r\n", 2: "\r\nb: 2\r\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[int]string{}
			for _, document := range documents([]byte(tc.content)) {
				got[document.line] += string(document.text)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// outlined is a key of a mapping.
type outlined struct {
	Key, Value string
	Line       int
	Text       string
}

func TestBlocks(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []outlined // nil: not plain
	}{
		"scalars": {
			"kind: List # of all\n'a': \"b\"\n\"c/d.e_f-g\":\n",
			[]outlined{{"kind", "List", 1, "kind: List # of all\n"}, {"a", "b", 2, "'a': \"b\"\n"}, {"c/d.e_f-g", "", 3, "\"c/d.e_f-g\":\n"}},
		},
		"values of several lines": {
			"# first\n\na:\n  b: 1\n\n  c: 2\nd: |\n  kind: Node\n # deep\ne: 1",
			[]outlined{{"a", "", 3, "a:\n  b: 1\n\n  c: 2\n"}, {"d", "|", 7, "d: |\n  kind: Node\n # deep\n"}, {"e", "1", 10, "e: 1"}},
		},
		"list with the indentation of its key": {
			"items:\n- a: 1\n  b: 2\n- c: 3\nkind: List\n",
			[]outlined{{"items", "", 1, "items:\n- a: 1\n  b: 2\n- c: 3\n"}, {"kind", "List", 5, "kind: List\n"}},
		},
		"indented": {
			"    a: 1\n    b:\n    - c\n",
			[]outlined{{"a", "1", 1, "    a: 1\n"}, {"b", "", 2, "    b:\n    - c\n"}},
		},
		"CRLF":                     {"a: 1\r\nb: 2\r\n", []outlined{{"a", "1", 1, "a: 1\r\n"}, {"b", "2", 2, "b: 2\r\n"}}},
		"empty":                    {"\n# nothing\n", nil},
		"flow style":               {"{a: 1}\n", nil},
		"a list":                   {"- a\n", nil},
		"a tab":                    {"a:\n\tb\n", nil},
		"less indented":            {"  a: 1\nb: 2\n", nil},
		"text of several lines":    {"a: \"one\ntwo\"\n", nil},
		"complex key":              {"? a\n: b\n", nil},
		"no space after the colon": {"a:1\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			blocks, plain := part{line: 1, text: []byte(tc.text)}.blocks()
			if plain != (tc.want != nil) {
				t.Fatalf("plain: %t", plain)
			}
			if !plain {
				return
			}
			var got []outlined
			for _, b := range blocks {
				got = append(got, outlined{b.key, b.value, b.line, string(b.text)})
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestElements(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want map[int]string // text by line, nil: not plain
	}{
		"indentation of the key": {"items:\n- a: 1\n  b: |\n    - x\n\n- c: 2\n", map[int]string{2: "  a: 1\n  b: |\n    - x\n\n", 6: "  c: 2\n"}},
		"indented":               {"items: # two\n  # first\n  -   a: 1\n      b: 2\n  - c: 3\n", map[int]string{3: "      a: 1\n      b: 2\n", 5: "    c: 3\n"}},
		"hyphens alone":          {"items:\n-\n  a: 1\n", map[int]string{2: " \n  a: 1\n"}},
		"none":                   {"items:\n", map[int]string{}},
		"flow style":             {"items: []\n", nil},
		"no list":                {"items:\n  a: 1\n", nil},
		"different indentation":  {"items:\n  - a: 1\n - b: 2\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			blocks, plain := part{line: 1, text: []byte(tc.text)}.blocks()
			if !plain || len(blocks) != 1 {
				t.Fatalf("not one block: %v", blocks)
			}
			elements, plain := blocks[0].elements()
			if plain != (tc.want != nil) {
				t.Fatalf("plain: %t", plain)
			}
			got := map[int]string{}
			for _, element := range elements {
				element.asDocument(func(document part) { got[element.line] = string(document.text) })
			}
			if diff := cmp.Diff(tc.want, got); plain && diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestWithoutPreservesLines checks that removing keys does not change the lines of the others.
func TestWithoutPreservesLines(t *testing.T) {
	whole := part{line: 5, text: []byte("a: 1\nspec:\n  b: 2\n  c: 3\nmetadata:\n  name: d\n")}
	blocks, _ := whole.blocks()
	got := whole.without(blocks, func(key string) bool { return key != "spec" })
	if want := "a: 1\n\n\n\nmetadata:\n  name: d\n"; string(got.text) != want || got.line != 5 {
		t.Errorf("got line %d: %q, want line 5: %q", got.line, got.text, want)
	}
}

// TestMayHaveNeeded checks which files are parsed.
func TestMayHaveNeeded(t *testing.T) {
	for text, want := range map[string]bool{
		"kind: Node\n":                             true,
		"- apiVersion: v1\n  kind: \"NodeList\"":   true,
		`{"kind":"ClusterOperator"}`:               true,
		"{\"kind\" : \n \"MachineConfigPool\"}":    true,
		"kind: Service\nspec:\n  nodeName: Node\n": false,
		"kindness: Node":                           false,
		"kind":                                     false,
		"kind: Service\nowner:\n  kind: Node\n":    true,
	} {
		if got := mayHaveNeeded([]byte(text)); got != want {
			t.Errorf("%.60q: got %t", text, got)
		}
	}
}
