package status_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/pkg/truncate"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// observer builds the status of a fleet, one time after the other as a controller does.
type observer struct {
	ledger  *ledger.Ledger
	builder *status.Builder
	built   *updatev1alpha1.UpdateStatusStatus
	// others is the status in the cluster, which has informers of others.
	others *updatev1alpha1.UpdateStatusStatus
	minute int
}

func observe(of *builders.Fleet) *observer {
	o := &observer{ledger: ledger.New(), builder: status.NewBuilder(), minute: 1}
	o.report(of)
	return o
}

// report reports a fleet, and builds the status.
func (o *observer) report(of *builders.Fleet) {
	for _, message := range assess.Cluster(of.Cluster(noon), noon) {
		o.ledger.Apply(message)
	}
	o.build(o.minute)
}

func (o *observer) build(minute int) *updatev1alpha1.UpdateStatusStatus {
	o.built = o.builder.Build(o.ledger.View(), o.others, after(minute))
	return o.built
}

// restart forgets everything but the object.
func (o *observer) restart() {
	o.builder = status.NewBuilder()
	o.builder.Stored(o.built)
}

type fataler interface {
	Helper()
	Fatal(args ...any)
	Errorf(format string, args ...any)
}

func encode(t fataler, of any) []byte {
	t.Helper()
	content, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// partsOf returns the parts of the cluster by name, the control plane without one.
func partsOf(built *updatev1alpha1.UpdateStatusStatus) map[string]updatev1alpha1.WorkerPool {
	parts := map[string]updatev1alpha1.WorkerPool{"": {Conditions: built.ControlPlane.Conditions, Informers: built.ControlPlane.Informers}}
	for _, pool := range built.WorkerPools {
		parts[pool.Name] = pool
	}
	return parts
}

func insightsIn(built *updatev1alpha1.UpdateStatusStatus) []updatev1alpha1.Insight {
	var all []updatev1alpha1.Insight
	for _, part := range partsOf(built) {
		for _, informer := range part.Informers {
			all = append(all, informer.Insights...)
		}
	}
	return all
}

func uidsIn(built *updatev1alpha1.UpdateStatusStatus) map[string]bool {
	uids := map[string]bool{}
	for _, one := range insightsIn(built) {
		uids[one.UID] = true
	}
	return uids
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
func (o *observer) check(t fataler) {
	t.Helper()
	complete := status.Build(status.Input{Ledger: o.ledger.View(), Now: noon})
	// What managedFields take is tested on the API server.
	encoded := encode(t, o.built)
	if len(encoded) > truncate.MaxObjectBytes {
		t.Errorf("the status has %d bytes", len(encoded))
	}
	kept := uidsIn(o.built)
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
	condition := meta.FindStatusCondition(o.built.Conditions, updatev1alpha1.ConditionInsightsComplete)
	if (condition != nil) != (missing > 0) {
		t.Errorf("%d insights are left out, InsightsComplete is %v", missing, condition)
	}
	want, got := partsOf(&complete), partsOf(o.built)
	for name := range want {
		checkPart(t, want[name], got[name])
	}
	same(t, "its encoding", encoded, o.builder.JSON())
	same(t, "built again", encoded, encode(t, o.build(2)))
	o.restart()
	same(t, "built again after a restart", encoded, encode(t, o.build(2)))
}

// same compares encoded statuses, and shows the first difference only: they are large.
func same(t fataler, when string, wanted, gotten []byte) {
	t.Helper()
	if bytes.Equal(wanted, gotten) {
		return
	}
	for at := range min(len(wanted), len(gotten)) {
		if wanted[at] != gotten[at] {
			t.Errorf("%s, at byte %d:\nwant …%.300s\ngot  …%.300s", when, at, wanted[max(0, at-200):], gotten[max(0, at-200):])
			return
		}
	}
	if len(wanted) != len(gotten) {
		t.Errorf("%s: %d bytes, want %d", when, len(gotten), len(wanted))
	}
}

// checkPart: a part says that insights are left out, and how many, if that is so.
func checkPart(t fataler, want, got updatev1alpha1.WorkerPool) {
	t.Helper()
	kept := map[string]bool{}
	for _, informer := range got.Informers {
		for _, one := range informer.Insights {
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
