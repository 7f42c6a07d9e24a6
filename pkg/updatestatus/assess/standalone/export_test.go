package standalone

// PayloadOperators returns the names of the cluster operators that are known to be in a payload.
func PayloadOperators() []string {
	var names []string
	for _, operator := range payloadOperators {
		names = append(names, operator.name)
	}
	return names
}
