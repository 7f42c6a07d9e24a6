package main

import (
	"context"
	"sync"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/demo/story"
	"github.com/openshift/cluster-version-operator/test/lag"
	"github.com/openshift/cluster-version-operator/test/playback"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// recorder remembers what was written to the cluster and what was seen of the UpdateStatus, each with its time.
type recorder struct {
	lock sync.Mutex

	// What was seen.
	teller    story.Teller
	latest    *updatev1alpha1.UpdateStatus
	headlines []headline
	sightings []lag.Sighting
	summaries []lag.Sighting
	// news has an item when there is a new version.
	news chan struct{}

	// What was written. Only the one who writes looks at it, and lags, when nothing is written any more.
	cluster     *lag.Cluster
	states      lag.States
	transitions []lag.Transition
	// counts are the transitions of the counts of the summary.
	counts  []lag.Transition
	sending time.Time
}

// headline is something that is worth a look, and when it was seen.
type headline struct {
	at   time.Time
	text string
}

func newRecorder(objects []simulator.Object) *recorder {
	cluster := lag.NewCluster(objects)
	return &recorder{news: make(chan struct{}, 1), cluster: cluster, states: cluster.States()}
}

// see records a version of the UpdateStatus.
func (r *recorder) see(us *updatev1alpha1.UpdateStatus) {
	now := time.Now()
	r.lock.Lock()
	defer r.lock.Unlock()
	r.latest = us
	r.sightings = append(r.sightings, lag.See(us, now))
	for _, text := range r.teller.Tell(us) {
		r.headlines = append(r.headlines, headline{at: now, text: text})
	}
	select {
	case r.news <- struct{}{}:
	default: // there is one already
	}
}

// seeSummary records a version of the summary.
func (r *recorder) seeSummary(summary *updatev1alpha1.UpdateStatusSummary) {
	now := time.Now()
	r.lock.Lock()
	defer r.lock.Unlock()
	r.summaries = append(r.summaries, lag.SeeSummary(summary, now))
}

// wait waits until it is time for a write of the actors, which follows.
func (r *recorder) wait(ctx context.Context, moment time.Time) error {
	err := playback.RealTime(ctx, moment)
	r.sending = time.Now()
	return err
}

// wrote records a write of the simulation. Its lag starts when it was sent.
func (r *recorder) wrote(write simulator.Write) {
	r.cluster.Put(write.After)
	states := r.cluster.States()
	r.transitions = append(r.transitions, lag.Between(r.states, states, r.sending)...)
	r.counts = append(r.counts, lag.Between(r.states.Counts(), states.Counts(), r.sending)...)
	r.states = states
}

// lastWrite returns when the last write that changed a state was sent.
func (r *recorder) lastWrite() time.Time {
	if len(r.transitions) == 0 {
		return time.Time{}
	}
	return r.transitions[len(r.transitions)-1].At
}

// seen returns the newest version, nil if there is none, and all headlines so far.
func (r *recorder) seen() (*updatev1alpha1.UpdateStatus, []headline) {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.latest, r.headlines[:len(r.headlines):len(r.headlines)]
}

// lags returns how far the status lagged behind, and how many versions of it there were.
func (r *recorder) lags() ([]lag.Result, int) {
	r.lock.Lock()
	defer r.lock.Unlock()
	return append(lag.Measure(r.transitions, r.sightings), lag.MeasureSummary(r.counts, r.summaries)), len(r.sightings)
}
