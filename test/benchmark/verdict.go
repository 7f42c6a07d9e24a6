package main

import (
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/invariants"
)

// expectation is the expected insight of each subject, by uid.
type expectation map[string]*updatev1alpha1.Insight

// expect assesses a whole cluster.
func expect(cluster standalone.Input, now time.Time) expectation {
	expected := expectation{}
	for _, message := range standalone.Assess(cluster, now) {
		for _, subject := range message.Reports {
			for at := range subject.Insights {
				if one := &subject.Insights[at].Insight; counted(&report.Verdict{}, one) != nil {
					expected[one.UID] = withoutTimes(one)
				}
			}
		}
	}
	return expected
}

// judge compares an object with the expectation. A missing insight is wrong.
func (e expectation) judge(us *updatev1alpha1.UpdateStatus) report.Verdict {
	var verdict report.Verdict
	seen := map[string]bool{}
	for _, one := range invariants.Insights(insight.StatusWithListedNodes(&us.Status)) {
		count := counted(&verdict, one)
		if count == nil {
			continue
		}
		if want := e[one.UID]; want == nil || seen[one.UID] || !equality.Semantic.DeepEqual(want, withoutTimes(one)) {
			count.Wrong++
		} else {
			count.Right++
		}
		seen[one.UID] = true
	}
	for uid, one := range e {
		if !seen[uid] {
			counted(&verdict, one).Wrong++
		}
	}
	return verdict
}

// right is whether the object has everything that is expected.
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

// withoutTimes returns an insight without its times, some of which are those of an assessment, and stored ones are rounded to
// seconds. Which nodes are next depends on times as well: on when the API server created each node.
func withoutTimes(one *updatev1alpha1.Insight) *updatev1alpha1.Insight {
	bare := one.DeepCopy()
	bare.AcquiredAt = metav1.Time{}
	conditions := insight.Conditions(bare)
	switch {
	case bare.Node != nil:
		bare.Node.EstToComplete, bare.Node.Phases, bare.Node.DrainStartedAt, bare.Node.RebootStartedAt = nil, nil, nil, nil
	case bare.MachineConfigPool != nil:
		bare.MachineConfigPool.EstimatedCompletedAt, bare.MachineConfigPool.NodeDurations, bare.MachineConfigPool.NextNodes = nil, nil, nil
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
