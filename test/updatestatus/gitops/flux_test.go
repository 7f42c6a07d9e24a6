package gitops

import (
	"testing"

	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// newFlux returns what Flux makes of an object by the healthCheckExprs of the page.
func newFlux(t *testing.T) func(*testing.T, *unstructured.Unstructured) string {
	t.Helper()
	var kustomization struct {
		Spec struct {
			HealthChecks     []struct{ APIVersion, Kind, Name string } `json:"healthChecks"`
			HealthCheckExprs []kustomize.CustomHealthCheck             `json:"healthCheckExprs"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal([]byte(example(t, "yaml")), &kustomization); err != nil {
		t.Fatal(err)
	}
	spec := kustomization.Spec
	if len(spec.HealthChecks) != 1 || len(spec.HealthCheckExprs) != 1 {
		t.Fatalf("%d health checks, %d expressions", len(spec.HealthChecks), len(spec.HealthCheckExprs))
	}
	check, expressions := spec.HealthChecks[0], spec.HealthCheckExprs[0]
	evaluator, err := cel.NewStatusEvaluator(&expressions.HealthCheckExpressions)
	if err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, object *unstructured.Unstructured) string {
		t.Helper()
		if object.GetAPIVersion() != check.APIVersion || object.GetKind() != check.Kind || object.GetName() != check.Name {
			t.Fatalf("the health check is about %v", check)
		}
		if object.GetAPIVersion() != expressions.APIVersion || object.GetKind() != expressions.Kind {
			t.Fatalf("the expressions are about %s %s", expressions.APIVersion, expressions.Kind)
		}
		result, err := evaluator.Evaluate(t.Context(), object)
		if err != nil {
			t.Fatal(err)
		}
		return result.Status.String()
	}
}

// TestFluxWithoutVersion: the version that everything runs may be unknown.
func TestFluxWithoutVersion(t *testing.T) {
	one := stored(t)["only paused pools are left"]
	unstructured.RemoveNestedField(one.Object, "status", "completedVersion")
	if got := newFlux(t)(t, one); got != "InProgress" {
		t.Errorf("got %s", got)
	}
}
