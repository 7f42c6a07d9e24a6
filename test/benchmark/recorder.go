package main

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/lag"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// recorder records each write to the cluster and each version of the object, with their times.
type recorder struct {
	// The cluster as planned; used by the goroutine that plans writes only.
	cluster *lag.Cluster
	states  lag.States

	mu          sync.Mutex
	transitions []lag.Transition
	versions    []observedVersion
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

func newRecorder(objects []simulator.Object) *recorder {
	cluster := lag.NewCluster(objects)
	return &recorder{cluster: cluster, states: cluster.States()}
}

// plan records the next write, and returns what it changes.
func (r *recorder) plan(write simulator.Write) []lag.Transition {
	changed := r.cluster.Write(write)
	transitions := lag.Between(r.states, changed, write.Time)
	maps.Copy(r.states, changed)
	return transitions
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

// reset starts the record of another part of a run; the versions of the object stay.
func (r *recorder) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.transitions, r.maxDelay, r.writes, r.lastWrite, r.nodesStart = nil, 0, 0, time.Time{}, time.Time{}
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

// object returns how many versions there were, and the size of the largest as etcd stores it.
func (r *recorder) object() report.Object {
	r.mu.Lock()
	defer r.mu.Unlock()
	result := report.Object{Versions: len(r.versions)}
	for _, version := range r.versions {
		us := version.object.DeepCopy()
		us.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus"))
		// What an API server sent can be encoded again.
		content, _ := json.Marshal(us)
		result.Bytes = max(result.Bytes, len(content))
	}
	return result
}

// replay returns how far the object lagged behind since the last reset.
func (r *recorder) replay() report.Replay {
	r.mu.Lock()
	defer r.mu.Unlock()
	result := report.Replay{Writes: r.writes, Behind: r.maxDelay.Seconds()}
	transitions := slices.SortedStableFunc(slices.Values(r.transitions), func(a, b lag.Transition) int { return a.At.Compare(b.At) })
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
	for _, of := range lag.Measure(transitions, sightings) {
		switch of.Kind {
		case lag.Nodes:
			result.Nodes = summary(of)
		case lag.Operators:
			result.Operators = summary(of)
		}
	}
	return result
}

func summary(of lag.Result) report.Lag {
	seconds := func(percent int) float64 { return of.Percentile(percent).Seconds() }
	return report.Lag{
		Transitions: of.Transitions(), Seen: len(of.Lags), Overtaken: of.Overtaken, LeftOut: of.LeftOut, Missing: of.Missing,
		P50: seconds(50), P95: seconds(95), P99: seconds(99), Max: seconds(100),
	}
}

func median(values []float64) float64 {
	slices.SortFunc(values, cmp.Compare)
	return values[len(values)/2]
}
