package due

import (
	"time"
)

// Earlier returns the earlier of two moments; a zero time counts as none.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
