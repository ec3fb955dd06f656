package checkout

import (
	"context"
	"strconv"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/sessionjson"
	"github.com/tollgatepay/gateway/internal/strictjson"
)

// statusBody asks by payment_id or by order_id (SPEC1, "Status lookup by order").
type statusBody struct {
	MerchantKey string           `json:"merchant_key"`
	PaymentID   string           `json:"payment_id"`
	OrderID     string           `json:"order_id"`
	Size        strictjson.Value `json:"size"`
	Hash        string           `json:"hash"`
}

var statusDecoder = strictjson.For[statusBody](strictjson.Limits{MaxBytes: MaxFollowUp})

func status(ctx context.Context, gw *gateway.Gateway, text []byte) (any, error) {
	lookup, listed, err := lookup(text)
	if err != nil {
		return nil, err
	}
	client, err := gw.Client(ctx, lookup.MerchantKey)
	if err != nil {
		return nil, err
	}
	results, err := client.Status(ctx, lookup)
	if err != nil {
		return nil, err
	}
	answers := make([]statusAnswer, len(results))
	for i := range results {
		answers[i] = statusOf(client, &results[i])
	}
	if !listed {
		return answers[0], nil
	}
	return answers, nil
}

// lookup reads a status request. listed says that the answer is an array: when size was sent.
func lookup(text []byte) (l gateway.Lookup, listed bool, err error) {
	body, faults := statusDecoder.Decode(text)
	check := newFields(faults)
	if !sessionjson.CutShort(faults) {
		check.want("merchant_key", body.MerchantKey, isName)
		l.Size, listed = check.subject(&body)
		check.want("hash", body.Hash, isText)
	}
	if err := check.err(); err != nil {
		return l, false, err
	}
	l.MerchantKey, l.PaymentID, l.OrderNumber = body.MerchantKey, body.PaymentID, body.OrderID
	l.Proof = &gateway.Proof{Formula: signature.CheckoutPayment, Hash: body.Hash,
		Inputs: signature.Inputs{PaymentID: body.PaymentID}}
	if body.PaymentID == "" {
		l.Proof.Formula, l.Proof.Inputs = signature.CheckoutOrder, signature.Inputs{OrderID: body.OrderID}
	}
	return l, listed, nil
}

// subject checks what is asked for: a payment, or where none is named the newest of an order, so many
// as size says.
func (f *fields) subject(body *statusBody) (n int, listed bool) {
	if body.PaymentID != "" || body.OrderID == "" && !f.already.Has("order_id") {
		f.want("payment_id", body.PaymentID, isName)
		return 0, false
	}
	f.want("order_id", body.OrderID, isOrder)
	n, listed = size(body.Size)
	if n < 0 {
		f.list = append(f.list, gateway.Fault{Text: textSize})
	}
	return n, listed
}

// isOrder takes every order number that a session may carry (checkout.md, "Status lookup quirk").
func isOrder(value string) string { return within(0, 255)(value) }

// size reads a whole number as JSON number or as text; empty counts as absent (decision m). What is no
// size is -1.
func size(v strictjson.Value) (n int, sent bool) {
	text := v.Text()
	if v.IsZero() || v.Kind() == strictjson.KindNull || v.Kind() == strictjson.KindText && text == "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > gateway.MaxStatusSize || strconv.Itoa(n) != text {
		return -1, true
	}
	return n, true
}
