// Package retention deletes records that are past their time.
package retention

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/watch"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

const (
	purgePause = 24 * time.Hour   // between the end of a lap and the next one
	purgeLease = 10 * time.Minute // how long a claimed step is left alone: far longer than it takes
	purgeScan  = 1000             // entries that a step reads at most
	purgeBatch = 100              // entries that one transaction deletes at most
)

// Sweeper deletes old records of a store, lap by lap. Window is the duplicate window of order numbers. Purged leaves
// what has to outlive a payment, in the transaction that deletes it, under the merchant's passwords of these
// fingerprints.
type Sweeper struct {
	Store  store.Store
	Now    func() time.Time
	Queues *due.Queues
	Watch  *watch.Watch
	Keep   Keep
	Window time.Duration
	Purged func(tx store.Tx, p *records.Payment, passwords []string, now time.Time) error
}

func (s *Sweeper) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, s.Store, fn)
}

// Claim takes the next step, if it is due. The first lap of a store begins a day after its first claim.
func (s *Sweeper) Claim(ctx context.Context, limit int) ([]func(context.Context), error) {
	if limit < 1 {
		return nil, nil
	}
	now := s.Now()
	var claimed *records.Cursor
	err := s.update(ctx, func(tx store.Tx) error {
		claimed = nil
		at, err := records.Cursors.Get(tx)
		switch {
		case records.Absent(err):
			return records.Cursors.Put(tx, records.Cursor{Due: now.Add(purgePause)})
		case err != nil || at.Due.After(now): // another instance was faster
			return err
		}
		at.Due = now.Add(purgeLease)
		at.Step++
		claimed = &at
		return records.Cursors.Put(tx, at)
	})
	if err != nil || claimed == nil {
		return nil, err
	}
	purge := func(ctx context.Context) error { return s.purgeStep(ctx, *claimed) }
	return []func(context.Context){s.Queues.Logged("old records could not be deleted", claimed.Prefix, purge)}, nil
}

// Due returns when the next step is due. Before the first claim that is long ago.
func Due(r store.Reader) (time.Time, error) {
	at, err := records.Cursors.Get(r)
	if records.Absent(err) {
		return time.Unix(0, 0).UTC(), nil
	}
	return at.Due, err
}

// purgeStep does a claimed step and stores the next position. If it is interrupted, it is claimed again when its
// lease has ended.
func (s *Sweeper) purgeStep(ctx context.Context, at records.Cursor) error {
	now := s.Now()
	old, lost, next, err := s.findOld(ctx, at, now)
	if err != nil {
		return err
	}
	if err := s.keepLost(ctx, lost); err != nil {
		return err
	}
	for batch := range slices.Chunk(old, purgeBatch) {
		if err := s.deleteOld(ctx, batch, now); err != nil {
			return err
		}
	}
	if s.Watch.Listens(ctx) {
		s.Watch.Tell(ctx, observe.Swept{Records: len(old), Lap: next.Prefix == "", At: now})
	}
	return s.update(ctx, func(tx store.Tx) error {
		stands, err := records.Cursors.Get(tx)
		if err != nil || stands.Step != at.Step {
			return err // it took longer than its lease, so another instance has it
		}
		next.Step, next.Due = at.Step, now
		if next.Prefix == "" {
			next.Due = now.Add(purgePause)
		}
		return records.Cursors.Put(tx, next)
	})
}

// oldEntry is an entry that may be deleted.
type oldEntry struct {
	row *purgeRow
	key []byte
}

// lostEntry is an entry whose age cannot be read, and why.
type lostEntry struct {
	id  string
	why error
}

// keepLost lists entries whose age cannot be read, each once. They stay.
func (s *Sweeper) keepLost(ctx context.Context, lost []lostEntry) error {
	if len(lost) == 0 {
		return nil
	}
	var list due.Asides
	err := s.update(ctx, func(tx store.Tx) error {
		list = nil
		for _, entry := range lost {
			switch _, err := records.Asides.Get(tx, string(store.WorkPurge), records.Short(entry.id)); {
			case err == nil:
				continue
			case !records.Absent(err) && !store.IsUnreadable(err):
				return err
			}
			if err := list.Add(tx, store.Aside{Work: store.WorkPurge, ID: entry.id, At: s.Now()}, entry.why); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.Queues.ReportAsides(ctx, list)
	}
	return err
}

// findOld reads the entries of one step, across rows if needed. It returns which may be deleted, which cannot be
// judged, and where the next step begins.
func (s *Sweeper) findOld(ctx context.Context, at records.Cursor,
	now time.Time) (old []oldEntry, lost []lostEntry, next records.Cursor, err error) {
	err = s.Store.View(ctx, func(r store.Reader) error {
		old, lost, next = nil, nil, records.Cursor{}
		left, begun := purgeScan, at.Prefix == ""
		for i := range purgeRows {
			row := &purgeRows[i]
			from := []byte(nil)
			if row.prefix == at.Prefix {
				begun, from = true, at.From
			}
			if !begun {
				continue
			}
			if left == 0 {
				next = records.Cursor{Prefix: row.prefix}
				return nil
			}
			found, unread, stopped, err := s.findInRow(r, row, from, &left, now)
			if err != nil {
				return err
			}
			old, lost = append(old, found...), append(lost, unread...)
			if stopped != nil {
				next = records.Cursor{Prefix: row.prefix, From: stopped}
				return nil
			}
		}
		return nil
	})
	return old, lost, next, err
}

// findInRow reads entries of a row until the step's limit, and returns where it stopped; nil at the end of the row.
// An entry that cannot be judged stays.
func (s *Sweeper) findInRow(r store.Reader, row *purgeRow, from []byte, left *int,
	now time.Time) (old []oldEntry, lost []lostEntry, stopped []byte, err error) {
	for stopped = from; *left > 0; {
		found, unread, next, err := s.findInGroup(r, row, stopped, left, now)
		if err != nil {
			return nil, nil, nil, err
		}
		old, lost, stopped = append(old, found...), append(lost, unread...), next
		if stopped == nil {
			break
		}
	}
	return old, lost, stopped, nil
}

// findInGroup is findInRow up to the end of the first group that stays as a whole.
func (s *Sweeper) findInGroup(r store.Reader, row *purgeRow, from []byte, left *int,
	now time.Time) (old []oldEntry, lost []lostEntry, stopped []byte, err error) {
	for entry := range r.Scan(store.Range{Prefix: store.Key(row.prefix), From: from, Limit: *left}) {
		if entry.Err != nil {
			return nil, nil, nil, entry.Err
		}
		*left--
		verdict, err := row.judge(&judging{s, r, now}, entry.Key, entry.Value)
		switch {
		case due.IsLost(err):
			lost = append(lost, lostEntry{nameOf(entry.Key), err})
		case err != nil:
			return nil, nil, nil, err
		case verdict == restStays:
			return old, lost, nil, nil
		case verdict == groupStays:
			return old, lost, afterPrefix(row.group(entry.Key)), nil
		case verdict == goes:
			old = append(old, oldEntry{row, entry.Key})
		}
		stopped = append(entry.Key[:len(entry.Key):len(entry.Key)], 0)
	}
	if *left > 0 {
		stopped = nil
	}
	return old, lost, stopped, nil
}

// nameOf returns a key in readable form.
func nameOf(key []byte) string {
	parts, err := store.SplitKey(key)
	if err != nil {
		return fmt.Sprintf("%q", key)
	}
	return strings.ToValidUTF8(strings.Join(parts, "/"), "?")
}

// afterPrefix returns the first key after all keys with a prefix, whose last byte is the separator of parts.
func afterPrefix(prefix []byte) []byte {
	after := bytes.Clone(prefix)
	after[len(after)-1]++
	return after
}

// deleteOld deletes entries that may still be deleted, with the records that belong to them, in one transaction.
func (s *Sweeper) deleteOld(ctx context.Context, batch []oldEntry, now time.Time) error {
	return s.update(ctx, func(tx store.Tx) error {
		for _, entry := range batch {
			value, err := tx.Get(entry.key)
			if errors.Is(err, store.ErrNotFound) {
				continue // deleted in the meantime
			}
			if err != nil {
				return err
			}
			j := &judging{s, tx, now}
			verdict, err := entry.row.judge(j, entry.key, value)
			if due.IsLost(err) {
				continue // the next lap reports it
			}
			if err != nil {
				return err
			}
			if verdict != goes {
				continue // it has changed in the meantime
			}
			if entry.row.along != nil {
				if err := entry.row.along(j, tx, store.Entry{Key: entry.key, Value: value}); err != nil {
					return err
				}
			}
			_, err = due.Unlist(tx, store.WorkPurge, nameOf(entry.key))
			if err = errors.Join(err, tx.Delete(entry.key)); err != nil {
				return err
			}
		}
		return nil
	})
}
