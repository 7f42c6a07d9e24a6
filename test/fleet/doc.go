// Package fleet makes whole clusters of any size and shape, as the objects that an assessment takes, for tests and
// benchmarks of what must not depend on the size of a cluster. It has no clock and no dice: the same fleet is always the
// same cluster.
package fleet
