package faults

import (
	"math/rand/v2"
	"sync"
)

// newRandom returns a random number generator with a seed. It is safe for concurrent use: the state of a rand.Rand is its source.
func newRandom(seed, sequence uint64) *rand.Rand {
	return rand.New(&sharedSource{source: rand.NewPCG(seed, sequence)})
}

// sharedSource is a source that is safe for concurrent use.
type sharedSource struct {
	lock   sync.Mutex
	source rand.Source
}

// Uint64 implements rand.Source.
func (s *sharedSource) Uint64() uint64 {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.source.Uint64()
}
