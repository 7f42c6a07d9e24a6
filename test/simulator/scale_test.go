package simulator_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/simulator"
)

func TestOperators(t *testing.T) {
	simulation := simulator.NewSimulation(simulator.Update{Seed: 1, Start: start, Operators: 100})
	updated := map[string]bool{}
	for _, write := range play(simulation) {
		operator, ok := write.After.(*configv1.ClusterOperator)
		if !ok {
			continue
		}
		if slices.ContainsFunc(operator.Status.Versions, func(of configv1.OperandVersion) bool {
			return of.Name == "operator" && of.Version == "4.20.2"
		}) {
			updated[operator.Name] = true
		}
	}
	if len(updated) != 100 {
		t.Errorf("%d operators were updated", len(updated))
	}
	if fewer := simulator.NewSimulation(simulator.Update{Start: start, Operators: 5}).Objects(); len(fewer) != len(simulator.NewSimulation(simulator.Update{Start: start}).Objects()) {
		t.Error("a payload has fewer operators than a real one")
	}
}

func TestOperatorScale(t *testing.T) {
	took := func(scale float64) time.Duration {
		for _, write := range play(simulator.NewSimulation(simulator.Update{Seed: 1, Start: start, OperatorScale: scale})) {
			if write.Before == nil { // machine-config is the last operator, and renders configurations first of all
				return write.Time.Sub(start)
			}
		}
		t.Fatal("no configuration was rendered")
		return 0
	}
	if fast, usual := took(0.1), took(0); fast > usual/3 {
		t.Errorf("operators took %s at a tenth, %s in reality", fast, usual)
	}
}

func TestQuiet(t *testing.T) {
	script := simulator.Update{Seed: 1, Start: start, Quiet: time.Hour, HeartbeatEvery: 10 * time.Minute}
	heartbeats := 0
	for _, write := range play(simulator.NewSimulation(script)) {
		if write.Kind != "Node" {
			if asked := write.Time.Sub(start); asked != time.Hour {
				t.Errorf("the first write but heartbeats came after %s", asked)
			}
			break
		}
		heartbeats++
	}
	if heartbeats < 5*9 {
		t.Errorf("there were %d heartbeats", heartbeats)
	}
}

func TestDress(t *testing.T) {
	dress := func(object simulator.Object) { object.SetLabels(map[string]string{"dressed": object.GetName()}) }
	simulation := simulator.NewSimulation(simulator.Update{Seed: 1, Start: start, Dress: dress})
	objects := simulation.Objects()
	for _, write := range play(simulation) {
		objects = append(objects, write.After)
	}
	configs := 0
	for _, object := range objects {
		if object.GetLabels()["dressed"] != object.GetName() {
			t.Errorf("%T %s is not dressed", object, object.GetName())
		}
		if strings.HasPrefix(object.GetName(), "rendered-") {
			configs++
		}
	}
	if configs != 3*3 {
		t.Errorf("%d configurations were seen", configs)
	}
}
