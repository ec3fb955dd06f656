package wire

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/methods/rest"
	"github.com/tollgatepay/gateway/store"
)

// endpoints are the paths of Checkout and Hosted Payment Fields whose requests have a key and a hash, with the formula
// of each (docs/protocol/checkout.md, "Hash formulas").
var endpoints = map[string]signature.Formula{
	"/api/v1/session":             signature.CheckoutSession,
	"/api/v1/session/token":       signature.CheckoutSession,
	"/api/v1/payment/recurring":   signature.CheckoutRecurring,
	"/api/v1/payment/card/credit": signature.CheckoutCredit,
	"/api/v1/payment/status":      signature.CheckoutPayment, // by order_id CheckoutOrder
	"/api/v1/payment/capture":     signature.CheckoutAmount,
	"/api/v1/payment/refund":      signature.CheckoutAmount,
	"/api/v1/payment/void":        signature.CheckoutPayment,
	"/api/v1/payment/retry":       signature.CheckoutPayment,
}

// Post signs a request of Checkout or of a token of Hosted Payment Fields, and sends it. body is the request as JSON
// without merchant_key and hash: Fields, or a struct of the caller.
func (c *Client) Post(ctx context.Context, path string, body any) (*Answer, error) {
	formula, ok := endpoints[path]
	if !ok {
		return nil, fmt.Errorf("wire: %q is no path with a hash", path)
	}
	request, err := object(body)
	if err != nil {
		return nil, err
	}
	sent := &Answer{Body: request}
	if path == "/api/v1/payment/status" && sent.Text("payment_id") == "" {
		formula = signature.CheckoutOrder
	}
	request["merchant_key"], request["hash"] = c.key, c.sign(formula, checkoutInputs(sent))
	return c.send(ctx, rest.Request{Path: path, Body: request})
}

// object returns a body as an object whose numbers are as they were written.
func object(body any) (o map[string]any, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("wire: %w", err)
	}
	if err := decode(text, &o); err != nil || o == nil {
		return nil, errors.New("wire: the body must be an object")
	}
	return o, nil
}

func checkoutInputs(sent *Answer) signature.Inputs {
	first := func(paths ...[]string) (text string) {
		for _, path := range paths {
			text = cmp.Or(text, sent.Text(path...))
		}
		return text
	}
	return signature.Inputs{
		OrderNumber: sent.Text("order", "number"), OrderID: sent.Text("order_id"), PaymentID: sent.Text("payment_id"),
		Amount:      first([]string{"order", "amount"}, []string{"order_amount"}, []string{"amount"}),
		Currency:    first([]string{"order", "currency"}, []string{"order_currency"}),
		Description: first([]string{"order", "description"}, []string{"order_description"}),

		RecurringInitTransID: sent.Text("recurring_init_trans_id"), RecurringToken: sent.Text("recurring_token"),
	}
}

// CreateSession creates a Checkout session and returns the address of its page. body is as for Post.
func (c *Client) CreateSession(ctx context.Context, body any) (page string, err error) {
	return c.text(ctx, "/api/v1/session", body, "redirect_url")
}

// CreateToken creates a session of Hosted Payment Fields and returns its token. body is as for Post.
func (c *Client) CreateToken(ctx context.Context, body any) (token string, err error) {
	return c.text(ctx, "/api/v1/session/token", body, "token")
}

func (c *Client) text(ctx context.Context, path string, body any, name string) (string, error) {
	a, err := c.Post(ctx, path, body)
	if err != nil {
		return "", err
	}
	if text := a.Text(name); text != "" {
		return text, nil
	}
	return "", ErrUnsure
}

// PayHosted charges the card that the payer has typed into the fields of a token. The body has name and more of the
// payer. The kind is that of the token's session: store.Purchase, for which an empty one counts too, or store.Debit; no
// other has such fields, and nothing is sent for it.
func (c *Client) PayHosted(ctx context.Context, token string, kind store.Kind, body any) (*Answer, error) {
	path := "/api/v1/processing/purchase/card"
	switch kind {
	case "", store.Purchase:
	case store.Debit:
		path = "/api/v1/processing/debit/card"
	default: // transfers and payouts too
		return nil, fmt.Errorf("wire: hosted fields take no %q", kind)
	}
	request, err := object(body)
	if err != nil {
		return nil, err
	}
	request["with_hosted_fields"] = true
	return c.send(ctx, rest.Request{Path: path, Header: http.Header{"Token": {token}}, Body: request})
}

// Update changes the session of a token before it is paid.
func (c *Client) Update(ctx context.Context, token string, body any) (*Answer, error) {
	request, err := object(body)
	if err != nil {
		return nil, err
	}
	return c.send(ctx, rest.Request{Method: http.MethodPut, Path: "/api/v1/session/update",
		Header: http.Header{"Token": {token}}, Body: request})
}

// Status returns a payment by its id.
func (c *Client) Status(ctx context.Context, paymentID string) (*Answer, error) {
	return c.Post(ctx, "/api/v1/payment/status", Fields{"payment_id": paymentID})
}

// StatusByOrder returns the newest payment of an order.
func (c *Client) StatusByOrder(ctx context.Context, orderID string) (*Answer, error) {
	return c.Post(ctx, "/api/v1/payment/status", Fields{"order_id": orderID})
}

// Capture takes an amount of what is held, as text like "10.00".
func (c *Client) Capture(ctx context.Context, paymentID, amount string) (*Answer, error) {
	return c.Post(ctx, "/api/v1/payment/capture", Fields{"payment_id": paymentID, "amount": amount})
}

// Refund gives an amount back, as text like "10.00".
func (c *Client) Refund(ctx context.Context, paymentID, amount string) (*Answer, error) {
	return c.Post(ctx, "/api/v1/payment/refund", Fields{"payment_id": paymentID, "amount": amount})
}

// Void gives a settled payment back in full, on the financial day on which it was captured.
func (c *Client) Void(ctx context.Context, paymentID string) (*Answer, error) {
	return c.Post(ctx, "/api/v1/payment/void", Fields{"payment_id": paymentID})
}

// Retry tries a later payment of a chain again that was declined softly.
func (c *Client) Retry(ctx context.Context, paymentID string) (*Answer, error) {
	return c.Post(ctx, "/api/v1/payment/retry", Fields{"payment_id": paymentID})
}
