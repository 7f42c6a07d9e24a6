package field

import (
	"fmt"
	"path"
	"strings"

	"sigs.k8s.io/yaml"
)

// object is an object as it is decoded from YAML.
type object map[string]any

// documents returns the objects of a file.
func documents(text []byte) ([]object, error) {
	var objects []object
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var decoded object
		if err := yaml.Unmarshal([]byte(document), &decoded); err != nil {
			return nil, fmt.Errorf("decoding %.200q: %w", document, err)
		}
		objects = append(objects, decoded)
	}
	return objects, nil
}

// file returns where a must-gather has the object.
func (o object) file() string {
	version, kind := fmt.Sprint(o["apiVersion"]), fmt.Sprint(o["kind"])
	group, _, isGrouped := strings.Cut(version, "/")
	if !isGrouped {
		group = "core"
	}
	metadata, _ := o["metadata"].(map[string]any)
	scope := "cluster-scoped-resources"
	if namespace, ok := metadata["namespace"].(string); ok {
		scope = path.Join("namespaces", namespace)
	}
	return path.Join("image", scope, group, strings.ToLower(kind)+"s", fmt.Sprint(metadata["name"])+".yaml")
}

// merge lays a value over another one.
func merge(base, over any) any {
	switch over := over.(type) {
	case map[string]any:
		merged, ok := base.(map[string]any)
		if !ok {
			return over
		}
		for key, value := range over {
			merged[key] = merge(merged[key], value)
		}
		return merged
	case []any:
		items, ok := base.([]any)
		if !ok || key(over) == "" || key(over) != key(items) {
			return over
		}
		return mergeLists(items, over, key(over))
	default:
		return over
	}
}

// mergeLists lays the items of a list over those with the same key.
func mergeLists(items, over []any, by string) []any {
	for _, item := range over {
		at := 0
		for at < len(items) && items[at].(map[string]any)[by] != item.(map[string]any)[by] {
			at++
		}
		if at == len(items) {
			items = append(items, item)
			continue
		}
		items[at] = merge(items[at], item)
	}
	return items
}

// key returns the field that tells the items of a list apart, "" if there is none.
func key(items []any) string {
	for _, by := range []string{"type", "name"} {
		all := len(items) > 0
		for _, item := range items {
			fields, _ := item.(map[string]any)
			all = all && fields[by] != nil
		}
		if all {
			return by
		}
	}
	return ""
}
