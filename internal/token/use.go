package token

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// ErrUsed means that the wallet token has already paid. It is not returned to merchants.
var ErrUsed = errors.New("gateway: the wallet's token was used before")

// Use names one wallet token by its own id.
type Use struct {
	Wallet, Message string
	Until           time.Time
}

func (u *Use) key() []byte {
	sum := sha256.Sum256([]byte(u.Wallet + "\x00" + u.Message)) // a wallet's id may have any length
	return store.Key(records.WalletUses, hex.EncodeToString(sum[:]))
}

// Take marks the token as used, in step one of its charge. Another attempt of that charge does not mark it again.
func (u *Use) Take(tx store.Tx) error {
	err := tx.Insert(u.key(), []byte(u.Until.UTC().Format(time.RFC3339Nano)))
	if errors.Is(err, store.ErrExists) {
		return ErrUsed
	}
	return err
}
