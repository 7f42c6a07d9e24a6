package truncate

import (
	"encoding/json"
	"hash/fnv"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Item is an insight with what truncation has to know about it. It depends on the insight alone, and can be used for each
// status that has the insight.
type Item struct {
	kind *insight.Kind
	// foreign is whether the insight is not one of this controller: it is never cut or left out.
	foreign  bool
	priority insight.Priority
	group    string
	hash     uint64
	// versions are the insight with its texts cut to each of textLimits, nil until that is needed.
	versions [len(textLimits)]*version
}

// version is an insight and its encoding.
type version struct {
	insight *updatev1alpha1.Insight
	json    []byte
}

// NewItem returns the item of an insight, which must not be changed afterwards.
func NewItem(one *updatev1alpha1.Insight) *Item {
	item := &Item{kind: insight.KindOf(one), hash: hashOf(one.UID)}
	item.versions[0] = &version{insight: one, json: encode(one)}
	if item.kind.Priority != nil {
		item.priority = item.kind.Priority(one)
	}
	if item.kind.Group != nil {
		item.group = item.kind.Group(one)
	}
	return item
}

func newForeignItem(one *updatev1alpha1.Insight) *Item {
	item := &Item{kind: &insight.Kind{}, foreign: true}
	item.versions[0] = &version{insight: one, json: encode(one)}
	return item
}

// at returns the insight with its texts cut to a limit.
func (i *Item) at(limit int) *version {
	if i.foreign {
		limit = 0
	}
	if i.versions[limit] == nil {
		whole := i.versions[0]
		i.versions[limit] = whole
		if short := shorten(whole.insight, textLimits[limit]); short != whole.insight {
			i.versions[limit] = &version{insight: short, json: encode(short)}
		}
	}
	return i.versions[limit]
}

func hashOf(name string) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(name))
	return hash.Sum64()
}

// encode returns a value of the API as JSON. The types of the API have nothing that can't be encoded.
func encode(value any) []byte {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err) //nolint:forbidigo // nothing can be done, and it can not happen
	}
	return encoded
}
