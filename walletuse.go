package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// A wallet's token is good for one charge (reliability.md, 6.7). What marks it used is written with the
// charge, so that of two that race one is charged, and stays for as long as the token is not refused by its
// age alone.

// errUsed: the token has paid before. It never leaves the package.
var errUsed = errors.New("gateway: the wallet's token was used before")

// tokenUse names one token of a wallet by its own id.
type tokenUse struct {
	wallet, message string
	until           time.Time
}

func (u *tokenUse) key() []byte {
	sum := sha256.Sum256([]byte(u.wallet + "\x00" + u.message)) // an id may be as long as the wallet likes
	return store.Key(records.WalletUses, hex.EncodeToString(sum[:]))
}

// take marks the token used, within step one of its charge. Another attempt of that charge takes nothing.
func (u *tokenUse) take(tx store.Tx) error {
	err := tx.Insert(u.key(), []byte(u.until.UTC().Format(time.RFC3339Nano)))
	if errors.Is(err, store.ErrExists) {
		return errUsed
	}
	return err
}
