package causes_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// treeOf returns the tree as text, each group with the number of its consequences.
func treeOf(groups []causes.Group, indentation string) string {
	var text strings.Builder
	for _, group := range groups {
		fmt.Fprintf(&text, "%s%s (%d)\n%s", indentation, group.Summary(), group.CountConsequences(), treeOf(group.Consequences, indentation+"  "))
	}
	return text.String()
}

// causedBy adds causes to an insight.
func causedBy(one causes.Insight, by ...causes.Insight) causes.Insight {
	for _, cause := range by {
		one.Health.CausedBy = append(one.Health.CausedBy, cause.Ref())
	}
	return one
}

// since moves the start of an insight, nil for one that is not known.
func since(one causes.Insight, before int) causes.Insight {
	one.Health.StartedAt = &metav1.Time{Time: noon.Add(-minutes(before))}
	return one
}

// TestTree checks what is a cause, what is below it, and the order.
func TestTree(t *testing.T) {
	unready, other := notReady("w-1"), since(notReady("i-1"), 5)
	other.Health.Reported.Message = "another reason"
	reported := operator("dns", "degraded", warning, "m")
	version := failing("m")
	lonely := causedBy(alert("Gone", critical), alert("NotThere", critical))
	unknownLevel := health("alert-firing", "Fatal", "Unknown level", "m", nodeRef("x"))
	for name, test := range map[string]struct {
		all  []causes.Insight
		want string
	}{
		"nothing": {nil, ""},
		"a chain": {
			of(version, reported, unready),
			"Node w-1 is not ready (2)\n  Cluster Operator dns is degraded (1)\n    Cluster Version version is failing (0)\n",
		},
		"two causes of one":         {of(version, unready, other), "Node i-1 is not ready (1)\n  Cluster Version version is failing (0)\nNode w-1 is not ready (1)\n  Cluster Version version is failing (0)\n"},
		"a cause that is left out":  {of(lonely), "Alert is firing: Gone (0)\n"},
		"the worst first":           {of(unready, degraded("w-9", "m"), alert("A", critical)), "Alert is firing: A (0)\nNode w-9 is degraded (0)\nNode w-1 is not ready (0)\n"},
		"more consequences first":   {of(since(notReady("w-0"), 90), health("node-disk-pressure", warning, "Node w-1 has disk pressure", "m", nodeRef("w-1")), failing("m")), "Node w-1 has disk pressure (1)\n  Cluster Version version is failing (0)\nNode w-0 is not ready (0)\n"},
		"a level that is not known": {of(unknownLevel, degraded("w-9", "m"), health("pool-paused", info, "Info", "m", poolRef("p"))), "Node w-9 is degraded (0)\nUnknown level (0)\nInfo (0)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			switch name {
			case "a chain":
				version.Health.CausedBy, reported.Health.CausedBy = []updatev1alpha1.HealthCause{reported.Ref()}, []updatev1alpha1.HealthCause{unready.Ref()}
			case "two causes of one":
				version.Health.CausedBy = []updatev1alpha1.HealthCause{unready.Ref(), other.Ref(), version.Ref()}
			case "more consequences first":
				test.all[2] = causedBy(test.all[2], test.all[1])
			}
			if diff := cmp.Diff(test.want, treeOf(causes.Tree(test.all), "")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestOfTenants: of the same level, what tenants report comes last, however old it is and whatever it causes, and at most one of the foremost
// is theirs.
func TestOfTenants(t *testing.T) {
	tenants := func(name string, level updatev1alpha1.HealthLevel, minutes int) causes.Insight {
		one := since(health("update-informer", level, name, strconv.Itoa(minutes), nodeRef(name)), minutes)
		one.Health.Origin = updatev1alpha1.OriginTenant
		return one
	}
	cause := tenants("t-2", warning, 70)
	groups := causes.Tree(of(tenants("t-1", warning, 80), cause, causedBy(degraded("w-0", "m"), cause), notReady("w-1"), tenants("t-3", info, 0), poolDegraded("p"), tenants("t-4", warning, 60)))
	const want = "Pool p can't be updated (0)\nt-2 (1)\n  Node w-0 is degraded (0)\nNode w-1 is not ready (0)\nt-1 (0)\nt-4 (0)\nt-3 (0)\n"
	if diff := cmp.Diff(want, treeOf(groups, "")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for most, want := range map[int]string{0: "", 2: "Pool p can't be updated, t-2", 3: "Pool p can't be updated, t-2, Node w-1 is not ready", 9: "Pool p can't be updated, t-2, Node w-1 is not ready"} {
		var names []string
		for _, group := range causes.Foremost(groups, most) {
			names = append(names, group.Summary())
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("the foremost %d: %s, want %s", most, got, want)
		}
	}
}

// TestLevelOfGroup: a cause is as bad as the worst that it causes, and needs attention if any of that does.
func TestLevelOfGroup(t *testing.T) {
	with := func(one causes.Insight, impact updatev1alpha1.ImpactType) causes.Insight {
		one.Health.Impact.Type = impact
		return one
	}
	for name, test := range map[string]struct {
		cause, effect causes.Insight
		level         updatev1alpha1.HealthLevel
		needs         bool
	}{
		"of no impact":               {with(health("update-informer", info, "a", "m", nodeRef("a")), "None"), with(degraded("w", "m"), "UpdateStalled"), failure, true},
		"worse itself":               {with(degraded("w", "m"), "UpdateStalled"), with(notReady("v"), "UpdateSpeed"), failure, true},
		"nothing of it has a impact": {with(notReady("w"), "None"), with(notReady("v"), "None"), warning, false},
		"nothing of it is bad":       {with(health("update-informer", info, "a", "m", nodeRef("a")), "UpdateSpeed"), with(health("update-informer", info, "b", "m", nodeRef("b")), "UpdateSpeed"), info, false},
	} {
		group := causes.Tree(of(test.cause, causedBy(test.effect, test.cause)))[0]
		if group.Level() != test.level || group.NeedsAttention() != test.needs {
			t.Errorf("%s: %s, needs attention: %t", name, group.Level(), group.NeedsAttention())
		}
	}
}

// TestCircle: causes in a circle, as only a hostile object has them, hide nothing.
func TestCircle(t *testing.T) {
	first, second := notReady("w-1"), failing("m")
	first, second = causedBy(first, second), causedBy(second, first)
	const want = "Cluster Version version is failing (1)\n  Node w-1 is not ready (0)\n"
	if diff := cmp.Diff(want, treeOf(causes.Tree(of(first, second)), "")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestGroups checks what is one row, and its text.
func TestGroups(t *testing.T) {
	budget, other := insight.Budget("shop", "cart"), insight.Budget("shop", "pay")
	long := strings.Repeat("very-long-name.", 16)
	for name, test := range map[string]struct {
		all  []causes.Insight
		want string
	}{
		"nodes degraded for one reason": {
			of(degraded("w-3", "failed to drain node: w-3 after 1 hour"), degraded("w-1", "failed to drain node: w-1 after 1 hour"), degraded("w-2", "failed to drain node: w-2 after 1 hour")),
			"3 nodes are degraded: w-1, w-2 and 1 more: failed to drain node: <node> after 1 hour (0)\n",
		},
		"for two reasons":            {of(degraded("w-1", "disk"), degraded("w-2", "drain")), "Node w-1 is degraded (0)\nNode w-2 is degraded (0)\n"},
		"nodes that are not ready":   {of(notReady("w-2"), notReady("w-1")), "2 nodes are not ready: w-1 and w-2 (0)\n"},
		"of two levels":              {of(drain("w-1", failure, budget), drain("w-2", warning, budget)), "Node w-1 does not drain: a PodDisruptionBudget requires all existing pods (0)\nNode w-2 does not drain: a PodDisruptionBudget requires all existing pods (0)\n"},
		"drains, one budget":         {of(drain("w-1", warning, budget), drain("w-2", warning, budget)), "2 nodes do not drain: a PodDisruptionBudget requires all existing pods: w-1 and w-2 (0)\n"},
		"drains, two budgets":        {of(drain("w-1", warning, budget), drain("w-2", warning, other)), "Node w-1 does not drain: a PodDisruptionBudget requires all existing pods (0)\nNode w-2 does not drain: a PodDisruptionBudget requires all existing pods (0)\n"},
		"operators":                  {of(operator("dns", "degraded", warning, "m"), operator("etcd", "degraded", warning, "m")), "2 cluster operators are degraded: dns and etcd: m (0)\n"},
		"alerts with the same text":  {of(alert("A", warning), func() causes.Insight { again := alert("A", warning); again.UID += "-2"; return again }()), "Alert is firing: A (2 times) (0)\n"},
		"pools, whose name is later": {of(health("pool-paused", warning, "nodes in pool 'a' wait", "m", poolRef("a")), health("pool-paused", warning, "nodes in pool 'b' wait", "m", poolRef("b")), health("pool-paused", warning, "nodes in pool 'c' wait", "m", poolRef("c"))), "nodes in pool 'a' wait, and 2 more: b and c (0)\n"},
		"names in names":             {of(notReady("w"), notReady("w-1")), "2 nodes are not ready: w and w-1 (0)\n"},
		"nodes that are slow":        {of(health("node-update-slow", warning, "Node w-1 is slow to update", "m", nodeRef("w-1")), health("node-update-slow", warning, "Node w-2 is slow to update", "m", nodeRef("w-2"))), "2 nodes are slow to update: w-1 and w-2 (0)\n"},
		"of another version": {
			of(health("unheard-of", warning, "Something about a", "m", nodeRef("a")), health("unheard-of", warning, "Something about b", "m", nodeRef("b"))),
			"Something about a (0)\nSomething about b (0)\n",
		},
		"too long": {
			of(notReady(long+"a"), notReady(long+"b")),
			"2 nodes are not ready: " + long[:256-len("2 nodes are not ready: ")-1] + "… (0)\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := treeOf(causes.Tree(test.all), "")
			if name == "too long" {
				got = strings.ReplaceAll(got, long+"a", long)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestGroupDetails checks the start, the resources and the descriptions of a group.
func TestGroupDetails(t *testing.T) {
	budget := insight.Budget("shop", "cart")
	unknown := drain("w-3", warning, budget)
	unknown.Health.StartedAt, unknown.Health.Impact.Description, unknown.Health.Reported.Message = nil, "other pods", "other"
	groups := causes.Tree(of(since(drain("w-1", warning, budget), 5), since(drain("w-2", warning, budget), 50), unknown))
	if len(groups) != 1 {
		t.Fatalf("%d groups", len(groups))
	}
	if got := groups[0].Since(); got == nil || !got.Time.Equal(noon.Add(-minutes(50))) {
		t.Errorf("since %v", got)
	}
	want := builders.Resources(nodeRef("w-1"), nodeRef("w-2"), nodeRef("w-3"), budget)
	want[1].Role, want[2].Role = updatev1alpha1.RoleSubject, updatev1alpha1.RoleSubject
	if diff := cmp.Diff(want, groups[0].Resources()); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Pod of w-1", "other pods"}, groups[0].Descriptions()); diff != "" {
		t.Errorf("descriptions (-want +got):\n%s", diff)
	}
}
