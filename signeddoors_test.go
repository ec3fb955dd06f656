package gateway_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
)

// signedDoor is a request of some protocol that makes something and is signed over its order.
type signedDoor struct {
	name, path string
	kind       string // requests of one kind with the same signed fields are the same request
	currency   string
	formula    signature.Formula
	body       func(asked) any // url.Values or an object
}

// asked is what a request asks for. What stands in hash is sent, else what the merchant would sign.
type asked struct {
	store.Order
	key, hash string
	chain     store.Payment // of a recurring payment
	email     string
	change    map[string]string // of a form
}

func (a asked) inputs(d *signedDoor) signature.Inputs {
	return signature.Inputs{
		OrderNumber: a.Number, OrderID: a.Number, Amount: a.Amount, Currency: a.Currency, Description: a.Description,
		Identifier: a.identifier(d), Card: "4111111111111111", Email: a.email, RecurringInitTransID: a.chain.ID, RecurringToken: a.chain.RecurringToken,
	}
}

func (a asked) identifier(d *signedDoor) string {
	if d.formula == signature.APMSale {
		return "payer"
	}
	return ""
}

// of makes the order of a door: of its currency, and described.
func (d *signedDoor) of(number, amount string) asked {
	return asked{Order: store.Order{Number: number, Amount: amount, Currency: d.currency, Description: "Important gift"}, key: gatewaytest.MerchantKey}
}

func (d *signedDoor) sign(a asked) string {
	return signature.Sign(d.formula, signature.MD5, a.inputs(d), gatewaytest.Password)
}

func sessionDoor(operation string, more map[string]any) func(asked) any {
	return func(a asked) any {
		body := map[string]any{
			"merchant_key": a.key, "operation": operation, "hash": a.hash, "methods": []string{"card"},
			"order":       map[string]any{"number": a.Number, "amount": a.Amount, "currency": a.Currency, "description": a.Description},
			"success_url": "https://shop.example/ok", "cancel_url": "https://shop.example/no",
			"customer": map[string]any{"name": "John Doe", "email": "doe@example.com"},
		}
		maps.Copy(body, more)
		return body
	}
}

func creditDoor(a asked) any {
	return map[string]any{"merchant_key": a.key, "hash": a.hash, "order_id": a.Number, "order_amount": a.Amount, "order_currency": a.Currency,
		"order_description": a.Description, "card_number": "4111111111111111"}
}

func recurringDoor(a asked) any {
	return map[string]any{"merchant_key": a.key, "hash": a.hash, "recurring_init_trans_id": a.chain.ID, "recurring_token": a.chain.RecurringToken,
		"order": map[string]any{"number": a.Number, "amount": a.Amount, "description": a.Description}}
}

func formDoor(pairs ...string) func(asked) any {
	return func(a asked) any {
		form := url.Values{"client_key": {a.key}, "hash": {a.hash}, "order_id": {a.Number}, "order_amount": {a.Amount},
			"order_currency": {a.Currency}, "order_description": {a.Description}, "payer_ip": {"123.123.123.123"}}
		if a.email != "" {
			form.Set("payer_email", a.email)
		}
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		for name, value := range a.change {
			form.Set(name, value)
		}
		return form
	}
}

var payee = map[string]any{"payee": map[string]any{"name": "Jane Roe", "email": "roe@example.com"}}

// signedDoors are the doors whose signature covers an order.
func signedDoors() []signedDoor {
	const apm = "return_url"
	coins := []string{"brand", "crypto-btg", "parameters[address]", "TQ1"}
	return []signedDoor{
		{"session purchase", "/api/v1/session", "pay-in", "USD", signature.CheckoutSession, sessionDoor("purchase", nil)},
		{"session debit", "/api/v1/session", "pay-in", "USD", signature.CheckoutSession, sessionDoor("debit", nil)},
		{"token purchase", "/api/v1/session/token", "pay-in", "USD", signature.CheckoutSession, sessionDoor("purchase", map[string]any{"return_url": "https://shop.example/back"})},
		{"token debit", "/api/v1/session/token", "pay-in", "USD", signature.CheckoutSession, sessionDoor("debit", map[string]any{"return_url": "https://shop.example/back"})},
		{"session transfer", "/api/v1/session", "transfer", "USD", signature.CheckoutSession, sessionDoor("transfer", payee)},
		{"session credit", "/api/v1/session", "credit", "USD", signature.CheckoutSession, sessionDoor("credit", payee)},
		{"card credit", "/api/v1/payment/card/credit", "credit", "USD", signature.CheckoutCredit, creditDoor},
		{"recurring", "/api/v1/payment/recurring", "recurring", "", signature.CheckoutRecurring, recurringDoor},
		{"SALE", "/post-va", "SALE", "USD", signature.APMSale, formDoor("action", "SALE", "brand", "vcard", "identifier", "payer", apm, "https://shop.example/back")},
		{"DEBIT2VIRTUAL", "/post-va", "DEBIT2VIRTUAL", "USD", signature.APMSale, formDoor("action", "DEBIT2VIRTUAL", "brand", "vcard", "identifier", "payer", "payer_return_url", "https://shop.example/back")},
		{"DEBIT2VIRTUAL_CALC", "/post-va", "DEBIT2VIRTUAL_CALC", "USD", signature.APMSale, formDoor("action", "DEBIT2VIRTUAL_CALC", "brand", "vcard", "identifier", "payer", "payer_return_url", "https://shop.example/back")},
		{"CREDIT2VIRTUAL", "/post-va", "CREDIT2VIRTUAL", "USD", signature.APMCredit, formDoor("action", "CREDIT2VIRTUAL", "brand", "vcard")},
		{"CREDIT2CRYPTO", "/post-va", "CREDIT2CRYPTO", "USDT", signature.APMCredit, formDoor(append([]string{"action", "CREDIT2CRYPTO"}, coins...)...)},
	}
}

func doorNamed(t testing.TB, name string) *signedDoor {
	t.Helper()
	for _, d := range signedDoors() {
		if d.name == name {
			return &d
		}
	}
	t.Fatal("no door " + name)
	return nil
}

// signedShop is a merchant in front of every protocol.
type signedShop struct {
	*gatewaytest.Kit
	http.Handler
	chain store.Payment
}

func openDoors(t testing.TB, options ...gatewaytest.Option) *signedShop {
	t.Helper()
	kit := gatewaytest.New(t, append([]gatewaytest.Option{func(c *gateway.Config) {
		c.Crypto = []methods.Currency{{Code: "USDT", Exponent: 2}}
	}}, options...)...)
	return &signedShop{Kit: kit, Handler: everyDoor(kit)}
}

// everyDoor serves the protocols of a merchant's backend.
func everyDoor(kit *gatewaytest.Kit) *http.ServeMux {
	mux := http.NewServeMux()
	checkout.Register(mux, kit.Gateway)
	hpf.Register(mux, kit.Gateway, hpf.Options{})
	s2s.Register(mux, kit.Gateway)
	return mux
}

// withChain is a shop with a chain that recurring payments go on with.
func withChain(t testing.TB, options ...gatewaytest.Option) *signedShop {
	t.Helper()
	s := openDoors(t, options...)
	s.chain = charged(t, s.Kit, "CHAIN", gatewaytest.Settles, inits).Payment
	return s
}

// send answers the status and what was refused.
func (s *signedShop) send(t testing.TB, d *signedDoor, a asked) (status int, refused string) {
	t.Helper()
	a.chain = s.chain
	if d.name == "recurring" {
		a.Currency = ""
	}
	if a.hash == "" {
		a.hash = d.sign(a)
	}
	var text []byte
	contentType := "application/json"
	switch body := d.body(a).(type) {
	case url.Values:
		text, contentType = []byte(body.Encode()), "application/x-www-form-urlencoded"
	default:
		var err error
		text, err = json.Marshal(body)
		require.NoError(t, err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, d.path, bytes.NewReader(text))
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	var answer struct {
		Message string `json:"error_message"`
		Errors  []struct {
			Message string `json:"error_message"`
		} `json:"errors"`
	}
	if w.Code != http.StatusOK {
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer), w.Body.String())
		list := []string{}
		for _, one := range answer.Errors {
			list = append(list, one.Message)
		}
		return w.Code, answer.Message + " " + strings.Join(list, "; ")
	}
	return w.Code, ""
}

func (s *signedShop) takes(t testing.TB, d *signedDoor, a asked, why ...any) {
	t.Helper()
	status, refused := s.send(t, d, a)
	require.Equal(t, http.StatusOK, status, append([]any{refused}, why...)...)
}

func (s *signedShop) refuses(t testing.TB, d *signedDoor, a asked, with string, why ...any) {
	t.Helper()
	before := everyKey(t, s.Store)
	status, refused := s.send(t, d, a)
	require.Equal(t, http.StatusBadRequest, status, append([]any{d.name}, why...)...)
	require.Contains(t, refused, with, why...)
	require.Equal(t, before, everyKey(t, s.Store), "nothing is stored")
}

const (
	hashUsed  = "hash: already used for another request"
	duplicate = "Duplicate request."
)

// The same text with the border between number and amount moved is another request, at every door.
func TestHashSignsOneOrderAtEveryDoor(t *testing.T) {
	t.Parallel()
	for _, d := range signedDoors() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s := withChain(t)
			first := d.of("SUB-11", "10.00")
			s.takes(t, &d, first)
			moved := d.of("SUB-1", "110.00")
			first.chain = s.chain
			moved.hash = d.sign(inherited(&d, first))
			s.refuses(t, &d, moved, hashUsed, "at once")
			s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
			s.refuses(t, &d, moved, hashUsed, "later")
			moved.hash = ""
			s.Clock.Set(s.Clock.Now().AddDate(3, 0, 0))
			s.Work(t)
			require.Equal(t, d.sign(inherited(&d, first)), d.sign(inherited(&d, asked{Order: moved.Order, chain: s.chain})), "the two texts are one")
			s.refuses(t, &d, moved, hashUsed, "years later, though the merchant signs it")
		})
	}
}

// inherited is a request as its formula signs it: a later payment of a chain names no currency.
func inherited(d *signedDoor, a asked) asked {
	if d.name == "recurring" {
		a.Currency = ""
	}
	return a
}

// A hash makes requests of one kind: at another door it is refused, be its order the same.
func TestHashSignsOneKind(t *testing.T) {
	t.Parallel()
	for _, first := range signedDoors() {
		for _, second := range signedDoors() {
			a, b := first.of("ORD-1", "10.00"), second.of("ORD-1", "10.00")
			if first.name == second.name || first.sign(a) != second.sign(b) {
				continue // it is no hash of that door anyway
			}
			t.Run(first.name+" to "+second.name, func(t *testing.T) {
				t.Parallel()
				s := openDoors(t)
				s.takes(t, &first, a)
				s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
				switch {
				case first.kind != second.kind:
					s.refuses(t, &second, b, hashUsed)
				case first.name == "card credit":
					s.refuses(t, &second, b, duplicate, "it is paid")
				default:
					s.takes(t, &second, b)
				}
			})
		}
	}
}

// What the test key made the live key does not make, nor the other way round (decision cd).
func TestHashSignsOneKey(t *testing.T) {
	t.Parallel()
	for _, d := range signedDoors() {
		if d.name == "recurring" {
			continue // the chain is of one key
		}
		for _, keys := range [][2]string{{gatewaytest.MerchantKey, gatewaytest.TestKey}, {gatewaytest.TestKey, gatewaytest.MerchantKey}} {
			t.Run(d.name+" "+keys[0], func(t *testing.T) {
				t.Parallel()
				s := openDoors(t)
				a := d.of("ORD-1", "10.00")
				a.key = keys[0]
				s.takes(t, &d, a)
				a.key = keys[1]
				s.refuses(t, &d, a, hashUsed)
				other := d.of("ORD-1", "20.00")
				other.key = keys[1]
				s.takes(t, &d, other, "the duplicate window of the two keys is apart (decision bc)")
			})
		}
	}
}
