package update

import "time"

// Built is a status that the controller built, read, with an insight about every node and nothing left out.
type Built struct {
	// Update must not be changed.
	*Update

	// At is when the controller last found that the sources report it, by the clock of what is observed, and ConfirmedAt by that
	// of real traffic.
	At, ConfirmedAt time.Time
}
