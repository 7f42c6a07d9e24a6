package main

import (
	"time"

	"k8s.io/apimachinery/pkg/api/equality"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// expectation has the expected insights by their uids, but for health insights.
type expectation map[string]*updatev1alpha1.Insight

// expect assesses the whole cluster as it was planned.
func (m *measurement) expect() (expectation, error) {
	us, err := invariants.Expected(m.recorder.cluster.Objects(), time.Now())
	if err != nil {
		return nil, err
	}
	return insightsOf(us), nil
}

func insightsOf(us *updatev1alpha1.UpdateStatus) expectation {
	status := invariants.WithoutObserved(&updatev1alpha1.UpdateStatus{Status: *insight.StatusWithListedNodes(&us.Status)})
	insights := expectation{}
	for _, one := range invariants.Insights(&status) {
		if one.Health == nil {
			insights[one.UID] = one
		}
	}
	return insights
}

// wrong returns how many insights of an object differ from the expectation, are missing or are not expected.
func (e expectation) wrong(us *updatev1alpha1.UpdateStatus) int {
	wrong, got := 0, insightsOf(us)
	for uid, one := range got {
		if !equality.Semantic.DeepEqual(e[uid], one) {
			wrong++
		}
	}
	for uid := range e {
		if got[uid] == nil {
			wrong++
		}
	}
	return wrong
}

// right is whether the object has everything that is expected.
func (e expectation) right(us *updatev1alpha1.UpdateStatus) bool {
	return e.wrong(us) == 0
}
