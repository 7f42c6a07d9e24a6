package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
)

// chain returns a cause with a consequence of its own, so many deep.
func chain(depth int) describe.Cause {
	cause := describe.Cause{Level: "Error", Summary: fmt.Sprint("depth ", depth)}
	if depth > 1 {
		cause.Consequences = []describe.Cause{chain(depth - 1)}
	}
	return cause
}

func TestFindings(t *testing.T) {
	t.Parallel()
	long := describe.Cause{Level: "Info", Descriptions: slices.Repeat([]string{"d"}, 5), Resources: slices.Repeat([]string{"r"}, 20)}
	for _, test := range []struct {
		name      string
		causes    []describe.Cause
		each, all int
		// want has the number of findings, and what is said to be left out.
		want      int
		more      string
		moreBelow string
	}{
		{"none", nil, 3, 9, 0, "", ""},
		{"all", slices.Repeat([]describe.Cause{chain(1)}, 3), 3, 9, 3, "", ""},
		{"too many of a kind", slices.Repeat([]describe.Cause{chain(1)}, 5), 3, 9, 3, "and 2 more", ""},
		{"too many in all", slices.Repeat([]describe.Cause{chain(2)}, 3), 3, 3, 3, "", "and 1 more"},
		{"with their consequences", []describe.Cause{chain(4)}, 3, 9, 4, "", ""},
		{"too deep", []describe.Cause{chain(4)}, 3, 3, 3, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := findings(test.causes, test.each, test.all)
			if count(got) != test.want {
				t.Errorf("%d findings, want %d", count(got), test.want)
			}
			if len(got) > 0 && (got[len(got)-1].More != test.more || got[0].MoreBelow != test.moreBelow) {
				t.Errorf("%q, %q", got[len(got)-1].More, got[0].MoreBelow)
			}
		})
	}
	got := findings([]describe.Cause{long}, 1, 1)[0]
	if len(got.Descriptions) != 3 || len(got.Resources) != 17 || got.Resources[16] != "and 4 more" || got.Tone != "info" {
		t.Errorf("%+v", got)
	}
	if len(long.Resources) != 20 || long.Resources[16] != "r" {
		t.Error("a cause was changed")
	}
}

func count(all []Finding) int {
	number := len(all)
	for _, one := range all {
		number += count(one.Below)
	}
	return number
}

// known returns rows by name.
func known(all ...[]string) *rows {
	r := &rows{cells: map[string][]string{}}
	for _, one := range all {
		r.add(one[0], one[1:]...)
	}
	return r
}

func TestTables(t *testing.T) {
	t.Parallel()
	times := []string{"Started", "Ended", "Took"}
	operators := detailed("Operators", "operator", describe.Table{
		Header: []string{"Operator", "State", "Message"}, Rows: [][]string{{"dns", "updated", ""}, {"etcd", "waiting", ""}},
	}, times, known([]string{"dns", "a", "b", "c"}, []string{"gone", "d", "e", "f"})).withoutEmpty()
	want := Table{
		Title: "Operators", Count: "3 operators", Header: []string{"Operator", "State", "Started", "Ended", "Took"},
		Rows: [][]string{{"dns", "updated", "a", "b", "c"}, {"etcd", "waiting", "", "", ""}, {"gone", "", "d", "e", "f"}},
	}
	if diff := cmp.Diff(want, operators); diff != "" {
		t.Error(diff)
	}
	pools := detailed("Pools", "pool", describe.Table{Header: []string{"Pool", "Assessment"}, Rows: [][]string{{"worker", "Completed"}}}, times,
		known([]string{"master", "a", "b", "c"})).withoutEmpty()
	want = Table{
		Title: "Pools", Count: "2 pools", Header: []string{"Pool", "Assessment", "Started", "Ended", "Took"},
		Rows: [][]string{{"worker", "Completed", "", "", ""}, {"master", "", "a", "b", "c"}},
	}
	if diff := cmp.Diff(want, pools); diff != "" {
		t.Error(diff)
	}
}

var nodeHeader = []string{"Node", "Pool", "Message"}

func TestNodeTable(t *testing.T) {
	t.Parallel()
	short, long := []string{"n1", "n2"}, []string{strings.Repeat("n", mostShown.nameBytes)}
	got := nodeTable(mostShown, &describe.Tables{
		Nodes:     describe.Table{Header: nodeHeader, Rows: [][]string{{"a", "p", "m"}}},
		NodeNames: []describe.NodeNames{{Pool: "p", Phase: "Pending", Names: short}, {Pool: "p", Phase: "Updated", Names: long}},
	}, known([]string{"a", "t"}, []string{"b", "u"}), map[string]string{"a": "p", "b": "q"})
	want := Table{
		Title: "Nodes", Count: "4 nodes", Header: []string{"Node", "Pool", "Times", "Message"},
		Rows:  [][]string{{"a", "p", "t", "m"}, {"b", "q", "u", ""}},
		Lists: []List{{"p, Pending (2)", "n1, n2"}}, More: "1 node with long names are left out.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFitTables: with any texts, which HTML makes longer, a report stays below its size, and says what it leaves out.
func TestFitTables(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		length, rows int
		isCut        bool
	}{{10, 1000, false}, {500, 200, true}, {1000, 100, true}, {5000, 16, true}} {
		parts, text := &describe.Tables{Nodes: describe.Table{Header: nodeHeader}}, strings.Repeat("'", test.length)
		var causes []describe.Cause
		for number := range 1000 {
			parts.Nodes.Rows = append(parts.Nodes.Rows, []string{fmt.Sprint("node-", number), "worker", text})
			causes = append(causes, describe.Cause{Level: "Error", Summary: text[:10], Descriptions: []string{text[:min(len(text), 1024)]}})
		}
		p := &Page{Overview: &describe.Overview{Title: []string{"Updating"}}}
		p.fitTables(parts, nil, causes)
		nodes, health := p.Tables[0], p.Tables[1]
		if p.size() >= MaxBytes || len(nodes.Rows) < test.rows/2 || len(health.Findings) == 0 {
			t.Errorf("texts of %d characters: %d bytes with %d nodes and %d causes", test.length, p.size(), len(nodes.Rows), len(health.Findings))
		}
		left := fmt.Sprintf("%d rows more left out", 1000-len(nodes.Rows))
		if test.isCut != strings.Contains(nodes.More, left) || nodes.Count != "1000 nodes" {
			t.Errorf("texts of %d characters: %s, %q", test.length, nodes.Count, nodes.More)
		}
	}
}

// TestNodesOfARecord checks that nodes of which only a record knows are counted.
func TestNodesOfARecord(t *testing.T) {
	t.Parallel()
	none := describe.Table{Header: nodeHeader}
	if got := nodeTable(mostShown, &describe.Tables{Nodes: none}, known([]string{"b", "u"}), nil); got.Count != "1 node" || len(got.Rows) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestHealthTable(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		causes   []describe.Cause
		episodes [][]string
		want     string
	}{
		{"none", nil, nil, ""},
		{"now", []describe.Cause{chain(1)}, nil, "1 cause now"},
		{"earlier", nil, [][]string{{"x"}}, "1 health insight over time"},
		{"both", []describe.Cause{chain(1), chain(1)}, [][]string{{"x"}, {"y"}}, "2 causes now, 2 health insights over time"},
	} {
		if got := healthTable(mostShown, test.causes, test.episodes); got.Count != test.want {
			t.Errorf("%s: %q, want %q", test.name, got.Count, test.want)
		}
	}
}

// TestTimesInTables checks what a table says of ends that are not known.
func TestTimesInTables(t *testing.T) {
	t.Parallel()
	record := completed()
	record.Operators = nil
	for _, one := range []struct {
		name         string
		from, to, by int
	}{{"a", 10, 20, 0}, {"b", 10, 0, 20}, {"c", 10, 0, 0}, {"d", 0, 20, 0}} {
		record.Operators = append(record.Operators, operatorOf(one.name, one.from, one.to, one.by))
	}
	var got []string
	for _, row := range pageOf(t, record, 100).Tables[0].Rows {
		got = append(got, strings.Join(row, " "))
	}
	want := []string{"a 14:10:00 14:20:00 10m", "b 14:10:00 by 14:20:00 <10m", "c 14:10:00 never 1h30m+", "d ? 14:20:00 ?"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// operatorOf returns the record of an operator; minutes that are zero are not known.
func operatorOf(name string, from, to, by int) updatev1alpha1.OperatorRecord {
	record := updatev1alpha1.OperatorRecord{Name: name}
	for _, one := range []struct {
		minute int
		time   **metav1.Time
	}{{from, &record.StartedAt}, {to, &record.CompletedAt}, {by, &record.CompletedBy}} {
		if one.minute > 0 {
			*one.time = at(one.minute)
		}
	}
	return record
}
