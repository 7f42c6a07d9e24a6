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

// recorder remembers what was written to the cluster and what was seen of the object, each with its time.
type recorder struct {
	// What was written; only the one who plans writes looks at it.
	cluster *lag.Cluster
	states  lag.States

	lock        sync.Mutex
	transitions []lag.Transition
	sightings   []sighting
	lastWrite   time.Time
	// rolling is when the first MachineConfig was rendered: nodes change one by one from then on.
	rolling time.Time
	behind  time.Duration
	writes  int
}

// sighting is a version of the object, and when it was seen. What it says is looked at when the measurement is over, so that
// the cores are left to what is measured.
type sighting struct {
	at      time.Time
	version *updatev1alpha1.UpdateStatus
}

func newRecorder(objects []simulator.Object) *recorder {
	cluster := lag.NewCluster(objects)
	return &recorder{cluster: cluster, states: cluster.States()}
}

// plan takes note of a write that is to come next, and returns what it changes.
func (r *recorder) plan(write simulator.Write) []lag.Transition {
	changed := r.cluster.Write(write)
	transitions := lag.Between(r.states, changed, write.Time)
	maps.Copy(r.states, changed)
	return transitions
}

// sending takes note of the moment at which a write is sent.
func (r *recorder) sending(one planned) {
	now := time.Now()
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, transition := range one.transitions {
		transition.At = now
		r.transitions = append(r.transitions, transition)
	}
	r.lastWrite = now
	if one.Before == nil && r.rolling.IsZero() {
		r.rolling = now
	}
	r.behind = max(r.behind, now.Sub(one.due))
	r.writes++
}

// see takes note of a version of the object, which must not be changed.
func (r *recorder) see(us *updatev1alpha1.UpdateStatus) {
	now := time.Now()
	r.lock.Lock()
	defer r.lock.Unlock()
	r.sightings = append(r.sightings, sighting{at: now, version: us})
}

// sizeOf returns the size of an object as etcd holds it.
func sizeOf(us *updatev1alpha1.UpdateStatus) int {
	us = us.DeepCopy()
	us.SetGroupVersionKind(updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus"))
	content, err := json.Marshal(us)
	if err != nil {
		// What an API server sent can be sent back.
		return -1
	}
	return len(content)
}

// forget begins the record of a part of a run; what is seen of the object stays.
func (r *recorder) forget() {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.transitions, r.behind, r.writes, r.lastWrite, r.rolling = nil, 0, 0, time.Time{}, time.Time{}
}

// seen returns when the newest version was seen.
func (r *recorder) seen() time.Time {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.sightings[len(r.sightings)-1].at
}

// object returns the size of the largest version.
func (r *recorder) object() report.Object {
	r.lock.Lock()
	defer r.lock.Unlock()
	size := report.Object{Versions: len(r.sightings)}
	for _, seen := range r.sightings {
		whole := sizeOf(seen.version)
		if whole <= size.Bytes {
			continue
		}
		bare := seen.version.DeepCopy()
		bare.ManagedFields = nil
		size.Bytes, size.BareBytes = whole, sizeOf(bare)
	}
	return size
}

// last returns when the last write was sent.
func (r *recorder) last() time.Time {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.lastWrite
}

// replay returns how far the object lagged behind since the last forget. Operators come after nodes.
func (r *recorder) replay() report.Replay {
	r.lock.Lock()
	defer r.lock.Unlock()
	result := report.Replay{Writes: r.writes, Behind: r.behind.Seconds()}
	transitions := slices.SortedStableFunc(slices.Values(r.transitions), func(a, b lag.Transition) int { return a.At.Compare(b.At) })
	if len(transitions) > 0 {
		began := r.rolling
		if began.IsZero() {
			began = transitions[0].At
		}
		result.Seconds = transitions[len(transitions)-1].At.Sub(began).Seconds()
	}
	sightings := make([]lag.Sighting, 0, len(r.sightings))
	for _, seen := range r.sightings {
		sightings = append(sightings, lag.See(seen.version, seen.at))
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
