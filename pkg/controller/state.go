package controller

import (
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-base/metrics"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/status"
)

// state is what the controller holds at a moment, for metrics.
type state struct {
	status.Numbers

	// reported is when the last message of each source arrived.
	reported map[insight.Source]time.Time
	// built is whether a status was built since the start, leftOut how many insights the last one does without.
	built   bool
	leftOut int
	// size is that of the object in the cluster, in bytes; zero if there is none.
	size int
}

// gauge is a metric that is read from the state when it is scraped. What has gone from the state has no sample.
type gauge struct {
	Definition

	read func(state) []sample
}

type sample struct {
	value float64
	// labels are the values of the labels of the metric.
	labels []string
}

// gauges are all metrics of the state, in the order in which they are documented.
var gauges = []gauge{
	newGauge("update_status_available",
		"1 if every source tells what it sees of the cluster, 0 if not: the condition Available.",
		func(s state) []sample { return single(number(s.Available)) }),
	newGauge("update_status_control_plane_info",
		"The versions that the control plane is, or was last, updated from and to. A version that is not known is empty. "+
			"The value is 1.",
		controlPlaneGauge(controlPlaneInfo), "previous_version", "target_version"),
	newGauge("update_status_control_plane_updating",
		"1 while the control plane is being updated, 0 while not. Without a sample while that can't be determined.",
		controlPlaneGauge(controlPlaneUpdating)),
	newGauge("update_status_control_plane_stalled",
		"1 if the update of the control plane is assessed as Stalled, 0 if not.",
		controlPlaneGauge(func(one *updatev1alpha1.ClusterVersionInsight) []sample {
			return single(number(one.Assessment == updatev1alpha1.AssessmentStalled))
		})),
	newGauge("update_status_control_plane_completion_ratio",
		"The share of the cluster operators of the payload that are updated, from 0 to 1.",
		controlPlaneGauge(func(one *updatev1alpha1.ClusterVersionInsight) []sample { return single(ratio(one.Completion)) })),
	newGauge("update_status_control_plane_start_timestamp_seconds",
		"When the newest update of the control plane started, as a Unix time.",
		controlPlaneGauge(func(one *updatev1alpha1.ClusterVersionInsight) []sample { return moment(one.StartedAt) })),
	newGauge("update_status_control_plane_estimated_completion_timestamp_seconds",
		"When the update of the control plane is expected to be complete, as a Unix time. It may have passed. Without a "+
			"sample when the update is complete or nothing can be said.",
		controlPlaneGauge(func(one *updatev1alpha1.ClusterVersionInsight) []sample { return moment(one.EstimatedCompletedAt) })),
	newGauge("update_status_control_plane_completion_timestamp_seconds",
		"When the newest update of the control plane was complete, as a Unix time. Without a sample until then.",
		controlPlaneGauge(func(one *updatev1alpha1.ClusterVersionInsight) []sample { return moment(one.CompletedAt) })),
	newGauge("update_status_pool_completion_ratio",
		"The share of the nodes of a MachineConfigPool that are updated, from 0 to 1.",
		poolCompletion, "pool"),
	newGauge("update_status_pool_nodes",
		"The nodes of a MachineConfigPool, by the phase of their update: the reason of the condition Updating.",
		poolNodes, "pool", "phase"),
	newGauge("update_status_insights",
		"The insights of a source, by type, those included that are left out of the object. Without samples until the source "+
			"has reported everything for the first time.",
		insights, "source", "type"),
	newGauge("update_status_health_insights",
		"The health insights, by level and impact: what needs an administrator's attention.",
		health, "level", "impact"),
	newGauge("update_status_insights_left_out",
		"The insights that the status built last does without, since the object would have grown too large.",
		func(s state) []sample { return when(s.built, float64(s.leftOut)) }),
	newGauge("update_status_source_last_report_timestamp_seconds",
		"When the last report of a source arrived, as a Unix time. A cluster in which nothing changes gives no cause to "+
			"report; the alert-informer reports every answer that it gets, each 30 seconds while the cluster is updated.",
		lastReports, "source"),
	newGauge("update_status_object_size_bytes",
		"The size of UpdateStatus/cluster as the cluster holds it, as JSON and without managed fields.",
		func(s state) []sample { return when(s.size > 0, float64(s.size)) }),
}

func newGauge(name, help string, read func(state) []sample, labels ...string) gauge {
	return gauge{Definition: Definition{Name: name, Type: Gauge, Labels: labels, Help: help}, read: read}
}

func controlPlaneGauge(read func(*updatev1alpha1.ClusterVersionInsight) []sample) func(state) []sample {
	return func(s state) []sample {
		if s.ControlPlane == nil {
			return nil
		}
		return read(s.ControlPlane)
	}
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
	updating := meta.FindStatusCondition(one.Conditions, updatev1alpha1.ConditionUpdating)
	if updating == nil || updating.Status == metav1.ConditionUnknown {
		return nil
	}
	return single(number(updating.Status == metav1.ConditionTrue))
}

func poolCompletion(s state) []sample {
	var samples []sample
	for _, pool := range s.Pools {
		samples = append(samples, sample{ratio(pool.Completion), []string{pool.Name}})
	}
	return samples
}

func poolNodes(s state) []sample {
	var samples []sample
	for _, pool := range s.Pools {
		for phase, count := range pool.Nodes {
			samples = append(samples, sample{float64(count), []string{pool.Name, string(phase)}})
		}
	}
	return samples
}

func insights(s state) []sample {
	var samples []sample
	for source, counts := range s.Insights {
		for kind, count := range counts {
			samples = append(samples, sample{float64(count), []string{string(source), string(kind)}})
		}
	}
	return samples
}

func health(s state) []sample {
	var samples []sample
	for kind, count := range s.Health {
		samples = append(samples, sample{float64(count), []string{string(kind.Level), string(kind.Impact)}})
	}
	return samples
}

func lastReports(s state) []sample {
	var samples []sample
	for source, at := range s.reported {
		samples = append(samples, sample{unix(at), []string{string(source)}})
	}
	return samples
}

func single(value float64) []sample {
	return []sample{{value: value}}
}

func when(known bool, value float64) []sample {
	if !known {
		return nil
	}
	return single(value)
}

func number(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func ratio(percent int32) float64 {
	return float64(percent) / 100
}

func moment(at *metav1.Time) []sample {
	if at == nil {
		return nil
	}
	return single(unix(at.Time))
}

func unix(at time.Time) float64 {
	return float64(at.UnixMilli()) / 1000
}

// stateCollector reads the gauges when it is scraped.
type stateCollector struct {
	metrics.BaseStableCollector

	// descriptions are those of gauges, in the same order.
	descriptions []*metrics.Desc
	// read returns the state, nil while there is none.
	read atomic.Pointer[func() (state, bool)]
}

func newStateCollector() *stateCollector {
	made := &stateCollector{}
	for _, gauge := range gauges {
		made.descriptions = append(made.descriptions,
			metrics.NewDesc(gauge.Name, gauge.Help, gauge.Labels, nil, stability, ""))
	}
	return made
}

// DescribeWithStability is part of metrics.StableCollector.
func (c *stateCollector) DescribeWithStability(descriptions chan<- *metrics.Desc) {
	for _, description := range c.descriptions {
		descriptions <- description
	}
}

// CollectWithStability is part of metrics.StableCollector.
func (c *stateCollector) CollectWithStability(collected chan<- metrics.Metric) {
	read := c.read.Load()
	if read == nil {
		return
	}
	now, ok := (*read)()
	if !ok {
		return
	}
	for at, gauge := range gauges {
		for _, one := range gauge.read(now) {
			collected <- metrics.NewLazyConstMetric(c.descriptions[at], metrics.GaugeValue, one.value, one.labels...)
		}
	}
}
