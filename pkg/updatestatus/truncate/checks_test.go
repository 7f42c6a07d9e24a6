package truncate_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/truncate"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// partsOf returns the parts of the cluster by name, the control plane without one.
func partsOf(built *updatev1alpha1.UpdateStatusStatus) map[string]updatev1alpha1.WorkerPool {
	parts := map[string]updatev1alpha1.WorkerPool{"": {Conditions: built.ControlPlane.Conditions, Informers: built.ControlPlane.Informers}}
	for _, pool := range built.WorkerPools {
		parts[pool.Name] = pool
	}
	return parts
}

// insightsIn returns all insights, with one about each node that is listed by name.
func insightsIn(built *updatev1alpha1.UpdateStatusStatus) []updatev1alpha1.Insight {
	var all []updatev1alpha1.Insight
	for _, part := range partsOf(built) {
		for _, informer := range part.Informers {
			all = append(all, insight.WithListedNodes(informer.Insights)...)
		}
	}
	return all
}

// value orders nodes as they are kept: the higher, the longer.
func value(node *updatev1alpha1.NodeInsight) int {
	state := insight.StateOf(node)
	switch {
	case state.Degraded:
		return 6
	case !state.Available && !state.Updating:
		return 5
	case state.Updating:
		return 4
	}
	return slices.Index([]insight.NodePhase{insight.PhaseCompleted, insight.PhasePending, insight.PhasePaused}, state.Phase)
}

// check checks what must be true of any object.
func check(t invariants.TB, o *builders.Observer) {
	t.Helper()
	complete := status.Build(status.Input{Ledger: o.Ledger.View(), Now: builders.Noon})
	// What managedFields take is tested on the API server.
	encoded := invariants.JSON(t, o.Built)
	if len(encoded) > truncate.MaxObjectBytes {
		t.Errorf("the status has %d bytes", len(encoded))
	}
	kept := invariants.UIDs(o.Built)
	left, least := -1, 6
	missing := 0
	for _, one := range insightsIn(&complete) {
		switch {
		case one.MachineConfigPool != nil:
			if !kept[one.UID] {
				t.Errorf("the counts of %s are left out", one.UID)
			}
		case one.Node == nil:
		case kept[one.UID]:
			least = min(least, value(one.Node))
		default:
			left = max(left, value(one.Node))
		}
		if !kept[one.UID] {
			missing++
		}
	}
	if left > least {
		t.Errorf("a node of value %d is left out, and one of value %d kept", left, least)
	}
	condition := meta.FindStatusCondition(o.Built.Conditions, updatev1alpha1.ConditionInsightsComplete)
	if condition == nil || (condition.Status == metav1.ConditionFalse) != (missing > 0) {
		t.Errorf("%d insights are left out, InsightsComplete is %v", missing, condition)
	}
	want, got := partsOf(&complete), partsOf(o.Built)
	for name := range want {
		checkPart(t, want[name], got[name])
	}
	invariants.ExpectSame(t, "its encoding", encoded, o.Fitted.JSON)
	invariants.ExpectSame(t, "built again", encoded, invariants.JSON(t, o.Build(2)))
	o.Restart()
	invariants.ExpectSame(t, "built again after a restart", encoded, invariants.JSON(t, o.Build(2)))
}

// checkPart: a part says that insights are left out, and how many, if that is so.
func checkPart(t invariants.TB, want, got updatev1alpha1.WorkerPool) {
	t.Helper()
	kept := map[string]bool{}
	for _, informer := range got.Informers {
		for _, one := range insight.WithListedNodes(informer.Insights) {
			kept[one.UID] = true
		}
	}
	left := map[string]int{}
	for _, informer := range want.Informers {
		for _, one := range informer.Insights {
			if kept[one.UID] {
				continue
			}
			switch {
			case one.Node != nil:
				state := insight.StateOf(one.Node)
				word := string(state.Phase)
				if assessment := state.Assessment(); assessment == "Degraded" || assessment == "Unavailable" {
					word = string(assessment)
				}
				left[word]++
			case one.Health != nil:
				left[string(one.Health.Impact.Level)]++
			}
		}
	}
	condition := meta.FindStatusCondition(got.Conditions, updatev1alpha1.ConditionInsightsComplete)
	if condition == nil {
		if len(left) > 0 {
			t.Errorf("%s: %v are left out, and nothing says so", want.Name, left)
		}
		return
	}
	for word, count := range left {
		if !strings.Contains(condition.Message, fmt.Sprintf("%d %s", count, word)) {
			t.Errorf("%s: %d %s are left out, the condition says %q", want.Name, count, word, condition.Message)
		}
	}
}

// buildAndFit returns the status nine minutes after Noon, as the object can have it.
func buildAndFit(builder *status.Builder, view ledger.View) *updatev1alpha1.UpdateStatusStatus {
	builder.Build(view, builders.Noon.Add(9*time.Minute))
	return builder.Fit().Status
}
