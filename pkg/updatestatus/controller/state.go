package controller

import (
	"context"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-base/metrics"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// state is the state of the controller at a moment, for metrics.
type state struct {
	// built is what was built last, and summary the last summary, which is made soon after; nil if there was none since the start.
	built   *update.Built
	summary *updatev1alpha1.UpdateStatusSummaryStatus
	// counts are how many insights each source has reported.
	counts ledger.Counts
	// lastReports is when the last message of each source was received.
	lastReports map[insight.Source]time.Time
	// leftOut is how many insights were left out of the last status, nil if none was built since the start.
	leftOut *int
	// renewals are when trusted UpdateInformers were last renewed.
	renewals map[types.NamespacedName]time.Time
	// size is the size of the object in the cluster in bytes, zero if there is none.
	size int
}

// state returns the state for a scrape. It is safe for concurrent use.
func (c *Controller) state(ctx context.Context) (state, bool) {
	snapshot, err := c.collector.snapshot(ctx, false)
	if err != nil {
		return state{}, false
	}
	return state{
		built: c.in.Built.Load(), summary: c.in.Summary(), counts: snapshot.view.Count(), lastReports: snapshot.lastReports,
		leftOut: c.leftOut.Load(), size: c.object.sizeInCluster(), renewals: c.in.Renewals(c.Settings()),
	}, true
}

// gauge is a metric that is read from the state when it is scraped: what was deleted from the state has no sample.
type gauge struct {
	Definition

	read func(state) []sample
}

type sample struct {
	value float64
	// labels are the label values.
	labels []string
}

// gauges are all metrics of the state, in the order of their documentation.
var gauges = []gauge{
	newGauge("update_status_available",
		"1 if all sources report the state of the cluster and the status is written, 0 if not: the condition Available of the summary.",
		available),
	newGauge("update_status_updating",
		"1 while the control plane or a worker pool is updating, 0 while none is: the condition Updating of the summary. No sample "+
			"while that is unknown.",
		summaryGauge(updatev1alpha1.ConditionUpdating)),
	newGauge("update_status_needs_attention",
		"1 while there is a health insight of level Warning or higher, 0 while there is none: the condition NeedsAttention of the "+
			"summary.",
		summaryGauge(updatev1alpha1.ConditionNeedsAttention)),
	newGauge("update_status_estimated_completion_earliest_timestamp_seconds",
		"When the whole update may be complete at the earliest, as a Unix time: the estimate of the summary, which does not follow "+
			"small changes. It may be in the past. No sample without an estimate.",
		estimateGauge(func(expected *updatev1alpha1.SummaryEstimate) metav1.Time { return expected.Earliest })),
	newGauge("update_status_estimated_completion_latest_timestamp_seconds",
		"When the whole update is expected to be complete at the latest, as a Unix time. It may be in the past. No sample without "+
			"an estimate.",
		estimateGauge(func(expected *updatev1alpha1.SummaryEstimate) metav1.Time { return expected.Latest })),
	newGauge("update_status_control_plane_info",
		"The versions of the current or last update of the control plane. An unknown version is empty. The value is 1.",
		controlPlaneGauge(controlPlaneInfo), "previous_version", "target_version"),
	newGauge("update_status_control_plane_updating",
		"1 while the control plane is updating, 0 while it is not. No sample while that is unknown.",
		controlPlaneGauge(controlPlaneUpdating)),
	newGauge("update_status_control_plane_stalled",
		"1 if the update of the control plane is assessed as Stalled, 0 if not.",
		controlPlaneGauge(func(one *updatev1alpha1.ClusterVersionInsight) []sample {
			return single(boolValue(one.Assessment == updatev1alpha1.AssessmentStalled))
		})),
	newGauge("update_status_control_plane_completion_ratio",
		"The share of the payload's cluster operators that are updated, from 0 to 1.",
		controlPlaneGauge(func(one *updatev1alpha1.ClusterVersionInsight) []sample { return single(ratio(one.Completion)) })),
	newGauge("update_status_control_plane_start_timestamp_seconds",
		"Start of the last update of the control plane, as a Unix time.",
		controlPlaneGauge(func(one *updatev1alpha1.ClusterVersionInsight) []sample { return timestamp(one.StartedAt) })),
	newGauge("update_status_control_plane_estimated_completion_timestamp_seconds",
		"Estimated completion of the update of the control plane, as a Unix time. It may be in the past. No sample when the "+
			"update is complete or there is no estimate.",
		controlPlaneGauge(func(one *updatev1alpha1.ClusterVersionInsight) []sample { return timestamp(one.EstimatedCompletedAt) })),
	newGauge("update_status_control_plane_completion_timestamp_seconds",
		"Completion of the last update of the control plane, as a Unix time. No sample until then.",
		controlPlaneGauge(func(one *updatev1alpha1.ClusterVersionInsight) []sample { return timestamp(one.CompletedAt) })),
	newGauge("update_status_pool_completion_ratio",
		"The share of a MachineConfigPool's nodes that are updated, from 0 to 1.",
		poolCompletion, "pool"),
	newGauge("update_status_pool_nodes",
		"The nodes of a MachineConfigPool by the phase of their update: the reason of their condition Updating.",
		poolNodes, "pool", "phase"),
	newGauge("update_status_pool_stalled",
		"1 if a health insight about a MachineConfigPool or one of its nodes stalls the update of the pool, 0 if not.",
		poolStalled, "pool"),
	newGauge("update_status_insights",
		"The insights of a source by type, including those left out of the object. No samples until the source has reported "+
			"everything for the first time.",
		insights, "source", "type"),
	newGauge("update_status_health_insights",
		"The health insights by level, impact and reason. Each level and impact also has a sample with an empty reason, which counts the "+
			"health insights without a reason and is often 0.",
		health, "level", "impact", "reason"),
	newGauge("update_status_insights_left_out",
		"The insights left out of the last status, because the object would be too large or the API server rejects them.",
		leftOut),
	newGauge("update_status_source_last_report_timestamp_seconds",
		"When the last report of a source was received, as a Unix time. Sources report changes only; the alert-informer reports "+
			"the result of each poll, every 30 seconds while the cluster is updating.",
		lastReports, "source"),
	newGauge("update_status_informer_renewal_timestamp_seconds",
		"When a trusted UpdateInformer was last renewed, as a Unix time; 0 if it never was. Others have no sample.",
		informerRenewals, "informer_namespace", "informer"),
	newGauge("update_status_object_size_bytes",
		"The size of UpdateStatus/cluster in the cluster, as JSON without managed fields.",
		objectSize),
}

func newGauge(name, help string, read func(state) []sample, labels ...string) gauge {
	return gauge{Definition: Definition{Name: name, Type: Gauge, Labels: labels, Help: help}, read: read}
}

// stateCollector reads the gauges when it is scraped.
type stateCollector struct {
	metrics.BaseStableCollector

	// descriptions are the descriptions of gauges, in the same order.
	descriptions []*metrics.Desc
	// read returns the state. It is nil while no controller runs.
	read atomic.Pointer[func() (state, bool)]
}

func newStateCollector(ofProcess map[string]string) *stateCollector {
	c := &stateCollector{}
	for _, gauge := range gauges {
		c.descriptions = append(c.descriptions, metrics.NewDesc(gauge.Name, gauge.Help, gauge.Labels, ofProcess, stability, ""))
	}
	return c
}

// DescribeWithStability implements metrics.StableCollector.
func (c *stateCollector) DescribeWithStability(descriptions chan<- *metrics.Desc) {
	for _, description := range c.descriptions {
		descriptions <- description
	}
}

// CollectWithStability implements metrics.StableCollector.
func (c *stateCollector) CollectWithStability(collected chan<- metrics.Metric) {
	read := c.read.Load()
	if read == nil {
		return
	}
	current, ok := (*read)()
	if !ok {
		return
	}
	for at, gauge := range gauges {
		for _, one := range gauge.read(current) {
			collected <- metrics.NewLazyConstMetric(c.descriptions[at], metrics.GaugeValue, one.value, one.labels...)
		}
	}
}
