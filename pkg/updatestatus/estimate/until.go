package estimate

import (
	"math"
	"slices"
	"time"
)

// This file estimates how far pools are at a moment: it plays their updates many times, with durations that are drawn from what is known of them.

const (
	// plays is how often an update is played.
	plays = 200
	// outside is the share of the plays that are outside of a range on either side: eight of ten are within it.
	outside = 0.1
	// unsafe is the share of the plays in which a node is in progress at the end although its pool was paused in time: less than the 5 % that are
	// meant, as the longest drains are longer than what is known of them.
	unsafe = 0.02
	// widened is by how much what is not known about the uncertainty itself extends a range: width has it of normal distributions.
	widened = width / 1.28
)

// PoolUntil is how far a pool is at a moment.
type PoolUntil struct {
	// Fewest and Most nodes are updated then, of Total.
	Fewest, Most, Total int
	// PauseBy is the last moment at which the pool can be paused so that no node is in progress then, and InProgressUntil when the nodes that are in
	// progress at PauseBy are done. PauseBy is zero if nothing has to be paused, as all nodes are done. It is now if it is too late, or just not.
	PauseBy, InProgressUntil time.Time
	// IsLate is whether nodes that are in progress now may still be then.
	IsLate bool
}

// Until returns how far a pool is at a moment, false if that is not known: it is paused, stuck or has degraded nodes.
func (u Update) Until(at time.Time, of PoolNodes) (PoolUntil, bool) {
	_, isLast := u.operatorsLeft()
	_, isStarted := u.read(isLast)
	pool := u.readPool(of)
	result := PoolUntil{Fewest: pool.completed, Most: pool.completed, Total: pool.total}
	if pool.completed == pool.total {
		return result, true
	}
	if pool.Forecast(u.Now).unknown != nil {
		return result, false
	}
	level, sample, variance := u.known(of.Insight.Name, pool)
	p := player{pool: pool, level: level, deviation: math.Sqrt(min(variance, mixedVariance)), now: u.Now}
	scaled := sample.scale(level.mean)
	p.model = newDurationModel(&scaled)
	p.seconds = p.model.from(wholeUpdate)
	if !pool.isStarted() {
		start := u.start(of.Insight.Name, u.controlPlane(), isStarted)
		p.start = &start
	}
	result.set(&p, max(at.Sub(u.Now).Seconds(), 0))
	return result, true
}

// set plays the update of a pool until some seconds from now on.
func (r *PoolUntil) set(p *player, until float64) {
	random := new(draws)
	played := make([][]stay, plays)
	counts, pauses, late := make([]int, plays), make([]float64, plays), 0
	for at := range played {
		played[at] = p.play(random)
		pauses[at] = math.Inf(1)
		isLate := false
		for _, node := range played[at] {
			switch {
			case node.end <= until:
				counts[at]++
			case node.start < 0:
				isLate = true
			case node.start < until:
				pauses[at] = min(pauses[at], node.start)
			}
		}
		if isLate {
			late++
		}
	}
	slices.Sort(counts)
	slices.Sort(pauses)
	r.Fewest += counts[int(outside*plays)]
	r.Most += counts[plays-1-int(outside*plays)]
	r.IsLate = late > int(unsafe*plays)
	if r.Fewest == r.Total {
		return
	}
	pause := min(pauses[int(unsafe*plays)], until)
	var ends []float64
	for _, nodes := range played {
		last := pause
		for _, node := range nodes {
			if node.start < pause {
				last = max(last, node.end)
			}
		}
		ends = append(ends, last)
	}
	slices.Sort(ends)
	in := func(seconds float64) time.Time {
		return p.now.Add(time.Duration(seconds) * time.Second)
	}
	r.PauseBy, r.InProgressUntil = in(pause), in(min(ends[plays-1-int(unsafe*plays)], max(until, pause)))
	if r.IsLate {
		r.PauseBy, r.InProgressUntil = p.now, in(ends[plays-1-int(unsafe*plays)])
	}
}

// player plays the update of a pool.
type player struct {
	pool *Pool
	// level is how long nodes take, and deviation how much they differ.
	level     distribution
	deviation float64
	model     durationModel
	// seconds are what nodes took.
	seconds []float64
	// start is when the pool starts, nil if it has.
	start *span
	now   time.Time
}

// stay is from when to when a node is in progress, in seconds from now on. One that is in progress now has a negative start.
type stay struct {
	start, end float64
}

// play returns the nodes that are not done, as they may be updated.
func (p *player) play(random *draws) []stay {
	off := widened * math.Sqrt(p.level.variance) * random.normal()
	var nodes []stay
	var free []float64 // when a node can start
	for _, node := range p.pool.running {
		at, elapsed := p.model.present(node, p.now)
		seconds := p.model.from(at)
		left := rest(elapsed, distribution{mean: meanLogarithm(seconds) + off, variance: p.deviation * p.deviation}, random.uniform())
		nodes, free = append(nodes, stay{-1, left}), append(free, left+handover)
	}
	slices.Sort(free)
	parallel := max(p.pool.maxUnavailable, 1)
	if over := len(free) - parallel; over > 0 {
		free = free[over:]
	}
	begin := 0.0
	if p.start != nil {
		begin = p.start.draw(random.normal())
	}
	for len(free) < parallel {
		free = append(free, begin)
	}
	for range p.pool.waiting {
		next := slices.Index(free, slices.Min(free))
		start := max(free[next], begin)
		end := start + math.Exp(off)*p.draw(random)
		nodes = append(nodes, stay{start, end})
		free[next] = end + handover
	}
	return nodes
}

// sampled is of how many nodes it must be known what they took to take that as it is: the longest drains are longer than those of a log-normal
// distribution.
const sampled = 10

// draw returns how long a node may take.
func (p *player) draw(random *draws) float64 {
	if len(p.seconds) >= sampled {
		return p.seconds[int(random.uniform()*float64(len(p.seconds)))]
	}
	return math.Exp(p.level.mean + p.deviation*random.normal())
}

// draw returns a value of a span, by how many deviations it is off its middle.
func (s span) draw(deviations float64) float64 {
	side := s.high - s.middle
	if deviations < 0 {
		side = s.middle - s.low
	}
	return max(s.middle+deviations*side/1.28, 0)
}

// rest returns what is left of a duration of which some seconds have passed, at a share of what it may be.
func rest(elapsed float64, of distribution, share float64) float64 {
	deviation, longer := math.Sqrt(of.variance), 1.0
	if elapsed > 0 {
		longer = above(min((math.Log(elapsed)-of.mean)/deviation, farthest))
	}
	left := max(math.Exp(of.mean+deviation*beyond(longer*(1-share)))-elapsed, 0)
	if elapsed > of.seconds() {
		left = max(left, share*overdue*elapsed)
	}
	return left
}

func meanLogarithm(seconds []float64) float64 {
	var sum float64
	for _, one := range seconds {
		sum += math.Log(max(one, 1))
	}
	return sum / float64(len(seconds))
}

// draws are numbers that are as random as those of SplitMix64, and the same each time.
type draws uint64

// uniform returns a number between 0 and 1.
func (d *draws) uniform() float64 {
	*d++
	return (float64(mix(uint64(*d))>>11) + 0.5) / (1 << 53)
}

// normal returns a number of a normal distribution.
func (d *draws) normal() float64 {
	return beyond(d.uniform())
}
