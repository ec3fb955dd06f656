package postgres

import (
	"bytes"
	"context"
	"iter"

	"github.com/tollgatepay/gateway/store"
)

// source answers questions: a snapshot, or a transaction that has the turn.
type source interface {
	ask(q *question) error
}

// reader implements store.Reader and store.Lender.
type reader struct {
	ctx   context.Context
	open  func() source         // of the snapshot, at the first question
	from  source                // nil until then
	pairs map[string]store.Pair // by key, with or without a value
	fault error                 // of the server, after which the function has to run again
	torn  bool                  // the pairs contradict each other
	done  bool
}

func (r *reader) ask(q *question) error {
	if r.fault != nil {
		return r.fault
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if r.from == nil {
		r.from = r.open()
	}
	q.ctx = r.ctx
	err := r.from.ask(q)
	if err != nil && r.ctx.Err() == nil {
		r.fault = err
	}
	return err
}

// lookup returns a key and its value in the snapshot.
func (r *reader) lookup(key []byte) (store.Pair, error) {
	if r.done {
		return "", store.ErrDone
	}
	if err := store.CheckKey(key); err != nil {
		return "", err
	}
	if pair, ok := r.pairs[string(key)]; ok {
		return pair, nil
	}
	q := &question{key: bytes.Clone(key)}
	if err := r.ask(q); err != nil {
		return "", err
	}
	r.remember(q.found[0])
	return q.found[0], nil
}

// remember keeps what was read. Two answers for one key mean that a value was assumed that is not there.
func (r *reader) remember(pair store.Pair) {
	if r.pairs == nil {
		r.pairs = map[string]store.Pair{}
	}
	if known, ok := r.pairs[pair.Key()]; ok && known != pair {
		r.torn = true
		return
	}
	r.pairs[pair.Key()] = pair
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

// walk yields the entries of a range, piece by piece. After an error it ends.
func (r *reader) walk(rg store.Range) iter.Seq2[store.Pair, error] {
	return func(yield func(store.Pair, error) bool) {
		if r.done {
			yield("", store.ErrDone)
			return
		}
		low, high := bounds(rg)
		piece := firstPiece
		for left := rg.Limit; left > 0 && bytes.Compare(low, high) < 0; piece = min(2*piece, lastPiece) {
			q := &question{low: low, high: high, limit: min(piece, left), reverse: rg.Reverse}
			if err := r.ask(q); err != nil {
				yield("", err)
				return
			}
			for _, pair := range q.found {
				if !yield(pair, nil) {
					return
				}
				left--
			}
			if len(q.found) < q.limit {
				return
			}
			low, high = rest(q)
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

// rest returns the bounds of what a question has not found yet.
func rest(q *question) (low, high []byte) {
	last := q.found[len(q.found)-1].Key()
	if q.reverse {
		return q.low, []byte(last)
	}
	return append([]byte(last), 0), q.high
}
