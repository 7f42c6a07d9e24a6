package schema_test

import (
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// TestUnknownField: a field that an API server would drop is an error. The rules are tested by test/updatestatus/integration/api.
func TestUnknownField(t *testing.T) {
	err := readSchema(t, "updatestatuses").Validate(t.Context(), map[string]any{
		"apiVersion": "update.openshift.io/v1alpha1", "kind": "UpdateStatus", "metadata": map[string]any{"name": "cluster"},
		"spec": map[string]any{}, "status": map[string]any{"news": "something"},
	})
	if err == nil || !strings.Contains(err.Error(), "status.news") {
		t.Errorf("error %v", err)
	}
}

// TestRenew: what the version before wrote is valid once it is brought to the API of this one.
func TestRenew(t *testing.T) {
	content, err := os.ReadFile("testdata/older.yaml")
	if err != nil {
		t.Fatal(err)
	}
	us := &updatev1alpha1.UpdateStatus{}
	if err := yaml.Unmarshal(content, us); err != nil {
		t.Fatal(err)
	}
	us.Status.ControlPlane.Informers[0].Insights[0].ClusterVersion.Assessment = "Progressing - Slow"
	validator := readSchema(t, "updatestatuses")
	if err := validator.Validate(t.Context(), us); err == nil {
		t.Error("it is valid as it is")
	}
	insight.Renew(&us.Status)
	if err := validator.Validate(t.Context(), us); err != nil {
		t.Error(err)
	}
}
