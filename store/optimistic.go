package store

import (
	"context"
	"errors"
	"sync"
)

// Optimistic runs fn as one serializable transaction, like Update, but does the work outside of it. fn first runs
// over a snapshot. The Update that follows only checks that what fn read is unchanged, and writes what fn wrote.
// So decoding, deciding and encoding happen beside other transactions and not behind them. When something has
// changed in between, or when fn scanned more than a plan keeps, fn runs again inside the Update. An error of fn
// over the snapshot is final: a transaction that writes nothing would have returned it at that moment.
func Optimistic(ctx context.Context, s Store, fn func(Tx) error) error {
	if planner, ok := s.(Planner); ok {
		return planner.Plan(ctx, fn)
	}
	p := &plan{}
	err := s.View(ctx, func(r Reader) error {
		p.begin(r)
		defer p.end()
		return fn(p)
	})
	switch {
	case p.abandoned:
		return s.Update(ctx, fn)
	case err != nil || len(p.writes) == 0:
		return err
	}
	sharer, ok := s.(Sharer)
	if !ok {
		return s.Update(ctx, p.orAgain(fn))
	}
	err = sharer.Share(ctx, func(tx Tx) error { return p.fulfil(tx, fell) })
	if errors.Is(err, errFell) {
		return s.Update(ctx, fn)
	}
	return err
}

// errFell ends a plan that does not stand.
var errFell = errors.New("store: what a plan had read has changed")

func fell(Tx) error { return errFell }

// fulfil carries the plan out if it stands, and calls otherwise if not.
func (p *plan) fulfil(tx Tx, otherwise func(Tx) error) error {
	switch same, err := p.stands(tx); {
	case err != nil:
		return err
	case same:
		return p.carryOut(tx)
	}
	return otherwise(tx)
}

// orAgain carries the plan out, or runs fn again if it does not stand. When the store runs that again, fn runs again
// too, although the plan may stand then: what fn has set outside is no longer that of the plan.
func (p *plan) orAgain(fn func(Tx) error) func(Tx) error {
	given := false
	return func(tx Tx) error {
		if given {
			return fn(tx)
		}
		return p.fulfil(tx, func(tx Tx) error {
			given = true
			return fn(tx)
		})
	}
}

// plan is a Tx that writes nothing: it records what was read and what has to be written.
type plan struct {
	reader    Reader
	reads     []Pair
	writes    []Pair // in order; a key appears once, and without a value if it is removed
	scans     []planScan
	run       int  // how often the store has run the function
	open      int  // scans of this run that have not ended
	state     any  // the reader's, if it tells
	abandoned bool // fn has to run again inside the Update, whatever it returned
	done      bool
	buffer    *[]byte // in which records are encoded, one after the other; nil before the first
	room      [plannedReads + plannedWrites]Pair
}

// A step of a payment reads and writes at most so many keys.
const (
	plannedReads  = 8
	plannedWrites = 8
)

// begin starts the plan over a snapshot, or starts it again when the store runs the function again.
func (p *plan) begin(r Reader) {
	*p = plan{reader: r, state: stateOf(r), run: p.run + 1}
	p.reads, p.writes = p.room[:0:plannedReads], p.room[plannedReads:plannedReads]
}

// end ends the plan. What a scan takes that is still open, as iter.Pull leaves it, is not known: there is no plan then.
func (p *plan) end() {
	p.done = true
	p.abandoned = p.abandoned || p.open > 0
	recycle(p.buffer)
	p.buffer = nil
}

// find returns the place of a key, or -1.
func find[K ~string | ~[]byte](pairs []Pair, key K) int {
	for i, pair := range pairs {
		if pair.Key() == string(key) {
			return i
		}
	}
	return -1
}

// Get returns the plan's own write, or the value in the snapshot.
func (p *plan) Get(key []byte) ([]byte, error) {
	pair, err := p.Lend(key)
	switch {
	case err != nil:
		return nil, err
	case !pair.HasValue():
		return nil, ErrNotFound
	}
	return []byte(pair.Value()), nil
}

// Lend implements Lender.
func (p *plan) Lend(key []byte) (Pair, error) {
	if p.done {
		return "", ErrDone
	}
	if i := find(p.writes, key); i >= 0 {
		return p.writes[i], nil
	}
	if i := find(p.reads, key); i >= 0 {
		return p.reads[i], nil
	}
	pair, err := lend(p.reader, key)
	if err != nil {
		return "", err
	}
	p.reads = append(p.reads, pair)
	return pair, nil
}

// Put plans to store value under key.
func (p *plan) Put(key, value []byte) error {
	if err := p.check(key); err != nil {
		return err
	}
	if err := CheckValue(value); err != nil {
		return err
	}
	p.write(NewPair(key, value))
	return nil
}

// Insert is Put, but returns ErrExists when the key has a value.
func (p *plan) Insert(key, value []byte) error {
	if err := p.check(key); err != nil {
		return err
	}
	if err := CheckValue(value); err != nil {
		return err
	}
	switch pair, err := p.Lend(key); {
	case err != nil:
		return err
	case pair.HasValue():
		return ErrExists
	}
	p.write(NewPair(key, value))
	return nil
}

// Delete plans to remove key.
func (p *plan) Delete(key []byte) error {
	if err := p.check(key); err != nil {
		return err
	}
	p.write(NewPair(key, nil))
	return nil
}

// Holds implements Frugal.
func (p *plan) Holds(pair Pair) (bool, error) {
	stored, err := p.Lend([]byte(pair.Key()))
	return stored == pair, err
}

// Give implements Frugal.
func (p *plan) Give(pair Pair) error {
	if err := p.writable(); err != nil {
		return err
	}
	p.write(pair)
	return nil
}

// check returns why key may not be written now, or nil.
func (p *plan) check(key []byte) error {
	if err := p.writable(); err != nil {
		return err
	}
	return CheckKey(key)
}

// writable returns why nothing may be written now, or nil.
func (p *plan) writable() error {
	switch {
	case p.done:
		return ErrDone
	case p.open > 0:
		return ErrScanOpen
	}
	return nil
}

func (p *plan) write(pair Pair) {
	if i := find(p.writes, pair.Key()); i >= 0 {
		p.writes[i] = pair
		return
	}
	p.writes = append(p.writes, pair)
}

// stands reports whether everything that was read is unchanged.
func (p *plan) stands(tx Tx) (bool, error) {
	if p.state != nil && p.state == stateOf(tx) {
		return true, nil // nothing at all has changed
	}
	for _, pair := range p.reads {
		if same, err := holdsSince(tx, p.state, pair); err != nil || !same {
			return false, err
		}
	}
	for _, scan := range p.scans {
		if same, err := scan.stands(tx); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

func (p *plan) carryOut(tx Tx) error {
	for _, pair := range p.writes {
		if err := give(tx, pair); err != nil {
			return err
		}
	}
	return nil
}

// buffers are those of plans and writes that have ended. What they write is a copy.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// keptBuffer is the most bytes of a buffer that others get.
const keptBuffer = 16 << 10

// borrow returns a buffer for a key and a document: a plan's own, which it lends to one after the other until it ends,
// or else a free one.
func borrow(tx Tx) *[]byte {
	p, ok := tx.(*plan)
	if !ok {
		return buffers.Get().(*[]byte)
	}
	if p.buffer == nil {
		p.buffer = buffers.Get().(*[]byte)
	}
	return p.buffer
}

// giveBack ends the use of a buffer that borrow has returned. The transaction has copied what it was handed.
func giveBack(tx Tx, buffer *[]byte) {
	if _, ok := tx.(*plan); !ok {
		recycle(buffer)
	}
}

// recycle lets others have a buffer.
func recycle(buffer *[]byte) {
	if buffer != nil && cap(*buffer) <= keptBuffer {
		buffers.Put(buffer)
	}
}
