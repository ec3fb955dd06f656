package sim

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/store"
)

var (
	errDisk  = errors.New("sim: the store does not work")
	errAbort = errors.New("sim: serialization failure")
)

// faultyStore is the store as one instance sees it: the shared one with every possible fault. A transaction is
// atomic; its caller is stopped before and after it.
type faultyStore struct {
	w    *World
	inst *instance
}

// Now implements store.Clock, for worlds without clocks of their own.
func (s *faultyStore) Now() time.Time { return s.inst.now() }

// View implements store.Store.
func (s *faultyStore) View(ctx context.Context, fn func(store.Reader) error) error {
	entered := s.inst.now()
	s.w.step(ctx, atView)
	if s.w.chance(storeReadError) {
		return errDisk
	}
	if presumes, err := s.presume(ctx, func(r store.Reader) error {
		return fn(datedReader{r, s.w.auditor.dated, procOf(ctx).id, entered})
	}); presumes {
		return err
	}
	s.guess(ctx, func(tx store.Tx) error { return fn(datedReader{tx, s.w.auditor.dated, procOf(ctx).id, entered}) })
	err := s.w.mem.View(ctx, func(r store.Reader) error {
		if s.w.defect == staleReads && s.w.faulty {
			r = staleReader{r, s.w.previous}
		}
		return fn(datedReader{r, s.w.auditor.dated, procOf(ctx).id, entered})
	})
	s.w.step(ctx, atViewed)
	s.slow(ctx)
	return err
}

// Presume implements store.Presumer, in worlds whose store remembers.
func (s *faultyStore) Presume(ctx context.Context, fn func(context.Context) error) error {
	if s.w.swarm.stale == 0 || !s.w.faulty || presumedIn(ctx) != nil {
		return fn(ctx)
	}
	p := &presumed{reads: map[string][]byte{}}
	err := fn(context.WithValue(ctx, presumedKey{}, p))
	switch fault := s.confirm(ctx, p); {
	case errors.Is(fault, store.ErrPresumed):
		s.w.log("a request runs again")
		return fn(ctx)
	case fault != nil:
		return fault
	}
	return err
}

// Confirm implements store.Presumer.
func (s *faultyStore) Confirm(ctx context.Context) error { return s.confirm(ctx, presumedIn(ctx)) }

func (s *faultyStore) confirm(ctx context.Context, p *presumed) error {
	if p == nil {
		return nil
	}
	p.closed = true
	if len(p.reads) == 0 && !p.torn {
		return nil
	}
	s.w.step(ctx, atView)
	if s.w.chance(storeReadError) {
		return errDisk
	}
	return s.w.mem.View(ctx, p.compare)
}

// judgeConfirmed reports an effect of a request which may have to run again.
func (w *World) judgeConfirmed(ctx context.Context, effect string) {
	if p := presumedIn(ctx); p != nil && (!p.closed || p.torn) {
		w.fail("%s comes of what was presumed and not compared", effect)
	}
}

// presume runs the function of a View over what the store remembers, and takes what it reads there for the present. It
// is false if the View has to be answered from what is there.
func (s *faultyStore) presume(ctx context.Context, fn func(store.Reader) error) (presumes bool, err error) {
	p := presumedIn(ctx)
	if p == nil || p.closed || fraction(s.w.rng) >= s.w.swarm.stale {
		return false, nil
	}
	s.w.log("a view of what was there")
	r := &presumingReader{reads: map[string][]byte{}}
	err = s.w.mem.View(ctx, func(present store.Reader) error {
		r.Reader = staleReader{present, s.w.previous}
		return fn(r)
	})
	if r.scanned {
		return false, nil
	}
	for key, value := range r.reads {
		if before, known := p.reads[key]; known && !(bytes.Equal(before, value) && (before == nil) == (value == nil)) {
			return false, nil
		}
	}
	for key, value := range r.reads {
		p.reads[key] = value
	}
	return true, err
}

// Update implements store.Store.
func (s *faultyStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	w := s.w
	w.step(ctx, atUpdate)
	s.slow(ctx)
	if w.chance(storeError) {
		return errDisk
	}
	for w.chance(storeAbort) {
		_ = w.mem.Update(ctx, func(tx store.Tx) error {
			if err := fn(tx); err != nil {
				return err
			}
			return errAbort
		})
		w.step(ctx, atAborted)
	}
	s.guess(ctx, fn)
	lost := w.chance(storeLost)
	err := s.commit(ctx, fn, lost)
	if err == nil && w.chance(storeUnsaid) {
		err = store.ErrUnknownCommit
	}
	w.step(ctx, atCommitted)
	s.slow(ctx)
	return err
}

// guess runs a function over some values that were there, and some that are there, as a store does that remembers them.
// What it does is dropped: it runs again over what is there.
func (s *faultyStore) guess(ctx context.Context, fn func(store.Tx) error) {
	w := s.w
	if w.swarm.stale == 0 || !w.faulty || fraction(w.rng) >= w.swarm.stale {
		return
	}
	w.log("a run over what was there")
	_ = w.mem.View(ctx, func(r store.Reader) error {
		return fn(&overlayTx{Reader: staleReader{r, w.previous}, written: map[string][]byte{}})
	})
}

// commit runs fn and passes its changes to the auditor.
func (s *faultyStore) commit(ctx context.Context, fn func(store.Tx) error, lost bool) error {
	w := s.w
	var judged *judgedTx
	err := s.transact(ctx, func(tx store.Tx) error {
		if err := presumedIn(ctx).compare(tx); err != nil {
			return err
		}
		judged = &judgedTx{Tx: tx, w: w}
		if err := judged.tear(fn(judged)); err != nil {
			return err
		}
		judged.leave()
		if lost {
			return errAbort
		}
		return nil
	})
	if lost && errors.Is(err, errAbort) {
		return store.ErrUnknownCommit
	}
	if err == nil {
		w.previous = judged.replaced()
		w.auditor.commit(procOf(ctx), judged.changes())
	}
	if judged != nil && judged.vanished {
		err = nil
	}
	return err
}

func (s *faultyStore) transact(ctx context.Context, fn func(store.Tx) error) error {
	if s.w.defect == weakIsolation {
		return s.weak(ctx, fn)
	}
	return s.w.mem.Update(ctx, fn)
}

func (s *faultyStore) slow(ctx context.Context) {
	if s.w.chance(storeSlow) {
		s.w.pause(ctx, atSlow, between(s.w.rng, time.Millisecond, 3*time.Second))
	}
	if s.w.chance(storePause) {
		procOf(ctx).paused = true
		s.w.pause(ctx, atSlow, between(s.w.rng, time.Minute, 20*time.Minute))
	}
}

// Close implements store.Store. The store outlives its instances.
func (s *faultyStore) Close() error { return nil }

// judgedTx records what a transaction writes. It contains the planted defects of the store.
type judgedTx struct {
	store.Tx
	w     *World
	keys  [][]byte
	after [][]byte

	// Of planted defects.
	old      [][]byte
	vanished bool
}

// Put implements store.Tx.
func (tx *judgedTx) Put(key, value []byte) error {
	value, drop := tx.w.rewrite(tx, key, value)
	if drop {
		return nil
	}
	tx.remember(key)
	return tx.Tx.Put(key, value)
}

// Insert implements store.Tx.
func (tx *judgedTx) Insert(key, value []byte) error {
	value, drop := tx.w.rewrite(tx, key, value)
	if drop {
		return nil
	}
	tx.remember(key)
	return tx.Tx.Insert(key, value)
}

// Delete implements store.Tx.
func (tx *judgedTx) Delete(key []byte) error {
	if tx.w.keeps(key) {
		return nil
	}
	tx.remember(key)
	return tx.Tx.Delete(key)
}

// leave reads back the result of the transaction, while it is open.
func (tx *judgedTx) leave() {
	tx.after = make([][]byte, len(tx.keys))
	for i, key := range tx.keys {
		if value, err := tx.Get(key); err == nil {
			tx.after[i] = value
		}
	}
}

// replaced returns the values that a commit replaced.
func (tx *judgedTx) replaced() map[string][]byte {
	if len(tx.old) == 0 {
		return nil
	}
	old := map[string][]byte{}
	for i, key := range tx.keys {
		if _, ok := old[string(key)]; !ok {
			old[string(key)] = tx.old[i]
		}
	}
	return old
}

// change is one key that a commit wrote; a nil value is a deleted key.
type change struct {
	key   []byte
	value []byte
}

func (tx *judgedTx) changes() (list []change) {
	if tx == nil {
		return nil
	}
	seen := map[string]bool{}
	for i, key := range tx.keys {
		if !seen[string(key)] {
			seen[string(key)] = true
			list = append(list, change{key, tx.after[i]})
		}
	}
	return list
}
