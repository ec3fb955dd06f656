package token

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// ErrUsed: the token has paid before. It never leaves the package.
var ErrUsed = errors.New("gateway: the wallet's token was used before")

// Use names one token of a wallet by its own id.
type Use struct {
	Wallet, Message string
	Until           time.Time
}

func (u *Use) key() []byte {
	sum := sha256.Sum256([]byte(u.Wallet + "\x00" + u.Message)) // an id may be as long as the wallet likes
	return store.Key(records.WalletUses, hex.EncodeToString(sum[:]))
}

// Take marks the token used, within step one of its charge. Another attempt of that charge takes nothing.
func (u *Use) Take(tx store.Tx) error {
	err := tx.Insert(u.key(), []byte(u.Until.UTC().Format(time.RFC3339Nano)))
	if errors.Is(err, store.ErrExists) {
		return ErrUsed
	}
	return err
}
