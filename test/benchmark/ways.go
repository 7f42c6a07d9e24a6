package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor/direct"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	usc "github.com/openshift/cluster-version-operator/pkg/controller"
)

const (
	asObject   = runtime.ContentTypeJSON
	asMetadata = usc.AcceptMetadata
)

// way is one to write the status of the object, for all to be compared.
type way struct {
	name  string
	verb  string
	media string
	// accept is what the answer is to be.
	accept string
	// untracked is whether the object's managedFields were removed for good before.
	untracked bool
	// body makes the body of the request that changes an object from before to after.
	body func(before, after *updatev1alpha1.UpdateStatus) ([]byte, error)
	// watchers is how many watch the object meanwhile, and watch what they accept.
	watchers int
	watch    string
}

// ways are all that are compared. What the controller does is the second.
func ways() []way {
	chosen := way{verb: http.MethodPut, media: runtime.ContentTypeJSON, accept: asMetadata, body: putObject}
	as := func(name string, change func(*way)) way {
		one := chosen
		one.name = name
		change(&one)
		return one
	}
	patch := func(kind types.PatchType, body func(before, after *updatev1alpha1.UpdateStatus) ([]byte, error)) func(*way) {
		return func(one *way) { one.verb, one.media, one.body = http.MethodPatch, string(kind), body }
	}
	watched := func(watchers int, by string) func(*way) {
		return func(one *way) { one.watchers, one.watch = watchers, by }
	}
	return []way{
		as("update, the object as answer", func(one *way) { one.accept = asObject }),
		as("update, its metadata as answer (the controller's)", func(*way) {}),
		as("the same, managedFields removed before", func(one *way) { one.untracked = true }),
		as("the same as CBOR, which kube-apiserver takes with a feature gate", func(one *way) { one.media, one.body = runtime.ContentTypeCBOR, putCBOR }),
		as("merge patch of the status", patch(types.MergePatchType, mergeStatus)),
		as("JSON patch of each insight that changed", patch(types.JSONPatchType, patchInsights)),
		as("server-side apply", patch(types.ApplyYAMLPatchType, applyStatus)),
		as("update, one watch of the object", watched(1, asObject)),
		as("update, ten watches of the object", watched(10, asObject)),
		as("update, ten watches of its metadata", watched(10, asMetadata)),
	}
}

func putObject(_, after *updatev1alpha1.UpdateStatus) ([]byte, error) {
	return encoded(json.Marshal(after))
}

func putCBOR(_, after *updatev1alpha1.UpdateStatus) ([]byte, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(after)
	if err != nil {
		return nil, fmt.Errorf("encoding an object: %w", err)
	}
	return encoded(direct.Marshal(content))
}

func mergeStatus(_, after *updatev1alpha1.UpdateStatus) ([]byte, error) {
	return encoded(json.Marshal(map[string]any{
		"metadata": map[string]any{"resourceVersion": after.ResourceVersion}, "status": after.Status,
	}))
}

func applyStatus(_, after *updatev1alpha1.UpdateStatus) ([]byte, error) {
	bare := updatev1alpha1.UpdateStatus{TypeMeta: after.TypeMeta, Status: after.Status}
	bare.Name = after.Name
	return encoded(json.Marshal(bare))
}

// operation is one of a JSON patch (RFC 6902).
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// patchInsights replaces the insights of worker pools that have changed, where their lists have not.
func patchInsights(before, after *updatev1alpha1.UpdateStatus) ([]byte, error) {
	operations := []operation{{"test", "/metadata/resourceVersion", after.ResourceVersion}}
	for p, pool := range after.Status.WorkerPools {
		for i, informer := range pool.Informers {
			for at, one := range informer.Insights {
				if one.AcquiredAt.Equal(&before.Status.WorkerPools[p].Informers[i].Insights[at].AcquiredAt) {
					continue
				}
				path := fmt.Sprintf("/status/workerPools/%d/informers/%d/insights/%d", p, i, at)
				operations = append(operations, operation{"replace", path, one})
			}
		}
	}
	return encoded(json.Marshal(operations))
}

func encoded(content []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, fmt.Errorf("encoding a request: %w", err)
	}
	return content, nil
}
