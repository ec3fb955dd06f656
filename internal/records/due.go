package records

import (
	"errors"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// MoveEntry moves the entry of an item from one due time to another; the zero time means none.
func MoveEntry(tx store.Tx, q store.FairQueue, party, id string, was, due time.Time) error {
	return moveEntry(tx, q, party, id, was, due, was)
}

// moveEntry is MoveEntry at a time. An entry whose time has not come is in one place only, and needs one write.
func moveEntry(tx store.Tx, q store.FairQueue, party, id string, was, due, now time.Time) error {
	spot := store.Spot{Group: party}
	var err error
	if !was.IsZero() {
		err = q.Remove(tx, spot, id, was, now)
	}
	if !due.IsZero() {
		err = errors.Join(err, q.Put(tx, spot, id, due, time.Time{}))
	}
	return err
}

// MoveDue moves the recovery entry of a transaction from an old due time to its own, at a time.
func MoveDue(tx store.Tx, t *Transaction, was, now time.Time) error {
	if was.Equal(t.Due) {
		return nil
	}
	return moveEntry(tx, RecoveryQueue, t.Connector, EntryOf(t), was, t.Due, now)
}

// The kinds of entries in DueQueue; the merchant and the token or id follow.
const (
	DueChain    = "c:"
	DueSchedule = "p:"
)

// SplitDue reads an entry of DueQueue: its kind, the merchant, and the token of a chain or the id of a schedule.
func SplitDue(entry string) (kind, merchant, id string, ok bool) {
	at := strings.LastIndexByte(entry, '/') // an id of ours follows
	if at < len(DueChain) {
		return "", "", "", false
	}
	return entry[:len(DueChain)], entry[len(DueChain):at], entry[at+1:], true
}
