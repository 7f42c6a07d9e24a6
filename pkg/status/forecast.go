package status

import (
	"math"
	"slices"
	"time"
)

// queue is what is left to do in a pool.
type queue struct {
	// underway are the nodes that are being updated, waiting is how many have not begun.
	underway []job
	waiting  int
	// atOnce is how many the pool updates at once.
	atOnce int
	// others are what the nodes took that are done, or the rule of thumb; sorted.
	others []float64
}

// queueOf reads a pool at a moment.
func queueOf(r *rollout, p pace, now time.Time) queue {
	q := queue{waiting: r.waiting, atOnce: max(r.atOnce, 1)}
	var others [len(updatePhases)][]float64
	for at := range others {
		if others[at] = p.from(at); len(others[at]) == 0 {
			others[at] = []float64{usual[at].Seconds()}
		}
	}
	q.others = others[wholeUpdate]
	for _, node := range r.underway {
		at, elapsed := p.present(node, now)
		q.underway = append(q.underway, job{elapsed: elapsed, others: others[at]})
	}
	return q
}

// left is how long the pool is expected to take still, where each node that waits takes so long. Nodes that wait begin one
// after the other, as soon as one is done, and take what a node takes in the mean: a queue is worked off at the pace of the
// mean, not of the median. When the last of them has begun the slowest of those that are underway then is waited for, and
// in any case the slowest of those that are underway now.
func (q queue) left(each float64) float64 {
	if q.waiting == 0 {
		return slowest(q.underway)
	}
	slots := q.slots()
	begun := lastBegin(slots, each, q.waiting)
	return max(begun+slowest(q.at(slots, each, begun)), slowest(q.underway))
}

// slots are the moments at which one node after the other can begin: as many as the pool updates at once.
func (q queue) slots() []float64 {
	slots := make([]float64, 0, max(len(q.underway), q.atOnce))
	for _, node := range q.underway {
		slots = append(slots, node.rest())
	}
	slices.Sort(slots)
	if over := len(slots) - q.atOnce; over > 0 {
		// There are more than there may be: nothing begins when the first of them are done.
		return slots[over:]
	}
	return append(make([]float64, q.atOnce-len(slots)), slots...)
}

// lastBegin is when the last of those that wait begins. At least one does.
func lastBegin(slots []float64, each float64, waiting int) float64 {
	begunBy := func(when float64) int {
		begun := 0
		for _, free := range slots {
			if free <= when {
				begun += 1 + int((when-free)/each)
			}
		}
		return begun
	}
	low, high := 0.0, slots[len(slots)-1]+each*float64(waiting)
	for range bisections {
		if middle := (low + high) / 2; begunBy(middle) >= waiting {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

const (
	// bisections are enough for less than a second of a year.
	bisections = 26
	// steps are in how many pieces the time is cut in which the last nodes are done.
	steps = 64
	// mostJobs is how many nodes stand for all that are underway.
	mostJobs = 64
)

// at returns the nodes that will be underway when the last one begins.
func (q queue) at(slots []float64, each, begun float64) []job {
	var jobs []job
	for _, node := range q.underway {
		if node.rest() > begun {
			jobs = append(jobs, job{elapsed: node.elapsed + begun, others: node.others})
		}
	}
	started := 0
	for _, free := range slots {
		if free <= begun && started < q.waiting {
			started++
			jobs = append(jobs, job{elapsed: math.Mod(begun-free, each), others: q.others})
		}
	}
	return jobs
}

// slowest is how long the slowest of some nodes is expected to take: the area above the probability that all of them are
// done.
func slowest(jobs []job) float64 {
	if len(jobs) == 0 {
		return 0
	}
	if len(jobs) == 1 {
		return jobs[0].rest()
	}
	every := (len(jobs) + mostJobs - 1) / mostJobs
	var longest float64
	for at := 0; at < len(jobs); at += every {
		longest = max(longest, jobs[at].longest())
	}
	step, area := longest/steps, 0.0
	for piece := range steps {
		within := 1.0
		for at := 0; at < len(jobs) && within > 0; at += every {
			within *= jobs[at].doneWithin((float64(piece) + 0.5) * step)
		}
		area += step * (1 - math.Pow(within, float64(min(every, len(jobs)))))
	}
	return area
}

// each is what a node takes in the mean: those that are done, and those that are underway with what they are expected to
// take. Without these the first ones to be done, which are the fast ones, would speak for all.
func (q queue) each(now time.Time, underway []progress) float64 {
	sum, count := mean(q.others)*float64(len(q.others)), float64(len(q.others))
	for _, node := range underway {
		whole := job{elapsed: max(now.Sub(node.since).Seconds(), 0), others: q.others}
		sum += whole.elapsed + whole.rest()
		count++
	}
	return max(sum/count, 1)
}
