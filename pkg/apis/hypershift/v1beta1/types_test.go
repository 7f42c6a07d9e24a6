package v1beta1_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"

	configv1 "github.com/openshift/api/config/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
)

// types are the types of the objects that are read, by kind.
var types = map[string]func() runtime.Object{
	"HostedCluster":         func() runtime.Object { return &hypershiftv1beta1.HostedCluster{} },
	"ControlPlaneComponent": func() runtime.Object { return &hypershiftv1beta1.ControlPlaneComponent{} },
	"NodePool":              func() runtime.Object { return &hypershiftv1beta1.NodePool{} },
	"Machine":               func() runtime.Object { return &clusterapiv1beta1.Machine{} },
	"MachineDeployment":     func() runtime.Object { return &clusterapiv1beta1.MachineDeployment{} },
	"MachineSet":            func() runtime.Object { return &clusterapiv1beta1.MachineSet{} },
}

// folder has samples.yaml, and CRDs if it is that of HYPERSHIFT=DIR.
func folder() string {
	return cmp.Or(os.Getenv("HYPERSHIFT"), "testdata")
}

func documents(t *testing.T, folder string) []map[string]any {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder, "samples.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for _, document := range bytes.Split(content, []byte("\n---\n")) {
		var one map[string]any
		if err := yaml.Unmarshal(document, &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// TestDecode: what is read of each sample is what the sample has.
func TestDecode(t *testing.T) {
	for _, document := range documents(t, folder()) {
		kind := document["kind"].(string)
		t.Run(kind, func(t *testing.T) {
			if diff := gocmp.Diff(document, merged(document, decodeAndEncode(t, kind, document))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestEveryFieldIsRead: the samples of this package set every field of the types, and each is read from there.
func TestEveryFieldIsRead(t *testing.T) {
	read := map[string]any{}
	for _, document := range documents(t, "testdata") {
		kind := document["kind"].(string)
		read[kind] = decodeAndEncode(t, kind, document)
	}
	for kind, newObject := range types {
		for _, path := range pathsOf(reflect.TypeOf(newObject()).Elem(), "") {
			if !has(read[kind], strings.Split(path, ".")) {
				t.Errorf("%s.%s is not read from any sample", kind, path)
			}
		}
	}
}

// TestSchema compares the types with the CRDs, where there are some: each field is one of the schema.
func TestSchema(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(folder(), "*.crd.yaml"))
	if err != nil || len(files) == 0 && os.Getenv("HYPERSHIFT") != "" {
		t.Fatalf("no CRDs: %v", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(content, crd); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		kind := crd.Spec.Names.Kind
		for _, path := range pathsOf(reflect.TypeOf(types[kind]()).Elem(), "") {
			if !hasSchema(crd.Spec.Versions[0].Schema.OpenAPIV3Schema, strings.Split(path, ".")) {
				t.Errorf("the CRD has no %s.%s", kind, path)
			}
		}
	}
}

func decodeAndEncode(t *testing.T, kind string, document map[string]any) map[string]any {
	t.Helper()
	object := types[kind]()
	encoded, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(encoded, object); err != nil {
		t.Fatal(err)
	}
	var again map[string]any
	if encoded, err = json.Marshal(object.DeepCopyObject()); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(encoded, &again); err != nil {
		t.Fatal(err)
	}
	return again
}

// merged returns a document with what was read of it in the place of what is there.
func merged(document, read map[string]any) map[string]any {
	result := maps.Clone(document)
	for name, value := range read {
		// Some types of others write what is not set.
		if _, found := document[name]; found || !isUnset(value) {
			result[name] = mergedValue(result[name], value)
		}
	}
	return result
}

func isUnset(value any) bool {
	return value == nil || reflect.ValueOf(value).IsZero()
}

func mergedValue(value, read any) any {
	switch read := read.(type) {
	case map[string]any:
		if value, is := value.(map[string]any); is {
			return merged(value, read)
		}
	case []any:
		if value, is := value.([]any); is && len(value) == len(read) {
			items := make([]any, len(read))
			for at := range read {
				items[at] = mergedValue(value[at], read[at])
			}
			return items
		}
	}
	return read
}

// theirs are the fields that are read of types of other packages.
var theirs = map[reflect.Type][]string{
	reflect.TypeFor[metav1.Condition]():       {"type", "status", "reason", "message", "lastTransitionTime"},
	reflect.TypeFor[configv1.UpdateHistory](): {"state", "startedTime", "completionTime", "version", "image"},
}

// pathsOf returns the fields of a type below spec and status, by their names in JSON.
func pathsOf(of reflect.Type, path string) []string {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		return pathsOf(of.Elem(), path)
	case reflect.Struct:
		if of == reflect.TypeFor[intstr.IntOrString]() || of == reflect.TypeFor[metav1.Time]() {
			return []string{path}
		}
	default:
		return []string{path}
	}
	if fields, found := theirs[of]; found {
		paths := []string{}
		for _, name := range fields {
			paths = append(paths, path+"."+name)
		}
		return paths
	}
	var paths []string
	for _, field := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if path == "" && name != "spec" && name != "status" {
			continue
		}
		paths = append(paths, pathsOf(field.Type, strings.TrimPrefix(path+"."+name, "."))...)
	}
	return paths
}

// has returns whether a value, or an item of it, has something at a path.
func has(value any, path []string) bool {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			if has(item, path) {
				return true
			}
		}
		return false
	case map[string]any:
		return len(path) > 0 && has(value[path[0]], path[1:])
	default:
		return value != nil && len(path) == 0
	}
}

func hasSchema(schema *apiextensionsv1.JSONSchemaProps, path []string) bool {
	if schema.Items != nil {
		return hasSchema(schema.Items.Schema, path)
	}
	if len(path) == 0 {
		return len(schema.Properties) == 0
	}
	below, found := schema.Properties[path[0]]
	return found && hasSchema(&below, path[1:])
}
