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

// The schemas in a shared database, and the connections that each has at most.
const (
	recordsSchema  = "tollgate"
	acquirerSchema = "tollgate_acquirer"

	recordsConnections  = 16
	acquirerConnections = 6
)

// openShared opens a database that other servers use too, and the key file that all of them need.
func (k *kept) openShared(ctx context.Context, url, keys string) error {
	db, err := postgres.Open(ctx,
		postgres.Config{URL: url, Schema: recordsSchema, Connections: recordsConnections})
	if err != nil {
		return fmt.Errorf("-store: %w", err)
	}
	k.store = db
	if k.keys, err = keysOf(ctx, db, keys); err != nil {
		return err
	}
	books, err := postgres.Open(ctx,
		postgres.Config{URL: url, Schema: acquirerSchema, Connections: acquirerConnections})
	if err != nil {
		return fmt.Errorf("-store: %w", err)
	}
	k.acquirer = books
	return nil
}

// keysOf opens the key file of a database, and refuses to make one for a database that has records. It looks at the
// records first: who has written some had made the file before.
func keysOf(ctx context.Context, db store.Store, file string) (gateway.KeyProvider, error) {
	empty := true
	err := db.View(ctx, func(r store.Reader) error {
		empty = true
		for entry := range r.Scan(store.Range{Limit: 1}) {
			empty = false
			return entry.Err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !empty && !exists(file) {
		return nil, fmt.Errorf("the database is there and its keys are not: put %s back, as the other servers have it", file)
	}
	return keyfile.Open(file)
}

// keySample is the key of a sample that the first server of a database sealed. Who can open it has the same keys. It is
// among the records, so that a copy of them has it too.
var keySample = store.Key("server", "key sample")

// sameKeys refuses keys that are not those of the records: what one of two key files seals the other does not open. A
// database of a former version has no sample among its records, so it looks at the merchants first, who are there
// before all payments. A new database has none: of servers that find it together, the sample of the first decides.
func (k *kept) sameKeys(ctx context.Context, gw *gateway.Gateway, opts options) error {
	err := opensMerchants(ctx, gw)
	if err == nil && opts.url != "" {
		err = k.opensSample(ctx)
	}
	if errors.Is(err, gateway.ErrKeyGone) || errors.Is(err, gateway.ErrSealBroken) {
		return fmt.Errorf("the keys in %s are not those of the database: put the right file there", opts.keys)
	}
	return err
}

// opensMerchants opens the password of each merchant.
func opensMerchants(ctx context.Context, gw *gateway.Gateway) error {
	saved, err := gw.Operator().Merchants(ctx, "", 1000)
	if err != nil {
		return err
	}
	for _, m := range saved {
		if _, err := gw.Merchant(m.Key).Payment(ctx, "none"); err != nil && !errors.Is(err, gateway.ErrNoPayment) {
			return err
		}
	}
	return nil
}

// opensSample opens the sample, or puts one.
func (k *kept) opensSample(ctx context.Context) error {
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
	err = k.store.Update(ctx, func(tx store.Tx) error {
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
	_, err = k.keys.Unwrap(ctx, of)
	return err
}
