package voucher

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Cash is a connector for cash at a counter, paid for a reference that the payer shows there. The MID has the
// setting "client_id" and the secret "client_secret".
type Cash struct {
	URL    string
	Client *http.Client
}

// Capabilities: references and payments are made under our key, once.
func (c Cash) Capabilities() methods.Capabilities {
	return methods.Capabilities{Powers: []methods.Power{methods.Finds}, IdempotentByKey: true, Lateness: time.Minute}
}

// Perform makes three calls: for the token, for the reference, and for the payment of that reference. Before the
// last one nothing is owed, so only its failure leaves the outcome unknown.
func (c Cash) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	if op.Kind != store.OpSale || op.Key == "" {
		return methods.Declined(op, "Operation is not supported")
	}
	token, failed := c.authenticate(ctx, op)
	if failed != "" {
		return methods.NotSent(op, failed)
	}
	body := payment{Key: op.Key, Amount: op.Amount, Currency: op.Currency}
	made := call(ctx, c.Client, c.request(token, http.MethodPost, "/references", body))
	if made.code != http.StatusOK || made.payment.Reference == "" {
		return methods.NotSent(op, "no reference: "+made.failure())
	}
	body.Reference = made.payment.Reference
	return said(op, call(ctx, c.Client, c.request(token, http.MethodPost, "/payments", body)))
}

// Find authenticates again: the token is not worth keeping.
func (c Cash) Find(ctx context.Context, op methods.Operation) methods.Answer {
	token, failed := c.authenticate(ctx, op)
	if failed != "" {
		return methods.Unknown(op, failed)
	}
	return found(op, call(ctx, c.Client, c.request(token, http.MethodGet, "/payments/"+url.PathEscape(op.Key), nil)))
}

func (c Cash) authenticate(ctx context.Context, op methods.Operation) (token, failed string) {
	got := call(ctx, c.Client, request{method: http.MethodPost, url: c.URL + "/token", body: map[string]string{
		"client_id": op.MID.Settings["client_id"], "client_secret": op.MID.Secrets["client_secret"].Reveal(),
	}})
	if got.code != http.StatusOK || got.Token == "" {
		return "", "no token: " + got.failure()
	}
	return got.Token, ""
}

func (c Cash) request(token, method, path string, body any) request {
	return request{method: method, url: c.URL + path, body: body, header: http.Header{"Authorization": {token}}}
}
