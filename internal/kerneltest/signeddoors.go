package kerneltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
)

// SignedDoor is a request of some protocol that creates something and is signed over its order.
type SignedDoor struct {
	Name, Path string
	Kind       string // requests of one kind with the same signed fields are the same request
	Currency   string
	Formula    signature.Formula
	Body       func(SignedRequest) any // url.Values or an object
}

// Of makes an order for a door, in its currency and with a description.
func (d *SignedDoor) Of(number, amount string) SignedRequest {
	return SignedRequest{Order: store.Order{Number: number, Amount: amount, Currency: d.Currency,
		Description: "Important gift"}, Key: gatewaytest.MerchantKey}
}

// Sign signs a request as the merchant does.
func (d *SignedDoor) Sign(a SignedRequest) string {
	return signature.Sign(d.Formula, signature.MD5, a.Inputs(d), gatewaytest.Password)
}

// SignedShop is a merchant on every protocol.
type SignedShop struct {
	*gatewaytest.Kit
	http.Handler
	Chain store.Payment
}

// Confirm lets the chain confirm a payout in crypto.
func (s *SignedShop) Confirm(t testing.TB, d *SignedDoor) {
	t.Helper()
	if d.Name == "CREDIT2CRYPTO" {
		s.refusesWhilePending(t, d)
		require.NoError(t, s.Vcard.Resolve(t.Context(), AcquirerKey(t, s.Kit), vcard.Approve()))
		s.Advance(t, time.Hour)
	}
}

func (s *SignedShop) refusesWhilePending(t testing.TB, d *SignedDoor) {
	t.Helper()
	require.Equal(t, store.Pending, s.Payment(t, "ORD-1").Status)
	s.Refuses(t, d, d.Of("ORD-1", "10.00"), DuplicateMessage)
}

// SignsNothing tries a hash in every request, and checks that orders which only look alike are accepted.
func (s *SignedShop) SignsNothing(t testing.TB, p store.Payment, hash string) {
	t.Helper()
	tried := 0
	for _, d := range SignedDoors() {
		for _, a := range Forgeries(&d, p, hash) {
			require.Equal(t, d.Sign(a), hash, "it is the hash of that order too")
			s.Refuses(t, &d, a, HashUsedMessage, d.Name)
			tried++
		}
	}
	require.Equal(t, 3*7, tried)
	for _, d := range SignedDoors() {
		if d.Name == "recurring" {
			continue
		}
		for _, number := range []string{p.ID + "--", p.ID + "-R", p.ID + "ORD-1-" + strings.ToLower(d.Name[:4]),
			"50a1361a-7c2e-11f1-b8d4-0242ac120002-1"} {
			s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
			a := d.Of(number, "10.00")
			a.Description = fmt.Sprint("Order at ", d.Name, " in ", s.Clock.Now().Year())
			if d.Path == "/post-va" { // an order number can be used only once there
				a.Number += d.Name + fmt.Sprint(s.Clock.Now().Unix())
			}
			s.Takes(t, &d, a, d.Name, number)
		}
	}
}

// CreditLink is the link of a session that the request of a door makes.
func (s *SignedShop) CreditLink(t testing.TB) string {
	t.Helper()
	d := DoorNamed(t, "session credit")
	a := d.Of("ORD-1", "10.00")
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Operation, r.Order.Description = "credit", a.Description
	r.Extra.Payee = &store.Payer{Name: "Jane Roe", Email: "roe@example.com"}
	r.Proof = &gateway.Proof{Formula: d.Formula, Inputs: a.Inputs(d), Hash: d.Sign(a)}
	link := s.SessionOf(t, r)
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	return link
}

// SetMerchant saves the merchant with a change.
func (s *SignedShop) SetMerchant(t testing.TB, change func(*store.Merchant)) {
	t.Helper()
	m := store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password), NotificationURL: gatewaytest.CallbackURL,
	}
	change(&m)
	require.NoError(t, s.SaveMerchant(t.Context(), m))
}

// send returns the status and the refusal.
func (s *SignedShop) send(t testing.TB, d *SignedDoor, a SignedRequest) (status int, refused string) {
	t.Helper()
	a.Chain = s.Chain
	if d.Name == "recurring" {
		a.Currency = ""
	}
	if a.Hash == "" {
		a.Hash = d.Sign(a)
	}
	var text []byte
	contentType := "application/json"
	switch body := d.Body(a).(type) {
	case url.Values:
		text, contentType = []byte(body.Encode()), "application/x-www-form-urlencoded"
	default:
		var err error
		text, err = json.Marshal(body)
		require.NoError(t, err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, d.Path, bytes.NewReader(text))
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

// Takes requires that a request is accepted.
func (s *SignedShop) Takes(t testing.TB, d *SignedDoor, a SignedRequest, why ...any) {
	t.Helper()
	status, refused := s.send(t, d, a)
	require.Equal(t, http.StatusOK, status, append([]any{refused}, why...)...)
}

// Accepts reports whether a request is accepted. One that is refused stores nothing.
func (s *SignedShop) Accepts(t testing.TB, d *SignedDoor, a SignedRequest) bool {
	t.Helper()
	before := EveryKey(t, s.Store)
	status, _ := s.send(t, d, a)
	if status == http.StatusBadRequest {
		require.Equal(t, before, EveryKey(t, s.Store), "nothing is stored")
		return false
	}
	require.Equal(t, http.StatusOK, status)
	return true
}

// Refuses requires that a request is refused with a message, and that the store does not change.
func (s *SignedShop) Refuses(t testing.TB, d *SignedDoor, a SignedRequest, with string, why ...any) {
	t.Helper()
	before := EveryKey(t, s.Store)
	status, refused := s.send(t, d, a)
	require.Equal(t, http.StatusBadRequest, status, append([]any{d.Name}, why...)...)
	require.Contains(t, refused, with, why...)
	require.Equal(t, before, EveryKey(t, s.Store), "nothing is stored")
}

// DoorNamed is the signed door of a name.
func DoorNamed(t testing.TB, name string) *SignedDoor {
	t.Helper()
	for _, d := range SignedDoors() {
		if d.Name == name {
			return &d
		}
	}
	t.Fatal("no door " + name)
	return nil
}

// EveryDoor serves the protocols of a merchant's backend.
func EveryDoor(kit *gatewaytest.Kit) *http.ServeMux {
	mux := http.NewServeMux()
	checkout.Register(mux, kit.Gateway)
	hpf.Register(mux, kit.Gateway, hpf.Options{})
	s2s.Register(mux, kit.Gateway)
	return mux
}

// OpenDoors is a merchant on every protocol.
func OpenDoors(t testing.TB, options ...gatewaytest.Option) *SignedShop {
	t.Helper()
	kit := gatewaytest.New(t, append([]gatewaytest.Option{func(c *gateway.Config) {
		c.Crypto = []methods.Currency{{Code: "USDT", Exponent: 2}}
	}}, options...)...)
	return &SignedShop{Kit: kit, Handler: EveryDoor(kit)}
}

// Forgeries are the orders that the text of a return link can be read as, for every door that signs such a text.
func Forgeries(d *SignedDoor, p store.Payment, hash string) (list []SignedRequest) {
	if d.Formula != signature.CheckoutSession && d.Formula != signature.CheckoutCredit {
		return nil
	}
	for _, borders := range [][2]string{{p.ID + "ORD-1", "10.00"}, {p.ID + "ORD-", "110.00"},
		{strings.ToUpper(p.ID) + "ord-1", "10.00"}} {
		a := d.Of(borders[0], borders[1])
		a.Hash = hash
		list = append(list, a)
	}
	return list
}

// SignedDoors are the requests whose signature covers an order.
func SignedDoors() []SignedDoor {
	const apm = "return_url"
	coins := []string{"brand", "crypto-btg", "parameters[address]", "TQ1"}
	return []SignedDoor{
		{"session purchase", "/api/v1/session", "pay-in", "USD", signature.CheckoutSession, sessionDoor("purchase", nil)},
		{"session debit", "/api/v1/session", "pay-in", "USD", signature.CheckoutSession, sessionDoor("debit", nil)},
		{"token purchase", "/api/v1/session/token", "pay-in", "USD", signature.CheckoutSession,
			sessionDoor("purchase", map[string]any{"return_url": "https://shop.example/back"})},
		{"token debit", "/api/v1/session/token", "pay-in", "USD", signature.CheckoutSession,
			sessionDoor("debit", map[string]any{"return_url": "https://shop.example/back"})},
		{"session transfer", "/api/v1/session", "transfer", "USD", signature.CheckoutSession, sessionDoor("transfer", payee)},
		{"session credit", "/api/v1/session", "credit", "USD", signature.CheckoutSession, sessionDoor("credit", payee)},
		{"card credit", "/api/v1/payment/card/credit", "credit", "USD", signature.CheckoutCredit, creditDoor},
		{"recurring", "/api/v1/payment/recurring", "recurring", "", signature.CheckoutRecurring, recurringDoor},
		{"SALE", "/post-va", "SALE", "USD", signature.APMSale, FormDoor("action", "SALE", "brand", "vcard", "identifier",
			"payer", apm, "https://shop.example/back")},
		{"DEBIT2VIRTUAL", "/post-va", "DEBIT2VIRTUAL", "USD", signature.APMSale,
			FormDoor("action", "DEBIT2VIRTUAL", "brand", "vcard", "identifier", "payer", "payer_return_url",
				"https://shop.example/back")},
		{"DEBIT2VIRTUAL_CALC", "/post-va", "DEBIT2VIRTUAL_CALC", "USD", signature.APMSale,
			FormDoor("action", "DEBIT2VIRTUAL_CALC", "brand", "vcard", "identifier", "payer", "payer_return_url",
				"https://shop.example/back")},
		{"CREDIT2VIRTUAL", "/post-va", "CREDIT2VIRTUAL", "USD", signature.APMCredit,
			FormDoor("action", "CREDIT2VIRTUAL", "brand", "vcard")},
		{"CREDIT2CRYPTO", "/post-va", "CREDIT2CRYPTO", "USDT", signature.APMCredit,
			FormDoor(append([]string{"action", "CREDIT2CRYPTO"}, coins...)...)},
	}
}

// FormDoor is the body of a form of these fields.
func FormDoor(pairs ...string) func(SignedRequest) any {
	return func(a SignedRequest) any {
		form := url.Values{"client_key": {a.Key}, "hash": {a.Hash}, "order_id": {a.Number}, "order_amount": {a.Amount},
			"order_currency": {a.Currency}, "order_description": {a.Description}, "payer_ip": {"123.123.123.123"}}
		if a.Email != "" {
			form.Set("payer_email", a.Email)
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

func creditDoor(a SignedRequest) any {
	return map[string]any{"merchant_key": a.Key, "hash": a.Hash, "order_id": a.Number, "order_amount": a.Amount,
		"order_currency":    a.Currency,
		"order_description": a.Description, "card_number": "4111111111111111"}
}

func recurringDoor(a SignedRequest) any {
	return map[string]any{"merchant_key": a.Key, "hash": a.Hash, "recurring_init_trans_id": a.Chain.ID,
		"recurring_token": a.Chain.RecurringToken,
		"order":           map[string]any{"number": a.Number, "amount": a.Amount, "description": a.Description}}
}

func sessionDoor(operation string, more map[string]any) func(SignedRequest) any {
	return func(a SignedRequest) any {
		body := map[string]any{
			"merchant_key": a.Key, "operation": operation, "hash": a.Hash, "methods": []string{"card"},
			"order": map[string]any{"number": a.Number, "amount": a.Amount, "currency": a.Currency,
				"description": a.Description},
			"success_url": "https://shop.example/ok", "cancel_url": "https://shop.example/no",
			"customer": map[string]any{"name": "John Doe", "email": "doe@example.com"},
		}
		maps.Copy(body, more)
		return body
	}
}

// SignedRequest is the content of a request. hash, if set, is sent; otherwise the merchant signs.
type SignedRequest struct {
	store.Order
	Key, Hash string
	Chain     store.Payment // of a recurring payment
	Email     string
	change    map[string]string // of a form
}

// Inputs are what the formula of a door signs of the request.
func (a SignedRequest) Inputs(d *SignedDoor) signature.Inputs {
	return signature.Inputs{
		OrderNumber: a.Number, OrderID: a.Number, Amount: a.Amount, Currency: a.Currency, Description: a.Description,
		Identifier: a.identifier(d), Card: "4111111111111111", Email: a.Email, RecurringInitTransID: a.Chain.ID,
		RecurringToken: a.Chain.RecurringToken,
	}
}

func (a SignedRequest) identifier(d *SignedDoor) string {
	if d.Formula == signature.APMSale {
		return "payer"
	}
	return ""
}

var payee = map[string]any{"payee": map[string]any{"name": "Jane Roe", "email": "roe@example.com"}}

// DuplicateMessage is the answer to a repeated request.
const DuplicateMessage = "Duplicate request."

// HashUsedMessage is the answer to a hash that signed another request.
const HashUsedMessage = "hash: already used for another request"
