package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/describe"
)

// What --for names.
const (
	forAll          = "all"
	forControlPlane = "control-plane"
	forWorkers      = "workers"
	forPool         = "pool/"
)

var forParts = []string{forAll, forControlPlane, forWorkers, forPool + "NAME"}

func isPart(name string) bool {
	return slices.Contains(forParts[:3], name) || strings.HasPrefix(name, forPool) && name != forPool
}

// errTimeout ends a watch that takes longer than --timeout.
var errTimeout = errors.New("the time of --timeout is over")

// until is what a watch waits for.
type until struct {
	part string
	// started is whether an update has been seen, or need not be.
	started bool
}

// reached returns whether the part is complete. A status with which something is wrong shows nothing of that.
func (u *until) reached(shown *observation, now time.Time) (bool, error) {
	if shown.check(now) != nil {
		return false, nil
	}
	us := shown.updateStatus
	u.started = u.started || !describe.NotUpdating(us)
	if !u.started {
		return false, nil
	}
	pool, isPool := strings.CutPrefix(u.part, forPool)
	switch {
	case isPool:
		complete, exists := describe.IsPoolComplete(us, pool)
		if !exists {
			return false, fmt.Errorf("there is no pool %s", pool)
		}
		return complete, nil
	case u.part == forControlPlane:
		return describe.IsControlPlaneComplete(us), nil
	case u.part == forWorkers:
		return describe.AreWorkersComplete(us), nil
	default:
		return describe.NotUpdating(us), nil
	}
}
