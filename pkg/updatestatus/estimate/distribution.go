package estimate

import (
	"math"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// distribution is what is known about a duration before it has passed. Durations are log-normal: they can't be negative, and are rather
// a multiple of what is expected than a fraction.
type distribution struct {
	// mean is that of the logarithm of the seconds, and variance how uncertain it is.
	mean, variance float64
	basis          updatev1alpha1.EstimateBasis
}

// with returns what is known with more evidence: each side counts by how certain it is (the conjugate rule of normal
// distributions). What the evidence contradicts by more than two of its standard deviations counts less: something has changed.
func (b distribution) with(evidence distribution) distribution {
	surprise := (evidence.mean-b.mean)*(evidence.mean-b.mean) - 4*evidence.variance
	variance := max(b.variance, surprise)
	share := variance / (variance + evidence.variance)
	basis := b.basis
	if share > 0.5 {
		basis = evidence.basis
	}
	return distribution{mean: b.mean + share*(evidence.mean-b.mean), variance: share * evidence.variance, basis: basis}
}

// seconds returns the median.
func (b distribution) seconds() float64 {
	return math.Exp(b.mean)
}

// span is how many seconds something takes: at least, in the middle, and at most.
type span struct {
	low, middle, high float64
}

// width is how many standard deviations a range has on either side of its middle. Of a normal distribution, 1.28 have eight of
// ten; what is not known about the uncertainty itself takes the rest.
const width = 1.4

// spread returns a span around a middle that is log-normal.
func spread(middle, variance float64) span {
	factor := math.Exp(width * math.Sqrt(variance))
	return span{low: middle / factor, middle: middle, high: middle * factor}
}

// then returns the span of one thing after the other: their deviations are independent.
func (s span) then(next span) span {
	middle := s.middle + next.middle
	return span{
		low: max(middle-math.Hypot(s.middle-s.low, next.middle-next.low), 0), middle: middle,
		high: middle + math.Hypot(s.high-s.middle, next.high-next.middle),
	}
}

// rest returns what is left of a duration of which some seconds have passed: shares of the distribution beyond them. What takes
// longer than was expected may take a quarter of that still.
func (b distribution) rest(elapsed float64) span {
	deviation := math.Sqrt(b.variance)
	left := 1.0 // the probability that it takes longer than what has passed
	if elapsed > 0 {
		left = above(min((math.Log(elapsed)-b.mean)/deviation, farthest))
	}
	quantile := func(deviations float64) float64 {
		z := beyond(left * above(deviations))
		return max(math.Exp(b.mean+deviation*z)-elapsed, 0)
	}
	s := span{low: quantile(-width), middle: quantile(0), high: quantile(width)}
	if elapsed > b.seconds() {
		s.high = max(s.high, overdue*elapsed)
		s.middle = min(s.middle, s.high)
	}
	return s
}

// farthest is beyond how many standard deviations nothing more is said about what is left.
const farthest = 6

// above returns the probability of more than some standard deviations, and beyond is its inverse.
func above(deviations float64) float64 {
	return math.Erfc(deviations/math.Sqrt2) / 2
}

func beyond(probability float64) float64 {
	return math.Sqrt2 * math.Erfcinv(2*probability)
}
