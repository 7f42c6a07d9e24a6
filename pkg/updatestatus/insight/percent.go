package insight

import "math"

// Percent returns a share in percent, rounded half to even as `oc adm upgrade status` does, but 100 only for all. The total must not be
// zero.
func Percent(done, total int32) int32 {
	if done == total {
		return 100
	}
	return min(int32(math.RoundToEven(100*float64(done)/float64(total))), 99)
}
