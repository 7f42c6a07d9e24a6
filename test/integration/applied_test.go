package integration_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"

	"github.com/openshift/library-go/pkg/manifest"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/manifests"
	"github.com/openshift/cluster-version-operator/test/repository"
)

// compared are the parts of objects that the Cluster Version Operator compares as a whole: what the API server adds there is a
// difference at every sync, and a write.
var compared = []string{".spec.template.spec", ".spec.ports", ".rules", ".subjects", ".roleRef", ".data"}

// added are what the API server adds all the same, and the Cluster Version Operator does not look at.
var added = []string{
	// The older name of serviceAccountName.
	".spec.template.spec.serviceAccount",
}

// TestApplied reads back what the manifests are in the API server: all is as it was written, and nothing is added where the
// Cluster Version Operator would find a difference.
func TestApplied(t *testing.T) {
	w := newWorld(t)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(kubernetes.NewForConfigOrDie(w.plane.Admin()).Discovery()))
	client := dynamic.NewForConfigOrDie(w.plane.Admin())
	for _, written := range written(t) {
		t.Run(written.GVK.Kind+" "+written.Obj.GetName(), func(t *testing.T) {
			mapping, err := mapper.RESTMapping(written.GVK.GroupKind(), written.GVK.Version)
			if err != nil {
				t.Fatal(err)
			}
			stored, err := client.Resource(mapping.Resource).Namespace(written.Obj.GetNamespace()).
				Get(w.ctx, written.Obj.GetName(), metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, difference := range differences("", written.Obj.Object, stored.Object) {
				t.Error(difference)
			}
		})
	}
}

// written returns the objects of the manifests.
func written(t *testing.T) []manifest.Manifest {
	t.Helper()
	root, err := repository.Root()
	if err != nil {
		t.Fatal(err)
	}
	files, err := manifests.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	var all []manifest.Manifest
	for _, file := range files {
		rendered, err := manifests.RenderFile(file, controlplane.Image)
		if err != nil {
			t.Fatal(err)
		}
		objects, err := manifest.ParseManifests(bytes.NewReader(rendered))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, objects...)
	}
	return all
}

// differences returns the fields that the stored value lacks or has otherwise, and those that it has in addition in parts that
// are compared.
func differences(path string, written, stored any) []string {
	switch written := written.(type) {
	case map[string]any:
		return mapDifferences(path, written, stored)
	case []any:
		items, ok := stored.([]any)
		if !ok || len(items) != len(written) {
			return []string{fmt.Sprintf("%s: %v became %v", path, written, stored)}
		}
		var found []string
		for at := range written {
			found = append(found, differences(path, written[at], items[at])...)
		}
		return found
	default:
		if written != stored {
			return []string{fmt.Sprintf("%s: %v became %v", path, written, stored)}
		}
		return nil
	}
}

func mapDifferences(path string, written map[string]any, stored any) []string {
	fields, ok := stored.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s: %v became %v", path, written, stored)}
	}
	var found []string
	for name, value := range written {
		found = append(found, differences(path+"."+name, value, fields[name])...)
	}
	for name, value := range fields {
		at := path + "." + name
		if _, has := written[name]; !has && isCompared(at) && !slices.Contains(added, at) {
			found = append(found, fmt.Sprintf("%s: %v was added", at, value))
		}
	}
	slices.Sort(found)
	return found
}

func isCompared(path string) bool {
	return slices.ContainsFunc(compared, func(part string) bool { return strings.HasPrefix(path, part+".") })
}

func TestDifferences(t *testing.T) {
	for _, test := range []struct {
		name            string
		written, stored map[string]any
		want            string
	}{
		{"the same", map[string]any{"a": "b"}, map[string]any{"a": "b"}, ""},
		{"added where it is not compared", map[string]any{"spec": map[string]any{}}, map[string]any{"spec": map[string]any{"a": "b"}}, ""},
		{"added where it is compared", map[string]any{"data": map[string]any{}}, map[string]any{"data": map[string]any{"a": "b"}}, ".data.a: b was added"},
		{"changed", map[string]any{"a": "b"}, map[string]any{"a": "c"}, ".a: b became c"},
		{"lost", map[string]any{"a": "b"}, map[string]any{}, ".a: b became <nil>"},
		{"a list that is longer", map[string]any{"a": []any{"b"}}, map[string]any{"a": []any{"b", "c"}}, ".a: [b] became [b c]"},
		{"in a list", map[string]any{"a": []any{"b", "c"}}, map[string]any{"a": []any{"b", "d"}}, ".a: c became d"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(differences("", test.written, test.stored), "; "); got != test.want {
				t.Errorf("got %q", got)
			}
		})
	}
}
