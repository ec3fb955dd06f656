package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/store"
)

// Nothing separates what a formula covers, so one hash can be right for two requests (package signature,
// "Limits"). Two guards stand before every request that makes something and comes with a signature.

// errHashUsed: the hash signed another order before.
var errHashUsed = ErrInvalid.Fields(Fault{"hash", "already used for another order"})

// fresh refuses a signed order whose text begins with the id of a payment of ours. The hash in a payer's
// return link covers payment id, number, amount and the rest, as that of a session or a payout covers
// number, amount and the rest: whoever has such a link could pass its hash off as the merchant's. Where
// one field ends and the next begins does not matter, nor do letters that have the same capitals.
func (gw *Gateway) fresh(ctx context.Context, o *store.Order) error {
	const length = len("00000000-0000-0000-0000-000000000000")
	text := strings.ToLower(signature.Capitals(o.Number + o.Amount + o.Currency + o.Description))
	if len(text) < length || text[8] != '-' {
		return nil
	}
	_, err := gw.payment(ctx, text[:length])
	switch {
	case absent(err):
		return nil
	case err != nil:
		return err
	}
	return ErrInvalid.Fields(Fault{"order.number", textInvalid})
}

// keyOfSignature holds which order a hash signed.
func keyOfSignature(merchantID, hash string) []byte { return store.Key("hs", merchantID, hash) }

// takeSignature notes which order a hash signed, in the transaction that stores what it signed. The same
// order may be signed again, letter case aside: that has the same hash.
func takeSignature(tx store.Tx, merchantID string, proof *Proof, o *store.Order, now time.Time) error {
	if proof == nil {
		return nil
	}
	fields := strings.Join([]string{o.Number, o.Amount, o.Currency, o.Description}, "\x00")
	sum := sha256.Sum256([]byte(signature.Capitals(fields)))
	key := keyOfSignature(merchantID, proof.Hash)
	signed, err := tx.Get(key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return tx.Put(key, binary.BigEndian.AppendUint64(sum[:16:16], uint64(now.Unix())))
	case err != nil:
		return err
	}
	if order, _, ok := readSignature(signed); !ok || !bytes.Equal(order, sum[:16]) {
		return errHashUsed
	}
	return nil
}

// readSignature is what is kept of a hash: the digest of the order it signed, and when.
func readSignature(value []byte) (order []byte, at time.Time, ok bool) {
	if len(value) != 24 {
		return nil, time.Time{}, false
	}
	return value[:16], time.Unix(int64(binary.BigEndian.Uint64(value[16:])), 0), true
}
