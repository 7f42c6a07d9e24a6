package controller

import (
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/component-base/metrics"
)

// Types of metrics.
const (
	Counter   = "Counter"
	Gauge     = "Gauge"
	Histogram = "Histogram"
)

// stability is the stability level of every metric here: names and labels may still change.
const stability = metrics.ALPHA

// Definition is the definition of a metric.
type Definition struct {
	Name string
	// Type is Counter, Gauge or Histogram.
	Type string
	// Labels are its label names, in the order of their values.
	Labels []string
	Help   string
	// Buckets are the upper bounds of a histogram's buckets, in the unit of its name.
	Buckets []float64
}

// Stability returns the stability level of the metric.
func (d Definition) Stability() string {
	return string(stability)
}

// The metrics of what the controller does.
var (
	writesDefinition = Definition{
		Name: "update_status_writes_total", Type: Counter, Labels: []string{"result"},
		Help: "Attempts to write the status of UpdateStatus/cluster, by result: success; conflict (the object was changed or " +
			"deleted since it was read, the controller reads it again); error (including errors creating or reading the object).",
	}
	bytesDefinition = Definition{
		Name: "update_status_written_bytes_total", Type: Counter,
		Help: "Bytes of UpdateStatus/cluster as JSON in successful writes.",
	}
	durationDefinition = Definition{
		Name: "update_status_write_duration_seconds", Type: Histogram,
		Help:    "Duration of each attempt to write the status in seconds, with any result.",
		Buckets: []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10},
	}
	lagDefinition = Definition{
		Name: "update_status_write_lag_seconds", Type: Histogram,
		Help: "Seconds from receiving the oldest unpublished change until it was written. Observed once for each write of " +
			"reported changes; after a start it includes the wait for the first report of every source. The time in the queue of " +
			"the source is in workqueue_queue_duration_seconds and workqueue_work_duration_seconds.",
		Buckets: []float64{0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300},
	}
)

// Definitions returns the definitions of all metrics, first those of the state.
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

// Metrics are the metrics of a process: counters of what its controller does and, while it runs, gauges of its state. Only the
// process that leads thus has gauges.
type Metrics struct {
	writes   *metrics.CounterVec
	bytes    *metrics.Counter
	duration *metrics.Histogram
	lag      *metrics.Histogram
	gauges   *stateCollector
}

// NewMetrics returns metrics that count nothing until they are registered. Each series has the labels of the process, which may be nil.
func NewMetrics(ofProcess map[string]string) *Metrics {
	return &Metrics{
		writes: metrics.NewCounterVec(&metrics.CounterOpts{
			Name: writesDefinition.Name, Help: writesDefinition.Help, StabilityLevel: stability, ConstLabels: ofProcess,
		}, writesDefinition.Labels),
		bytes: metrics.NewCounter(&metrics.CounterOpts{
			Name: bytesDefinition.Name, Help: bytesDefinition.Help, StabilityLevel: stability, ConstLabels: ofProcess,
		}),
		duration: newHistogram(durationDefinition, ofProcess),
		lag:      newHistogram(lagDefinition, ofProcess),
		gauges:   newStateCollector(ofProcess),
	}
}

func newHistogram(definition Definition, ofProcess map[string]string) *metrics.Histogram {
	return metrics.NewHistogram(&metrics.HistogramOpts{
		Name: definition.Name, Help: definition.Help, Buckets: slices.Clone(definition.Buckets), StabilityLevel: stability, ConstLabels: ofProcess,
	})
}

// Register registers the metrics with the functions of a registry of k8s.io/component-base/metrics.
func (m *Metrics) Register(register func(...metrics.Registerable), registerCustom func(...metrics.StableCollector)) {
	register(m.writes, m.bytes, m.duration, m.lag)
	registerCustom(m.gauges)
	for _, result := range []string{resultSuccess, resultConflict, resultError} {
		m.writes.WithLabelValues(result).Add(0)
	}
}

// show serves the state that read returns until hide is called. Read returns false if there is none.
func (m *Metrics) show(read func() (state, bool)) (hide func()) {
	m.gauges.read.Store(&read)
	return func() { m.gauges.read.CompareAndSwap(&read, nil) }
}

// countMissing counts a write that was not attempted since the object could not be created or read. It does not count one that
// another client has created in the meantime: that is read next.
func (m *Metrics) countMissing(err error) {
	if !apierrors.IsAlreadyExists(err) {
		m.writes.WithLabelValues(resultError).Inc()
	}
}

// countWrite counts an attempt to write the status.
func (m *Metrics) countWrite(err error, size int, took time.Duration) {
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
