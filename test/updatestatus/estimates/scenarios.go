package main

import (
	"math"
	"math/rand/v2"
	"time"
)

// runs is how many updates of each scenario are played for the page.
const runs = 20

// Scenario is a pool whose updates are played.
type Scenario struct {
	Nodes, MaxUnavailable int
	Times                 Times
}

// Times are how long nodes take.
type Times struct {
	Name string
	// Drain, Update and Reboot are what the phases take. There is no drain and no reboot that takes no time.
	Drain, Update, Reboot Spread
	// Slow is the share of drains that take between SlowFrom and SlowTo.
	Slow             float64
	SlowFrom, SlowTo time.Duration
}

// Spread is a log-normal distribution: half of all are below the median, two thirds within a factor of e to the sigma.
type Spread struct {
	Median time.Duration
	Sigma  float64
}

func (s Spread) draw(random *rand.Rand) time.Duration {
	return time.Duration(float64(s.Median) * math.Exp(s.Sigma*random.NormFloat64())).Round(time.Second)
}

func (t Times) drain(random *rand.Rand) time.Duration {
	if random.Float64() < t.Slow {
		return t.SlowFrom + time.Duration(random.Int64N(int64(t.SlowTo-t.SlowFrom))).Round(time.Second)
	}
	return t.Drain.draw(random)
}

// times are three kinds of machines and workloads, and two of updates without a reboot. They are guesses at what is usual, made before
// anything was measured.
func times() []Times {
	return []Times{
		{
			Name:  "virtual machines",
			Drain: Spread{2 * time.Minute, 0.6}, Update: Spread{3 * time.Minute, 0.3}, Reboot: Spread{3 * time.Minute, 0.25},
		},
		{
			Name:  "long drains",
			Drain: Spread{8 * time.Minute, 0.8}, Update: Spread{4 * time.Minute, 0.3}, Reboot: Spread{5 * time.Minute, 0.3},
			Slow: 0.05, SlowFrom: 20 * time.Minute, SlowTo: 45 * time.Minute,
		},
		{
			Name:  "bare metal",
			Drain: Spread{5 * time.Minute, 0.5}, Update: Spread{5 * time.Minute, 0.3}, Reboot: Spread{25 * time.Minute, 0.2},
		},
		{
			Name:  "drained, not rebooted",
			Drain: Spread{2 * time.Minute, 0.6}, Update: Spread{20 * time.Second, 0.5},
		},
		{Name: "neither drained nor rebooted", Update: Spread{15 * time.Second, 0.5}},
	}
}

func scenarios() []Scenario {
	var all []Scenario
	for _, times := range times() {
		for _, pool := range []struct{ nodes, maxUnavailable int }{{3, 1}, {6, 1}, {6, 2}, {30, 1}, {30, 3}, {60, 6}} {
			all = append(all, Scenario{Nodes: pool.nodes, MaxUnavailable: pool.maxUnavailable, Times: times})
		}
	}
	return all
}
