package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/updatestatus/lag"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// recorder records each write to the cluster and each version of the object, with their times.
type recorder struct {
	// The cluster as planned; used by the goroutine that plans writes only.
	cluster *lag.Cluster
	states  lag.States

	mu          sync.Mutex
	transitions []lag.Transition
	counts      []lag.Transition
	versions    []observedVersion
	summaries   []observedSummary
	lastWrite   time.Time
	// nodesStart is when the first MachineConfig was rendered: nodes change one by one from then on.
	nodesStart time.Time
	maxDelay   time.Duration
	writes     int
}

// observedVersion is a version of the object and when it was received. It is evaluated after the measurement, so as not to
// compete for the cores.
type observedVersion struct {
	at     time.Time
	object *updatev1alpha1.UpdateStatus
}

// observedSummary is a version of the summary and when it was received.
type observedSummary struct {
	at     time.Time
	object *updatev1alpha1.UpdateStatusSummary
}

func newRecorder(objects []simulator.Object) *recorder {
	cluster := lag.NewCluster(objects)
	return &recorder{cluster: cluster, states: cluster.States()}
}

// plan records the next write, and returns what it changes.
func (r *recorder) plan(write simulator.Write) plannedWrite {
	changed, before := r.cluster.Write(write), r.states.Counts()
	transitions := lag.Between(r.states, changed, write.Time)
	maps.Copy(r.states, changed)
	return plannedWrite{Write: write, transitions: transitions, counts: lag.Between(before, r.states.Counts(), write.Time)}
}

// sending records when a write is sent.
func (r *recorder) sending(write plannedWrite) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, transition := range write.transitions {
		transition.At = now
		r.transitions = append(r.transitions, transition)
	}
	for _, transition := range write.counts {
		transition.At = now
		r.counts = append(r.counts, transition)
	}
	r.lastWrite = now
	if write.Before == nil && r.nodesStart.IsZero() {
		r.nodesStart = now
	}
	r.maxDelay = max(r.maxDelay, now.Sub(write.due))
	r.writes++
}

// observe records a version of the object, which must not be changed.
func (r *recorder) observe(us *updatev1alpha1.UpdateStatus) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.versions = append(r.versions, observedVersion{at: now, object: us})
}

// observeSummary records a version of the summary, which must not be changed.
func (r *recorder) observeSummary(summary *updatev1alpha1.UpdateStatusSummary) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.summaries = append(r.summaries, observedSummary{at: now, object: summary})
}

// watched returns the bytes that a watcher of each object has received since a time.
func (r *recorder) watched(since time.Time) report.Watched {
	r.mu.Lock()
	defer r.mu.Unlock()
	var bytes report.Watched
	for _, version := range r.versions {
		if version.at.After(since) {
			bytes.Status += encodedSize(version.object)
		}
	}
	for _, version := range r.summaries {
		if version.at.After(since) {
			bytes.Summary += encodedSize(version.object)
		}
	}
	return bytes
}

func encodedSize(object any) int {
	// What an API server sent can be encoded again.
	content, _ := json.Marshal(object)
	return len(content)
}

// reset starts the record of another part of a run; the versions of the object stay.
func (r *recorder) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.transitions, r.counts, r.maxDelay, r.writes, r.lastWrite, r.nodesStart = nil, nil, 0, 0, time.Time{}, time.Time{}
}

// lastObserved returns when the newest version was received.
func (r *recorder) lastObserved() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.versions[len(r.versions)-1].at
}

// lastSent returns when the last write was sent.
func (r *recorder) lastSent() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lastWrite
}

// largest returns the size of the largest version of the object.
func (r *recorder) largest() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	size := 0
	for _, version := range r.versions {
		size = max(size, encodedSize(version.object))
	}
	return size
}

// replay returns how far the object lagged behind since the last reset.
func (r *recorder) replay() report.Replay {
	r.mu.Lock()
	defer r.mu.Unlock()
	result := report.Replay{Writes: r.writes, Behind: r.maxDelay.Seconds()}
	transitions := inOrder(r.transitions)
	if len(transitions) > 0 {
		start := r.nodesStart
		if start.IsZero() {
			start = transitions[0].At
		}
		result.Seconds = transitions[len(transitions)-1].At.Sub(start).Seconds()
	}
	sightings := make([]lag.Sighting, 0, len(r.versions))
	for _, version := range r.versions {
		sightings = append(sightings, lag.See(version.object, version.at))
	}
	summaries := make([]lag.Sighting, 0, len(r.summaries))
	for _, version := range r.summaries {
		summaries = append(summaries, lag.SeeSummary(version.object, version.at))
	}
	result.Summary = summary(lag.Measure(lag.Summary, inOrder(r.counts), summaries))
	urgent := slices.DeleteFunc(slices.Clone(transitions), func(one lag.Transition) bool { return !strings.HasSuffix(one.State, lag.Degraded) })
	result.Urgent = summary(lag.Measure(lag.Nodes, urgent, sightings))
	result.Nodes = summary(lag.Measure(lag.Nodes, transitions, sightings))
	return result
}

// inOrder returns transitions in the order in which they were sent.
func inOrder(transitions []lag.Transition) []lag.Transition {
	return slices.SortedStableFunc(slices.Values(transitions), func(a, b lag.Transition) int { return a.At.Compare(b.At) })
}

func summary(of lag.Result) report.Lag {
	seconds := func(percent int) float64 { return of.Percentile(percent).Seconds() }
	return report.Lag{Transitions: of.Transitions(), Missing: of.Missing, P50: seconds(50), P99: seconds(99), Max: seconds(100)}
}
