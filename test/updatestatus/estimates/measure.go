package main

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"time"
)

// shares of the nodes that are done at which an estimate is measured, in percent.
var shares = []int{10, 25, 50, 75}

// row is what was measured of a scenario.
type row struct {
	Scenario

	// took is the median of how long the updates took.
	took time.Duration
	// errors are those at each of the shares: of what was left, and in proportion to it.
	errors [][]float64
	// without is how often there was no estimate.
	without int
}

// measure plays each scenario some times, as many of them at a time as there are processors.
func measure(scenarios []Scenario, runs int) []row {
	rows := make([]row, len(scenarios))
	inParallel(len(scenarios), func(at int) { rows[at] = measureOne(scenarios[at], runs) })
	return rows
}

// inParallel does something for each of a number, as many at a time as there are processors.
func inParallel(count int, do func(at int)) {
	var running sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for at := range count {
		running.Go(func() {
			free <- struct{}{}
			do(at)
			<-free
		})
	}
	running.Wait()
}

func measureOne(scenario Scenario, runs int) row {
	measured := row{Scenario: scenario, errors: make([][]float64, len(shares))}
	var took []time.Duration
	for run := range runs {
		moments := Play(scenario, uint64(run))
		end := moments[len(moments)-1].At
		took = append(took, end.Sub(start))
		for at, share := range shares {
			moment := moments[doneAt(share, scenario.Nodes)-1]
			if moment.Estimate.IsZero() {
				measured.without++
				continue
			}
			wrong := moment.Estimate.Sub(end).Abs()
			measured.errors[at] = append(measured.errors[at], float64(wrong)/float64(end.Sub(moment.At)))
		}
	}
	slices.Sort(took)
	measured.took = took[len(took)/2]
	for _, errors := range measured.errors {
		slices.Sort(errors)
	}
	return measured
}

// doneAt is how many nodes are done at a share: rounded down, but one at least.
func doneAt(share, nodes int) int {
	return max(share*nodes/100, 1)
}

// quantile of sorted numbers: the smallest of them that the share of all is not above.
func quantile(sorted []float64, share float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[max(int(math.Ceil(share*float64(len(sorted))))-1, 0)]
}
