package callback

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Unblock lifts the block of a URL by hand. Callbacks that wait for its end become due at once.
func Unblock(tx store.Tx, url string, now time.Time) error { return lift(tx, scopeOfURL(url), now) }

// UnblockHost lifts the block of a host by hand.
func UnblockHost(tx store.Tx, host string, now time.Time) error {
	return lift(tx, scopeOfHost(host, ""), now)
}

// UnblockMerchant lifts the block of a merchant by hand.
func UnblockMerchant(tx store.Tx, id string, now time.Time) error {
	return lift(tx, scopeOfMerchant(id), now)
}

func lift(tx store.Tx, s scope, now time.Time) error {
	return errors.Join(endpoints.Delete(tx, s.id), Outbox.Lift(tx, s.id, now))
}
