package door

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Window is how long a merchant's order number is reserved after a request was accepted (SPEC1, Limits). A second
// request within the window is ErrDuplicate; one exactly at its end is accepted.
const Window = 15 * time.Second

// TakeWindow reserves an order number in the transaction that stores a session, for a request made at now. Orders of
// the live key and of the test key are separate (decision bc). A delayed request is refused, however old it is, if a
// later one was accepted before it: its earlier time would replace the later one and let a third request through.
func TakeWindow(tx store.Tx, w records.Owner, order string, now, clock time.Time) error {
	key := records.KeyOfWindow(w, order)
	session, err := windowOfSession(tx, key)
	if err != nil {
		return err
	}
	if _, err := openWindow(tx, session, w, order, now, clock); err != nil {
		return err
	}
	at := now.AppendFormat(make([]byte, 0, len(time.RFC3339Nano)), time.RFC3339Nano)
	return tx.Put(key, at)
}

// TakeOrder is TakeWindow for the charge that makes a payment. Its time is stored with the payment's entry, and needs
// no entry that has to be deleted soon.
func TakeOrder(tx store.Tx, p *records.Payment, clock time.Time) error {
	w := records.OwnerOf(p)
	session, err := windowOfSession(tx, records.KeyOfWindow(w, p.Order.Number))
	if err != nil {
		return err
	}
	o, err := openWindow(tx, session, w, p.Order.Number, p.CreatedAt, clock)
	if err != nil {
		return err
	}
	o.Accepted = p.CreatedAt
	return o.Put(tx, w, p.Order.Number)
}

// openWindow returns ErrDuplicate if a session, at the time given, or a charge has taken the order number.
func openWindow(r store.Reader, session time.Time, w records.Owner, order string,
	now, clock time.Time) (records.Order, error) {
	o, err := records.ReadOrder(r, w, order)
	if err != nil {
		return o, err
	}
	for _, at := range [...]time.Time{session, o.Accepted} {
		if !at.IsZero() && isWithin(Window, at, now, clock) {
			return o, refusal.ErrDuplicate
		}
	}
	return o, nil
}

// windowOfSession returns when a session last took an order number, by the key of its window; zero for never.
func windowOfSession(r store.Reader, key []byte) (time.Time, error) {
	last, err := r.Get(key)
	if errors.Is(err, store.ErrNotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339Nano, string(last))
}

// isWithin reports whether a request of now comes less than a while after the one accepted at at. If the clock was
// set back by less than that, nothing changes; if by more, the window opens. The current clock distinguishes this
// from a delayed request.
func isWithin(while time.Duration, at, now, clock time.Time) bool {
	age := now.Sub(at)
	return age < while && (age > -while || !clock.Before(at))
}

// FirstOfOrder refuses an order number that already has a payment (decision u: on S2S each is used once).
func FirstOfOrder(tx store.Tx, p *records.Payment) error {
	o, err := records.ReadOrder(tx, records.OwnerOf(p), p.Order.Number)
	if err != nil || !o.Used() {
		return err
	}
	return refusal.ErrInvalid.Fields(refusal.Fault{Path: "order_id", Text: fields.TextPaid})
}
