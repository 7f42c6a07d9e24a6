package causes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
)

// onceOf returns a tree as text, each group with its other causes, the number of its consequences, and how many of them are listed above.
func onceOf(groups []causes.Group, indentation string) string {
	var text strings.Builder
	for _, group := range groups {
		fmt.Fprintf(&text, "%s%s (%d, %d above) %q\n%s", indentation, group.Summary(), group.CountConsequences(), group.Above, group.AlsoCausedBy, onceOf(group.Consequences, indentation+"  "))
	}
	return text.String()
}

// TestOnce checks that a consequence is listed below the first of its causes, with the others, and that it counts below each.
func TestOnce(t *testing.T) {
	first, second := notReady("i-1"), notReady("w-1")
	second.Health.Reported.Message = "another reason"
	dns := causedBy(operator("dns", "degraded", warning, "m"), first, second)
	version := causedBy(failing("m"), dns)
	// Both nodes of a group are degraded by the first cause, one of them by the second one too.
	drain, late := notReady("a"), notReady("b")
	drain.Health.Reported.Message, late.Health.Reported.Message = "one", "two"
	both := []causes.Insight{causedBy(degraded("w-2", "m"), drain), causedBy(degraded("w-3", "m"), drain, late)}
	other := causedBy(degraded("w-4", "m"), late)
	for name, test := range map[string]struct {
		all  []causes.Insight
		want string
	}{
		"nothing": {nil, ""},
		"one cause": {
			of(first, causedBy(operator("etcd", "degraded", warning, "m"), first)),
			"Node i-1 is not ready (1, 0 above) []\n  Cluster Operator etcd is degraded (0, 0 above) []\n",
		},
		"two causes of a chain": {
			of(first, second, dns, version),
			"Node i-1 is not ready (2, 0 above) []\n" +
				"  Cluster Operator dns is degraded (1, 0 above) [\"Node w-1 is not ready\"]\n    Cluster Version version is failing (0, 0 above) []\n" +
				"Node w-1 is not ready (2, 2 above) []\n",
		},
		"a cause and its cause": {
			of(first, causedBy(operator("dns", "degraded", warning, "m"), first), causedBy(failing("m"), first, causedBy(operator("dns", "degraded", warning, "m"), first))),
			"Node i-1 is not ready (2, 0 above) []\n  Cluster Operator dns is degraded (0, 0 above) []\n  Cluster Version version is failing (0, 0 above) []\n",
		},
		"a part of a group": {
			of(drain, late, both[0], both[1], other),
			"Node a is not ready (2, 0 above) []\n  2 nodes are degraded: w-2 and w-3: m (0, 0 above) [\"Node b is not ready\"]\n" +
				"Node b is not ready (2, 1 above) []\n  Node w-4 is degraded (0, 0 above) []\n",
		},
	} {
		tree := causes.Tree(test.all)
		before := treeOf(tree, "")
		if diff := cmp.Diff(test.want, onceOf(causes.Once(tree), "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(before, treeOf(tree, "")); diff != "" {
			t.Errorf("%s: the tree was changed (-want +got):\n%s", name, diff)
		}
	}
}
