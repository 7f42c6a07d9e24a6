package status

import (
	"cmp"
	"slices"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Memory is what Build remembers from one status to the next of the same controller: what every source said, and what
// was made of it. What has not been said anew costs nothing then, and what was left out of the object keeps its times.
// It may be thrown away at any moment, and is with every restart: what is left out then counts as new when it comes back.
type Memory struct {
	made map[memoryKey]*remembered
	// next is when a status changes by the clock alone.
	next time.Time
}

// NextCheck is when the status that was built last is another one although no source says anything, zero if never: a pool
// is stuck then.
func (m *Memory) NextCheck() time.Time {
	return m.next
}

type memoryKey struct {
	source insight.Source
	uid    string
}

// remembered is an insight as the ledger holds it, and what was made of it. None of this is ever changed.
type remembered struct {
	said *updatev1alpha1.Insight
	made updatev1alpha1.Insight
	// progress is that of a node, and outlook that of a pool.
	progress progress
	outlook  outlook
	// worth is that of what was made.
	worth worth
}

// NewMemory returns an empty memory.
func NewMemory() *Memory {
	return &Memory{}
}

// Reports is whether a source still reports a health insight that is announced.
func (m *Memory) Reports(uid string) bool {
	if m == nil {
		return false
	}
	return slices.ContainsFunc(insight.Sources(), func(source insight.Source) bool {
		known, found := m.made[memoryKey{source, uid}]
		return found && known.made.Health != nil && isAlarm(known.made.Health.Impact.Level)
	})
}

func comparePlaced(a, b *insight.ScopedInsight) int {
	return cmp.Or(
		cmp.Compare(insightRank(a.Insight.Type), insightRank(b.Insight.Type)),
		cmp.Compare(a.Insight.UID, b.Insight.UID),
	)
}

// insightRank is the place of a type in the lists of insights.
func insightRank(kind updatev1alpha1.InsightType) int {
	switch kind {
	case updatev1alpha1.InsightClusterVersion:
		return 0
	case updatev1alpha1.InsightClusterOperator:
		return 1
	case updatev1alpha1.InsightMachineConfigPool:
		return 2
	case updatev1alpha1.InsightNode:
		return 3
	default:
		return 4
	}
}
