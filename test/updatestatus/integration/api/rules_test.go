package api_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/schema"
)

func clientOf(t *testing.T, of kind) dynamic.ResourceInterface {
	t.Helper()
	client, err := dynamic.NewForConfig(pool.Shared(t).Admin())
	if err != nil {
		t.Fatal(err)
	}
	resource := client.Resource(updatev1alpha1.SchemeGroupVersion.WithResource(of.resource))
	if of.namespace != "" {
		return resource.Namespace(of.namespace)
	}
	return resource
}

// store is an object on the API server whose status is written again and again.
type store struct {
	client dynamic.ResourceInterface
	last   *unstructured.Unstructured
}

func newServer(t *testing.T, of kind, object *unstructured.Unstructured) writer {
	t.Helper()
	return newStore(t, of, object)
}

func newStore(t *testing.T, of kind, object *unstructured.Unstructured) *store {
	t.Helper()
	pool.Emptied(t)
	client := clientOf(t, of)
	created, err := client.Create(t.Context(), object, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return &store{client: client, last: created}
}

// write writes a status and returns what the API server has made of it.
func (s *store) write(t *testing.T, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	t.Helper()
	object = object.DeepCopy()
	object.SetResourceVersion(s.last.GetResourceVersion())
	options := metav1.UpdateOptions{FieldValidation: metav1.FieldValidationStrict}
	written, err := s.client.UpdateStatus(t.Context(), object, options)
	if err == nil {
		s.last = written
	}
	return written, err
}

// writeAt writes an object that was changed at a place: its status, or all else.
func (s *store) writeAt(t *testing.T, at place, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	t.Helper()
	if at.part() == "status" {
		return s.write(t, object)
	}
	object = object.DeepCopy()
	object.SetResourceVersion(s.last.GetResourceVersion())
	written, err := s.client.Update(t.Context(), object, metav1.UpdateOptions{FieldValidation: metav1.FieldValidationStrict})
	if err == nil {
		s.last = written
	}
	return written, err
}

// library is what an API server refuses objects with, without the server.
type library struct{ schema *schema.Schema }

func newLibrary(t *testing.T, of kind, _ *unstructured.Unstructured) writer {
	t.Helper()
	return library{readSchema(t, of)}
}

func (l library) writeAt(t *testing.T, _ place, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	t.Helper()
	return object.DeepCopy(), l.schema.Validate(t.Context(), object.Object)
}

// writer takes or refuses an object that was changed at a place, and returns what is stored.
type writer interface {
	writeAt(t *testing.T, at place, object *unstructured.Unstructured) (*unstructured.Unstructured, error)
}

// TestRules writes every value of the rules at every place that it is for: to the code of an API server.
func TestRules(t *testing.T) {
	eachKind(t, func(t *testing.T, of kind) { testRules(t, of, newLibrary) })
}

// TestLongRules writes them to an API server.
func TestLongRules(t *testing.T) {
	eachKind(t, func(t *testing.T, of kind) { testRules(t, of, newServer) })
}

func testRules(t *testing.T, of kind, newWriter func(*testing.T, kind, *unstructured.Unstructured) writer) {
	full := readFull(t, of)
	store := newWriter(t, of, full)
	if written, err := store.writeAt(t, place{steps: []any{"status"}}, full); err != nil {
		t.Fatal(err)
	} else if diff := cmp.Diff(full.Object["status"], written.Object["status"]); diff != "" {
		t.Fatalf("the full status is not kept (-want +got):\n%s", diff)
	}
	for _, c := range readRuleCases(t, of) {
		places := c.places(full)
		if len(places) == 0 && !c.optional {
			t.Errorf("%s: nothing in full.yaml is at %s", c.name, c.Path)
		}
		for _, at := range places {
			t.Run(c.name+"/"+at.path+"/"+c.Rule, func(t *testing.T) {
				c.run(t, store, full, at)
			})
		}
	}
}

func (c ruleCase) run(t *testing.T, store writer, full *unstructured.Unstructured, at place) {
	if len(c.Refused) == 0 {
		t.Error("the case refuses nothing")
	}
	for _, value := range c.Accepted {
		wanted := at.with(full, expand(value))
		written, err := store.writeAt(t, at, wanted)
		if err != nil {
			t.Errorf("%s is refused: %v", shown(value), err)
			continue
		}
		// A diff takes its time even if there is none.
		if want, got := wanted.Object[at.part()], written.Object[at.part()]; !reflect.DeepEqual(want, got) {
			diff := cmp.Diff(want, got)
			t.Errorf("%s is not kept (-want +got):\n%s", shown(value), diff)
		}
	}
	for _, value := range c.Refused {
		_, err := store.writeAt(t, at, at.with(full, expand(value)))
		if err == nil {
			t.Errorf("%s is accepted", shown(value))
			continue
		}
		if !strings.Contains(err.Error(), c.Error) || !strings.Contains(err.Error(), at.within()) {
			t.Errorf("%s is refused, but not with %q of %s: %v", shown(value), c.Error, at, err)
		}
	}
}

// TestTypes writes a value of another type at every place.
func TestTypes(t *testing.T) {
	eachKind(t, func(t *testing.T, of kind) { testTypes(t, of, newLibrary) })
}

// TestLongTypes writes them to an API server.
func TestLongTypes(t *testing.T) {
	eachKind(t, func(t *testing.T, of kind) { testTypes(t, of, newServer) })
}

func testTypes(t *testing.T, of kind, newWriter func(*testing.T, kind, *unstructured.Unstructured) writer) {
	full := readFull(t, of)
	store := newWriter(t, of, full)
	for _, at := range allPlaces(full) {
		value := member(at.parent(full), at.steps[len(at.steps)-1])
		wrong := any("text")
		if _, isText := value.(string); isText {
			wrong = int64(1)
		}
		_, err := store.writeAt(t, at, at.with(full, wrong))
		if err == nil || !strings.Contains(err.Error(), at.String()+": Invalid value") {
			t.Errorf("%v at %s: %v", wrong, at, err)
		}
	}
}
