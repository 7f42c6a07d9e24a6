package update

import "time"

// Built is a status that the controller built, read, with an insight about every node and nothing left out.
type Built struct {
	// Update must not be changed.
	*Update

	// At is when the controller last found that the sources report it, by the clock of what is observed.
	At time.Time
	// ConfirmedAt is when the controller last found that the object in the cluster has what the sources report, by the clock of real
	// traffic; zero if it has not yet.
	ConfirmedAt time.Time
}
