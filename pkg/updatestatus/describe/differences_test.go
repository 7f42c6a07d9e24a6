package describe

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// The tests of this file are about intended differences from `oc adm upgrade status`.

// TestNodeMessagesAreOneLine checks that a message of several lines stays in its row, cut or with details in full.
func TestNodeMessagesAreOneLine(t *testing.T) {
	us := load(t, filepath.Join("testdata", "progressing.yaml"))
	for _, pool := range us.Status.WorkerPools {
		for _, informer := range pool.Informers {
			for _, one := range informer.Insights {
				if one.Node != nil && one.Node.Name == "w2" {
					one.Node.Message = "failed to drain\n  the node\n" + strings.Repeat("again ", 40)
				}
			}
		}
	}
	for _, tc := range []struct {
		details Details
		want    string
	}{
		{DetailsNone, "   failed to drain the node again agai…\n"},
		{DetailsNodes, "   failed to drain the node " + strings.TrimSpace(strings.Repeat("again ", 40)) + "\n"},
	} {
		if got := text(t, us, Options{Now: testNow, Details: tc.details, Width: 83}); !strings.Contains(got, tc.want) {
			t.Errorf("details %s: the text lacks %q:\n%s", tc.details, tc.want, got)
		}
	}
}

// TestDescriptionsAreAligned checks that the lines of a description are aligned and have no leading commas.
func TestDescriptionsAreAligned(t *testing.T) {
	us := &updatev1alpha1.UpdateStatus{}
	us.Status.ControlPlane = &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{{Insights: []updatev1alpha1.Insight{
		health("Bad", updatev1alpha1.LevelError, nil, "first\n, second\n  third"),
	}}}}
	want := "  Description: first\n               second\n               third\n"
	if got := text(t, us, Options{Now: testNow, Details: DetailsHealth}); !strings.HasSuffix(got, want) {
		t.Errorf("the text does not end in %q:\n%s", want, got)
	}
}

// TestOrderOfPoolsAndCounts checks that pools are in the order in which an API server or a file lists them, and that the counts of a pool
// have a fixed order.
func TestOrderOfPoolsAndCounts(t *testing.T) {
	us := &updatev1alpha1.UpdateStatus{}
	for _, name := range []string{"zone", "worker", "infra"} {
		us.Status.WorkerPools = append(us.Status.WorkerPools, updatev1alpha1.WorkerPool{
			Name: name, Informers: []updatev1alpha1.Informer{{Insights: []updatev1alpha1.Insight{{
				MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Name: name, Assessment: "Degraded", Completion: 10, Summaries: []updatev1alpha1.NodeSummary{
					{Type: updatev1alpha1.NodesDegraded, Count: 1},
					{Type: updatev1alpha1.NodesExcluded, Count: 2},
					{Type: updatev1alpha1.NodesDraining, Count: 3},
					{Type: updatev1alpha1.NodesProgressing, Count: 4},
					{Type: updatev1alpha1.NodesAvailable, Count: 5},
					{Type: updatev1alpha1.NodesTotal, Count: 10},
					{Type: updatev1alpha1.NodesOutdated, Count: 9},
				}},
			}}}},
		})
	}
	row := "Degraded     10% (1/10)   5 Available, 4 Progressing, 3 Draining, 2 Excluded, 1 Degraded"
	for _, test := range []struct {
		options Options
		want    []string
	}{
		{Options{}, []string{"infra", "worker", "zone"}},
		{Options{PoolOrder: []string{"master", "worker", "zone", "infra"}}, []string{"worker", "zone", "infra"}},
	} {
		test.options.Now = testNow
		want := ""
		for _, name := range test.want {
			want += fmt.Sprintf("\n%-14s%s", name, row)
		}
		if got := text(t, us, test.options); !strings.Contains(got, want) {
			t.Errorf("the text lacks %q:\n%s", want, got)
		}
	}
}

// TestHealthOrder checks that the order of rows does not change from call to call.
func TestHealthOrder(t *testing.T) {
	since := &metav1.Time{Time: testNow.Add(-time.Hour)}
	us := &updatev1alpha1.UpdateStatus{}
	us.Status.ControlPlane = &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{{Insights: []updatev1alpha1.Insight{
		health("C", updatev1alpha1.LevelError, since, ""), health("A", updatev1alpha1.LevelError, since, ""), health("B", updatev1alpha1.LevelError, since, ""),
	}}}}
	var order []string
	for line := range strings.Lines(text(t, us, Options{Now: testNow})) {
		if strings.HasPrefix(line, "1h ") {
			order = append(order, line[strings.LastIndex(strings.TrimSpace(line), " ")+1:])
		}
	}
	if got := strings.Join(order, ""); got != "A\nB\nC\n" {
		t.Errorf("the order is %q", got)
	}
}

// TestCompletion checks that 299 of 300 nodes are 99 %, without an insight about the pool.
func TestCompletion(t *testing.T) {
	if got := poolCompletion(&update.Pool{Counts: insight.NodeCounts{Total: 300, Completed: 299}}); got != "99% (299/300)" {
		t.Errorf("got %s", got)
	}
}

func health(summary string, level updatev1alpha1.HealthLevel, since *metav1.Time, description string) updatev1alpha1.Insight {
	return updatev1alpha1.Insight{Health: &updatev1alpha1.HealthInsight{
		StartedAt: since,
		Impact:    updatev1alpha1.HealthImpact{Level: level, Type: updatev1alpha1.ImpactNone, Summary: summary, Description: description},
	}}
}
