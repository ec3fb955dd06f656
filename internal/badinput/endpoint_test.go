package badinput_test

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
)

// endpoint is an address for requests, with a request that it accepts.
type endpoint struct {
	name   string
	method string
	path   string
	form   bool
	base   func(w *world) object
	sign   func(o object, mode signature.Mode, password string) string
	token  func(w *world) string // of the header Token, or in the path
}

// request is the valid one.
func (e *endpoint) request(w *world) *request {
	r := &request{at: e, method: e.method, path: e.path, header: jsonHeader()}
	if e.form {
		r.header = formHeader()
	}
	if e.base != nil {
		r.body = e.base(w)
	}
	if e.token != nil {
		token := e.token(w)
		if strings.Contains(e.path, "{token}") {
			r.path = strings.ReplaceAll(e.path, "{token}", token)
		} else {
			r.header.Set("Token", token)
		}
	}
	return r
}

// endpoints are all of them, by name. S2S has one for each action.
func endpoints() map[string]*endpoint {
	all := map[string]*endpoint{}
	for _, list := range [][]endpoint{
		checkoutEndpoints, hpfEndpoints, cardEndpoints, followUpEndpoints, apmEndpoints, pageEndpoints,
	} {
		for i := range list {
			all[list[i].name] = &list[i]
		}
	}
	return all
}

var checkoutEndpoints = []endpoint{
	{name: "session", method: "POST", path: "/api/v1/session", base: sessionBase, sign: signSession},
	{name: "status", method: "POST", path: "/api/v1/payment/status", sign: signPayment,
		base: func(w *world) object { return about(w.settled(), "") }},
	{name: "capture", method: "POST", path: "/api/v1/payment/capture", sign: signPayment,
		base: func(w *world) object { return about(w.held(), "10.00") }},
	{name: "refund", method: "POST", path: "/api/v1/payment/refund", sign: signPayment,
		base: func(w *world) object { return about(w.settled(), "10.00") }},
	{name: "void", method: "POST", path: "/api/v1/payment/void", sign: signPayment,
		base: func(w *world) object { return about(w.settled(), "") }},
	{name: "retry", method: "POST", path: "/api/v1/payment/retry", sign: signPayment,
		base: func(w *world) object { return about(w.settled(), "") }},
	{name: "recurring", method: "POST", path: "/api/v1/payment/recurring", base: recurringBase, sign: signRecurring},
	{name: "card credit", method: "POST", path: "/api/v1/payment/card/credit", base: creditBase, sign: signCredit},
}

func sessionBase(*world) object {
	return object{
		"merchant_key": gatewaytest.MerchantKey, "operation": "purchase",
		"order":       object{"number": "ORD-1", "amount": "10.00", "currency": "USD", "description": "Important gift"},
		"success_url": "https://shop.example/success?cart=1", "cancel_url": "https://shop.example/cancel",
		"customer": object{"name": "John Doe", "email": "doe@example.com"},
		"hash":     toSign,
	}
}

func about(payment, amount string) object {
	o := object{"merchant_key": gatewaytest.MerchantKey, "payment_id": payment, "hash": toSign}
	if amount != "" {
		o["amount"] = amount
	}
	return o
}

func recurringBase(w *world) object {
	first := w.chain()
	return object{
		"merchant_key": gatewaytest.MerchantKey, "hash": toSign,
		"order":                   object{"number": "ORD-2", "amount": "5.00", "description": "Second month"},
		"recurring_init_trans_id": first.ID, "recurring_token": first.RecurringToken,
	}
}

const pan = "4111111111111111"

func creditBase(*world) object {
	return object{
		"merchant_key": gatewaytest.MerchantKey, "hash": toSign, "order_id": "ORD-7", "order_amount": "7.00",
		"order_currency": "USD", "order_description": "Your prize", "card_number": pan,
	}
}

var hpfEndpoints = []endpoint{
	{name: "HPF token", method: "POST", path: "/api/v1/session/token", base: tokenBase, sign: signSession},
	{name: "HPF update", method: "PUT", path: "/api/v1/session/update", token: purchaseToken,
		base: func(*world) object { return object{"order_amount": "12.00"} }},
	{name: "HPF payment", method: "POST", path: "/api/v1/processing/purchase/card", token: purchaseToken, base: paymentBase},
	{name: "HPF debit", method: "POST", path: "/api/v1/processing/debit/card", base: paymentBase,
		token: func(w *world) string { return w.hosted("debit") }},
	{name: "HPF fields", method: "POST", path: "/sdk/collect", token: purchaseToken,
		base: func(*world) object { return object{"card_number": pan, "expiry": "01/38", "cvv": "739"} }},
}

func tokenBase(*world) object {
	return object{
		"merchant_key": gatewaytest.MerchantKey, "operation": "purchase", "return_url": "https://shop.example/return?cart=1",
		"order": object{"number": "ORD-1", "amount": "10.00", "currency": "USD", "description": "Important gift"},
		"hash":  toSign,
	}
}

func purchaseToken(w *world) string { return w.hosted("purchase") }

func paymentBase(*world) object { return object{"name": "John Doe", "with_hosted_fields": true} }

// The page's own posts, and the links by which payers and acquirers come back.
var pageEndpoints = []endpoint{
	{name: "page", method: "POST", path: "/auth/{token}", form: true, token: (*world).link, base: cardForm},
	{name: "page cancel", method: "POST", path: "/auth/{token}/cancel", form: true, token: (*world).link, base: func(*world) object { return object{} }},
	{name: "page answer", method: "POST", path: "/auth/{token}/answer", form: true, token: (*world).link, base: func(*world) object { return object{"answer.code": "1"} }},
	{name: "page shown", method: http.MethodGet, path: "/auth/{token}", form: true, token: (*world).link},
	{name: "return", method: "POST", path: "/return/{token}", form: true, token: (*world).away, base: func(*world) object { return object{"PaRes": "x", "MD": "y"} }},
	{name: "notify", method: "POST", path: "/notify/{token}", form: true, token: (*world).notice, base: func(*world) object { return object{"status": "approved"} }},
}

func cardForm(w *world) object {
	next, err := w.NextAction(w.t.Context(), w.link())
	require.NoError(w.t, err)
	return object{"attempt": strconv.Itoa(next.Attempt), "card_number": "4111 1111 1111 1111", "expiry": "01/38",
		"cvv": "739", "name": "John Doe"}
}
