package hosted

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
)

//go:embed base.yaml
var baseYAML []byte

// Writer writes to the management cluster and to the hosted one.
type Writer struct {
	management, hosted *playback.Writer
	// base has, by kind, what objects have besides what is played.
	base map[string]map[string]any
}

// NewWriter returns a Writer for two API servers. Its clients must be allowed to write everything.
func NewWriter(management, hosted *rest.Config) (*Writer, error) {
	w := &Writer{}
	var err error
	if w.management, err = playback.NewWriter(management); err != nil {
		return nil, fmt.Errorf("making a client of the management cluster: %w", err)
	}
	if w.hosted, err = playback.NewWriter(hosted); err != nil {
		return nil, fmt.Errorf("making a client of the hosted cluster: %w", err)
	}
	if err := yaml.Unmarshal(baseYAML, &w.base); err != nil {
		return nil, fmt.Errorf("reading what the CRDs require: %w", err)
	}
	return w, nil
}

// Apply makes a write.
func (w *Writer) Apply(ctx context.Context, write Write) error {
	to := w.management
	if write.IsHosted {
		to = w.hosted
	}
	switch write.Action {
	case Delete:
		return to.Remove(ctx, write.Object) //nolint:wrapcheck // it names the object
	case Release:
		return to.Release(ctx, write.Object) //nolint:wrapcheck // it names the object
	case Put:
	}
	whole, err := w.withBase(write.Object)
	if err != nil {
		return err
	}
	return to.Put(ctx, whole) //nolint:wrapcheck // it names the object
}

// withBase returns an object with what its CRD requires.
func (w *Writer) withBase(object Object) (Object, error) {
	base, found := w.base[object.GetObjectKind().GroupVersionKind().Kind]
	if !found {
		return object, nil
	}
	encoded, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", object.GetName(), err)
	}
	whole := &unstructured.Unstructured{}
	if err := json.Unmarshal(encoded, &whole.Object); err != nil {
		return nil, fmt.Errorf("decoding %s: %w", object.GetName(), err)
	}
	addMissing(whole.Object, base)
	return whole, nil
}

// addMissing adds fields of a base that an object does not have.
func addMissing(object, base map[string]any) {
	for name, value := range base {
		own, isMap := object[name].(map[string]any)
		added, isAddedMap := value.(map[string]any)
		switch {
		case isMap && isAddedMap:
			addMissing(own, added)
		case object[name] == nil:
			object[name] = value
		}
	}
}
