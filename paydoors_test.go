package gateway_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// payDoor is one way in which 10.00 USD is paid.
type payDoor struct {
	name     string
	protocol store.Protocol // whose mapping applies
	// begin is what happens before the configuration is changed: the first payment of a chain.
	begin func(t testing.TB, f *front)
	pay   func(t testing.TB, f *front, w wish) error
	order string
}

// wish is a change of a payment. A request that has no such thing ignores it.
type wish struct {
	channel, amount, name, moto string
	insecure                    string // a URL, in place of a valid one
	without                     string // S2S: a field that is not sent
	hold, debit, transfer       bool
	test, token                 bool
	card                        methods.Card // zero: one that settles
}

func (w *wish) normal() {
	if w.amount == "" {
		w.amount = "10.00"
	}
	if w.name == "" {
		w.name = "John Doe"
	}
	if w.card.PAN.IsZero() {
		w.card = gatewaytest.Settles
	}
}

func (w *wish) key() string {
	if w.test {
		return gatewaytest.TestKey
	}
	return gatewaytest.MerchantKey
}

func (w *wish) kind() store.Kind {
	if w.debit {
		return store.Debit
	}
	return store.Purchase
}

// The ways to pay. Later payments and due work are of a chain that began before.
const (
	byGo, byPage, byHPF  = "Go API", "page", "HPF"
	byCard, byAPM        = "S2S CARD", "S2S APM"
	byRecur, byCardRecur = "recurring", "S2S RECURRING_SALE"
	byDue                = "due work"
)

func payDoors() []payDoor {
	return []payDoor{
		{byGo, store.Checkout, nil, payGo, "ORD-1"},
		{byPage, store.Checkout, nil, payPage, "ORD-1"},
		{byHPF, store.Checkout, nil, payByFields, "ORD-1"},
		{byCard, store.S2SCard, nil, payCard, "ORD-1"},
		{byAPM, store.S2SAPM, nil, payAPM, "ORD-1"},
		{byRecur, store.Checkout, beginChain(store.Checkout), payLater(store.Checkout), "ORD-1"},
		{byCardRecur, store.S2SCard, beginChain(store.S2SCard), payLater(store.S2SCard), "ORD-1"},
		{byDue, store.Checkout, beginSchedule, payDue, "SUB-1"},
	}
}

// front is a merchant with its own configuration, on every protocol.
type front struct {
	*kerneltest.SignedShop
	owned owned
	first store.Payment
	token string          // of the session, on the page and with the fields
	next  *store.Redirect // the payer's redirect
	// result is of hosted fields, where the merchant completes the return.
	result *gateway.Result
}

func openFront(t testing.TB, d payDoor, set ...func(*owned)) *front {
	t.Helper()
	f := &front{SignedShop: kerneltest.OpenDoors(t)}
	page.Register(f.Handler.(*http.ServeMux), f.Gateway, page.Options{})
	f.configure(t, d)
	if d.begin != nil {
		d.begin(t, f)
	}
	f.configure(t, d, set...)
	return f
}

// configure saves the given settings, and the defaults of all others.
func (f *front) configure(t testing.TB, d payDoor, set ...func(*owned)) {
	t.Helper()
	f.owned = owned{merchant: kerneltest.MerchantNotifiedAt(gatewaytest.CallbackURL, "")}
	for _, s := range set {
		s(&f.owned)
	}
	o := &f.owned
	o.mapping.MerchantID, o.mapping.Protocol = gatewaytest.MerchantID, d.protocol
	o.mid.ID, o.mid.MerchantID, o.mid.Connector = "live", gatewaytest.MerchantID, "vcard"
	second := store.MID{ID: "second", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Priority: 1,
		Disabled: !o.second}
	require.NoError(t, f.SaveMID(t.Context(), o.mid))
	require.NoError(t, f.SaveMID(t.Context(), second))
	require.NoError(t, f.SaveMapping(t.Context(), o.mapping))
	require.NoError(t, f.SaveMerchant(t.Context(), o.merchant))
}

// paid is the payment of a payDoor.
func (f *front) paid(t testing.TB, d payDoor) store.Payment {
	t.Helper()
	return f.paidBy(t, d, gatewaytest.MerchantKey)
}

func (f *front) paidBy(t testing.TB, d payDoor, key string) store.Payment {
	t.Helper()
	found, err := f.Merchant(key).Status(t.Context(), gateway.Lookup{OrderNumber: d.order})
	require.NoError(t, err)
	return found[0].Payment
}

func payGo(t testing.TB, f *front, w wish) error {
	r, err := f.Merchant(w.key()).Charge(t.Context(), kerneltest.ChargeOf("ORD-1", w.card, func(r *gateway.ChargeRequest) {
		r.Order.Amount, r.Payer.Name = w.amount, w.name
		r.ChannelID, r.Hold, r.Kind = w.channel, w.hold, w.kind()
		r.MOTOType, r.ReqToken, r.CallbackURL, r.ReturnURL = w.moto, w.token, w.insecure, "https://shop.example/back"
	}))
	if err == nil {
		f.next = r.Redirect
	}
	return err
}

// session is what page and fields have in common.
func (w *wish) session(r gateway.SessionRequest) gateway.SessionRequest {
	r.Order.Amount, r.Customer.Name, r.ChannelID, r.Hold = w.amount, w.name, w.channel, w.hold
	r.Operation, r.Extra.MOTOType, r.Extra.ReqToken = string(w.kind()), w.moto, w.token
	return r
}

func payPage(t testing.TB, f *front, w wish) error {
	r := w.session(gatewaytest.Request("ORD-1", w.amount))
	if w.insecure != "" {
		r.CancelURL = w.insecure
	}
	s, err := f.Merchant(w.key()).CreateSession(t.Context(), r)
	if err != nil {
		return err
	}
	f.token = s.RedirectURL[strings.LastIndex(s.RedirectURL, "/")+1:]
	next, err := f.PaySession(t.Context(), f.token, gateway.Submission{Method: "card", Card: w.card})
	if err == nil {
		f.next = next.Redirect
	}
	return err
}

func payByFields(t testing.TB, f *front, w wish) error {
	r := w.session(kerneltest.HostedRequest("ORD-1"))
	if r.Customer.Name = ""; w.insecure != "" {
		r.ReturnURL = w.insecure
	}
	s, err := f.Merchant(w.key()).CreateHosted(t.Context(), r)
	if err != nil {
		return err
	}
	f.token = s.Token
	require.NoError(t, f.HostedFields().Collect(t.Context(), f.token, w.card))
	result, err := f.HostedFields().Pay(t.Context(), f.token,
		gateway.HostedPayment{Kind: w.kind(), Name: w.name, ExpectedAmount: w.amount})
	if err == nil {
		f.result, f.next = result, result.Redirect
	}
	return err
}

// post sends a form. A body with result ERROR is returned as an error.
func (f *front) post(t testing.TB, path string, form url.Values) (body map[string]any, err error) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body), w.Body.String())
	if body["result"] == "ERROR" {
		return nil, errors.New(w.Body.String())
	}
	return body, nil
}

func (f *front) sign(form url.Values, formula signature.Formula, in signature.Inputs) url.Values {
	form.Set("hash", signature.Sign(formula, callback.Mode(&f.owned.mapping), in, gatewaytest.Password))
	return form
}

// form returns the fields of both S2S protocols.
func (w *wish) form(more ...string) url.Values {
	first, last, _ := strings.Cut(w.name, " ")
	form := url.Values{
		"client_key": {w.key()}, "order_id": {"ORD-1"}, "order_amount": {w.amount}, "order_currency": {"USD"},
		"order_description": {"Important gift"}, "payer_first_name": {first}, "payer_last_name": {last},
		"payer_address": {"Big street"}, "payer_country": {"US"}, "payer_state": {"CA"}, "payer_city": {"City"},
		"payer_zip": {"123456"}, "payer_email": {"doe@example.com"}, "payer_phone": {"199999999"},
		"payer_ip": {"203.0.113.7"},
	}
	for i := 0; i < len(more); i += 2 {
		if more[i+1] != "" {
			form.Set(more[i], more[i+1])
		}
	}
	form.Del(w.without)
	return form
}

func payCard(t testing.TB, f *front, w wish) error {
	action, hold, token := "SALE", "N", "N"
	if w.debit {
		action = "DEBIT"
	}
	if w.hold {
		hold = "Y"
	}
	if w.token {
		token = "Y"
	}
	if w.transfer {
		return payTransfer(t, f, w)
	}
	form := w.form("action", action, "card_number", w.card.PAN.Digits(), "card_exp_month", w.card.Expiry.String()[:2],
		"card_exp_year", w.card.Expiry.String()[3:], "card_cvv2", "000", "term_url_3ds", "https://shop.example/back",
		"channel_id", w.channel, "auth", hold, "req_token", token, "moto_type", w.moto, "callback_url", w.insecure)
	in := signature.Inputs{Email: form.Get("payer_email"), Card: w.card.PAN.Digits()}
	body, err := f.post(t, "/post", f.sign(form, signature.Card1, in))
	if to, sent := body["redirect_url"].(string); sent {
		f.next = &store.Redirect{URL: to, Method: body["redirect_method"].(string),
			ThreeDS: body["status"] == string(store.ThreeDS)}
		params, _ := body["redirect_params"].(map[string]any)
		for name, value := range params {
			f.next.Params = append(f.next.Params, store.RedirectParam{Name: name, Value: value.(string)})
		}
	}
	return err
}

func payTransfer(t testing.TB, f *front, w wish) error {
	number := w.card.PAN.Digits()
	form := w.form("action", "CARD2CARD", "payer_card_number", number, "payer_card_exp_month", w.card.Expiry.String()[:2],
		"payer_card_exp_year", w.card.Expiry.String()[3:], "payer_card_cvv", "000",
		"payee_card_number", number, "term_url_3ds", "https://shop.example/back")
	_, err := f.post(t, "/post", f.sign(form, signature.Card1,
		signature.Inputs{Email: form.Get("payer_email"), Card: number}))
	return err
}

func payAPM(t testing.TB, f *front, w wish) error {
	action, back, hold := "SALE", "return_url", ""
	if w.debit {
		action, back = "DEBIT2VIRTUAL", "payer_return_url"
	}
	if w.hold {
		hold = "Y"
	}
	form := w.form("action", action, "brand", "vcard", "identifier", "success@gmail.com", back,
		"https://shop.example/back",
		"channel_id", w.channel, "callback_url", w.insecure, "auth", hold)
	in := signature.Inputs{Identifier: "success@gmail.com", OrderID: "ORD-1", Amount: w.amount, Currency: "USD"}
	_, err := f.post(t, "/post-va", f.sign(form, signature.APMSale, in))
	return err
}

func beginChain(protocol store.Protocol) func(t testing.TB, f *front) {
	return func(t testing.TB, f *front) {
		f.first = kerneltest.Charged(t, f.Kit, "SUB-1", gatewaytest.Settles, kerneltest.BeginsChain,
			func(r *gateway.ChargeRequest) { r.Protocol = protocol }).Payment
	}
}

func payLater(protocol store.Protocol) func(t testing.TB, f *front, w wish) error {
	return func(t testing.TB, f *front, w wish) error {
		_, err := f.Shop().Recur(t.Context(), kerneltest.LaterOf(f.first, "ORD-1", func(r *gateway.RecurRequest) {
			r.Protocol, r.Order.Amount, r.Name, r.CallbackURL, r.Hold = protocol, w.amount, w.name, w.insecure, w.hold
		}))
		return err
	}
}

func beginSchedule(t testing.TB, f *front) {
	_, f.first = kerneltest.Subscribed(t, f.Kit, kerneltest.EveryDays(7, 1))
}

// payDue moves the clock to the date of the scheduled payment, which is made if it can be.
func payDue(t testing.TB, f *front, _ wish) error {
	before := len(f.Charges(t))
	f.Advance(t, 8*kerneltest.Day)
	if len(f.Charges(t)) == before {
		return errors.New("nothing was paid")
	}
	return nil
}
