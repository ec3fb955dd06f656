// Package voucher is an example for authors of connectors: two small ones for acquirers that are reached over HTTP
// with JSON. Vouchers authenticates with two headers, Cash with a token from a call before.
//
// Both have to answer correctly when something fails: NotSent only when the acquirer certainly did nothing,
// Unknown whenever the request may have arrived. The gateway then calls Find, or sends the same request with the
// same key again.
package voucher

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Vouchers redeems vouchers by their pin (parameter "pin"). The MID has the secrets "api_key" and
// "api_secret".
type Vouchers struct {
	URL    string       // of the acquirer's API, without a slash at the end
	Client *http.Client // http.DefaultClient when nil; the context bounds every call
}

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
	return said(op, call(ctx, v.Client, v.request(op, http.MethodPost, "/vouchers",
		payment{Key: op.Key, Amount: op.Amount, Currency: op.Currency, Pin: sent.Pin})))
}

// Find asks with our key alone: after a crash the gateway has nothing else.
func (v Vouchers) Find(ctx context.Context, op methods.Operation) methods.Answer {
	return found(op, call(ctx, v.Client, v.request(op, http.MethodGet, "/vouchers/"+url.PathEscape(op.Key), nil)))
}

func (v Vouchers) request(op methods.Operation, method, path string, body any) request {
	// HTTP ignores the letter case of names: these are X-API-Key and X-API-Secret.
	return request{method: method, url: v.URL + path, body: body, header: http.Header{
		"X-Api-Key":    {op.MID.Secrets["api_key"].Reveal()},
		"X-Api-Secret": {op.MID.Secrets["api_secret"].Reveal()},
	}}
}
