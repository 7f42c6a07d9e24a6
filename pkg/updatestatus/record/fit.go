package record

import (
	"encoding/json"
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// MaxBytes is the size of a status as JSON that a record stays below, whatever the names in the cluster: the object stays below
// 64 KiB with its metadata.
const MaxBytes = 60 << 10

// fit shortens the list that takes most until a record is small enough: names can have 253 characters. The last nodes are those
// that took least.
func fit(result *updatev1alpha1.UpdateRecordStatus) *updatev1alpha1.UpdateRecordStatus {
	for size(result) > MaxBytes {
		largest, shorten := 0, func() {}
		consider := func(list any, cut func()) {
			if bytes := size(list); bytes > largest {
				largest, shorten = bytes, cut
			}
		}
		consider(result.Nodes, func() { result.Nodes = shorter(result.Nodes) })
		consider(result.Episodes, func() { result.Episodes = shorter(result.Episodes) })
		consider(progressOf(result.Pools), func() { thinPools(result.Pools) })
		consider(withoutProgress(result.Pools), func() { result.Pools = shorter(result.Pools) })
		consider(result.Operators, func() { result.Operators = shorter(result.Operators) })
		shorten()
	}
	return result
}

// shorter returns a list without its last tenth.
func shorter[T any](list []T) []T {
	return list[:len(list)*9/10]
}

// fewestMoments is how many moments of the progress of a pool stay: its first, its last, and two between.
const fewestMoments = 4

// progressOf returns the progress of all pools that can still be thinned.
func progressOf(pools []updatev1alpha1.PoolRecord) [][]updatev1alpha1.PoolProgress {
	var all [][]updatev1alpha1.PoolProgress
	for _, one := range pools {
		if len(one.Progress) > fewestMoments {
			all = append(all, one.Progress)
		}
	}
	return all
}

// withoutProgress returns pools without the progress that can still be thinned.
func withoutProgress(pools []updatev1alpha1.PoolRecord) []updatev1alpha1.PoolRecord {
	pools = slices.Clone(pools)
	for at := range pools {
		if len(pools[at].Progress) > fewestMoments {
			pools[at].Progress = nil
		}
	}
	return pools
}

// thinPools leaves out a quarter of the moments of each pool.
func thinPools(pools []updatev1alpha1.PoolRecord) {
	for at := range pools {
		if moments := pools[at].Progress; len(moments) > fewestMoments {
			pools[at].Progress = thinned(moments, max(len(moments)*3/4, fewestMoments))
		}
	}
}

func size(result any) int {
	encoded, err := json.Marshal(result)
	if err != nil {
		panic(err) //nolint:forbidigo // it has only strings, numbers and times
	}
	return len(encoded)
}
