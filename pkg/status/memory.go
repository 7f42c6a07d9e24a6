package status

import (
	"cmp"
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// Memory is what Build remembers from one status to the next of the same controller: what every source said, and what
// was made of it. What has not been said anew costs nothing then, and what was left out of the object keeps its times.
// It may be thrown away at any moment, and is with every restart: what is left out then counts as new when it comes back.
type Memory struct {
	made map[memoryKey]remembered
}

type memoryKey struct {
	source insight.Source
	uid    string
}

// remembered is an insight as the ledger holds it, and what was made of it. Neither is ever changed.
type remembered struct {
	said *updatev1alpha1.Insight
	made updatev1alpha1.Insight
}

// NewMemory returns an empty memory.
func NewMemory() *Memory {
	return &Memory{}
}

// isAlarm is whether a source still reports a health insight that is announced.
func (m *Memory) isAlarm(uid string) bool {
	if m == nil {
		return false
	}
	return slices.ContainsFunc(insight.Sources(), func(source insight.Source) bool {
		known, found := m.made[memoryKey{source, uid}]
		return found && known.made.Health != nil && isAlarm(known.made.Health.Impact.Level)
	})
}

// keeper makes the insights of a source, with their times.
type keeper struct {
	source insight.Source
	// before is what the memory held, and made what it will hold.
	before, made map[memoryKey]remembered
	// stored are the insights of the source in the previous status, by uid.
	stored map[string]*updatev1alpha1.Insight
	clock  moment
}

// insights returns the insights of a source in each part: what it reported, or what there was before while it is not
// complete.
func (k keeper) insights(said ledger.SourceView, before map[insight.Part][]updatev1alpha1.Informer) map[insight.Part][]updatev1alpha1.Insight {
	insights := map[insight.Part][]updatev1alpha1.Insight{}
	for part, informers := range before {
		for _, informer := range informers {
			if informer.Name != string(k.source) {
				continue
			}
			for at := range informer.Insights {
				k.stored[informer.Insights[at].UID] = &informer.Insights[at]
			}
			if !said.Complete && len(informer.Insights) > 0 {
				insights[part] = informer.Insights
			}
		}
	}
	if !said.Complete {
		return insights
	}
	placed := slices.SortedFunc(slices.Values(said.Insights), comparePlaced)
	for _, one := range placed {
		insights[one.Part] = append(insights[one.Part], k.keep(&one.Insight))
	}
	return insights
}

// keep makes an insight, unless that has been done already.
func (k keeper) keep(said *updatev1alpha1.Insight) updatev1alpha1.Insight {
	key := memoryKey{k.source, said.UID}
	known, found := k.before[key]
	if found && known.said == said {
		k.made[key] = known
		return known.made
	}
	before := k.stored[said.UID]
	if found {
		before = &known.made
	}
	made := keepInsight(said.DeepCopy(), before, k.clock)
	k.made[key] = remembered{said: said, made: *made}
	return *made
}

func comparePlaced(a, b *insight.Placed) int {
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
