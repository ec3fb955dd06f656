package gateway

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// DuplicateWindow is how long a merchant's order number is taken after a request was accepted
// (SPEC1, Limits): a second one within it is ErrDuplicate, one at its very end is accepted.
const DuplicateWindow = 15 * time.Second

// takeWindow reads and writes the one key of a merchant's order, in the transaction that stores the
// session or the intent. A clock that was set back by less than the
// window keeps it closed; one that was set back further opens it.
func takeWindow(tx store.Tx, merchantID, order string, now time.Time) error {
	key := keyOfWindow(merchantID, order)
	last, err := tx.Get(key)
	switch {
	case errors.Is(err, store.ErrNotFound):
	case err != nil:
		return err
	default:
		at, err := time.Parse(time.RFC3339Nano, string(last))
		if err != nil {
			return err
		}
		if age := now.Sub(at); age < DuplicateWindow && age > -DuplicateWindow {
			return ErrDuplicate
		}
	}
	return tx.Put(key, []byte(now.Format(time.RFC3339Nano)))
}

// firstOfOrder refuses an order number that has a payment (decision u: on S2S one is good for one payment).
func firstOfOrder(tx store.Tx, p *store.Payment) error {
	_, err := newestOfOrder(tx, whose{p.MerchantID, p.Test}, p.Order.Number, 1)
	switch {
	case errors.Is(err, ErrNoOrder):
		return nil
	case err != nil:
		return err
	}
	return ErrInvalid.Fields(Fault{"order_id", "Duplicate payment."})
}
