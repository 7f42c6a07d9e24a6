package controller

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/informers"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// This file has what the gauges read from the state.

// summaryGauge reads a condition of the summary.
func summaryGauge(kind string) func(state) []sample {
	return func(s state) []sample {
		if s.summary == nil {
			return nil
		}
		return conditionValue(s.summary.Conditions, kind)
	}
}

// estimateGauge reads an end of the estimate of the summary.
func estimateGauge(end func(*updatev1alpha1.SummaryEstimate) metav1.Time) func(state) []sample {
	return func(s state) []sample {
		if s.summary == nil || s.summary.Estimate == nil {
			return nil
		}
		return single(unixTime(end(s.summary.Estimate).Time))
	}
}

func controlPlaneGauge(read func(*updatev1alpha1.ClusterVersionInsight) []sample) func(state) []sample {
	return func(s state) []sample {
		if s.built == nil || s.built.ControlPlane.Version == nil {
			return nil
		}
		return read(s.built.ControlPlane.Version)
	}
}

func available(s state) []sample {
	isAvailable := s.built != nil && meta.IsStatusConditionTrue(s.built.Conditions, updatev1alpha1.ConditionAvailable)
	return single(boolValue(isAvailable))
}

func controlPlaneInfo(one *updatev1alpha1.ClusterVersionInsight) []sample {
	var previous, target string
	if one.Versions.Previous != nil {
		previous = one.Versions.Previous.Version
	}
	if one.Versions.Target != nil {
		target = one.Versions.Target.Version
	}
	return []sample{{value: 1, labels: []string{previous, target}}}
}

func controlPlaneUpdating(one *updatev1alpha1.ClusterVersionInsight) []sample {
	return conditionValue(one.Conditions, updatev1alpha1.ConditionUpdating)
}

func conditionValue(conditions []metav1.Condition, kind string) []sample {
	condition := meta.FindStatusCondition(conditions, kind)
	if condition == nil || condition.Status == metav1.ConditionUnknown {
		return nil
	}
	return single(boolValue(condition.Status == metav1.ConditionTrue))
}

func poolCompletion(s state) []sample {
	var samples []sample
	for _, pool := range s.pools() {
		samples = append(samples, sample{ratio(pool.Completion), []string{pool.Name}})
	}
	return samples
}

func (s state) pools() []*updatev1alpha1.MachineConfigPoolInsight {
	if s.built == nil {
		return nil
	}
	return s.built.PoolInsights
}

// poolNodes has a sample for every phase of every pool. A node whose pool has just been deleted does not count.
func poolNodes(s state) []sample {
	counts := map[string]map[insight.NodePhase]int{}
	for _, pool := range s.pools() {
		counts[pool.Name] = map[insight.NodePhase]int{}
	}
	if len(counts) == 0 {
		return nil
	}
	for _, node := range s.built.Nodes() {
		if phases := counts[node.Pool]; phases != nil {
			phases[node.State.Phase]++
		}
	}
	var samples []sample
	for pool, phases := range counts {
		for _, phase := range insight.NodePhases() {
			samples = append(samples, sample{float64(phases[phase]), []string{pool, string(phase)}})
		}
	}
	return samples
}

func insights(s state) []sample {
	var samples []sample
	for source, counts := range s.counts {
		for kind, count := range counts {
			samples = append(samples, sample{float64(count), []string{string(source), string(kind)}})
		}
	}
	return samples
}

func poolStalled(s state) []sample {
	if s.built == nil {
		return nil
	}
	stalled := s.built.StalledPools()
	var samples []sample
	for _, pool := range s.pools() {
		samples = append(samples, sample{boolValue(stalled.Has(pool.Name)), []string{pool.Name}})
	}
	return samples
}

// health has a sample for every level and impact of the API, and for each reason there is.
func health(s state) []sample {
	if s.built == nil {
		return nil
	}
	type kind struct {
		level  updatev1alpha1.HealthLevel
		impact updatev1alpha1.ImpactType
		reason string
	}
	counts := map[kind]int{}
	for _, level := range insight.Levels() {
		for _, impact := range insight.Impacts() {
			counts[kind{level, impact, ""}] = 0
		}
	}
	for _, one := range s.built.Health {
		counts[kind{one.Health.Impact.Level, one.Health.Impact.Type, reasonLabel(one)}]++
	}
	var samples []sample
	for of, count := range counts {
		samples = append(samples, sample{float64(count), []string{string(of.level), string(of.impact), of.reason}})
	}
	return samples
}

// reasonLabel returns the reason of a health insight as a label: the reasons of others have no bound.
func reasonLabel(one causes.Insight) string {
	if one.Informer == string(insight.UpdateInformers) {
		return informers.Reason
	}
	return one.Health.Reason
}

func leftOut(s state) []sample {
	if s.leftOut == nil {
		return nil
	}
	return single(float64(*s.leftOut))
}

func informerRenewals(s state) []sample {
	var samples []sample
	for informer, at := range s.renewals {
		value := 0.0
		if !at.IsZero() {
			value = unixTime(at)
		}
		samples = append(samples, sample{value, []string{informer.Namespace, informer.Name}})
	}
	return samples
}

func lastReports(s state) []sample {
	var samples []sample
	for source, at := range s.lastReports {
		samples = append(samples, sample{unixTime(at), []string{string(source)}})
	}
	return samples
}

func objectSize(s state) []sample {
	if s.size == 0 {
		return nil
	}
	return single(float64(s.size))
}

func single(value float64) []sample {
	return []sample{{value: value}}
}

func boolValue(value bool) float64 {
	if value {
		return 1
	}
	return 0
}

func ratio(percent int32) float64 {
	return float64(percent) / 100
}

func timestamp(at *metav1.Time) []sample {
	if at == nil {
		return nil
	}
	return single(unixTime(at.Time))
}

func unixTime(at time.Time) float64 {
	return float64(at.UnixMilli()) / 1000
}
