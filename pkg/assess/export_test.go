package assess

import "time"

// PayloadOperators returns the names of the cluster operators that are known to be in a payload.
func PayloadOperators() []string {
	var names []string
	for _, operator := range payloadOperators {
		names = append(names, operator.name)
	}
	return names
}

// Thresholds returns how long a condition lasts before it is reported as a warning, and as an error.
func (c HealthCheck) Thresholds() (warning, failure time.Duration) {
	return c.thresholds.warning, c.thresholds.failure
}
