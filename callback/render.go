package callback

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/store"
)

// Event is what a callback tells of: the closed set of facts that bodies are rendered from, as they
// stand once the row of the state table is applied.
type Event struct {
	Type   string // sale, recurring, 3ds, refund, ... (the row's; recurring for later payments of a chain)
	Status string // success, fail, waiting or undefined (the row's)

	Payment     *store.Payment
	Transaction *store.Transaction
	Merchant    *store.Merchant // with its password
	Mapping     *store.Mapping
	MID         *store.MID

	Next   *store.Next // where the payer has to go; nil but for 3ds and redirect
	Crypto bool        // the method is one of crypto (S2S APM signs its SALE in another way)

	action, result string // of S2S
	custom         any    // custom_data, decoded
}

// form is how one protocol tells of an event.
type form struct {
	rows      []row // one of them is the hash
	sign      func(e *Event, fields []Field) string
	requireOK bool
}

func formOf(protocol store.Protocol) (f form, ok bool) {
	switch protocol {
	case store.Checkout:
		return form{checkoutFields, signCheckout, false}, true
	case store.S2SCard:
		return form{cardFields, signCard, true}, true
	case store.S2SAPM:
		return form{apmFields, signAPM, true}, true
	}
	return form{}, false
}

// Render makes the body of a callback, signed, in the manner of the payment's protocol. It is pure: the
// bytes are stored and sent as they are, however often it takes. requireOK says that only a body OK
// acknowledges it (decision g). Errors: a protocol that has no callbacks, custom_data that is no JSON.
func Render(e Event) (body []byte, requireOK bool, err error) {
	form, ok := formOf(e.Payment.Protocol)
	if !ok {
		return nil, false, fmt.Errorf("callback: no bodies for protocol %q", e.Payment.Protocol)
	}
	if len(e.Payment.CustomData) > 0 {
		if e.custom, err = decode(e.Payment.CustomData); err != nil {
			return nil, false, fmt.Errorf("callback: custom_data: %w", err)
		}
	}
	e.action = action(&e)
	e.result = result(&e)
	fields := pick(make([]Field, 0, 48), form.rows, &e)
	at := slices.IndexFunc(fields, func(f Field) bool { return f.Name == hash })
	fields[at].Value = form.sign(&e, fields)
	return Encode(fields), form.requireOK, nil
}

// hash is the name of the signature. Its row keeps the place; the value comes when all others are known.
const hash = "hash"

func unsigned(*Event) string { return "" }

func decode(text json.RawMessage) (tree any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&tree)
	return tree, err
}

func signCheckout(e *Event, _ []Field) string {
	return CheckoutHash(e.Payment, e.Mapping, e.Merchant.Password)
}

// CheckoutHash signs a payment towards its merchant, in callbacks and in the payer's return link alike: it
// covers the payment id and the order as it was signed (checkout.md, "Hash formulas").
func CheckoutHash(p *store.Payment, m *store.Mapping, password store.Secret) string {
	return signature.Sign(signature.CheckoutCallback, Mode(m), signature.Inputs{
		PaymentID: p.ID, OrderNumber: p.Order.Number, Amount: p.Order.Amount, Currency: p.Order.Currency,
		Description: p.Order.Description,
	}, password.Reveal())
}

// Mode is the digest that a mapping asks for, in both directions.
func Mode(m *store.Mapping) signature.Mode {
	if m.SHA256 {
		return signature.SHA256
	}
	return signature.MD5
}
