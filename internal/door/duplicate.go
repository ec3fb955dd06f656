package door

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Window is how long a merchant's order number is reserved after a request was accepted (SPEC1, Limits). A second
// request within the window is ErrDuplicate; one exactly at its end is accepted.
const Window = 15 * time.Second

// TakeWindow reserves an order number in the transaction that stores the session or the intent, for a request made
// at now. Orders of the live key and of the test key are separate (decision bc). A delayed request is refused,
// however old it is, if a later one was accepted before it: its earlier time would replace the later one and let a
// third request through.
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

// isWithin reports whether a request of now comes less than a while after the one accepted at at. If the clock was
// set back by less than that, nothing changes; if by more, the window opens. The current clock distinguishes this
// from a delayed request.
func isWithin(while time.Duration, at, now, clock time.Time) bool {
	age := now.Sub(at)
	return age < while && (age > -while || !clock.Before(at))
}

// FirstOfOrder refuses an order number that already has a payment (decision u: on S2S each is used once).
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
