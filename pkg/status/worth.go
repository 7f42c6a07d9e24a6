package status

import (
	"hash/fnv"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// worth is what decides whether something is left out, and what is said of it then. That of an insight depends on nothing else:
// it is found once.
type worth struct {
	size size
	// class is the value: what has less is left out first.
	class int
	// hash decides between what has the same value. It spreads what is kept over the pools.
	hash uint64
	// word is what it is counted as among others of its kind.
	word string
}

func worthOf(one *updatev1alpha1.Insight) worth {
	found := worth{size: sizeOf(one), hash: hashOf(one.UID)}
	switch {
	case one.Node != nil:
		found.class, found.word = classOfNode(one.Node), wordOfNode(one.Node)
	case one.Health != nil:
		found.class, found.word = classOfHealth(one.Health), string(one.Health.Impact.Level)
	case one.ClusterOperator != nil:
		found.class = classOfOperator(one.ClusterOperator)
	case one.MachineConfigPool != nil:
		found.class = classOfPool(one.MachineConfigPool)
	}
	return found
}

// worthOf returns what an insight of a source is worth, which is known of all that were made of what the source says now.
func (m *Memory) worthOf(source insight.Source, one *updatev1alpha1.Insight) *worth {
	if known, found := m.made[memoryKey{source, one.UID}]; found {
		return &known.worth
	}
	found := worthOf(one)
	return &found
}

func hashOf(name string) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(name))
	return hash.Sum64()
}
