package postgres

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/access"
)

// source answers questions: a snapshot, or a transaction that has the turn.
type source interface {
	ask(q *question) error
}

// reader implements store.Reader and store.Lender. It answers from memory for as long as it can. Then it joins a
// snapshot, and what it has answered so far is compared there: if something has changed it is torn, and the function
// has to run again.
type reader struct {
	access.Access
	ctx     context.Context
	until   time.Time // see question
	hub     *snapshots
	from    source  // nil until the first question, then a snapshot of the hub; a turn is known from the start
	checks  *checks // compares what is from memory when the function has ended without a snapshot
	recent  *recent // the memory; nil for a reader without
	pairs   seen
	assumed int                   // so many of the pairs, the first ones, are from memory and were not compared yet
	ahead   []string              // keys that the function is likely to read, to be asked for with the first question
	ready   map[string]store.Pair // the answers to those
	fault   error                 // of the server, after which the function has to run again
	torn    bool                  // a value from memory was not the present one
}

// errTorn ends a function that has read what is not there. The caller does not see it.
var errTorn = errors.New("postgres: what was read from memory has changed")

func (r *reader) ask(q *question) error {
	if r.from == nil {
		r.from = r.hub.join()
	}
	return r.askOf(r.from, q)
}

// askOf asks a source, also for what was assumed.
func (r *reader) askOf(from source, q *question) error {
	switch {
	case r.fault != nil:
		return r.fault
	case r.torn:
		return errTorn
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	}
	own := len(q.keys)
	for _, pair := range r.pairs.list[:r.assumed] {
		q.keys = append(q.keys, pair.Key())
	}
	q.ctx, q.until, q.keys = r.ctx, r.until, append(q.keys, r.ahead...)
	if err := from.ask(q); err != nil {
		if r.ctx.Err() == nil {
			r.fault = err
		}
		return err
	}
	return r.compare(q.found[own:])
}

// compare looks whether what was assumed is there, and keeps what was asked ahead.
func (r *reader) compare(found []store.Pair) error {
	n := r.assumed
	r.torn = r.torn || !slices.Equal(found[:n], r.pairs.list[:n])
	if len(found) > n {
		r.ready = make(map[string]store.Pair, len(found)-n)
	}
	for _, pair := range found[n:] {
		r.ready[pair.Key()] = pair
	}
	r.assumed, r.ahead = 0, nil
	if r.torn {
		return errTorn
	}
	return nil
}

// holds reports whether what the function has read was there at one moment. It asks if that is not known yet.
func (r *reader) holds() bool {
	if r.assumed > 0 && !r.torn {
		return r.askOf(r.checks, &question{}) == nil
	}
	return r.fault == nil && !r.torn
}

// run runs a function over a reader, which is over then. What it read from memory is compared if checked says so; else
// that is done later.
func (r *reader) run(fn func() error, checked func(error) bool) (err error) {
	ended := false
	defer func() {
		if !ended && !r.holds() { // it has panicked, maybe at what is not there
			_ = recover()
			r.torn = true
		}
		r.End()
		if snapshot, ok := r.from.(*snapshot); ok {
			snapshot.leave()
		}
	}()
	err = fn()
	ended = true
	if checked(err) && !r.holds() && r.fault == nil {
		r.torn = true
	}
	return err
}

// lookup returns a key and its value.
func (r *reader) lookup(key []byte) (store.Pair, error) {
	if err := r.ReadsKey(key); err != nil {
		return "", err
	}
	if pair, ok := pairIn(&r.pairs, key); ok {
		return pair, nil
	}
	if r.from == nil && r.recent != nil {
		if pair, ok := r.recent.recall(key); ok {
			r.assume(pair)
			return pair, nil
		}
	}
	pair, err := r.find(key)
	if err != nil {
		return "", err
	}
	r.pairs.put(pair)
	return pair, nil
}

// find gets a pair from what was asked ahead, or asks for it.
func (r *reader) find(key []byte) (store.Pair, error) {
	if pair, ok := r.ready[string(key)]; ok {
		return pair, nil
	}
	q := &question{keys: []string{string(key)}}
	if err := r.ask(q); err != nil {
		return "", err
	}
	return q.found[0], nil
}

// assume keeps a pair from memory. Before the first question there are no others.
func (r *reader) assume(pair store.Pair) {
	r.pairs.put(pair)
	r.assumed = len(r.pairs.list)
}

// Get implements store.Reader.
func (r *reader) Get(key []byte) ([]byte, error) { return valueOf(r.lookup(key)) }

func valueOf(pair store.Pair, err error) ([]byte, error) {
	switch {
	case err != nil:
		return nil, err
	case !pair.HasValue():
		return nil, store.ErrNotFound
	}
	return []byte(pair.Value()), nil
}

// Lend implements store.Lender.
func (r *reader) Lend(key []byte) (store.Pair, error) { return r.lookup(key) }

// Scan implements store.Reader.
func (r *reader) Scan(rg store.Range) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		for pair, err := range r.walk(rg) {
			if !yield(entryOf(pair, err)) {
				return
			}
		}
	}
}

func entryOf(pair store.Pair, err error) store.Entry {
	if err != nil {
		return store.Entry{Err: err}
	}
	return store.Entry{Key: []byte(pair.Key()), Value: []byte(pair.Value())}
}

// A scan asks for so many entries at first, and then for twice as many each time.
const (
	firstPiece = 16
	lastPiece  = 128
)

// walk yields the entries of a range, piece by piece. After an error it ends. One that was kept, by iter.Pull, ends
// with ErrDone after the function.
func (r *reader) walk(rg store.Range) iter.Seq2[store.Pair, error] {
	return func(yield func(store.Pair, error) bool) {
		if err := r.Reads(); err != nil {
			yield("", err)
			return
		}
		low, high := bounds(rg)
		piece := firstPiece
		for left := rg.Limit; left > 0 && bytes.Compare(low, high) < 0; piece = min(2*piece, lastPiece) {
			s := &stretch{low: low, high: high, limit: min(piece, left), reverse: rg.Reverse}
			if err := r.ask(&question{stretch: s}); err != nil {
				yield("", err)
				return
			}
			for _, pair := range s.found {
				if !yield(pair, nil) {
					return
				}
				if err := r.Reads(); err != nil {
					yield("", err)
					return
				}
				left--
			}
			if len(s.found) < s.limit {
				return
			}
			low, high = s.rest()
		}
	}
}

// bounds returns the range's bounds; there always is an upper one.
func bounds(rg store.Range) (low, high []byte) {
	low, high = rg.Bounds()
	if high == nil {
		high = beyond
	}
	return append([]byte{}, low...), bytes.Clone(high)
}

// rest returns the bounds of what was not found yet.
func (s *stretch) rest() (low, high []byte) {
	last := s.found[len(s.found)-1].Key()
	if s.reverse {
		return s.low, []byte(last)
	}
	return append([]byte(last), 0), s.high
}
