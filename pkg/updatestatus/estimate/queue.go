package estimate

import (
	"math"
	"slices"
	"time"
)

// queue is what is left to do in a pool.
type queue struct {
	running []runningNode
	// waiting is how many nodes have not started.
	waiting int
	// parallel is how many nodes the pool updates at a time.
	parallel int
	// others are what the nodes took that are done, or the rule of thumb; sorted.
	others []float64
}

func newQueue(p *Pool, m durationModel, now time.Time) queue {
	q := queue{waiting: p.waiting, parallel: max(p.maxUnavailable, 1)}
	var others [len(phases)][]float64
	for at := range others {
		others[at] = m.from(at)
	}
	q.others = others[wholeUpdate]
	for _, node := range p.running {
		at, elapsed := m.present(node, now)
		q.running = append(q.running, runningNode{elapsed: elapsed, others: others[at]})
	}
	return q
}

// handover is how long it takes from when a node is done until the next one starts: the node controller of the Machine Config Operator
// syncs a pool five seconds after one of its nodes has changed (pkg/controller/node/node_controller.go, defaultUpdateDelay), and
// both are written and observed. It is most of the time where nodes neither drain nor reboot.
const handover = 7.0

// left returns how long the pool is expected to take still. Each waiting node takes the mean and not the median, and starts
// when another one is done. When the last one has started, the slowest of those that are running then is waited for; in any
// case the slowest of those that are running now.
func (q queue) left(each float64) float64 {
	if q.waiting == 0 {
		return slowest(q.running)
	}
	slots := q.slots()
	started := lastStart(slots, each+handover, q.waiting)
	return max(started+slowest(q.at(slots, each+handover, started)), slowest(q.running))
}

// slots returns the moments at which a waiting node can start, one for each node that the pool updates at a time.
func (q queue) slots() []float64 {
	slots := make([]float64, 0, max(len(q.running), q.parallel))
	for _, node := range q.running {
		slots = append(slots, node.rest()+handover)
	}
	slices.Sort(slots)
	if over := len(slots) - q.parallel; over > 0 {
		// More are running than may: nothing starts when the first of them are done.
		return slots[over:]
	}
	return append(make([]float64, q.parallel-len(slots)), slots...)
}

// lastStart returns when the last of the waiting nodes starts, where each takes some time until the next one starts. There is at
// least one.
func lastStart(slots []float64, each float64, waiting int) float64 {
	startedBy := func(when float64) int {
		started := 0
		for _, free := range slots {
			if free <= when {
				started += 1 + int((when-free)/each)
			}
		}
		return started
	}
	low, high := 0.0, slots[len(slots)-1]+each*float64(waiting)
	for range bisections {
		if middle := (low + high) / 2; startedBy(middle) >= waiting {
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
	// sampledNodes is how many nodes stand for all that are running.
	sampledNodes = 64
)

// at returns the nodes that will be running when the last one starts.
func (q queue) at(slots []float64, each, lastStart float64) []runningNode {
	var running []runningNode
	for _, node := range q.running {
		if node.rest() > lastStart {
			running = append(running, runningNode{elapsed: node.elapsed + lastStart, others: node.others})
		}
	}
	started := 0
	for _, free := range slots {
		if free <= lastStart && started < q.waiting {
			started++
			running = append(running, runningNode{elapsed: math.Mod(lastStart-free, each), others: q.others})
		}
	}
	return running
}

// slowest returns how long the slowest of some nodes is expected to take: the area above the probability that all of them
// are done.
func slowest(nodes []runningNode) float64 {
	if len(nodes) == 0 {
		return 0
	}
	if len(nodes) == 1 {
		return nodes[0].rest()
	}
	every := (len(nodes) + sampledNodes - 1) / sampledNodes
	var longest float64
	for at := 0; at < len(nodes); at += every {
		longest = max(longest, nodes[at].longest())
	}
	step, area := longest/steps, 0.0
	for piece := range steps {
		within := 1.0
		for at := 0; at < len(nodes) && within > 0; at += every {
			within *= nodes[at].doneWithin((float64(piece) + 0.5) * step)
		}
		area += step * (1 - math.Pow(within, float64(min(every, len(nodes)))))
	}
	return area
}

// each returns what a node takes in the mean: those that are done, and those that are running with what they are expected to
// take. Without the latter, the first nodes to be done, which are the fast ones, would stand for all.
func (q queue) each(now time.Time, running []Progress) float64 {
	sum, count := mean(q.others)*float64(len(q.others)), float64(len(q.others))
	for _, node := range running {
		whole := runningNode{elapsed: max(now.Sub(node.started()).Seconds(), 0), others: q.others}
		sum += whole.elapsed + whole.rest()
		count++
	}
	return max(sum/count, 1)
}
