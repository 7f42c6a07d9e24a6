package describe

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

func TestClean(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"plain":                    {"failed to drain node: a (1 of 3)", "failed to drain node: a (1 of 3)"},
		"other alphabets":          {"更新中, zażółć, עדכון", "更新中, zażółć, עדכון"},
		"lines":                    {"one\r\ntwo\rthree\u2028four\vfive", "one\ntwo\nthree\nfour\nfive"},
		"tab":                      {"a\tb", "a b"},
		"color":                    {"\x1b[1;31mred\x1b[0m", "red"},
		"color in one character":   {"\u009b31mred", "red"},
		"window title":             {"\x1b]0;title\x07text", "text"},
		"link":                     {"\x1b]8;;https://example.com\x1b\\text\x1b]8;;\x1b\\", "text"},
		"control string":           {"a\x1bPhidden\x1b\\b", "ab"},
		"control string, no end":   {"a\x1bPhidden", "ahidden"},
		"character set":            {"\x1b(Btext", "text"},
		"reset":                    {"\x1bctext", "text"},
		"bare escape":              {"text\x1b", "text"},
		"sequence within sequence": {"\x1b\x1b[31m[31mtext", "[31mtext"},
		"backspace and delete":     {"ab\b\x7fc", "abc"},
		"direction of text":        {"a\u202ecba\u2066d\u200f", "acbad"},
		"zero width":               {"a\u200bb\u2060c\ufeffd\u00ade", "abcde"},
		"tags":                     {"a\U000e0041\U000e007fb", "ab"},
		"invalid UTF-8":            {"a\xff\xfeb", "a\ufffdb"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := clean(tc.text); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "zażółć": 6, "更新": 4, "한글": 4, "e\u0301": 1, "！。": 4, "🔥x": 3} {
		if got := width(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestCutTo(t *testing.T) {
	for _, tc := range []struct {
		text    string
		columns int
		want    string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdef", 5, "abcd…"},
		{"abc def", 5, "abc…"},
		{"更新中更新中", 5, "更新…"},
		{"更新中更新中", 4, "更…"},
		{"zażółć", 4, "zaż…"},
	} {
		if got := cutTo(tc.text, tc.columns, "…"); got != tc.want || width(got) > tc.columns {
			t.Errorf("%q to %d: got %q, want %q", tc.text, tc.columns, got, tc.want)
		}
	}
}

// TestWrap checks that lines end between words and not within names, unless these are longer than a line.
func TestWrap(t *testing.T) {
	for _, tc := range []struct {
		text    string
		columns int
		want    []string
	}{
		{"node worker-1 is degraded", 0, []string{"node worker-1 is degraded"}},
		{"node worker-1 is degraded", 14, []string{"node worker-1", "is degraded"}},
		{"node worker-1 is degraded", 12, []string{"node", "worker-1 is", "degraded"}},
		{"a worker-1.example.com", 10, []string{"a", "worker-1.e", "xample.com"}},
		{"see --details=health - or not", 16, []string{"see", "--details=health", "- or not"}},
		{"更新中 w-更新", 7, []string{"更新中", "w-更新"}},
	} {
		if got := wrap(tc.text, tc.columns); !slices.Equal(got, tc.want) {
			t.Errorf("%q to %d: got %q, want %q", tc.text, tc.columns, got, tc.want)
		}
	}
}

func TestWithoutName(t *testing.T) {
	for name, tc := range map[string]struct{ message, name, want string }{
		"within":                 {"draining a.b failed", "a.b", "draining <node> failed"},
		"only the name":          {"a.b", "a.b", "<node>"},
		"twice":                  {"a.b: a.b", "a.b", "<node>: <node>"},
		"in quotes":              {`node "a.b": gone`, "a.b", `node "<node>": gone`},
		"at a sentence's end":    {"cannot reach a.b. Giving up", "a.b", "cannot reach <node>. Giving up"},
		"a longer name":          {"a.b.c and a.b1 and x-a.b and a.b-x", "a.b", "a.b.c and a.b1 and x-a.b and a.b-x"},
		"a longer name, then it": {"w10 blocks w1", "w1", "w10 blocks <node>"},
		"no name":                {"text", "", "text"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := withoutName(tc.message, tc.name); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// FuzzWrite checks that Write writes printable lines for any object.
func FuzzWrite(f *testing.F) {
	objects, err := filepath.Glob(filepath.Join("testdata", "*.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	for _, object := range objects {
		content, err := os.ReadFile(object)
		if err != nil {
			f.Fatal(err)
		}
		asJSON, err := yaml.YAMLToJSON(content)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(asJSON, 80)
	}
	f.Fuzz(func(t *testing.T, content []byte, columns int) {
		us := &updatev1alpha1.UpdateStatus{}
		if json.Unmarshal(content, us) != nil {
			return
		}
		for _, details := range AllDetails() {
			got := text(t, us, Options{Now: testNow, Details: details, Width: columns})
			if !strings.HasSuffix(got, "\n") || !utf8.ValidString(got) {
				t.Errorf("not lines of text: %q", got)
			}
			if i := strings.IndexFunc(got, isUnprintable); i >= 0 {
				t.Errorf("not printable: %q", got[i:])
			}
		}
	})
}

func isUnprintable(r rune) bool {
	return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf)
}
