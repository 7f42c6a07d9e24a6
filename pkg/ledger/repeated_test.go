package ledger_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

// alert is a message about an alert and the PodDisruptionBudget that it is about.
func alert(uid string, level updatev1alpha1.HealthLevel, budget updatev1alpha1.ResourceRef) insight.Message {
	message := about(insight.AlertInformer, uid, updatev1alpha1.ResourceRef{Resource: "alerts", Name: "PodDisruptionBudgetAtLimit", Namespace: "shop"})
	one := &message.Reports[0].Insights[0]
	one.Budget, one.Insight.Health.Impact.Level = budget, level
	return message
}

func about(source insight.Source, uid string, resources ...updatev1alpha1.ResourceRef) insight.Message {
	return insight.Message{Source: source, Reports: []insight.Report{{
		Subject: insight.Subject{Kind: "Some", Name: uid},
		Insights: []insight.ScopedInsight{{Insight: updatev1alpha1.Insight{
			UID: uid, Health: &updatev1alpha1.HealthInsight{Scope: updatev1alpha1.HealthScope{Resources: resources}},
		}}},
	}}}
}

// TestExplainedAlerts: an alert about a PodDisruptionBudget is dropped while the insight of a drain names it that is as
// serious, and comes back when the drain is over.
func TestExplainedAlerts(t *testing.T) {
	entries := ledger.New()
	alerts := func() (uids []string) {
		for _, one := range entries.View()[insight.AlertInformer].Insights {
			uids = append(uids, one.Insight.UID)
		}
		slices.Sort(uids)
		return uids
	}
	expect := func(step string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, alerts()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step, diff)
		}
	}
	entries.Apply(alert("db", updatev1alpha1.LevelWarning, insight.Budget("shop", "db")))
	entries.Apply(alert("web", updatev1alpha1.LevelWarning, insight.Budget("shop", "web")))
	entries.Apply(alert("elsewhere", updatev1alpha1.LevelWarning, insight.Budget("test", "db")))
	entries.Apply(alert("other", updatev1alpha1.LevelWarning, updatev1alpha1.ResourceRef{}))
	entries.Apply(alert("worse", updatev1alpha1.LevelCritical, insight.Budget("shop", "db")))
	expect("no drain", "db", "elsewhere", "other", "web", "worse")
	drain := about(insight.NodeInformer, "node", updatev1alpha1.ResourceRef{Resource: "nodes", Name: "a"}, insight.Budget("shop", "db"))
	drain.Reports[0].Insights[0].Insight.Health.Impact.Level = updatev1alpha1.LevelWarning
	entries.Apply(drain)
	expect("a drain", "elsewhere", "other", "web", "worse")
	entries.Apply(insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{{Subject: insight.Subject{Kind: "Some", Name: "node"}}}})
	expect("the end of the drain", "db", "elsewhere", "other", "web", "worse")
}

// TestExplainedBySeveralDrains checks an alert about a PodDisruptionBudget that two drains name.
func TestExplainedBySeveralDrains(t *testing.T) {
	const warning, failure = updatev1alpha1.LevelWarning, updatev1alpha1.LevelError
	for _, test := range []struct {
		first, second, alert updatev1alpha1.HealthLevel
		dropped              bool
	}{
		{warning, failure, failure, true},
		{failure, warning, failure, true},
		{warning, warning, failure, false},
		{warning, warning, warning, true},
	} {
		entries := ledger.New()
		entries.Apply(alert("db", test.alert, insight.Budget("shop", "db")))
		for name, level := range map[string]updatev1alpha1.HealthLevel{"a": test.first, "b": test.second} {
			drain := about(insight.NodeInformer, name, updatev1alpha1.ResourceRef{Resource: "nodes", Name: name}, insight.Budget("shop", "db"))
			drain.Reports[0].Insights[0].Insight.Health.Impact.Level = level
			entries.Apply(drain)
		}
		if dropped := len(entries.View()[insight.AlertInformer].Insights) == 0; dropped != test.dropped {
			t.Errorf("%s, %s: an alert of level %s is dropped: %t", test.first, test.second, test.alert, dropped)
		}
	}
}
