package gateway

import (
	"github.com/tollgatepay/gateway/internal/fields"
)

// A merchant that takes https URLs only (store.Merchant, HTTPSOnly) has them refused wherever a URL comes in: in
// sessions of both kinds, charges, later payments of chains, and its own records.

func sessionURLs(r *SessionRequest) []fields.Text {
	return []fields.Text{
		{Name: "cancel_url", Value: r.CancelURL}, {Name: "return_url", Value: r.ReturnURL}, {Name: "success_url", Value: r.SuccessURL}, {Name: "expiry_url", Value: r.ExpiryURL}, {Name: "error_url", Value: r.ErrorURL},
	}
}

func chargeURLs(r *ChargeRequest) []fields.Text {
	return []fields.Text{{Name: "return_url", Value: r.ReturnURL}, {Name: "callback_url", Value: r.CallbackURL}}
}
