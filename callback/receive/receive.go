// Package receive is the merchant's side of callbacks: it reads and verifies what a gateway of this protocol posts, and
// says why where it does not believe it.
//
//	receiver := &receive.Receiver{Passwords: []store.Secret{password}}
//	http.Handle("/callback", receiver.Handler(func(ctx context.Context, c *receive.Callback) error {
//		return orders.Settle(ctx, c) // compare order, amount and currency with your own order first
//	}))
//
// Deliveries are at least once and may come out of order. Seen tells which were handled before. What is final is told
// by the payment's status, never by the newest callback.
//
// A hash of Checkout covers the payment's id and the order, but not the status; the payer's return link carries the
// same hash, so a payer can make a callback with another status. A hash of S2S CARD covers the e-mail, the card and
// trans_id, and of payouts of S2S APM trans_id, order_id and status. Callback.Signed says which fields are covered. Ask
// for the payment's status where money depends on another one.
package receive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/store"
)

// MaxBytes is the greatest body that is read; the gateway sends none that is larger.
const MaxBytes = 1 << 20

// Why a callback is not believed. Each is wrapped with what is wrong; none repeats a value of the callback.
var (
	ErrForm      = errors.New("receive: the request is not a callback")
	ErrTooLarge  = errors.New("receive: the body is too large")
	ErrMissing   = errors.New("receive: a field is missing")
	ErrUnknown   = errors.New("receive: the payment is not known")
	ErrSignature = errors.New("receive: the hash is wrong")
)

// Protocol is what a merchant and the gateway speak.
type Protocol string

// The protocols. The callbacks of Hosted Payment Fields are those of Checkout.
const (
	Checkout Protocol = "checkout"
	S2SCard  Protocol = "s2s card"
	S2SAPM   Protocol = "s2s apm"
)

// Receiver verifies callbacks of one merchant. Only Passwords is required for Checkout and S2S APM; S2S CARD needs
// Payment too.
type Receiver struct {
	// Passwords are those of the merchant: one, or two while it is changed. Any of them signs.
	Passwords []store.Secret
	// SHA256 is set when the Protocol Mapping says so. Default: MD5.
	SHA256 bool
	// Payment returns what was sent of a payment. Its error is returned; ErrUnknown for one that is not ours.
	Payment func(ctx context.Context, c *Callback) (Payment, error)
	// Seen reports whether a callback was handled before, by the id that its redeliveries share (Callback.ID). It is asked
	// before the callback is handled: remember the id where you handle it, because a callback that Seen has remembered is
	// not handled again if handling it fails. Default: none was handled before.
	Seen func(ctx context.Context, id string) (bool, error)
}

// Payment is what signs a callback of S2S CARD, and of crypto on S2S APM under the option of the mapping, and is not in
// the callback.
type Payment struct {
	Email string
	Card  string // the number, whole or masked (411111******1111); of a CREDIT2CARD the payee's
}

// Callback is a verified callback. Fields that it does not have are empty.
type Callback struct {
	Protocol       Protocol
	Action         string // of Checkout the type: sale, 3ds, refund, ...; of S2S the action: SALE, CREDITVOID, ...
	Result         string // of Checkout the status: success, fail, ...; of S2S the result: SUCCESS, DECLINED, ...
	Status         string // of the payment: settled, SETTLED, ...
	Order          string // the order number
	PaymentID      string // of Checkout id, of S2S trans_id
	TransactionID  string // of Checkout trans_id; of S2S creditvoid_id
	Amount         string // of the transaction, or of the order, as it was sent; "" if crypto has none yet
	Currency       string
	Reason         string // of a decline
	RecurringToken string
	CardToken      string
	ScheduleID     string
	CustomData     map[string]string // by name; nested ones by names like "cart[items][0]"
	Fields         url.Values        // everything, as it was sent
	Signed         []string          // the fields that the hash covers
	Again          bool              // it was seen before, which is no fault: answer as before
}

// ID returns what the redeliveries of a callback share, and no other callback has. Merchants are advised to drop
// repeats by it.
func (c *Callback) ID() string {
	return strings.Join([]string{c.PaymentID, c.Action, c.Result, c.Status, c.TransactionID}, "|")
}

// Parse reads a callback and verifies it. Errors: those of this package, and those of Payment and Seen.
func (r *Receiver) Parse(q *http.Request) (*Callback, error) {
	kind, _, err := mime.ParseMediaType(q.Header.Get("Content-Type"))
	if q.Method != http.MethodPost || err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, fmt.Errorf("%w: it is no POST of a form", ErrForm)
	}
	body, err := io.ReadAll(io.LimitReader(q.Body, MaxBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrForm, err)
	case len(body) > MaxBytes:
		return nil, ErrTooLarge
	}
	return r.ParseBody(q.Context(), string(body))
}

// ParseBody is Parse for a body that came another way.
func (r *Receiver) ParseBody(ctx context.Context, body string) (*Callback, error) {
	fields, err := url.ParseQuery(body)
	if err != nil {
		return nil, fmt.Errorf("%w: its encoding is wrong", ErrForm)
	}
	c, err := read(fields)
	if err != nil {
		return nil, err
	}
	if err := r.verify(ctx, c); err != nil {
		return nil, err
	}
	if r.Seen != nil {
		if c.Again, err = r.Seen(ctx, c.ID()); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Handler answers callbacks: with OK once handle has returned nil, or when the callback was seen before; otherwise with
// status 400, 403 or 500, so that it is sent again. handle may run on many goroutines at once.
func (r *Receiver) Handler(handle func(context.Context, *Callback) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		c, err := r.Parse(q)
		if err == nil && !c.Again {
			err = handle(q.Context(), c)
		}
		switch {
		case err == nil:
			_, _ = io.WriteString(w, "OK")
		case errors.Is(err, ErrSignature):
			http.Error(w, "ERROR", http.StatusForbidden)
		case errors.Is(err, ErrForm), errors.Is(err, ErrTooLarge), errors.Is(err, ErrMissing):
			http.Error(w, "ERROR", http.StatusBadRequest)
		default:
			http.Error(w, "ERROR", http.StatusInternalServerError)
		}
	})
}

// read takes the fields of a callback. A name may be there once.
func read(fields url.Values) (*Callback, error) {
	for name, values := range fields {
		if len(values) > 1 {
			return nil, fmt.Errorf("%w: %q is there twice", ErrForm, name)
		}
	}
	shape := s2sShape
	if fields.Has("order_number") {
		shape = checkoutShape
	}
	if name := shape.missing(fields); name != "" {
		return nil, fmt.Errorf("%w: %s", ErrMissing, name)
	}
	c := &Callback{Protocol: shape.protocol, Fields: fields}
	for name, to := range shape.fields {
		if value := fields.Get(name); value != "" {
			*to(c) = value
		}
	}
	if c.Amount == "" {
		c.Amount = fields.Get("order_amount")
	}
	c.CustomData = customData(fields)
	return c, nil
}

func customData(fields url.Values) map[string]string {
	var data map[string]string
	for name := range fields {
		rest, ok := strings.CutPrefix(name, "custom_data[")
		if !ok {
			continue
		}
		if data == nil {
			data = map[string]string{}
		}
		first, more, _ := strings.Cut(rest, "]")
		data[first+more] = fields.Get(name)
	}
	return data
}

// verify compares the hash under every password, each in constant time.
func (r *Receiver) verify(ctx context.Context, c *Callback) error {
	var known Payment
	if r.Payment != nil && c.Protocol != Checkout {
		var err error
		if known, err = r.Payment(ctx, c); err != nil {
			return err
		}
	}
	mode := signature.MD5
	if r.SHA256 {
		mode = signature.SHA256
	}
	in, hash := inputsOf(c, &known), c.Fields.Get("hash")
	var proven *signing
	for _, row := range formulasOf(c, r.Payment != nil) {
		for _, password := range r.Passwords {
			if signature.Verify(row.formula, mode, in, password.Reveal(), hash) && proven == nil {
				proven = &row
			}
		}
	}
	if proven == nil {
		return ErrSignature
	}
	if c.Protocol, c.Signed = proven.protocol, slices.Clone(proven.signed); proven.signed == nil {
		c.Signed = slices.DeleteFunc(slices.Sorted(maps.Keys(c.Fields)), func(name string) bool { return name == "hash" })
	}
	return nil
}
