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
	fields = append(fields, Field{"hash", checkoutHash(&e)})
	return Encode(fields), false, nil
}

func decode(text json.RawMessage) (tree any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&tree)
	return tree, err
}

// checkoutHash covers the payment id and the order as it was signed (checkout.md, "Hash formulas").
func checkoutHash(e *Event) string {
	mode := signature.MD5
	if e.Mapping.SHA256 {
		mode = signature.SHA256
	}
	order := e.Payment.Order
	return signature.Sign(signature.CheckoutCallback, mode, signature.Inputs{
		PaymentID: e.Payment.ID, OrderNumber: order.Number, Amount: order.Amount, Currency: order.Currency,
		Description: order.Description,
	}, e.Merchant.Password.Reveal())
}
