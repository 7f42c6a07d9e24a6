package insight

const (
	// BuildsASecond is how often in the long run a source assesses, a status is built and its summary is written at most, whatever
	// changes in a cluster of thousands of nodes: none of them is of use more often than the next one. A summary has a few KiB.
	BuildsASecond = 2
	// BuildsBurst is how many of each may come at once after a quiet time.
	BuildsBurst = 10
)
