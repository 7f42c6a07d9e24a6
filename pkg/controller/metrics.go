package controller

import (
	"context"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/component-base/metrics"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/status"
)

// Types of metrics.
const (
	Counter   = "Counter"
	Gauge     = "Gauge"
	Histogram = "Histogram"
)

// stability is that of every metric here: names and labels may still change.
const stability = metrics.ALPHA

// Definition says what a metric is.
type Definition struct {
	Name string
	// Type is Counter, Gauge or Histogram.
	Type string
	// Labels are the names of its labels, in the order of their values.
	Labels []string
	Help   string
	// Buckets are the upper bounds of a histogram's buckets, in the unit of its name.
	Buckets []float64
}

// Stability is how long the metric stays as it is, in the terms of Kubernetes.
func (d Definition) Stability() string {
	return string(stability)
}

// What the controller does.
var (
	writesDefinition = Definition{
		Name: "update_status_writes_total", Type: Counter, Labels: []string{"result"},
		Help: "Writes of the status of UpdateStatus/cluster that were tried, by result: success; conflict (the object was " +
			"changed or deleted in between, the controller looks again); error (also where the object could not be created or read).",
	}
	bytesDefinition = Definition{
		Name: "update_status_written_bytes_total", Type: Counter,
		Help: "Bytes of UpdateStatus/cluster, as JSON, that were written with success.",
	}
	durationDefinition = Definition{
		Name: "update_status_write_duration_seconds", Type: Histogram,
		Help:    "How long a write of the status took, whatever its result.",
		Buckets: []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10},
	}
	lagDefinition = Definition{
		Name: "update_status_write_lag_seconds", Type: Histogram,
		Help: "From the arrival of the oldest report that a write brings to the end of this write, once a write. Only " +
			"reports that changed something count. After a start, the wait for the first report of every source is in it. What " +
			"happened before, in the queue of the source, is told by workqueue_queue_duration_seconds and " +
			"workqueue_work_duration_seconds.",
		Buckets: []float64{0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300},
	}
)

// Definitions returns what each metric of the controller is, first those that tell of the update.
func Definitions() []Definition {
	var definitions []Definition
	for _, gauge := range gauges {
		definitions = append(definitions, gauge.Definition)
	}
	return append(definitions, writesDefinition, bytesDefinition, durationDefinition, lagDefinition)
}

// Results of a write.
const (
	resultSuccess  = "success"
	resultConflict = "conflict"
	resultError    = "error"
)

// Metrics are the metrics of a process: of what its controller does, and, while it runs, of what it holds. A process that
// does not lead thus has none that tell of the update.
type Metrics struct {
	writes   *metrics.CounterVec
	bytes    *metrics.Counter
	duration *metrics.Histogram
	lag      *metrics.Histogram
	held     *stateCollector
}

// NewMetrics returns metrics that are not registered yet: they count nothing.
func NewMetrics() *Metrics {
	return &Metrics{
		writes: metrics.NewCounterVec(&metrics.CounterOpts{
			Name: writesDefinition.Name, Help: writesDefinition.Help, StabilityLevel: stability,
		}, writesDefinition.Labels),
		bytes: metrics.NewCounter(&metrics.CounterOpts{
			Name: bytesDefinition.Name, Help: bytesDefinition.Help, StabilityLevel: stability,
		}),
		duration: metrics.NewHistogram(histogramOf(durationDefinition)),
		lag:      metrics.NewHistogram(histogramOf(lagDefinition)),
		held:     newStateCollector(),
	}
}

func histogramOf(definition Definition) *metrics.HistogramOpts {
	return &metrics.HistogramOpts{
		Name: definition.Name, Help: definition.Help, Buckets: slices.Clone(definition.Buckets), StabilityLevel: stability,
	}
}

// Register registers the metrics, with the functions of a registry of k8s.io/component-base/metrics.
func (m *Metrics) Register(register func(...metrics.Registerable), registerCustom func(...metrics.StableCollector)) {
	register(m.writes, m.bytes, m.duration, m.lag)
	registerCustom(m.held)
	for _, result := range []string{resultSuccess, resultConflict, resultError} {
		m.writes.WithLabelValues(result).Add(0)
	}
}

// show makes what a controller holds visible until the returned function is called. Read returns false when there is
// nothing to be seen.
func (m *Metrics) show(read func() (state, bool)) (hide func()) {
	m.held.read.Store(&read)
	return func() { m.held.read.CompareAndSwap(&read, nil) }
}

// missed counts a write that could not be tried, since there is no object to write to. One that somebody else has created
// meanwhile is looked at again.
func (m *Metrics) missed(err error) {
	if !apierrors.IsAlreadyExists(err) {
		m.writes.WithLabelValues(resultError).Inc()
	}
}

// wrote counts a write of the status.
func (m *Metrics) wrote(err error, size int, took time.Duration) {
	m.duration.Observe(took.Seconds())
	switch {
	case err == nil:
		m.writes.WithLabelValues(resultSuccess).Inc()
		m.bytes.Add(float64(size))
	case apierrors.IsConflict(err) || apierrors.IsNotFound(err):
		m.writes.WithLabelValues(resultConflict).Inc()
	default:
		m.writes.WithLabelValues(resultError).Inc()
	}
}

// built is what was built last. It must not be changed.
type built struct {
	status *updatev1alpha1.UpdateStatusStatus
	// leftOut is how many insights it does without.
	leftOut int
}

// state returns what the controller holds, for a scrape. It is safe for concurrent use; the collector is asked for no more
// than a copy of its lists.
func (c *Controller) state(ctx context.Context) (state, bool) {
	held, err := c.collector.look(ctx, false)
	if err != nil {
		return state{}, false
	}
	last := c.built.Load()
	made := state{reported: held.reported, built: last != nil}
	if last == nil {
		last = &built{}
	}
	made.Numbers = status.Count(held.view, last.status)
	made.leftOut = last.leftOut
	made.size = c.object.inCluster()
	return made, true
}
