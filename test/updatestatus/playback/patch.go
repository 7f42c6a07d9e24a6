package playback

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"

	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// patch is a change of an object as a patch for the API server.
type patch struct {
	kind    types.PatchType
	content []byte
}

// patchOf returns what a write changes, so that what another client changes meanwhile stays.
func patchOf(write simulator.Write) (patch, error) {
	before, err := json.Marshal(write.Before)
	if err != nil {
		return patch{}, err
	}
	after, err := json.Marshal(write.After)
	if err != nil {
		return patch{}, err
	}
	if write.Status {
		return statusPatch(before, after)
	}
	content, err := jsonmergepatch.CreateThreeWayJSONMergePatch(before, after, before)
	return patch{kind: types.MergePatchType, content: content}, err
}

// statusPatch replaces the fields of the status that differ. A merge patch can't do it: it has no way to say that a value
// within a list is null, as the completion time of a running update is.
func statusPatch(before, after []byte) (patch, error) {
	type operation struct {
		Op    string          `json:"op"`
		Path  string          `json:"path"`
		Value json.RawMessage `json:"value,omitempty"`
	}
	var old, next struct {
		Status map[string]json.RawMessage `json:"status"`
	}
	if err := json.Unmarshal(before, &old); err != nil {
		return patch{}, err
	}
	if err := json.Unmarshal(after, &next); err != nil {
		return patch{}, err
	}
	operations := []operation{}
	for _, field := range slices.Sorted(maps.Keys(next.Status)) {
		if !reflect.DeepEqual(old.Status[field], next.Status[field]) {
			operations = append(operations, operation{Op: "add", Path: "/status/" + field, Value: next.Status[field]})
		}
	}
	for _, field := range slices.Sorted(maps.Keys(old.Status)) {
		if _, stays := next.Status[field]; !stays {
			operations = append(operations, operation{Op: "remove", Path: "/status/" + field})
		}
	}
	content, err := json.Marshal(operations)
	return patch{kind: types.JSONPatchType, content: content}, err
}
