// Package voucher is an example for authors of connectors: two small ones for acquirers that are reached over HTTP
// with JSON. Vouchers authenticates with two headers, Cash with a token from a call before.
//
// Both have to answer correctly when something fails: NotSent only when the acquirer certainly did nothing,
// Unknown whenever the request may have arrived. Package methods/rest knows which is which. The gateway then calls
// Find, or sends the same request with the same key again.
package voucher

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/rest"
	"github.com/tollgatepay/gateway/store"
)

// Vouchers redeems vouchers by their pin (parameter "pin"). The MID has the secrets "api_key" and
// "api_secret".
type Vouchers struct{ API *rest.Client }

// payment is a payment in the API of both acquirers. They repeat amount and currency; the connector passes on
// their values and not its own, so that the gateway sees a mismatch.
type payment struct {
	ID       string       `json:"id,omitempty"`
	Key      string       `json:"key"`
	Amount   store.Amount `json:"amount"`
	Currency string       `json:"currency"`
	Status   string       `json:"status,omitempty"` // redeemed or paid, refused, waiting
	Reason   string       `json:"reason,omitempty"`

	Pin       string `json:"pin,omitempty"`
	Reference string `json:"reference,omitempty"`
}

// Capabilities: the acquirer knows our key, so a request may be sent again.
func (v Vouchers) Capabilities() methods.Capabilities {
	return methods.Capabilities{Powers: []methods.Power{methods.Finds}, IdempotentByKey: true, Lateness: time.Minute}
}

// Perform redeems the voucher for a sale; the acquirer has no other operation.
func (v Vouchers) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	var sent struct {
		Pin string `json:"pin"`
	}
	switch {
	case op.Kind != store.OpSale || op.Key == "":
		return methods.Declined(op, "Operation is not supported")
	case json.Unmarshal(op.Parameters, &sent) != nil || sent.Pin == "":
		return methods.Declined(op, "Voucher pin is missing")
	}
	body := payment{Key: op.Key, Amount: op.Amount, Currency: op.Currency, Pin: sent.Pin}
	reply := v.API.Send(ctx, rest.Request{Path: "/vouchers", Header: secrets(op), Body: body})
	return rest.Performed(reply, op, said(op))
}

// Find asks with our key alone: after a crash the gateway has nothing else.
func (v Vouchers) Find(ctx context.Context, op methods.Operation) methods.Answer {
	question := rest.Request{Path: "/vouchers/" + url.PathEscape(op.Key), Header: secrets(op)}
	return rest.Found(v.API.Send(ctx, question), op, said(op))
}

func secrets(op methods.Operation) http.Header {
	return http.Header{
		"X-API-Key":    {op.MID.Secrets["api_key"].Reveal()},
		"X-API-Secret": {op.MID.Secrets["api_secret"].Reveal()},
	}
}

// said returns how the acquirer's state of a payment is read: with its key, amount and currency, not ours.
func said(op methods.Operation) func(payment) methods.Answer {
	return func(p payment) (a methods.Answer) {
		switch p.Status {
		case "redeemed", "paid":
			a = methods.Approved(op, p.ID)
		case "refused":
			a = methods.Declined(op, p.Reason)
		case "waiting":
			shown := methods.Detail{Label: "Reference", Value: p.Reference}
			a = methods.Displayed(op, methods.Display{Details: []methods.Detail{shown}}, nil)
		default:
			return methods.Unknown(op, "the acquirer answered an unknown status")
		}
		a.Key, a.Amount, a.Currency, a.Reference = p.Key, p.Amount, p.Currency, p.ID
		return a
	}
}
