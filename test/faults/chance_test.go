package faults

import (
	"sync"
	"testing"
)

// TestRandomIsConcurrent: the race detector tells if it is not.
func TestRandomIsConcurrent(t *testing.T) {
	const askers, asked = 8, 100
	chance, seen := newChance(1, 0), make([]map[uint64]bool, askers)
	var asking sync.WaitGroup
	for asker := range askers {
		seen[asker] = map[uint64]bool{}
		asking.Go(func() {
			for range asked {
				seen[asker][chance.Uint64()] = true
			}
		})
	}
	asking.Wait()
	all := map[uint64]bool{}
	for _, values := range seen {
		for value := range values {
			all[value] = true
		}
	}
	if len(all) != askers*asked {
		t.Errorf("%d of %d values are another one's", askers*asked-len(all), askers*asked)
	}
}
