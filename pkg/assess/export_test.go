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

// Patience returns how long a condition lasts before it is reported as a warning, and as an error.
func (c HealthCheck) Patience() (warning, failure time.Duration) {
	return c.patience.warning, c.patience.failure
}
