package faults

import (
	"sync"
	"testing"
)

// TestRandomConcurrently checks with the race detector that the generator is safe for concurrent use.
func TestRandomConcurrently(t *testing.T) {
	const readers, reads = 8, 100
	random, seen := newRandom(1, 0), make([]map[uint64]bool, readers)
	var running sync.WaitGroup
	for reader := range readers {
		seen[reader] = map[uint64]bool{}
		running.Go(func() {
			for range reads {
				seen[reader][random.Uint64()] = true
			}
		})
	}
	running.Wait()
	all := map[uint64]bool{}
	for _, values := range seen {
		for value := range values {
			all[value] = true
		}
	}
	if len(all) != readers*reads {
		t.Errorf("%d of %d values came twice", readers*reads-len(all), readers*reads)
	}
}
