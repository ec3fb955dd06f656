package due

import (
	"time"
)

// Earlier is the earlier of two moments of which zero is none.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
