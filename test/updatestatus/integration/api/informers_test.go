package api_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// TestLongTrustAnInformer: one JSON patch adds a setting, to an object without settings as well, since the list of them is never absent.
func TestLongTrustAnInformer(t *testing.T) {
	const trust = `[{"op":"add","path":"/spec/informers/-","value":{"namespace":"openshift-storage","name":"ceph","state":"Trusted"}}]`
	ceph := map[string]any{"namespace": "openshift-storage", "name": "ceph", "state": "Trusted"}
	other := map[string]any{"namespace": "virtualization", "name": "migrations", "state": "Disabled"}
	for name, test := range map[string]struct {
		spec map[string]any
		want []any
	}{
		"no spec":            {nil, []any{ceph}},
		"an empty spec":      {map[string]any{}, []any{ceph}},
		"no list":            {map[string]any{"informers": nil}, []any{ceph}},
		"an empty list":      {map[string]any{"informers": []any{}}, []any{ceph}},
		"a list with others": {map[string]any{"informers": []any{other}}, []any{other, ceph}},
	} {
		for _, of := range []kind{updateStatus, hostedClusterUpdateStatus} {
			t.Run(of.name+"/"+name, func(t *testing.T) {
				object := readFull(t, of)
				delete(object.Object, "spec")
				if test.spec != nil {
					object.Object["spec"] = test.spec
				}
				store := newStore(t, of, object)
				patched, err := store.client.Patch(t.Context(), object.GetName(), types.JSONPatchType, []byte(trust), metav1.PatchOptions{})
				if err != nil {
					t.Fatal(err)
				}
				expectSettings(t, patched, test.want)
				// A write of the status changes no setting.
				object.SetResourceVersion(patched.GetResourceVersion())
				written, err := store.client.UpdateStatus(t.Context(), object, metav1.UpdateOptions{})
				if err != nil {
					t.Fatal(err)
				}
				expectSettings(t, written, test.want)
			})
		}
	}
}

func expectSettings(t *testing.T, object *unstructured.Unstructured, want []any) {
	t.Helper()
	got, _, err := unstructured.NestedSlice(object.Object, "spec", "informers")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("settings: %v (-want +got):\n%s", err, diff)
	}
}
