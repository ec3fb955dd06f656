package door

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Window is how long a merchant's order number is taken after a request was accepted
// (SPEC1, Limits): a second one within it is ErrDuplicate, one at its very end is accepted.
const Window = 15 * time.Second

// TakeWindow reads and writes the one key of a merchant's order, in the transaction that stores the session or the
// intent, for a request of now. Orders of the live key and of the test key are apart (decision bc). A request that
// was held up, so that a later one was accepted before it, is refused however old it is: its date would stand in the
// place of the later one's, and open the window to a third.
func TakeWindow(tx store.Tx, w records.Owner, order string, now, clock time.Time) error {
	key := records.KeyOfWindow(w, order)
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
		if isWithin(Window, at, now, clock) {
			return refusal.ErrDuplicate
		}
	}
	return tx.Put(key, []byte(now.Format(time.RFC3339Nano)))
}

// isWithin reports a request of now that comes less than a while after one at another moment. A clock that was set
// back by less than the while changes nothing; one that was set back further opens it. The clock as it is tells that
// from a request that was held up.
func isWithin(while time.Duration, at, now, clock time.Time) bool {
	age := now.Sub(at)
	return age < while && (age > -while || !clock.Before(at))
}

// FirstOfOrder refuses an order number that has a payment (decision u: on S2S one is good for one payment).
func FirstOfOrder(tx store.Tx, p *store.Payment) error {
	_, err := records.NewestOfOrder(tx, records.Owner{MerchantID: p.MerchantID, Test: p.Test}, p.Order.Number, 1)
	switch {
	case errors.Is(err, refusal.ErrNoOrder):
		return nil
	case err != nil:
		return err
	}
	return refusal.ErrInvalid.Fields(refusal.Fault{Path: "order_id", Text: "Duplicate payment."})
}
