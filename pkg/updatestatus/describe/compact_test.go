package describe

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// named are columns of things whose cells are separated by slashes: a name, a state and a message.
var named = []column[string]{
	{"NAME", "", inText, func(_ *page, row string) string { return strings.Split(row, "/")[0] }},
	{"STATE", "", inText, func(_ *page, row string) string { return strings.Split(row, "/")[1] }},
	{"MESSAGE", "", inText, func(_ *page, row string) string { return strings.Split(row, "/")[2] }},
}

// state is what a thing is counted as.
func state(row string) string { return strings.Split(row, "/")[1] }

// written returns the lines of a compact table.
func written(options Options, isCut bool, things ...string) []string {
	options.Head = &updatev1alpha1.UpdateStatusSummaryStatus{}
	p := &page{Options: options}
	c := compactOf(p, named, inText, things, state)
	c.isCut = isCut
	p.compact(c, "node")
	return strings.Split(strings.TrimSuffix(p.text.String(), "\n"), "\n")
}

// TestCompact checks which rows are one, how names are shortened, and where messages are.
func TestCompact(t *testing.T) {
	const long = "ip-10-0-159-217.us-east-2.compute.internal"
	for name, test := range map[string]struct {
		options Options
		isCut   bool
		things  []string
		want    []string
	}{
		"nothing":           {want: []string{""}},
		"they differ":       {things: []string{"a/Up/x", "b/Up/y", "c/Down/y"}, want: []string{"", "NAME   STATE   MESSAGE", "a      Up      x", "b      Up      y", "c      Down    y"}},
		"two are alike":     {things: []string{"a/Up/x", "b/Up/y", "c/Up/x"}, want: []string{"", "NAME   STATE   MESSAGE", "a, c   Up      x", "b      Up      y"}},
		"no message at all": {things: []string{"a/Up/", "b/Down/"}, want: []string{"", "NAME   STATE", "a      Up", "b      Down"}},
		"many are alike": {
			things: []string{"worker-0.example.com/Up/x", "worker-1.example.com/Up/x", "worker-2.example.com/Up/x"},
			want:   []string{"", "NAME                              STATE   MESSAGE", "worker-0.example.com and 2 more   Up      x"},
		},
		"a long name beside a message": {
			options: Options{Width: 70}, isCut: true, things: []string{long + "/Up/" + strings.Repeat("word ", 10)},
			want: []string{"", "NAME                                      STATE   MESSAGE", "ip-10-0-159-217.us-…-2.compute.internal   Up      word word word word…"},
		},
		"a message below its row": {
			options: Options{Width: 40}, isCut: true, things: []string{long + "/Up/" + strings.Repeat("word ", 10)},
			want: []string{"", "NAME                               STATE", "ip-10-0-159-217…compute.internal   Up", "  word word word word word word word wo…"},
		},
		"it is wrapped": {options: Options{Width: 36}, things: []string{"a/Up/one two three four five"}, want: []string{"", "NAME   STATE   MESSAGE", "a      Up      one two three four", "               five"}},
		"ASCII": {
			options: Options{Width: 40, ASCII: true}, things: []string{long + "/Up/→"},
			want: []string{"", "NAME                               STATE", "ip-10-0-159-21...ompute.internal   Up", "  ->"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := written(test.options, test.isCut, test.things...)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, line := range got {
				if test.options.Width > 0 && width(line) > test.options.Width {
					t.Errorf("%d columns: %s", width(line), line)
				}
			}
		})
	}
}

// TestWide: a table of all nodes has their versions where they have space, and a row for each node.
func TestWide(t *testing.T) {
	us := load(t, filepath.Join("testdata", "progressing.yaml"))
	for columns, want := range map[int][]string{
		80: {"NODE            POOL   ASSESSMENT    PHASE       VERSION   EST", "b.example.com          Outdated      Pending     4.19.3    ?"},
		60: {"NODE            POOL   ASSESSMENT    PHASE       EST"},
	} {
		got := text(t, us, Options{Now: testNow, Head: Head(read(us, testNow), testNow), Details: DetailsNodes, Width: columns})
		for _, line := range want {
			if !strings.Contains(got, "\n"+line+"\n") {
				t.Errorf("%d columns: no line %q:\n%s", columns, line, got)
			}
		}
	}
}

// TestFold: rows after the tenth are counted by what they are, unless the details have them.
func TestFold(t *testing.T) {
	var things []string
	for at := range 15 {
		things = append(things, fmt.Sprintf("n%02d/%s/%d", at, []string{"Up", "Down"}[at%2], at))
	}
	things = append(things, "n15/Down/14", "n16/Down/11")
	for _, test := range []struct {
		number int
		detail Details
		rows   int
		want   string
	}{
		{number: 10, rows: 10},
		{number: 11, rows: 10, want: "… and 1 more node (1 Up): --details=nodes"},
		{number: 17, rows: 10, want: "… and 7 more nodes (3 Up, 4 Down): --details=nodes"},
		{number: 17, detail: DetailsNodes, rows: 16},
	} {
		lines := written(Options{Details: test.detail}, false, things[:test.number]...)
		below := strings.Join(lines[2+test.rows:], "\n")
		if below != test.want {
			t.Errorf("%d rows, details %q: got %q below\n%s", test.number, test.detail, below, strings.Join(lines, "\n"))
		}
	}
}
