package store

import (
	"bytes"
	"context"
	"errors"
	"iter"
)

// Optimistic runs fn as one serializable transaction, like Update, but does the work outside of it. fn first runs
// over a snapshot. The Update that follows only checks that what fn read is unchanged, and writes what fn wrote.
// So decoding, deciding and encoding happen beside other transactions and not behind them. When something has
// changed in between, or when fn scanned, fn runs again inside the Update. An error of fn over the snapshot is
// final: a transaction that writes nothing would have returned it at that moment.
func Optimistic(ctx context.Context, s Store, fn func(Tx) error) error {
	p := &plan{}
	err := s.View(ctx, func(r Reader) error {
		p.begin(r)
		return fn(p)
	})
	switch {
	case errors.Is(err, errScanned):
		return s.Update(ctx, fn)
	case err != nil || len(p.writes) == 0:
		return err
	}
	return s.Update(ctx, func(tx Tx) error {
		switch same, err := p.stands(tx); {
		case err != nil:
			return err
		case same:
			return p.carryOut(tx)
		default:
			return fn(tx)
		}
	})
}

// errScanned ends a plan that scans: its reads cannot be checked key by key.
var errScanned = errors.New("store: a plan does not scan")

// plan is a Tx that writes nothing: it records what was read and what has to be written.
type plan struct {
	reader Reader
	reads  []note
	writes []note // in order; a key appears once
	room   [12]note
}

// begin starts the plan over a snapshot, or starts it again when the store runs the function again. It has room
// for what a payment reads and writes.
func (p *plan) begin(r Reader) {
	p.reader = r
	p.reads, p.writes = p.room[:0:4], p.room[4:4]
}

// note is a key and its value; a nil value means that the key is absent.
type note struct{ key, value []byte }

func find(notes []note, key []byte) *note {
	for i := range notes {
		if bytes.Equal(notes[i].key, key) {
			return &notes[i]
		}
	}
	return nil
}

// Get returns the plan's own write, or the value in the snapshot.
func (p *plan) Get(key []byte) ([]byte, error) {
	value, err := p.read(key)
	return bytes.Clone(value), err
}

// read is Get for callers that change nothing.
func (p *plan) read(key []byte) ([]byte, error) {
	n := find(p.writes, key)
	if n == nil {
		n = find(p.reads, key)
	}
	if n == nil {
		value, err := p.reader.Get(key)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		p.reads = append(p.reads, note{bytes.Clone(key), value})
		n = &p.reads[len(p.reads)-1]
	}
	if n.value == nil {
		return nil, ErrNotFound
	}
	return n.value, nil
}

// Scan ends the plan: a scan cannot be planned.
func (p *plan) Scan(Range) iter.Seq[Entry] {
	return func(yield func(Entry) bool) { yield(Entry{Err: errScanned}) }
}

func (p *plan) Put(key, value []byte) error {
	if err := errors.Join(CheckKey(key), CheckValue(value)); err != nil {
		return err
	}
	p.set(key, bytes.Clone(value))
	return nil
}

func (p *plan) Insert(key, value []byte) error {
	switch _, err := p.Get(key); {
	case err == nil:
		return ErrExists
	case !errors.Is(err, ErrNotFound):
		return err
	}
	return p.Put(key, value)
}

func (p *plan) Delete(key []byte) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	p.set(key, nil)
	return nil
}

func (p *plan) set(key, value []byte) {
	if n := find(p.writes, key); n != nil {
		n.value = value
		return
	}
	p.writes = append(p.writes, note{bytes.Clone(key), value})
}

// Frugal is what the Tx of a back end may offer in addition, so that a plan is carried out without copying.
type Frugal interface {
	// Holds reports whether value is stored under key; nil asks whether the key is absent.
	Holds(key, value []byte) (bool, error)
	// Give is Put of bytes that the caller will not change any more; nil removes the key.
	Give(key, value []byte) error
}

// stands reports whether everything that was read is unchanged.
func (p *plan) stands(tx Tx) (bool, error) {
	frugal, ok := tx.(Frugal)
	for _, read := range p.reads {
		if ok {
			if same, err := frugal.Holds(read.key, read.value); err != nil || !same {
				return false, err
			}
			continue
		}
		value, err := tx.Get(read.key)
		switch {
		case errors.Is(err, ErrNotFound):
			value = nil
		case err != nil:
			return false, err
		}
		if (value == nil) != (read.value == nil) || !bytes.Equal(value, read.value) {
			return false, nil
		}
	}
	return true, nil
}

func (p *plan) carryOut(tx Tx) error {
	frugal, ok := tx.(Frugal)
	for _, write := range p.writes {
		var err error
		switch {
		case ok:
			err = frugal.Give(write.key, write.value)
		case write.value == nil:
			err = tx.Delete(write.key)
		default:
			err = tx.Put(write.key, write.value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
