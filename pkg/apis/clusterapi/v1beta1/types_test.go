package v1beta1_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
)

// TestVersions decodes a Machine of each version, as JSON and as what a dynamic client returns.
func TestVersions(t *testing.T) {
	const meta = `"kind": "Machine", "metadata": {"namespace": "clusters-demo", "name": "surge-0"}, "spec": {"version": "4.22.3"}`
	const status = `"nodeRef": {"name": "surge-0.example.com"}, "phase": "Deleting", "deletion": {"nodeDrainStartTime": "2026-03-02T08:00:00Z"}`
	const older = `"failureMessage": "no capacity", "conditions": [{"type": "DrainingSucceeded", "status": "False"}]`
	const newer = `"conditions": [{"type": "Deleting", "status": "True", "reason": "DrainingNode"}]`
	var all []clusterapiv1beta1.Machine
	for _, text := range []string{
		`{"apiVersion": "cluster.x-k8s.io/v1beta1", ` + meta + `, "status": {` + status + `, ` + older + `, "v1beta2": {` + newer + `}}}`,
		`{"apiVersion": "cluster.x-k8s.io/v1beta2", ` + meta + `, "status": {` + status + `, ` + newer + `, "deprecated": {"v1beta1": {` + older + `}}}}`,
	} {
		var decoded, converted clusterapiv1beta1.Machine
		if err := json.Unmarshal([]byte(text), &decoded); err != nil {
			t.Fatal(err)
		}
		var object unstructured.Unstructured
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			t.Fatal(err)
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &converted); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decoded, converted); diff != "" {
			t.Errorf("%s (-json +dynamic):\n%s", decoded.APIVersion, diff)
		}
		decoded.APIVersion = ""
		all = append(all, decoded)
	}
	if diff := cmp.Diff(all[0], all[1]); diff != "" {
		t.Errorf("(-v1beta1 +v1beta2):\n%s", diff)
	}
	first := all[0].Status
	if len(first.Conditions) != 1 || first.Conditions[0].Type != "DrainingSucceeded" || len(first.V1Beta2.Conditions) != 1 ||
		first.FailureMessage == nil || first.Phase != "Deleting" || first.NodeRef.Name != "surge-0.example.com" || first.Deletion.NodeDrainStartTime.IsZero() {
		t.Errorf("got %+v", first)
	}
}

// TestUnreadable: a status that is none is an error.
func TestUnreadable(t *testing.T) {
	if err := json.Unmarshal([]byte(`{"status": {"phase": 7}}`), &clusterapiv1beta1.Machine{}); err == nil {
		t.Error("no error")
	}
}
