package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
	"github.com/tollgatepay/gateway/store/memory"
)

// kept is everything that survives a request: the gateway's records and keys, and the ledger of the test acquirer.
// The ledger has a store of its own, because a real acquirer would keep it elsewhere.
type kept struct {
	store    store.Store
	keys     gateway.KeyProvider
	acquirer store.Store
	secret   store.Secret // the acquirer's, stored in its ledger
}

// openKept opens what the options name.
func openKept(ctx context.Context, opts options) (k *kept, err error) {
	k = &kept{}
	switch {
	case opts.url != "":
		err = k.openShared(ctx, opts.url, opts.keys)
	case opts.db != "":
		err = k.openFiles(opts.db, opts.keys)
	default:
		k.store, k.acquirer, k.keys = memory.New(), memory.New(), newMemoryKeys()
	}
	if err == nil {
		k.secret, err = acquirerSecret(ctx, k.acquirer)
	}
	if err != nil {
		return nil, errors.Join(err, k.close())
	}
	return k, nil
}

// openFiles opens the keys first: a database without keys means that the keys were lost.
func (k *kept) openFiles(path, keys string) error {
	if exists(path) && !exists(keys) {
		return fmt.Errorf("%s is there and its keys are not: put %s back, or remove the database as well", path, keys)
	}
	opened, err := keyfile.Open(keys)
	if err != nil {
		return err
	}
	k.keys = opened
	db, err := bolt.Open(path)
	if err != nil {
		return err
	}
	k.store = db
	books, err := bolt.Open(path + ".acquirer")
	if err != nil {
		return err
	}
	k.acquirer = books
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func (k *kept) close() error {
	var faults []error
	for _, s := range []store.Store{k.store, k.acquirer} {
		if s != nil {
			faults = append(faults, s.Close())
		}
	}
	return errors.Join(faults...)
}

// acquirerSecret is made once and stored, so that a payer on one of the acquirer's pages can return after a
// restart.
func acquirerSecret(ctx context.Context, books store.Store) (store.Secret, error) {
	secret := rand.Text()
	key := store.Key("server", "secret")
	err := books.Update(ctx, func(tx store.Tx) error {
		found, err := tx.Get(key)
		if errors.Is(err, store.ErrNotFound) {
			return tx.Put(key, []byte(secret))
		}
		secret = string(found)
		return err
	})
	return store.NewSecret(secret), err
}
