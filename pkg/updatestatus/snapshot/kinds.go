package snapshot

import (
	"bytes"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// whole decodes an object, and all its fields.
type whole struct {
	object metav1.Object
	fields map[string]any
}

// UnmarshalJSON implements json.Unmarshaler.
func (w *whole) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, w.object); err != nil {
		return err
	}
	return json.Unmarshal(text, &w.fields)
}

// kindOf returns the kind of objects, and whether it is read, in any version.
func kindOf(apiVersion, kind string) (*kinds.Kind, bool) {
	group, _, versioned := strings.Cut(apiVersion, "/")
	if !versioned {
		group = ""
	}
	return kinds.Find(group, kind)
}

// mayInclude returns whether a text can be an object that is read, before it is parsed.
func mayInclude(kind *kinds.Kind, text []byte) bool {
	return kind.Name == "" || bytes.Contains(text, []byte(kind.Name))
}

// maxKindLength bounds the text from "kind" to the end of a kind's name, with the characters in between.
const maxKindLength = 64

var neededKinds = func() [][]byte {
	var names [][]byte
	for kind := range kinds.All() {
		if kind.New != nil {
			names = append(names, []byte(kind.Kind))
		}
	}
	return names
}()

// mayHaveNeeded returns whether a file may have alerts or needed objects: a kind in YAML (kind: Node) or JSON
// ("kind":"Node"), or one with the same start, such as of a list.
func mayHaveNeeded(text []byte) bool {
	if bytes.Contains(text, []byte(alertsMember)) {
		return true
	}
	for {
		_, after, found := bytes.Cut(text, []byte("kind"))
		if !found {
			return false
		}
		value := bytes.TrimLeft(after[:min(len(after), maxKindLength)], "\"': \t\r\n")
		if slices.ContainsFunc(neededKinds, func(kind []byte) bool { return bytes.HasPrefix(value, kind) }) {
			return true
		}
		text = after
	}
}
