package truncate

import updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"

// encode returns the truncated status as JSON, with the encodings of its insights.
func (t *truncator) encode(limit int) []byte {
	into := appendStart(make([]byte, 0, t.bytes), t.parts[0].bare(*t.parts[0].conditions))
	var pools []*part
	for _, p := range t.parts[1:] {
		switch {
		case p.controlPlane != nil:
			into = p.append(appendName(into, "controlPlane"), limit)
		case p.whole == nil || p.whole.in:
			pools = append(pools, p)
		}
	}
	into = appendList(into, "workerPools", len(pools), func(into []byte, at int) []byte { return pools[at].append(into, limit) })
	return append(into, '}')
}

func (p *part) append(into []byte, limit int) []byte {
	into = appendStart(into, p.bare(*p.conditions))
	into = appendList(into, "informers", len(p.informers), func(into []byte, at int) []byte {
		insights := staying(p.insights[at])
		into = appendStart(into, updatev1alpha1.Informer{Name: p.informers[at].Name})
		into = appendList(into, "insights", len(insights), func(into []byte, at int) []byte {
			return append(into, insights[at].at(limit).json...)
		})
		return append(into, '}')
	})
	return append(into, '}')
}

// appendStart appends an object without its closing brace.
func appendStart(into []byte, bare any) []byte {
	encoded := encode(bare)
	return append(into, encoded[:len(encoded)-1]...)
}

// appendName appends the name of a further member of an object.
func appendName(into []byte, name string) []byte {
	if into[len(into)-1] != '{' {
		into = append(into, ',')
	}
	return append(into, `"`+name+`":`...)
}

// appendList appends a list as a further member of an object, unless it is empty.
func appendList(into []byte, name string, length int, item func(into []byte, at int) []byte) []byte {
	if length == 0 {
		return into
	}
	into = append(appendName(into, name), '[')
	for at := range length {
		into = append(item(into, at), ',')
	}
	into[len(into)-1] = ']'
	return into
}
