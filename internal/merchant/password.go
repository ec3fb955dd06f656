package merchant

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

// errFormer means that the merchant had the password before.
var errFormer = errors.New("password: this merchant had it before, " +
	"and signatures that were made with it would be good again")

// namePasswords returns the names of a merchant's password and of its next one, if there is one.
func (d *Directory) namePasswords(ctx context.Context, m *store.Merchant) (names []string, err error) {
	key, err := d.Seals.LookupKey(ctx)
	if err != nil {
		return nil, err
	}
	for _, password := range []store.Secret{m.Password, m.NextPassword} {
		if text := records.SignedPassword(password); text != "" {
			names = append(names, vault.Lookup(key, vault.MerchantPassword, m.ID, text))
		}
	}
	return names, nil
}

// takePasswords makes the passwords of these names the merchant's: the current one and the next. It returns errFormer
// for one that it had before, also for one whose time ended without the merchant being saved.
func takePasswords(tx store.Tx, merchantID string, names []string, now time.Time) error {
	held, err := heldPasswords(tx, merchantID, now)
	if err != nil {
		return err
	}
	for _, name := range names {
		if slices.Contains(held, name) {
			continue
		}
		err := tx.Insert(records.KeyOfPassword(merchantID, name), []byte{1})
		if errors.Is(err, store.ErrExists) {
			return errFormer
		} else if err != nil {
			return err
		}
	}
	return tx.Put(records.KeyOfPassword(merchantID), []byte(strings.Join(names, " ")))
}

// heldPasswords returns the names of the passwords that are good now, as the merchant was saved last.
func heldPasswords(tx store.Tx, merchantID string, now time.Time) ([]string, error) {
	value, err := tx.Get(records.KeyOfPassword(merchantID))
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	held := strings.Fields(string(value))
	old, err := records.Merchants.Get(tx, merchantID)
	if err != nil && !errors.Is(err, store.ErrNotFound) && !store.IsUnreadable(err) {
		return nil, err
	}
	if len(held) > 1 && err == nil && !now.Before(old.RotatesAt) {
		held = held[1:]
	}
	return held, nil
}
