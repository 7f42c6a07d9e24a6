package controlplane

import (
	"cmp"
	"regexp"
	"strings"
)

// RequiredPoolsFailed is the reason with which machine-config is degraded because of the pools that it requires.
const RequiredPoolsFailed = "RequiredPoolsFailed"

// TimedOut is a pool for which machine-config has waited for longer than ten minutes a machine, with nothing wrong: bare metal takes longer.
type TimedOut struct {
	Name string
	// Updated and Total are its numbers of nodes, empty if they are not reported.
	Updated, Total string
}

// What machine-config says when it has waited that long (openshift/machine-config-operator, pkg/operator/sync.go, syncRequiredMachineConfigPools,
// and pkg/operator/status.go, isMachineConfigPoolConfigurationValid). Up to 4.22 some texts begin with "error".
var (
	behindPools  = regexp.MustCompile(`MachineConfigPool ([a-z0-9.-]+) has not progressed to latest configuration: `)
	unreadyPools = regexp.MustCompile(`required MachineConfigPool ([a-z0-9.-]+) is not ready, retrying\. Status: \(total: (\d+), ready:? \d+, updated: (\d+), unavailable: \d+, degraded: 0\)`)
	updatedPools = regexp.MustCompile(`: (\d+) \(ready \d+\) out of (\d+) nodes are updating to latest configuration`)
	// notTimedOut is in what it says of pools in which something is wrong.
	notTimedOut = []string{"is paused", "was paused", "pool is degraded because", "pool degraded: true"}
)

// TimedOutPool returns the pool for which machine-config has waited too long by a message of its condition Degraded, and whether there is one.
func TimedOutPool(message string) (TimedOut, bool) {
	for _, text := range notTimedOut {
		if strings.Contains(message, text) {
			return TimedOut{}, false
		}
	}
	if found := unreadyPools.FindStringSubmatch(message); found != nil {
		return TimedOut{Name: found[1], Total: found[2], Updated: found[3]}, true
	}
	found := behindPools.FindStringSubmatch(message)
	if found == nil {
		return TimedOut{}, false
	}
	pool := TimedOut{Name: found[1]}
	if counts := updatedPools.FindStringSubmatch(message); counts != nil {
		pool.Updated, pool.Total = counts[1], counts[2]
	}
	return pool, true
}

// progress returns how far the pool is, as the end of a sentence, nothing if that is not reported.
func (t TimedOut) progress() string {
	if cmp.Or(t.Total, "0") == "0" {
		return ""
	}
	return ": " + t.Updated + " of " + t.Total + " updated"
}
