package kerneltest

import (
	"context"
	"errors"
	"iter"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

// FaultyNotifier is a merchant that may have a fault.
type FaultyNotifier struct {
	callback.Notifier
	By *Fault
}

// Deliver implements callback.Notifier.
func (b FaultyNotifier) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	switch b.By.Strike("notifier") {
	case "":
		return b.Notifier.Deliver(ctx, d)
	case "refused", "dead", "crash before":
		return callback.Receipt{Verdict: callback.Refused, Status: 500}
	case "timeout":
		return callback.Receipt{Verdict: callback.TimedOut}
	case "refused after": // the merchant has it, but refuses it
		b.Notifier.Deliver(ctx, d)
		return callback.Receipt{Verdict: callback.Refused, Status: 500}
	default: // the merchant has it, but there is no answer
		b.Notifier.Deliver(ctx, d)
		return callback.Receipt{Verdict: callback.TimedOut}
	}
}

// FaultyStore is a store whose Updates and Views, and their reads and writes, may have a fault.
type FaultyStore struct {
	store.Store
	By *Fault
}

// Update implements store.Store.
func (b FaultyStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	return b.commit(fn, func(fn func(store.Tx) error) error { return b.Store.Update(ctx, fn) })
}

// commit runs a transaction, which may have a fault.
func (b FaultyStore) commit(fn func(store.Tx) error, run func(func(store.Tx) error) error) error {
	if b.By.Port == "record" {
		whole := fn
		fn = func(tx store.Tx) error { return whole(faultyTx{faultyReader{tx, b.By}, tx}) }
	}
	switch b.By.Strike("store") {
	case "":
		return run(fn)
	case "again":
		return rerun(run, fn)
	case "unknown", "crash after":
		if err := run(fn); err != nil {
			return err
		}
		return errors.Join(ErrInjected, store.ErrUnknownCommit)
	case "lost":
		return errors.Join(ErrInjected, store.ErrUnknownCommit)
	default:
		return ErrInjected
	}
}

// View implements store.Store.
func (b FaultyStore) View(ctx context.Context, fn func(store.Reader) error) error {
	if b.By.Port == "record" {
		whole := fn
		fn = func(r store.Reader) error { return whole(faultyReader{r, b.By}) }
	}
	switch b.By.Strike("view") {
	case "":
		return b.Store.View(ctx, fn)
	case "again":
		_ = b.Store.View(ctx, fn)
		return b.Store.View(ctx, fn)
	case "after": // everything was read, and the end of the transaction fails
		return errors.Join(b.Store.View(ctx, fn), ErrInjected)
	default:
		return ErrInjected
	}
}

// faultyReader and faultyTx are a transaction whose single reads and writes may have a fault.
type faultyReader struct {
	store.Reader
	by *Fault
}

func (b faultyReader) Get(key []byte) ([]byte, error) {
	if b.by.Strike("record") != "" {
		return nil, ErrInjected
	}
	return b.Reader.Get(key)
}

func (b faultyReader) Scan(r store.Range) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		if b.by.Strike("record") != "" {
			yield(store.Entry{Err: ErrInjected})
			return
		}
		for entry := range b.Reader.Scan(r) {
			if !yield(entry) {
				return
			}
		}
	}
}

type faultyTx struct {
	faultyReader
	tx store.Tx
}

func (b faultyTx) Put(key, value []byte) error {
	if b.by.Strike("record") != "" {
		return ErrInjected
	}
	return b.tx.Put(key, value)
}

func (b faultyTx) Insert(key, value []byte) error {
	if b.by.Strike("record") != "" {
		return ErrInjected
	}
	return b.tx.Insert(key, value)
}

func (b faultyTx) Delete(key []byte) error {
	if b.by.Strike("record") != "" {
		return ErrInjected
	}
	return b.tx.Delete(key)
}

// rerun runs fn twice, as a back end does after a conflict: the first run has no effect.
func rerun(run func(func(store.Tx) error) error, fn func(store.Tx) error) error {
	errTwice := errors.New("a conflict")
	err := run(func(tx store.Tx) error { return errors.Join(fn(tx), errTwice) })
	if !errors.Is(err, errTwice) {
		return err
	}
	return run(fn)
}

// Remembering is a store that plans transactions by itself and remembers what it has read.
type Remembering interface {
	store.Store
	store.Planner
	store.Presumer
}

// Faulty makes calls of a store fail, and leaves it what it offers in addition.
func Faulty(s store.Store, by *Fault) store.Store {
	faulty := FaultyStore{Store: s, By: by}
	if r, ok := s.(Remembering); ok {
		return faultyRemembering{faulty, r}
	}
	return faulty
}

// faultyRemembering is FaultyStore for one that remembers.
type faultyRemembering struct {
	FaultyStore
	from Remembering
}

var _ Remembering = faultyRemembering{}

// Plan implements store.Planner.
func (b faultyRemembering) Plan(ctx context.Context, fn func(store.Tx) error) error {
	return b.commit(fn, func(fn func(store.Tx) error) error { return b.from.Plan(ctx, fn) })
}

// Presume implements store.Presumer. Its calls of the store may have the faults.
func (b faultyRemembering) Presume(ctx context.Context, fn func(context.Context) error) error {
	return b.from.Presume(ctx, fn)
}

// Confirm implements store.Presumer. It reads.
func (b faultyRemembering) Confirm(ctx context.Context) error {
	switch b.By.Strike("view") {
	case "":
		return b.from.Confirm(ctx)
	case "after":
		return errors.Join(b.from.Confirm(ctx), ErrInjected)
	case "again":
		return errors.Join(b.from.Confirm(ctx), b.from.Confirm(ctx))
	default:
		return ErrInjected
	}
}
