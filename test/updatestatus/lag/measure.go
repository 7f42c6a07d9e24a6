package lag

import (
	"slices"
	"time"
)

// Result is how far the transitions of one kind of subjects lagged behind.
type Result struct {
	Kind Kind
	// Lags are those of the transitions that were seen, the shortest first.
	Lags []time.Duration
	// Overtaken and Missing count the others.
	Overtaken, Missing int
}

// Measure returns how far sightings lag behind transitions of one kind of subjects. Both are in the order of time.
func Measure(kind Kind, transitions []Transition, sightings []Sighting) Result {
	pending := map[Subject][]Transition{}
	for _, transition := range transitions {
		if transition.Subject.Kind == kind {
			pending[transition.Subject] = append(pending[transition.Subject], transition)
		}
	}
	result := Result{Kind: kind}
	for _, of := range pending {
		result.measure(of, sightings)
	}
	slices.Sort(result.Lags)
	return result
}

// measure counts the transitions of one subject.
func (r *Result) measure(pending []Transition, sightings []Sighting) {
	last := ""
	for _, sighting := range sightings {
		last = sighting.States[pending[0].Subject]
		seen := lastTo(last, pending, sighting.At)
		if seen < 0 {
			continue
		}
		r.Overtaken += seen
		r.Lags = append(r.Lags, sighting.At.Sub(pending[seen].At))
		if pending = pending[seen+1:]; len(pending) == 0 {
			return
		}
	}
	// A subject that is as it was seen last changed there and back unseen.
	if pending[len(pending)-1].State == last {
		r.Overtaken += len(pending)
	} else {
		r.Overtaken += len(pending) - 1
		r.Missing++
	}
}

// lastTo returns the last transition to a state until a moment, -1 if there is none. A subject that was in the state
// before, and in another one in between, is shown as it is: that the state before was not seen is no lag.
func lastTo(state string, pending []Transition, until time.Time) int {
	for at, transition := range slices.Backward(pending) {
		if transition.State == state && !transition.At.After(until) {
			return at
		}
	}
	return -1
}

// Transitions returns how many transitions there were.
func (r Result) Transitions() int {
	return len(r.Lags) + r.Overtaken + r.Missing
}

// Percentile returns the shortest lag that so many percent of the transitions did not exceed; zero if none was seen.
func (r Result) Percentile(percent int) time.Duration {
	if len(r.Lags) == 0 {
		return 0
	}
	rank := (len(r.Lags)*percent + 99) / 100
	return r.Lags[min(max(rank, 1), len(r.Lags))-1]
}
