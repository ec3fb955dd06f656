// Package access says what a transaction of a back end may do now: nothing once it is over, no write while one of its
// scans is open, and nothing with a key or a value outside the limits.
package access

import "github.com/tollgatepay/gateway/store"

// Access belongs to one Reader or Tx. The zero value is that of one that has begun.
type Access struct {
	scans int // that are open
	over  bool
}

// End says that the function has returned to which the transaction was handed.
func (a *Access) End() { a.over = true }

// Reads returns why nothing may be read now, or nil.
func (a *Access) Reads() error {
	if a.over {
		return store.ErrDone
	}
	return nil
}

// ReadsKey returns why a key may not be read now, or nil.
func (a *Access) ReadsKey(key []byte) error {
	if err := a.Reads(); err != nil {
		return err
	}
	return store.CheckKey(key)
}

// Scans says that a scan begins, and ScanEnds that it is over.
func (a *Access) Scans() { a.scans++ }

// ScanEnds is the end of Scans.
func (a *Access) ScanEnds() { a.scans-- }

// Writes returns why nothing may be written now, or nil.
func (a *Access) Writes() error {
	if a.scans > 0 && !a.over {
		return store.ErrScanOpen
	}
	return a.Reads()
}

// WritesKey returns why a key may not be written or removed now, or nil.
func (a *Access) WritesKey(key []byte) error {
	if err := a.Writes(); err != nil {
		return err
	}
	return store.CheckKey(key)
}

// WritesValue returns why a value may not be written under a key now, or nil.
func (a *Access) WritesValue(key, value []byte) error {
	if err := a.WritesKey(key); err != nil {
		return err
	}
	return store.CheckValue(value)
}
