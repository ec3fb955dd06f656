package store

import (
	"bytes"
	"context"
	"errors"
)

// Lender is what the Reader of a back end may offer in addition, so that a value is read without copying.
type Lender interface {
	// Lend returns a key and its value, or the key without a value.
	Lend(key []byte) (Pair, error)
}

// Frugal is what the Tx of a back end may offer in addition, so that a plan is carried out without copying.
type Frugal interface {
	// Holds reports whether the key has the value of the pair, or none if the pair has none.
	Holds(pair Pair) (bool, error)
	// Give stores the value under the key; a pair without a value removes the key. Key and value are within the
	// limits.
	Give(pair Pair) error
}

// Planner is what a back end may offer in addition whose transactions plan by themselves: fn runs beside others,
// perhaps over values that are no longer the present ones, and all that it read is compared before anything comes of
// it.
type Planner interface {
	// Plan is Update. Optimistic leaves everything to it.
	Plan(ctx context.Context, fn func(Tx) error) error
}

// Presumer is what a back end may offer in addition that remembers what it has read. A request that reads some records
// and then writes needs no trip for what it reads: its first transaction compares that too.
type Presumer interface {
	// Presume runs fn, and once more if what fn has read turns out to have changed. Under the context that fn gets,
	// View may answer from memory until the first Update or Confirm. That compares what Views have found. If something
	// of it has changed it does nothing and returns ErrPresumed, and fn runs again, without presuming. What no Update
	// has compared is compared when fn has returned. So fn has no effects before its first Update or Confirm but what
	// it returns, by other ways too, and sets that anew each time; until that has ended it uses the store from one
	// goroutine. Presume returns the error of the run that counts, or the store's.
	Presume(ctx context.Context, fn func(context.Context) error) error
	// Confirm compares what was presumed under the context, as an Update would.
	Confirm(ctx context.Context) error
}

// Confirm comes before an effect outside of the store that no Update precedes. It returns ErrPresumed if fn of Presume
// has to run again.
func Confirm(ctx context.Context, s Store) error {
	if p, ok := s.(Presumer); ok {
		return p.Confirm(ctx)
	}
	return nil
}

// Sharer is what a back end may offer in addition, so that one caller does the work of others who wait.
type Sharer interface {
	// Share is Update, but fn may run on the goroutine of another caller. It must not panic or end its goroutine.
	Share(ctx context.Context, fn func(Tx) error) error
}

// stated is what the Reader and the Tx of a back end of ours may have in addition: the state that they show, as a value
// that is that of no other state while someone holds it.
type stated interface{ State() any }

// follower is what the Tx of a back end of ours that tells its state may have in addition.
type follower interface {
	// HoldsSince is Holds of a pair as it was in a state. So only what has changed since has to be looked at.
	HoldsSince(state any, pair Pair) (bool, error)
}

// stateOf returns the state that a Reader shows; nil for one that does not tell.
func stateOf(r Reader) any {
	if s, ok := r.(stated); ok {
		return s.State()
	}
	return nil
}

// lend is Lend, also for a Reader that does not offer it.
func lend(r Reader, key []byte) (Pair, error) {
	if lender, ok := r.(Lender); ok {
		return lender.Lend(key)
	}
	value, err := r.Get(key)
	if errors.Is(err, ErrNotFound) {
		value, err = nil, nil
	}
	if err != nil {
		return "", err
	}
	return NewPair(key, value), nil
}

// holds is Holds, also for a Tx that does not offer it.
func holds(tx Tx, pair Pair) (bool, error) {
	if frugal, ok := tx.(Frugal); ok {
		return frugal.Holds(pair)
	}
	value, err := tx.Get([]byte(pair.Key()))
	if errors.Is(err, ErrNotFound) {
		return !pair.HasValue(), nil
	}
	return pair.HasValue() && bytes.Equal(value, []byte(pair.Value())), err
}

// holdsSince is HoldsSince, also for a Tx that does not offer it.
func holdsSince(tx Tx, state any, pair Pair) (bool, error) {
	if f, ok := tx.(follower); ok && state != nil {
		return f.HoldsSince(state, pair)
	}
	return holds(tx, pair)
}

// give is Give, also for a Tx that does not offer it.
func give(tx Tx, pair Pair) error {
	if frugal, ok := tx.(Frugal); ok {
		return frugal.Give(pair)
	}
	if !pair.HasValue() {
		return tx.Delete([]byte(pair.Key()))
	}
	return tx.Put([]byte(pair.Key()), []byte(pair.Value()))
}

// giveNew is give, but returns ErrExists when the pair's key has a value.
func giveNew(tx Tx, key []byte, pair Pair) error {
	if _, ok := tx.(Frugal); !ok {
		return tx.Insert(key, []byte(pair.Value()))
	}
	switch stored, err := lend(tx, key); {
	case err != nil:
		return err
	case stored.HasValue():
		return ErrExists
	}
	return give(tx, pair)
}
