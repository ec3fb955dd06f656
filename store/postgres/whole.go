package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tollgatepay/gateway/store"
)

// whole is the arguments of apply_all: a group of which all members are expected to stand, so that nothing has to say
// whose a key is. A key that is likely to be new is sent like one that was read and had no value.
type whole struct {
	reads   []store.Pair // what was read and is not overwritten by who has read it, each pair once
	scans   []scanned
	fresh   []store.Pair          // written under keys that have no value, or are likely to have none
	guessed []string              // the keys of the latter
	changed []change              // written under keys that were read with one
	blind   []store.Pair          // written under keys that were not read; after guess without those of guessed
	gone    []store.Pair          // removed
	known   map[string]store.Pair // the last read of each key; nil if there is only one transaction
}

type change struct{ was, is store.Pair }

// wholeOf returns the arguments for one transaction.
func wholeOf(t *tx) *whole {
	w := &whole{}
	w.add(t)
	return w
}

// add takes what a transaction has read, scanned and writes.
func (w *whole) add(t *tx) {
	w.write(t)
	w.scans = append(w.scans, t.scanned...)
	for _, pair := range t.pairs.list {
		if w.known[pair.Key()] == pair || t.overwrites(pair.Key()) {
			continue
		}
		if w.known != nil {
			w.known[pair.Key()] = pair
		}
		w.reads = append(w.reads, pair)
	}
}

// empty keeps the memory.
func (w *whole) empty() {
	clear(w.known)
	w.reads, w.fresh, w.blind, w.gone = dropped(w.reads), dropped(w.fresh), dropped(w.blind), dropped(w.gone)
	w.scans, w.changed, w.guessed = dropped(w.scans), dropped(w.changed), dropped(w.guessed)
}

// dropped returns the memory of a list without what was in it.
func dropped[T any](list []T) []T {
	clear(list)
	return list[:0]
}

// overwrites reports whether a transaction writes a value under a key.
func (t *tx) overwrites(key string) bool {
	i, found := t.find(key)
	return found && t.own[i].HasValue()
}

// write takes what a transaction writes.
func (w *whole) write(t *tx) {
	for _, pair := range t.own {
		switch read, known := pairIn(&t.pairs, pair.Key()); {
		case !pair.HasValue():
			w.gone = append(w.gone, pair)
		case !known:
			w.blind = append(w.blind, pair)
		case read.HasValue():
			w.changed = append(w.changed, change{read, pair})
		default:
			w.fresh = append(w.fresh, pair)
		}
	}
}

// guess takes keys that were not read for new ones where they are likely to be. It is called once, before the group is
// sent.
func (w *whole) guess(r *recent) {
	n := len(w.fresh)
	w.fresh, w.blind = r.sortOut(w.fresh, w.blind)
	for _, pair := range w.fresh[n:] {
		w.guessed = append(w.guessed, pair.Key())
	}
}

// arguments returns those of the function.
func (w *whole) arguments(lane uuid.UUID, number int64) *arguments {
	same := func(p store.Pair) store.Pair { return p }
	was := func(c change) store.Pair { return c.was }
	is := func(c change) store.Pair { return c.is }
	a := newArguments()
	a.id(lane)
	a.long(number)
	keys(a, w.reads, same)
	values(a, w.reads, same)
	texts(a, w.scans, func(s scanned) (string, bool) { return string(s.low), true })
	texts(a, w.scans, func(s scanned) (string, bool) { return string(s.high), true })
	numbers(a, w.scans, func(s scanned) int32 { return int32(s.n) })
	keys(a, w.fresh, same)
	values(a, w.fresh, same)
	keys(a, w.changed, is)
	values(a, w.changed, was)
	values(a, w.changed, is)
	keys(a, w.blind, same)
	values(a, w.blind, same)
	keys(a, w.gone, same)
	return a
}

// send carries the group out if all of it stands. Otherwise it does nothing and returns false.
func (w *whole) send(ctx context.Context, conn *pgx.Conn, schema string, lane uuid.UUID, number int64) (bool, error) {
	all := false
	err := call(ctx, conn, schema, "apply_all", w.arguments(lane, number), func(answer *pgconn.ResultReader) error {
		if answer.NextRow() {
			all = answer.Values()[0][0] != 0
		}
		_, err := answer.Close()
		return err
	})
	return all && err == nil, err
}
