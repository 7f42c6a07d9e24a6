package simulator

import (
	"container/heap"
	"time"
)

// event is something that happens at a time.
type event struct {
	at time.Duration
	// sequence keeps events of the same time in the order in which they were planned.
	sequence   int
	background bool
	do         func()
}

// events is a heap of events, the next one first.
type events []event

var _ heap.Interface = &events{}

// Len implements heap.Interface.
func (e events) Len() int { return len(e) }

// Less implements heap.Interface.
func (e events) Less(i, j int) bool {
	if e[i].at != e[j].at {
		return e[i].at < e[j].at
	}
	return e[i].sequence < e[j].sequence
}

// Swap implements heap.Interface.
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }

// Push implements heap.Interface.
func (e *events) Push(x any) { *e = append(*e, x.(event)) }

// Pop implements heap.Interface.
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}
