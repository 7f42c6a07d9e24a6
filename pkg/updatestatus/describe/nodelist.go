package describe

import (
	"fmt"
	"io"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// NodeUpdateList has nodes of an update, for programs. It is no object of the API. Later versions add fields, and remove or change none.
type NodeUpdateList struct {
	metav1.TypeMeta `json:",inline"`

	// Notices say why the list may not be trusted, and what is missing from it.
	Notices []string `json:"notices,omitempty"`
	// Items are the nodes, the worst first.
	Items []NodeUpdate `json:"items"`
}

// NodeUpdate is a node of an update.
type NodeUpdate struct {
	Name string `json:"name"`
	Pool string `json:"pool"`
	// Assessment and Phase are the words of the table.
	Assessment string `json:"assessment"`
	Phase      string `json:"phase"`
	// Version is the one that the node runs, and DesiredVersion the one that it is updated to. They are absent where they are not known.
	Version        string `json:"version,omitempty"`
	DesiredVersion string `json:"desiredVersion,omitempty"`
	// Since is when the present phase started. It is absent unless the node is being updated.
	Since *metav1.Time `json:"since,omitempty"`
	// EstimatedCompletedAt is when the update of the node is expected to complete. It may be in the past.
	EstimatedCompletedAt *metav1.Time `json:"estimatedCompletedAt,omitempty"`
	// Reason is why the node is degraded or else unavailable.
	Reason string `json:"reason,omitempty"`
	// Message says what is wrong with the node, or else how its update goes on.
	Message string `json:"message,omitempty"`
}

// NodeFilter selects nodes. The zero value selects all.
type NodeFilter struct {
	// NotUpdated selects the nodes that do not run the version that they are updated to.
	NotUpdated bool
	// Pools and Phases select the nodes that are in one of them; none selects all.
	Pools, Phases []string
}

func (f NodeFilter) selects(node update.Node) bool {
	isIn := func(values []string, value string) bool { return len(values) == 0 || slices.Contains(values, value) }
	return (!f.NotUpdated || !node.IsUpdated()) && isIn(f.Pools, node.Pool) && isIn(f.Phases, phaseOf(node.State))
}

// NodePhases returns the phases of nodes as they are shown.
func NodePhases() []string {
	var names []string
	for _, phase := range insight.NodePhases() {
		names = append(names, phaseOf(insight.NodeState{Phase: phase}))
	}
	return names
}

// NodeList has the nodes of an update that a filter selects, the worst first as in the text, then by name.
type NodeList struct {
	// Total is the number of all nodes, and Pools are the names of all pools.
	Total int
	Pools []string

	page  *page
	all   *update.Update
	nodes []update.Node
}

// Nodes returns the nodes of an update that a filter selects. Options.Head must be set.
func Nodes(u *update.Update, options Options, filter NodeFilter) *NodeList {
	u = u.Sorted()
	nodes := u.NodesByUrgency()
	if left := LeftOutNodes(u); left != "" {
		options.MissingNodes = append(slices.Clone(options.MissingNodes), left)
	}
	return &NodeList{
		Total: len(nodes), Pools: poolNames(u), page: &page{Options: options}, all: u,
		nodes: slices.DeleteFunc(nodes, func(node update.Node) bool { return !filter.selects(node) }),
	}
}

// poolNames returns the names of all pools, those without an insight last.
func poolNames(u *update.Update) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, pool := range u.PoolInsights {
		add(pool.Name)
	}
	for _, node := range u.ControlPlane.Nodes {
		add(node.Pool)
	}
	for _, pool := range u.Pools {
		add(pool.Name)
	}
	return names
}

// Names returns the names of the nodes.
func (l *NodeList) Names() []string {
	names := make([]string, 0, len(l.nodes))
	for _, node := range l.nodes {
		names = append(names, node.Name)
	}
	return names
}

// Write writes the notices and a row for each node. A wide table has more columns.
func (l *NodeList) Write(w io.Writer, isWide bool) error {
	l.page.writeNotices(l.all)
	in := inNodes
	if isWide {
		in = inNodesWide
	}
	if len(l.nodes) > 0 {
		l.page.table(tableOf(l.page, nodeColumns, in, "NAME", l.nodes), l.page.widthToWrap())
	}
	return l.page.flush(w)
}

// Document returns the nodes for programs.
func (l *NodeList) Document() *NodeUpdateList {
	document := &NodeUpdateList{
		TypeMeta: metav1.TypeMeta{APIVersion: "client." + updatev1alpha1.SchemeGroupVersion.String(), Kind: "NodeUpdateList"},
		Notices:  l.page.Notices(l.all), Items: []NodeUpdate{},
	}
	for _, node := range l.nodes {
		document.Items = append(document.Items, NodeUpdate{
			Name: node.Name, Pool: node.Pool, Assessment: string(node.State.Assessment()), Phase: phaseOf(node.State),
			Version: node.Version, DesiredVersion: node.Target, Since: orNil(node.PhaseSince()), EstimatedCompletedAt: expectedAt(node),
			Reason: nodeReason(node), Message: messageAbout(node),
		})
	}
	return document
}

// expectedAt returns when the update of a node is expected to complete, nil if that is not known, or if the node is not being updated.
func expectedAt(node update.Node) *metav1.Time {
	since := node.PhaseSince()
	estimate, isKnown := insight.EstimateOf(node.NodeInsight)
	if since.IsZero() || !isKnown {
		return nil
	}
	return orNil(since.Add(estimate))
}

// orNil returns a time, nil if it is zero.
func orNil(at time.Time) *metav1.Time {
	if at.IsZero() {
		return nil
	}
	return &metav1.Time{Time: at}
}

// nodeSince returns for how long a node has been in its phase.
func (p *page) nodeSince(node update.Node) string {
	return p.clock().since(orNil(node.PhaseSince()))
}

// nodeReason returns why a node is degraded, or else why it is unavailable, empty if it is neither.
func nodeReason(node update.Node) string {
	if degraded := meta.FindStatusCondition(node.Conditions, updatev1alpha1.ConditionDegraded); node.State.Degraded && degraded != nil {
		return degraded.Reason
	}
	if available := meta.FindStatusCondition(node.Conditions, updatev1alpha1.ConditionAvailable); !node.State.Available && available != nil {
		return available.Reason
	}
	return ""
}

// LeftOutNodes returns how many nodes a status lacks by the counts of its pools, empty if it has all.
func LeftOutNodes(u *update.Update) string {
	if u.LeftOut() <= 0 {
		return ""
	}
	return fmt.Sprintf("the status lacks %d of the %s", u.LeftOut(), insight.Count(int(u.Counts().Total), "node"))
}
