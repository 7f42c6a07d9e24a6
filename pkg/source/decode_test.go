package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
)

func machine(status any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "Machine",
		"metadata": map[string]any{
			"namespace": "clusters-east", "name": "a", "resourceVersion": "3", "deletionTimestamp": "2026-03-02T08:00:00Z",
			"managedFields": []any{map[string]any{"manager": "m"}},
		},
		"spec":   map[string]any{"version": "4.22.3", "bootstrap": map[string]any{"dataSecretName": "user-data"}},
		"status": status,
	}}
}

func TestDecode(t *testing.T) {
	decode := Decode[clusterapiv1beta1.Machine]()
	got, err := decode(machine(map[string]any{"phase": "Deleting", "nodeRef": map[string]any{"name": "node-a", "kind": "Node"}}))
	if err != nil {
		t.Fatal(err)
	}
	version, deleted := "4.22.3", metav1.NewTime(start)
	want := &clusterapiv1beta1.Machine{
		TypeMeta: metav1.TypeMeta{APIVersion: "cluster.x-k8s.io/v1beta1", Kind: "Machine"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "clusters-east", Name: "a", ResourceVersion: "3", DeletionTimestamp: &deleted,
		},
		Spec:   clusterapiv1beta1.MachineSpec{Version: &version},
		Status: clusterapiv1beta1.MachineStatus{Phase: "Deleting", NodeRef: &clusterapiv1beta1.NodeRef{Name: "node-a"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again, err := decode(got)
	if err != nil || again != got {
		t.Errorf("what is decoded becomes %v, %v", again, err)
	}
}

func TestDecodeFails(t *testing.T) {
	_, err := Decode[clusterapiv1beta1.Machine]()(machine(map[string]any{"phase": int64(1)}))
	if err == nil || !strings.HasPrefix(err.Error(), "decoding Machine clusters-east/a: ") {
		t.Errorf("got the error %v", err)
	}
}
