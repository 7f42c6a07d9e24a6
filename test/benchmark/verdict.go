package main

import (
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/invariants"
)

// expectation is what the object is to say of each subject, by uid.
type expectation map[string]*updatev1alpha1.Insight

// expect assesses a whole cluster at once.
func expect(cluster assess.ClusterInput, now time.Time) expectation {
	expected := expectation{}
	for _, message := range assess.Cluster(cluster, now) {
		for _, said := range message.Reports {
			for at := range said.Insights {
				if one := &said.Insights[at].Insight; counted(&report.Verdict{}, one) != nil {
					expected[one.UID] = timeless(one)
				}
			}
		}
	}
	return expected
}

// judge compares an object with what it is to say. What is not in it is left out if the object says that something is.
func (e expectation) judge(us *updatev1alpha1.UpdateStatus) report.Verdict {
	var made report.Verdict
	complete := meta.FindStatusCondition(us.Status.Conditions, updatev1alpha1.ConditionInsightsComplete)
	truncated := complete != nil && complete.Reason == updatev1alpha1.ReasonTruncated
	found := map[string]bool{}
	for _, one := range invariants.Insights(&us.Status) {
		count := counted(&made, one)
		if count == nil {
			continue
		}
		if want := e[one.UID]; want == nil || found[one.UID] || !equality.Semantic.DeepEqual(want, timeless(one)) {
			count.Wrong++
		} else {
			count.Right++
		}
		found[one.UID] = true
	}
	for uid, one := range e {
		switch {
		case found[uid]:
		case truncated:
			counted(&made, one).LeftOut++
		default:
			counted(&made, one).Wrong++
		}
	}
	return made
}

// right is whether the object says all of it, or that something is left out.
func (e expectation) right(us *updatev1alpha1.UpdateStatus) bool {
	return e.judge(us).Wrong() == 0
}

// counted returns where an insight is counted, nil for one that is not about a single subject.
func counted(verdict *report.Verdict, one *updatev1alpha1.Insight) *report.Count {
	switch {
	case one.Node != nil:
		return &verdict.Nodes
	case one.ClusterOperator != nil:
		return &verdict.Operators
	case one.MachineConfigPool != nil, one.ClusterVersion != nil:
		return &verdict.Pools
	default:
		return nil
	}
}

// timeless returns an insight without its times: some are those of the moment of an assessment, and what was stored is
// rounded to seconds.
func timeless(one *updatev1alpha1.Insight) *updatev1alpha1.Insight {
	bare := one.DeepCopy()
	bare.AcquiredAt = metav1.Time{}
	conditions := insight.Conditions(bare)
	switch {
	case bare.Node != nil:
		bare.Node.EstToComplete, bare.Node.Phases, bare.Node.DrainStartedAt = nil, nil, nil
	case bare.MachineConfigPool != nil:
		bare.MachineConfigPool.EstimatedCompletedAt, bare.MachineConfigPool.NodeDurations = nil, nil
	case bare.ClusterVersion != nil:
		bare.ClusterVersion.StartedAt = nil
		bare.ClusterVersion.CompletedAt = nil
		bare.ClusterVersion.EstimatedCompletedAt = nil
	}
	for at := range conditions {
		conditions[at].LastTransitionTime = metav1.Time{}
		if bare.MachineConfigPool != nil {
			conditions[at].Message = "" // why there is no estimate
		}
	}
	return bare
}
