package gateway

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

// A password that a merchant had before never comes back: the marks of its hashes are deleted in time, and what was
// signed with it would be good again. Of every password a name stays for ever, which tells nothing without the
// provider's lookup key.

// errFormer: the merchant had the password before.
var errFormer = errors.New("password: this merchant had it before, and signatures that were made with it would be good again")

// namePassword is the name of a merchant's password.
func (gw *Gateway) namePassword(ctx context.Context, m *store.Merchant) (string, error) {
	key, err := gw.seals.LookupKey(ctx)
	if err != nil {
		return "", err
	}
	return vault.Lookup(key, vault.MerchantPassword, m.ID, m.Password.Reveal()), nil
}

// takePassword makes the password of that name the merchant's. Error: errFormer for one that it had before.
func takePassword(tx store.Tx, merchantID, name string) error {
	now, err := tx.Get(records.KeyOfPassword(merchantID))
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return err
	case string(now) == name:
		return nil
	}
	err = tx.Insert(records.KeyOfPassword(merchantID, name), []byte{1})
	if errors.Is(err, store.ErrExists) {
		return errFormer
	}
	return errors.Join(err, tx.Put(records.KeyOfPassword(merchantID), []byte(name)))
}
