package postgres

import "sync/atomic"

// counts is what a store has done.
type counts struct {
	groups    atomic.Int64 // that were committed
	members   atomic.Int64 // that were committed in them
	conflicts atomic.Int64 // transactions that did not stand, and ran again
	alone     atomic.Int64 // transactions that had a turn of their own
}

// Counts returns what the store has done since Open: groups that were committed, transactions in them, transactions
// that ran again because what they had read had changed, and those that then had a turn of their own.
func (s *Store) Counts() (groups, transactions, conflicts, alone int64) {
	c := &s.counts
	return c.groups.Load(), c.members.Load(), c.conflicts.Load(), c.alone.Load()
}
