package gateway_test

import (
	"context"
	"errors"
	"iter"

	"github.com/tollgatepay/gateway/store"
)

// brokenStore is a store whose Updates and Views a saboteur watches, and what they read and write.
type brokenStore struct {
	store.Store
	by *saboteur
}

func (b brokenStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	if b.by.port == "record" {
		whole := fn
		fn = func(tx store.Tx) error { return whole(brokenTx{brokenReader{tx, b.by}, tx}) }
	}
	switch b.by.strike("store") {
	case "":
		return b.Store.Update(ctx, fn)
	case "again":
		return rerun(ctx, b.Store, fn)
	case "unknown", "crash after":
		if err := b.Store.Update(ctx, fn); err != nil {
			return err
		}
		return errors.Join(errInjected, store.ErrUnknownCommit)
	case "lost":
		return errors.Join(errInjected, store.ErrUnknownCommit)
	default:
		return errInjected
	}
}

// rerun runs fn twice, as a back end does after a conflict: nothing of the first time stays.
func rerun(ctx context.Context, s store.Store, fn func(store.Tx) error) error {
	errTwice := errors.New("a conflict")
	err := s.Update(ctx, func(tx store.Tx) error { return errors.Join(fn(tx), errTwice) })
	if !errors.Is(err, errTwice) {
		return err
	}
	return s.Update(ctx, fn)
}

func (b brokenStore) View(ctx context.Context, fn func(store.Reader) error) error {
	if b.by.port == "record" {
		whole := fn
		fn = func(r store.Reader) error { return whole(brokenReader{r, b.by}) }
	}
	switch b.by.strike("view") {
	case "":
		return b.Store.View(ctx, fn)
	case "again":
		_ = b.Store.View(ctx, fn)
		return b.Store.View(ctx, fn)
	case "after": // everything was read, and the end of the transaction fails
		return errors.Join(b.Store.View(ctx, fn), errInjected)
	default:
		return errInjected
	}
}

// brokenReader and brokenTx are a transaction whose single reads and writes a saboteur watches.
type brokenReader struct {
	store.Reader
	by *saboteur
}

func (b brokenReader) Get(key []byte) ([]byte, error) {
	if b.by.strike("record") != "" {
		return nil, errInjected
	}
	return b.Reader.Get(key)
}

func (b brokenReader) Scan(r store.Range) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		if b.by.strike("record") != "" {
			yield(store.Entry{Err: errInjected})
			return
		}
		for entry := range b.Reader.Scan(r) {
			if !yield(entry) {
				return
			}
		}
	}
}

type brokenTx struct {
	brokenReader
	tx store.Tx
}

func (b brokenTx) Put(key, value []byte) error {
	if b.by.strike("record") != "" {
		return errInjected
	}
	return b.tx.Put(key, value)
}

func (b brokenTx) Insert(key, value []byte) error {
	if b.by.strike("record") != "" {
		return errInjected
	}
	return b.tx.Insert(key, value)
}

func (b brokenTx) Delete(key []byte) error {
	if b.by.strike("record") != "" {
		return errInjected
	}
	return b.tx.Delete(key)
}
