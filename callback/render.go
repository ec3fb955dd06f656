package callback

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/store"
)

// Event is what a callback tells of: the closed set of facts that bodies are rendered from, as they
// stand once the row of the state table is applied.
type Event struct {
	Type   string // sale, 3ds, refund, ... (the row's)
	Status string // success, fail, waiting or undefined (the row's)

	Payment     *store.Payment
	Transaction *store.Transaction
	Merchant    *store.Merchant // with its password
	Mapping     *store.Mapping
	MID         *store.MID
}

// Render makes the body of a callback, signed, in the manner of the payment's protocol. It is pure: the
// bytes are stored and sent as they are, however often it takes. requireOK says that only a body OK
// acknowledges it (decision g). A protocol that has no callbacks here is an error.
func Render(e Event) (body []byte, requireOK bool, err error) {
	if e.Payment.Protocol != store.Checkout {
		return nil, false, fmt.Errorf("callback: no bodies for protocol %q", e.Payment.Protocol)
	}
	var fields []Field
	for _, row := range checkoutFields {
		if value := row.value(&e); value != "" || row.always {
			fields = append(fields, Field{row.name, value})
		}
	}
	if len(e.Payment.CustomData) > 0 {
		custom, err := decode(e.Payment.CustomData)
		if err != nil {
			return nil, false, fmt.Errorf("callback: custom_data: %w", err)
		}
		fields = append(fields, Flatten("custom_data", custom)...)
	}
	fields = append(fields, Field{"hash", CheckoutHash(e.Payment, e.Mapping, e.Merchant.Password)})
	return Encode(fields), false, nil
}

func decode(text json.RawMessage) (tree any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&tree)
	return tree, err
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
