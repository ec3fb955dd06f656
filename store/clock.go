package store

import "time"

// Clock is what a back end that several instances share may offer in addition: one clock for all of them, however far
// those of their machines are apart. A gateway without a clock of its host's takes it for windows, leases, deadlines,
// dates and ids.
type Clock interface {
	// Now returns the present time. It is called often, also inside transactions, so it makes no request: a back
	// end measures from time to time how far its clock is from that of the machine. It never goes back.
	Now() time.Time
}

// ClockOf returns the clock of a store, or nil without one. It finds that of a store in a wrapper which has a method
// Unwrap() Store.
func ClockOf(s Store) Clock {
	for {
		if clock, ok := s.(Clock); ok {
			return clock
		}
		wrapper, ok := s.(interface{ Unwrap() Store })
		if !ok {
			return nil
		}
		s = wrapper.Unwrap()
	}
}
