package truncate

import (
	"bytes"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// encode returns the truncated status as JSON, with the encodings of its insights.
func (t *truncator) encode(limit int) []byte {
	var encoded []byte
	var pools [][]byte
	for _, p := range t.parts {
		switch {
		case p.status != nil:
			encoded = encode(p.bare(*p.conditions))
		case p.controlPlane != nil:
			encoded = withMember(encoded, "controlPlane", p.encode(limit))
		case p.whole == nil || p.whole.in:
			pools = append(pools, p.encode(limit))
		}
	}
	return withList(encoded, "workerPools", pools)
}

func (p *part) encode(limit int) []byte {
	informers := make([][]byte, len(p.informers))
	for i := range informers {
		var insights [][]byte
		for _, one := range p.insights[i] {
			if one.in {
				insights = append(insights, one.at(limit).json)
			}
		}
		informers[i] = withList(encode(updatev1alpha1.Informer{Name: p.informers[i].Name}), "insights", insights)
	}
	return withList(encode(p.bare(*p.conditions)), "informers", informers)
}

// withList adds a list to an encoded object as its last member, unless it is empty.
func withList(object []byte, name string, items [][]byte) []byte {
	if len(items) == 0 {
		return object
	}
	list := append([]byte{'['}, bytes.Join(items, []byte{','})...)
	return withMember(object, name, append(list, ']'))
}

// withMember adds a last member to an encoded object.
func withMember(object []byte, name string, value []byte) []byte {
	object = object[:len(object)-1]
	if len(object) > 1 {
		object = append(object, ',')
	}
	object = append(object, `"`+name+`":`...)
	object = append(object, value...)
	return append(object, '}')
}
