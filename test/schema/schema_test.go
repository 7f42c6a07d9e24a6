package schema_test

import (
	"os"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/schema"
)

const root = "../.."

// TestValidate breaks an object in each way that a schema can reject.
func TestValidate(t *testing.T) {
	validator, err := schema.Read(root, "updatestatuses")
	if err != nil {
		t.Fatal(err)
	}
	node := func(us *updatev1alpha1.UpdateStatus) *updatev1alpha1.Insight {
		for at := range us.Status.WorkerPools[0].Informers[0].Insights {
			if one := &us.Status.WorkerPools[0].Informers[0].Insights[at]; one.Node != nil {
				return one
			}
		}
		return nil
	}
	for _, tc := range []struct {
		name  string
		spoil func(*updatev1alpha1.UpdateStatus)
		want  string
	}{
		{"nothing", func(*updatev1alpha1.UpdateStatus) {}, ""},
		{"a rule", func(us *updatev1alpha1.UpdateStatus) { us.Name = "another" }, "cluster"},
		{"a pattern", func(us *updatev1alpha1.UpdateStatus) { node(us).UID = "Not A Label" }, "uid"},
		{"a union", func(us *updatev1alpha1.UpdateStatus) { node(us).Type = updatev1alpha1.InsightHealth }, "must validate at least one schema"},
		{"an enum", func(us *updatev1alpha1.UpdateStatus) { node(us).Node.Resource.Cluster = "Moon" }, "cluster"},
		{"a length", func(us *updatev1alpha1.UpdateStatus) { node(us).Node.Message = strings.Repeat("x", 1000) }, "message"},
		{"a map", func(us *updatev1alpha1.UpdateStatus) {
			us.Status.WorkerPools = append(us.Status.WorkerPools, us.Status.WorkerPools[0])
		}, "Duplicate value"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			us := object()
			tc.spoil(us)
			err := validator.Validate(t.Context(), us)
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, wanted something about %q", err, tc.want)
			}
		})
	}
	if err := validator.Validate(t.Context(), map[string]any{
		"apiVersion": "update.openshift.io/v1alpha1", "kind": "UpdateStatus", "metadata": map[string]any{"name": "cluster"},
		"spec": map[string]any{}, "status": map[string]any{"news": "something"},
	}); err == nil || !strings.Contains(err.Error(), "status.news") {
		t.Errorf("a field that is not in the schema: %v", err)
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

func object() *updatev1alpha1.UpdateStatus {
	of := &builders.Fleet{Operators: 3, Pools: 2, Name: "node", Nodes: []byte("cpduD!"), Message: "something"}
	return &updatev1alpha1.UpdateStatus{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateStatus"},
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
		Status:     *builders.Observe(of).Built,
	}
}
