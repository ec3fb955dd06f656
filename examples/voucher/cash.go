package voucher

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/rest"
	"github.com/tollgatepay/gateway/store"
)

// Cash is a connector for cash at a counter, paid for a reference that the payer shows there. The MID has the
// setting "client_id" and the secret "client_secret".
type Cash struct{ API *rest.Client }

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
	reply := c.API.Send(ctx, rest.Request{Path: "/references", Header: token, Body: body})
	if body.Reference = read(reply).Reference; body.Reference == "" {
		return methods.NotSent(op, "the acquirer gave no reference")
	}
	reply = c.API.Send(ctx, rest.Request{Path: "/payments", Header: token, Body: body})
	return rest.Performed(reply, op, said(op))
}

// Find authenticates again: the token is not worth keeping.
func (c Cash) Find(ctx context.Context, op methods.Operation) methods.Answer {
	token, failed := c.authenticate(ctx, op)
	if failed != "" {
		return methods.Unknown(op, failed)
	}
	question := rest.Request{Path: "/payments/" + url.PathEscape(op.Key), Header: token}
	return rest.Found(c.API.Send(ctx, question), op, said(op))
}

func (c Cash) authenticate(ctx context.Context, op methods.Operation) (token http.Header, failed string) {
	got := read(c.API.Send(ctx, rest.Request{Path: "/token", Body: map[string]string{
		"client_id": op.MID.Settings["client_id"], "client_secret": op.MID.Secrets["client_secret"].Reveal(),
	}}))
	if got.Token == "" {
		return nil, "the acquirer gave no token"
	}
	return http.Header{"Authorization": {got.Token}}, ""
}

// prepared is what the calls before the payment answer; empty if they failed.
type prepared struct {
	Token     string `json:"token"`
	Reference string `json:"reference"`
}

func read(r rest.Reply) (p prepared) {
	if r.Status != http.StatusOK || r.Decode(&p) != nil {
		return prepared{}
	}
	return p
}
