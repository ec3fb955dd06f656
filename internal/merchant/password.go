package merchant

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

// errFormer means that the merchant had the password before.
var errFormer = errors.New("password: this merchant had it before, " +
	"and signatures that were made with it would be good again")

// namePassword returns the name of a merchant's password.
func (d *Directory) namePassword(ctx context.Context, m *store.Merchant) (string, error) {
	key, err := d.Seals.LookupKey(ctx)
	if err != nil {
		return "", err
	}
	return vault.Lookup(key, vault.MerchantPassword, m.ID, m.Password.Reveal()), nil
}

// takePassword makes the password of that name the merchant's. It returns errFormer for one that it had before.
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
