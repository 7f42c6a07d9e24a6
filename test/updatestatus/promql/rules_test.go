package promql

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
)

// root is the root of the repository.
var root = filepath.Join("..", "..", "..")

const component = "update-status-controller"

// hostedCluster is the hosted cluster whose metrics are those of hostedTarget.
var hostedCluster = manifests.Hosted{Namespace: "clusters", Name: "east", ControlPlaneNamespace: "clusters-east", ClusterID: "c1"}

func find[T manifests.Object](t *testing.T, in []manifests.Manifest, name string) T {
	t.Helper()
	object, found := manifests.Find[T](in, name)
	if !found {
		t.Fatalf("there is no %T %s", object, name)
	}
	return object
}

// payload returns the manifests of a release payload.
func payload(t *testing.T) []manifests.Manifest {
	t.Helper()
	files, err := manifests.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	all, err := manifests.Read(files, "none")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// ofHostedCluster returns the manifests with the rules of a hosted cluster.
func ofHostedCluster(t *testing.T) []manifests.Manifest {
	t.Helper()
	all, err := hostedCluster.Monitoring(root)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// queries finds the expressions in the templates of annotations.
var queries = regexp.MustCompile(`query "([^"]*)"`)

// TestRules: rules can be parsed, with the templates of their annotations, and select what is served.
func TestRules(t *testing.T) {
	p := newPrometheus(t)
	for _, all := range [][]manifests.Manifest{payload(t), ofHostedCluster(t)} {
		spec := find[*monitoringv1.PrometheusRule](t, all, component).Spec
		// The spec has the format of a rule file of Prometheus.
		content, err := yaml.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, problems := rulefmt.Parse(content, false, model.LegacyValidation); len(problems) > 0 {
			t.Error(errors.Join(problems...))
		}
		for _, rule := range spec.Groups[0].Rules {
			expressions := []string{rule.Expr.String()}
			for _, text := range rule.Annotations {
				for _, query := range queries.FindAllStringSubmatch(text, -1) {
					expressions = append(expressions, query[1])
				}
			}
			for _, expression := range expressions {
				if err := p.check(t, expression); err != nil {
					t.Errorf("%s: %v", rule.Alert, err)
				}
			}
		}
	}
}

// expressionOf returns the expression of an alert.
func expressionOf(t *testing.T, in []manifests.Manifest, alert string) string {
	t.Helper()
	for _, rule := range find[*monitoringv1.PrometheusRule](t, in, component).Spec.Groups[0].Rules {
		if rule.Alert == alert {
			return strings.Join(strings.Fields(rule.Expr.String()), " ")
		}
	}
	t.Fatalf("there is no alert %s", alert)
	return ""
}
