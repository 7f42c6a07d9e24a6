package insight_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestEveryTypeHasAKind compares the table of kinds with the constants and the members of the API.
func TestEveryTypeHasAKind(t *testing.T) {
	var kinds []string
	for _, kind := range insight.Kinds() {
		kinds = append(kinds, string(kind.Type))
	}
	for _, name := range insightTypes(t) {
		if !slices.Contains(kinds, name) {
			t.Errorf("the type %s has no entry in the table of kinds", name)
		}
	}
	members := 0
	for _, member := range reflect.VisibleFields(reflect.TypeFor[updatev1alpha1.Insight]()) {
		if member.Type.Kind() != reflect.Pointer {
			continue
		}
		members++
		if !slices.Contains(kinds, member.Name) {
			t.Errorf("the member %s has no entry in the table of kinds", member.Name)
			continue
		}
		t.Run(member.Name, func(t *testing.T) { checkKind(t, member) })
	}
	if members != len(kinds) {
		t.Errorf("%d kinds, %d members", len(kinds), members)
	}
}

// insightTypes returns the constants of InsightType.
func insightTypes(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../apis/update/v1alpha1/types_insight.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(file, func(node ast.Node) bool {
		if constant, is := node.(*ast.ValueSpec); is {
			if kind, is := constant.Type.(*ast.Ident); is && kind.Name == "InsightType" {
				names = append(names, strings.Trim(constant.Values[0].(*ast.BasicLit).Value, `"`))
			}
		}
		return true
	})
	if len(names) == 0 {
		t.Fatal("no constants of InsightType")
	}
	return names
}

// checkKind checks the entry of a member with an insight that has only it.
func checkKind(t *testing.T, member reflect.StructField) {
	one := &updatev1alpha1.Insight{}
	value := reflect.New(member.Type.Elem())
	reflect.ValueOf(one).Elem().FieldByIndex(member.Index).Set(value)
	conditions := value.Elem().FieldByName("Conditions")
	if conditions.IsValid() {
		conditions.Set(reflect.ValueOf([]metav1.Condition{{Type: "Updating", Message: "text"}}))
	}
	kind := insight.KindOf(one)
	if string(kind.Type) != member.Name {
		t.Fatalf("its kind is %q", kind.Type)
	}
	if insight.Kinds()[insight.Rank(kind.Type)] != kind {
		t.Errorf("its rank is %d", insight.Rank(kind.Type))
	}
	if got := len(insight.Conditions(one)); conditions.IsValid() != (got == 1) {
		t.Errorf("it has %d conditions", got)
	}
	for _, text := range insight.Texts(one) {
		*text = "short"
	}
	if got := insight.Conditions(one); len(got) == 1 && got[0].Message != "short" {
		t.Error("Texts has not the messages of its conditions")
	}
	if kind.Texts != nil && *kind.Texts(one)[0] != "short" {
		t.Error("Texts has not its long text")
	}
	if (kind.Priority == nil) != (kind.Noun == "") {
		t.Errorf("what can be left out has a priority and a noun: %+v", kind)
	}
	if kind.Priority != nil {
		if priority := kind.Priority(one); priority.Tier < 0 || priority.Tier >= insight.Tiers {
			t.Errorf("its priority is %+v", priority)
		}
	}
	if kind.Group != nil {
		kind.Group(one)
	}
}

// TestUnknownTypes: insights of another version of the controller are last in lists and have nothing to cut.
func TestUnknownTypes(t *testing.T) {
	one := &updatev1alpha1.Insight{Type: "New"}
	if kind := insight.KindOf(one); kind.Priority != nil || insight.Rank(one.Type) != len(insight.Kinds()) || len(insight.Texts(one)) > 0 {
		t.Errorf("%+v, rank %d", kind, insight.Rank(one.Type))
	}
}

func TestPriorities(t *testing.T) {
	node := func(updating metav1.ConditionStatus, reason string, more ...metav1.Condition) *updatev1alpha1.Insight {
		return &updatev1alpha1.Insight{Node: &updatev1alpha1.NodeInsight{
			Conditions: append(more, metav1.Condition{Type: "Updating", Status: updating, Reason: reason}),
		}}
	}
	health := func(level updatev1alpha1.HealthLevel, resource string) *updatev1alpha1.Insight {
		return &updatev1alpha1.Insight{Health: &updatev1alpha1.HealthInsight{
			Impact: updatev1alpha1.HealthImpact{Level: level},
			Scope:  updatev1alpha1.HealthScope{Resources: builders.Resources(updatev1alpha1.ResourceRef{Resource: resource})},
		}}
	}
	ordered := []struct {
		name string
		one  *updatev1alpha1.Insight
	}{
		{"completed node", node("False", "Completed")},
		{"pending node", node("False", "Pending")},
		{"paused node", node("False", "Paused")},
		{"unknown node", node("Unknown", "CannotDetermine")},
		{"node in progress", node("True", "Draining")},
		{"critical alert", health("Critical", "alerts")},
		{"unavailable node", node("False", "Pending", metav1.Condition{Type: "Available", Status: "False"})},
		{"warning about an operator", health("Warning", "clusteroperators")},
		{"degraded node", node("False", "Pending", metav1.Condition{Type: "Degraded", Status: "True"})},
		{"error of an operator", health("Error", "clusteroperators")},
		{"critical node", health("Critical", "nodes")},
		{"operator", &updatev1alpha1.Insight{ClusterOperator: &updatev1alpha1.ClusterOperatorInsight{}}},
	}
	order := func(one *updatev1alpha1.Insight) int {
		priority := insight.KindOf(one).Priority(one)
		return int(priority.Tier)*1000 + priority.Class
	}
	for at := range ordered[1:] {
		if order(ordered[at].one) >= order(ordered[at+1].one) {
			t.Errorf("%s is not left out before %s", ordered[at].name, ordered[at+1].name)
		}
	}
	if order(node("False", "Pending", metav1.Condition{Type: "Available", Status: "False"})) != order(health("Warning", "nodes")) {
		t.Error("an unavailable node and its warning do not share the space")
	}
}
