package checkout

import (
	"context"
	"strconv"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/strictjson"
)

// statusBody is a lookup by payment_id or by order_id (SPEC1, "Status lookup by order").
type statusBody struct {
	MerchantKey string           `json:"merchant_key"`
	PaymentID   string           `json:"payment_id"`
	OrderID     string           `json:"order_id"`
	Size        strictjson.Value `json:"size"`
	Hash        string           `json:"hash"`
}

var statusDecoder = strictjson.For[statusBody](strictjson.Limits{MaxBytes: MaxFollowUp})

func status(ctx context.Context, gw *gateway.Gateway, text []byte) (any, error) {
	body, err := read(statusDecoder, statusFields, text)
	if err != nil {
		return nil, err
	}
	client, err := gw.Client(ctx, body.MerchantKey)
	if err != nil {
		return nil, err
	}
	lookup, listed := body.lookup()
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

// lookup returns what is asked for. listed: the answer is an array, because size was sent.
func (b *statusBody) lookup() (l gateway.Lookup, listed bool) {
	l.PaymentID, l.OrderNumber = b.PaymentID, b.OrderID
	if b.PaymentID != "" {
		l.Proof = &gateway.Proof{Formula: signature.CheckoutPayment, Hash: b.Hash,
			Inputs: signature.Inputs{PaymentID: b.PaymentID}}
		return l, false
	}
	l.Size, listed = size(b.Size)
	l.Proof = &gateway.Proof{Formula: signature.CheckoutOrder, Hash: b.Hash, Inputs: signature.Inputs{OrderID: b.OrderID}}
	return l, listed
}

// statusFields are a payment, or without one an order and how many of its newest payments to return.
var statusFields = &fields.Table[*sent[statusBody]]{Fields: []fields.Field[*sent[statusBody]]{
	required("merchant_key", func(b *statusBody) string { return b.MerchantKey }, fields.Name).Says("the merchant's key"),
	byPayment(required("payment_id", func(b *statusBody) string { return b.PaymentID }, fields.Name)),
	// Any order number that a session may have (checkout.md, "Status lookup quirk").
	optional("order_id", orderAsked, fields.AtMost(255)),
	{Path: "size", Check: sizeFault, Form: fields.Form{
		Words: "with order_id: so many of its newest payments, 1..100; the answer is then a list"}},
	hash(func(b *statusBody) string { return b.Hash }),
}}

// byPayment requires the field when no order is named.
func byPayment(f fields.Field[*sent[statusBody]]) fields.Field[*sent[statusBody]] {
	f.Needed = fields.If("unless order_id is sent", func(s *sent[statusBody]) bool { return !byOrder(s) })
	return f
}

// byOrder reports whether an order is named in place of a payment, even if its number could not be read.
func byOrder(s *sent[statusBody]) bool {
	return s.body.PaymentID == "" && (s.body.OrderID != "" || s.found.Has("order_id"))
}

// orderAsked returns the order of the lookup; a named payment takes precedence.
func orderAsked(b *statusBody) string {
	if b.PaymentID != "" {
		return ""
	}
	return b.OrderID
}

func sizeFault(s *sent[statusBody]) []gateway.Fault {
	if n, _ := size(s.body.Size); n < 0 && byOrder(s) {
		return []gateway.Fault{{Text: fields.TextStatusSize}}
	}
	return nil
}

// size reads a whole number as JSON number or as text; empty counts as absent (decision m). Any other value is -1.
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
