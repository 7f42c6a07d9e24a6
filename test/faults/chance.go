package faults

import (
	"math/rand/v2"
	"sync"
)

// newChance returns what a seed decides, to be asked by everybody at once: all that a rand.Rand holds is its source.
func newChance(seed, sequence uint64) *rand.Rand {
	return rand.New(&sharedSource{source: rand.NewPCG(seed, sequence)})
}

// sharedSource is a source that many may ask at once.
type sharedSource struct {
	lock   sync.Mutex
	source rand.Source
}

// Uint64 is part of rand.Source.
func (s *sharedSource) Uint64() uint64 {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.source.Uint64()
}
