package gateway

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Where the kernel's records lie. Payments, transactions and sessions are named by ids that ascend in
// time, and so are the entries of an order, which serve the newest payments of it.
var (
	merchants    = store.Table[merchantRecord]{Prefix: "m", Version: 1}
	mappings     = store.Table[store.Mapping]{Prefix: "mp", Version: 1}
	mids         = store.Table[midRecord]{Prefix: "md", Version: 1}
	sessions     = store.Table[store.Session]{Prefix: "s", Version: 1}
	payments     = store.Table[store.Payment]{Prefix: "p", Version: 1}
	transactions = store.Table[store.Transaction]{Prefix: "t", Version: 1}

	recoveryQueue = store.FairQueue{Name: "qr"} // by connector
)

// merchantRecord is a merchant as it is stored: the password sealed. HashMarks is the fingerprint under which the
// marks of that password's hashes lie, and HashMarksSince when it replaced another; zero for the first password.
type merchantRecord struct {
	store.Merchant
	SealedPassword *store.Sealed `json:"sealed_password"`
	HashMarks      string        `json:"hash_marks,omitempty"`
	HashMarksSince time.Time     `json:"hash_marks_since,omitzero"`
}

// midRecord is a MID as it is stored: the secrets sealed.
type midRecord struct {
	store.MID
	SealedSecrets *store.Sealed `json:"sealed_secrets,omitempty"`
}

// keyOfMerchantKey leads from a merchant's live or test key to its id.
func keyOfMerchantKey(key string) []byte { return store.Key("mk", key) }

// keyOfRevision counts the changes of a merchant's configuration.
func keyOfRevision(merchantID string) []byte { return store.Key("mr", merchantID) }

// keyOfWindow holds when an order number was last accepted.
func keyOfWindow(w whose, order string) []byte {
	traffic := "live"
	if w.test {
		traffic = "test"
	}
	return store.Key("w", w.merchantID, traffic, short(order))
}

// keyOfOrder leads from an order to its payments; without an id it is the prefix of them all.
func keyOfOrder(w whose, order string, id ...string) []byte {
	table := "o"
	if w.test {
		table = "ot"
	}
	return store.Key(append([]string{table, w.merchantID, short(order)}, id...)...)
}

// keyOfBreach names a closed transaction that later evidence speaks against; without an id it is the prefix
// of them all.
func keyOfBreach(id ...string) []byte { return store.Key(append([]string{"br"}, id...)...) }

// moveDue moves the recovery entry of a transaction from an old due time to its own.
func moveDue(tx store.Tx, t *store.Transaction, was time.Time) error {
	if was.Equal(t.Due) {
		return nil
	}
	return moveEntry(tx, recoveryQueue, t.Connector, t.ID, was, t.Due)
}

// update runs fn as one transaction. fn may run more than once: it sets what it hands out anew each
// time.
func (gw *Gateway) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, gw.cfg.Store, fn)
}

// create is update for a transaction that inserts a record of an id made for it. Should the store not
// know whether it committed, the record itself tells (design.md, section 3): it is read back, and
// nothing is repeated.
func (gw *Gateway) create(ctx context.Context, record func(store.Reader) error, fn func(store.Tx) error) error {
	err := gw.update(ctx, fn)
	if errors.Is(err, store.ErrUnknownCommit) && gw.cfg.Store.View(context.WithoutCancel(ctx), record) == nil {
		return nil
	}
	return err
}

func (gw *Gateway) createIntent(ctx context.Context, id string, fn func(store.Tx) error) error {
	return gw.create(ctx, func(r store.Reader) error {
		_, err := transactions.Get(r, id)
		return err
	}, fn)
}

// short is an order number as a part of keys. A long one (up to 1,020 bytes) would pass what a store
// takes for a key: its digest stands for it, marked by a byte that no text begins with.
func short(order string) string {
	if len(order) <= 255 {
		return order
	}
	sum := sha256.Sum256([]byte(order))
	return "\xff" + string(sum[:])
}

func (gw *Gateway) payment(ctx context.Context, id string) (p *store.Payment, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		found, err := payments.Get(r, id)
		p = &found
		return err
	})
	return p, err
}

func (gw *Gateway) transaction(ctx context.Context, id string) (t *store.Transaction, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		found, err := transactions.Get(r, id)
		t = &found
		return err
	})
	return t, err
}
