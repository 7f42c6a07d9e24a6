package api_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestObjects creates every object of the folder and writes its status.
func TestObjects(t *testing.T) { eachKind(t, testObjects) }

func testObjects(t *testing.T, of kind) {
	for _, c := range readObjectCases(t, of) {
		t.Run(c.name, func(t *testing.T) {
			pool.Emptied(t)
			object := &unstructured.Unstructured{Object: expand(c.Object).(map[string]any)}
			written, err := createWithStatus(t, of, object)
			if c.Error != "" {
				if err == nil || !strings.Contains(err.Error(), c.Error) {
					t.Errorf("the error is not %q: %v", c.Error, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(object.Object["status"], written.Object["status"]); diff != "" {
				t.Errorf("the status is not kept (-want +got):\n%s", diff)
			}
		})
	}
}

// createWithStatus creates an object, and writes its status if it has one.
func createWithStatus(t *testing.T, of kind, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	t.Helper()
	client := clientOf(t, of)
	strict := metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict}
	created, err := client.Create(t.Context(), object.DeepCopy(), strict)
	if err != nil {
		return nil, err
	}
	status, found := object.Object["status"]
	if !found {
		return created, nil
	}
	created.Object["status"] = status
	options := metav1.UpdateOptions{FieldValidation: metav1.FieldValidationStrict}
	return client.UpdateStatus(t.Context(), created, options)
}
