package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
	"github.com/tollgatepay/gateway/store/postgres"
)

// The schemas in a shared database.
const (
	recordsSchema  = "tollgate"
	acquirerSchema = "tollgate_acquirer"
)

// openShared opens a database that other servers use too, and the key file that all of them need.
func (k *kept) openShared(ctx context.Context, url, keys string) error {
	db, err := postgres.Open(ctx, postgres.Config{URL: url, Schema: recordsSchema})
	if err != nil {
		return fmt.Errorf("-store: %w", err)
	}
	k.store = db
	books, err := postgres.Open(ctx, postgres.Config{URL: url, Schema: acquirerSchema, Connections: 6})
	if err != nil {
		return fmt.Errorf("-store: %w", err)
	}
	k.acquirer = books
	if err := k.missing(ctx, keys); err != nil {
		return err
	}
	opened, err := keyfile.Open(keys)
	if err != nil {
		return err
	}
	k.keys = opened
	return k.sameKeys(ctx, keys)
}

// keySample is the key of a sample that the first server of a database sealed. Who can open it has the same keys.
var keySample = store.Key("server", "key sample")

// missing refuses to make new keys for a database that has some.
func (k *kept) missing(ctx context.Context, keys string) error {
	if exists(keys) {
		return nil
	}
	err := k.acquirer.View(ctx, func(r store.Reader) error {
		_, err := r.Get(keySample)
		return err
	})
	switch {
	case err == nil:
		return fmt.Errorf("the database is there and its keys are not: put %s back, as the other servers have it", keys)
	case errors.Is(err, store.ErrNotFound):
		return nil
	}
	return err
}

// sameKeys refuses keys that are not those of the database: two servers that started with a key file each would seal
// what the other cannot open.
func (k *kept) sameKeys(ctx context.Context, file string) error {
	sample := make([]byte, gateway.DataKeySize)
	_, _ = rand.Read(sample) // never fails: crypto/rand ends the program instead
	wrapped, err := k.keys.Wrap(ctx, sample)
	if err != nil {
		return err
	}
	mine, err := json.Marshal(wrapped)
	if err != nil {
		return err
	}
	var first []byte
	err = k.acquirer.Update(ctx, func(tx store.Tx) error {
		found, err := tx.Get(keySample)
		if errors.Is(err, store.ErrNotFound) {
			first = mine
			return tx.Put(keySample, mine)
		}
		first = bytes.Clone(found)
		return err
	})
	if err != nil {
		return err
	}
	var of gateway.WrappedKey
	if err := json.Unmarshal(first, &of); err != nil {
		return err
	}
	if _, err := k.keys.Unwrap(ctx, of); errors.Is(err, gateway.ErrKeyGone) || errors.Is(err, gateway.ErrSealBroken) {
		return fmt.Errorf("the keys in %s are not those of the database: copy the file of the other servers", file)
	} else if err != nil {
		return err
	}
	return nil
}
