package simulator

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// recordedParts are the files of a recorded cluster: what follows its name, and whether it is optional.
var recordedParts = []struct {
	suffix   string
	optional bool
}{
	{suffix: "-cv.yaml"},
	{suffix: "-co.yaml"},
	{suffix: "-mcp.yaml"},
	{suffix: "-mc.yaml"},
	{suffix: "-node.yaml"},
	{suffix: "-mco-deployment.yaml", optional: true},
}

// Recorded is a cluster as it was at one moment.
type Recorded struct {
	// Objects are all objects of the cluster, with their status.
	Objects []*unstructured.Unstructured
}

// ReadRecorded reads a recorded cluster: the files whose path begins with a prefix, which is a folder and the name of the
// cluster, and ends with -cv.yaml, -co.yaml and so on. Each holds an object or a list of objects.
func ReadRecorded(prefix string) (*Recorded, error) {
	recorded := &Recorded{}
	for _, part := range recordedParts {
		objects, err := readFile(prefix + part.suffix)
		if part.optional && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, object := range objects {
			recorded.Objects = append(recorded.Objects, cleaned(object))
		}
	}
	return recorded, nil
}

func readFile(path string) ([]*unstructured.Unstructured, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if content, err = yaml.YAMLToJSON(content); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(content); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !object.IsList() {
		return []*unstructured.Unstructured{object}, nil
	}
	var objects []*unstructured.Unstructured
	err = object.EachListItem(func(item runtime.Object) error {
		objects = append(objects, item.(*unstructured.Unstructured))
		return nil
	})
	return objects, err
}

// cleaned removes metadata that the API server sets, and owners that are not recorded.
func cleaned(object *unstructured.Unstructured) *unstructured.Unstructured {
	for _, field := range []string{
		"creationTimestamp", "generation", "managedFields", "ownerReferences", "resourceVersion", "selfLink", "uid",
	} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
	return object
}

// Shift moves every time in the cluster, by whole seconds: each text that is a time and nothing else.
func (r *Recorded) Shift(by time.Duration) {
	by = by.Truncate(time.Second)
	for _, object := range r.Objects {
		object.Object = shifted(object.Object, by).(map[string]any)
	}
}

func shifted(value any, by time.Duration) any {
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			value[key] = shifted(member, by)
		}
	case []any:
		for at, item := range value {
			value[at] = shifted(item, by)
		}
	case string:
		if moment, err := time.Parse(time.RFC3339, value); err == nil {
			return moment.Add(by).Format(time.RFC3339Nano)
		}
	}
	return value
}
