package describe

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// TestOverviewAndTables compares the overview and the tables of an update with the files that are beside its object.
func TestOverviewAndTables(t *testing.T) {
	for _, name := range []string{"causes", "progressing", "hostile"} {
		t.Run(name, func(t *testing.T) {
			us := load(t, filepath.Join("testdata", name+".yaml"))
			options := Options{Now: testNow, Head: Head(read(us, testNow), testNow)}
			got, err := yaml.Marshal(map[string]any{"overview": OverviewOf(read(us, testNow), options), "tables": TablesOf(read(us, testNow), options)})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, filepath.Join("testdata", name+".overview.txt"), string(got))
			if isText := func(r rune) bool { return r != '\n' && isUnprintable(r) }; strings.ContainsFunc(string(got), isText) {
				t.Error("characters that are not visible")
			}
		})
	}
}

// TestOverviewOfEvidence checks that what may not be trusted is said first, and nothing better than that.
func TestOverviewOfEvidence(t *testing.T) {
	us := load(t, filepath.Join("testdata", "progressing.yaml"))
	us.Status.Conditions = []metav1.Condition{
		{Type: updatev1alpha1.ConditionAlertsComplete, Status: metav1.ConditionFalse, Message: "no alerts"},
		{Type: updatev1alpha1.ConditionInsightsComplete, Status: metav1.ConditionFalse, Message: "3 nodes are left out"},
	}
	us.Status.WorkerPools[0].Conditions = append(us.Status.WorkerPools[0].Conditions, us.Status.Conditions[1])
	for _, informers := range [][]updatev1alpha1.Informer{us.Status.ControlPlane.Informers, us.Status.WorkerPools[0].Informers} {
		for at := range informers {
			informers[at].Insights = slices.DeleteFunc(informers[at].Insights, func(one updatev1alpha1.Insight) bool { return one.Health != nil })
		}
	}
	got := OverviewOf(read(us, testNow), Options{Now: testNow, Head: Head(read(us, testNow), testNow), Outdated: "it is old", Incomplete: []string{"a file"}, MissingNodes: []string{"a node"}})
	want := &Overview{
		Notices: []string{
			"Outdated: it is old.", "Incomplete: a file.", "Incomplete: a node.",
			"Incomplete: no alerts.", "Incomplete: 3 nodes are left out.",
		},
		Health: "No problem is known, but the files are incomplete",
		Title:  got.Title, Rows: got.Rows, Causes: []Cause{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestReferencesOfCauses checks that only an address is one.
func TestReferencesOfCauses(t *testing.T) {
	for reference, want := range map[string]string{
		"https://example.com/page": "https://example.com/page", "javascript:alert(1)": "", "": "",
	} {
		one := health("x", updatev1alpha1.LevelWarning, nil, "")
		one.Health.Remediation.Reference = reference
		us := &updatev1alpha1.UpdateStatus{Status: updatev1alpha1.UpdateStatusStatus{ControlPlane: &updatev1alpha1.ControlPlane{
			Informers: []updatev1alpha1.Informer{{Name: "i", Insights: []updatev1alpha1.Insight{one}}},
		}}}
		if got := OverviewOf(read(us, testNow), Options{Now: testNow, Head: Head(read(us, testNow), testNow)}).Causes[0].Reference; got != want {
			t.Errorf("%q: %q, want %q", reference, got, want)
		}
	}
}

// TestNodesOfTables checks which nodes have a row: in a large cluster those that need attention or are being updated, at most 200.
func TestNodesOfTables(t *testing.T) {
	for _, test := range []struct {
		name              string
		degraded, pending int
		rows, names       int
	}{
		{"small", 10, 190, 200, 0},
		{"large", 10, 191, 10, 191},
		{"large and bad", 300, 1, 200, 101},
	} {
		nodes := stated(testNodes(test.degraded, test.pending)...)
		tables := &Tables{}
		tables.addNodes(&page{Options: Options{Now: testNow}}, (&update.Update{ControlPlane: update.ControlPlane{Nodes: nodes}}).NodesByUrgency())
		names := 0
		for _, one := range tables.NodeNames {
			names += len(one.Names)
			if !slices.IsSorted(one.Names) {
				t.Errorf("%s: %v", test.name, one.Names)
			}
		}
		if len(tables.Nodes.Rows) != test.rows || names != test.names {
			t.Errorf("%s: %d rows and %d names, want %d and %d", test.name, len(tables.Nodes.Rows), names, test.rows, test.names)
		}
		if first := tables.Nodes.Rows[0]; first[2] != string(insight.NodeDegraded) {
			t.Errorf("%s: the first one is %v", test.name, first)
		}
	}
}
