package promql

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/promqltest"
	"sigs.k8s.io/yaml"
)

// TestInformerAlert: the rule that docs/updatestatus/informers.md shows can be parsed, and has the labels that name what it is about.
func TestInformerAlert(t *testing.T) {
	example, err := os.ReadFile(filepath.Join(root, "test", "updatestatus", "examples", "minimal", "alert.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	content, err := yaml.Marshal(map[string]any{"groups": groups(t, string(example))})
	if err != nil {
		t.Fatal(err)
	}
	parsed, problems := rulefmt.Parse(content, false, model.LegacyValidation)
	if len(problems) > 0 {
		t.Fatal(errors.Join(problems...))
	}
	series := promqltest.LoadedStorage(t, `load 1m
  array_disks_rebuilding{namespace="acme-storage", node="worker-3", pod="a"} 12
  array_disks_rebuilding{namespace="acme-storage", node="worker-4", pod="b"} 0
`)
	engine := promqltest.NewTestEngine(t, false, 0, 1000)
	query, err := engine.NewInstantQuery(t.Context(), series, nil, parsed.Groups[0].Rules[0].Expr, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	firing, err := query.Exec(t.Context()).Vector()
	if err != nil {
		t.Fatal(err)
	}
	if want := `{namespace="acme-storage", node="worker-3"} => 12 @[0]`; firing.String() != want {
		t.Errorf("firing: %s, want %s", firing, want)
	}
}
