package hpf_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// Every result of the table, with its fields and no others.
func TestPayResults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		card   methods.Card
		result string
		status store.Status
		edits  []edit
	}{
		{"settled", gatewaytest.Settles, "success", store.Settled, nil},
		{"held", gatewaytest.Settles, "success", store.Pending, []edit{set("auth", "Y")}},
		{"declined", gatewaytest.Declines, "decline", store.Declined, nil},
		{"3-D Secure", gatewaytest.ThreeDSPasses, "redirect", store.ThreeDS, nil},
		{"bank", gatewaytest.BankPasses, "redirect", store.Redirected, nil},
		{"pending at the acquirer", gatewaytest.Card(7, 2038), "waiting", store.Prepare, nil},
		{"unknown", gatewaytest.Card(9, 2038), "undefined", store.Prepare, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			token := s.collected(t, c.card, c.edits...)
			got := s.pay(t, token)
			p := s.Payment(t, "ORD-1")
			require.Equal(t, c.result, got.Result)
			require.Equal(t, p.ID, got.ID)
			require.Equal(t, c.status, p.Status)
			require.Equal(t, c.result == "redirect", got.URL != "")
			require.Equal(t, c.name == "3-D Secure", got.Params != nil, "POST has parameters, GET has none")
			require.Equal(t, map[bool]string{true: "Declined by processing.", false: ""}[c.result == "decline"], got.Message)
			require.Equal(t, p.Transactions[0].ID, got.Return["trans_id"])
			require.Equal(t, p.ID, got.Return["payment_id"])
			require.Equal(t, "ORD-1", got.Return["order_id"])
			requireHash(t, &p, got.Return["hash"])
			require.Len(t, got.Return, 4)
		})
	}
}

func requireHash(t testing.TB, p *store.Payment, hash string) {
	t.Helper()
	require.True(t, signature.Verify(signature.CheckoutCallback, signature.MD5, signature.Inputs{
		PaymentID: p.ID, OrderNumber: p.Order.Number, Amount: p.Order.Amount, Currency: p.Order.Currency,
		Description: p.Order.Description,
	}, gatewaytest.Password, hash))
}

// The endpoint has to match the session's operation.
func TestPayOperation(t *testing.T) {
	t.Parallel()
	s := open(t)
	purchase := s.collected(t, gatewaytest.Settles)
	debit := s.collected(t, gatewaytest.Settles, set("order.number", "ORD-2"), set("operation", "debit"))
	const other = "operation: The value you selected is not a valid choice."
	requireFaults(t, s.under(t, purchase, pathDebit, payment()), other)
	requireFaults(t, s.under(t, debit, pathPurchase, payment()), other)
	require.Empty(t, s.Charges(t))
	got := s.under(t, debit, pathDebit, payment())
	require.Equal(t, 200, got.status, got.body)
	require.Equal(t, "success", decodePaid(t, got.body).Result)
	require.Equal(t, store.Debit, s.Payment(t, "ORD-2").Kind)
}

// expected_amount and expected_currency refuse a charge that differs.
func TestPayExpected(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.collected(t, gatewaytest.Settles)
	s.update(t, token, set("order_amount", "0.01"))
	requireFaults(t, s.under(t, token, pathPurchase,
		payment(set("expected_amount", "10.00"), set("expected_currency", "EUR"))),
		"expected_currency: the session is in another currency", "expected_amount: the session is about another amount")
	requireFaults(t, s.under(t, token, pathPurchase, payment(set("expected_amount", "x"))),
		"expected_amount: the session is about another amount")
	require.Empty(t, s.Charges(t))
	require.Equal(t, "success", s.pay(t, token, set("expected_amount", "0.010"), set("expected_currency", "USD")).Result)
}

// catcher is an acquirer that records its operations and may have its own answer.
type catcher struct {
	*vcard.Connector
	fields []string
	answer func(methods.Operation) methods.Answer
	got    methods.Operation
}

func (c *catcher) Capabilities() methods.Capabilities {
	can := c.Connector.Capabilities()
	can.BrowserFields = c.fields
	return can
}

func (c *catcher) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	c.got = op
	if c.answer != nil {
		return c.answer(op)
	}
	return c.Connector.Perform(ctx, op)
}

func caught(t testing.TB, c *catcher) *shop {
	t.Helper()
	return open(t, func(cfg *gateway.Config) {
		c.Connector = cfg.Connectors["vcard"].(*vcard.Connector)
		cfg.Connectors["vcard"] = c
	})
}

// Every field of the request reaches the connector, under its own names.
func TestPayFields(t *testing.T) {
	t.Parallel()
	c := &catcher{}
	s := caught(t, c)
	token := s.collected(t, gatewaytest.Settles, set("customer.ip", "198.51.100.9"),
		set("customer.email", "old@example.com"))
	s.pay(t, token, set("name", "Mary Ann Roe"), set("email", "mary@example.com"), set("birth_date", "1990-01-31"),
		set("birth_day", 31),
		set("selected_language", "de"), set("unknown", object{"x": 1}),
		set("billing_address", object{"country": "US", "state": "CA", "city": "Los Angeles", "address": "Moor Building 35274",
			"house_number": "12/1", "zip": "123456", "phone": "347771112233", "district": "Beverlywood"}),
		set("browser_info", object{"color_depth": "24", "java_enabled": "false", "java_script_enabled": true,
			"language": "de-DE", "screen_height": 1080,
			"screen_width": "1920", "time_zone_offset": "-120", "user_agent": "Mozilla/5.0 (X11)", "platform": "Linux",
			"accept_header":  "text/html",
			"accept_headers": "ignored"}))
	require.Equal(t, map[string]string{
		"color_depth": "24", "java_enabled": "false", "javascript_enabled": "true", "language": "de-DE",
		"screen_height": "1080", "screen_width": "1920",
		"timezone_offset": "-120", "user_agent": "Mozilla/5.0 (X11)", "platform": "Linux", "accept_headers": "text/html",
	}, c.got.Browser)
	require.Equal(t, store.Payer{
		Name: "Mary Ann Roe", Email: "mary@example.com", BirthDate: "1990-01-31", IP: "198.51.100.9",
		Address: store.Address{Country: "US", State: "CA", City: "Los Angeles", Address: "Moor Building 35274",
			HouseNumber: "12/1",
			Zip:         "123456", Phone: "347771112233", District: "Beverlywood"},
	}, c.got.Payer)
	require.Equal(t, "Mary Ann Roe", c.got.Card.Holder)
	require.Equal(t, "4111111111111111", c.got.Card.PAN.Digits())
	require.Equal(t, "123", c.got.Card.Code.Digits())
	require.Equal(t, "de", s.Payment(t, "ORD-1").Language)
}

// What the request sends about the payer wins over the session's, an address as a whole; what it leaves out stays.
func TestPayWinsOverTheSession(t *testing.T) {
	t.Parallel()
	told := store.Payer{Name: "John Doe", Email: "old@example.com", BirthDate: "1980-02-03", IP: "198.51.100.9",
		Address: store.Address{Country: "US", State: "NY", City: "Albany", Phone: "123", PhoneCountryCode: "1"}}
	for name, c := range map[string]struct {
		edit edit
		want func(*store.Payer)
	}{
		"nothing":    {func(object) {}, func(*store.Payer) {}},
		"e-mail":     {set("email", "new@example.com"), func(p *store.Payer) { p.Email = "new@example.com" }},
		"birth date": {set("birth_date", "1990-01-31"), func(p *store.Payer) { p.BirthDate = "1990-01-31" }},
		"address": {set("billing_address", object{"country": "DE", "state": "Bavaria", "city": "Munich"}),
			func(p *store.Payer) { p.Address = store.Address{Country: "DE", City: "Munich"} }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			catch := &catcher{}
			s := caught(t, catch)
			s.pay(t, s.collected(t, gatewaytest.Settles, set("customer", object{"name": "Someone Else",
				"email": "old@example.com", "birth_date": "1980-02-03", "ip": "198.51.100.9"}),
				set("billing_address", object{"country": "US", "state": "NY", "city": "Albany", "phone": "123",
					"phone_country_code": "1"})), c.edit)
			want := told
			c.want(&want)
			require.Equal(t, want, catch.got.Payer)
		})
	}
}

// A connector that needs the Accept header gets it under either name; otherwise the payment is declined with the
// reason.
func TestPayAcceptHeader(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit edit
		want string
	}{
		"accept_header":  {set("browser_info.accept_header", "text/html"), "success"},
		"accept_headers": {set("browser_info.accept_headers", "text/html"), "success"},
		"both":           {set("browser_info", object{"accept_header": "", "accept_headers": "text/html"}), "success"},
		"none":           {set("browser_info.language", "de"), "decline"},
		"no browser":     {drop("browser_info"), "decline"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := caught(t, &catcher{fields: []string{"accept_headers"}})
			got := s.pay(t, s.collected(t, gatewaytest.Settles), c.edit)
			require.Equal(t, c.want, got.Result)
			if c.want == "decline" {
				require.Equal(t, "INVALID_REQUEST", got.Message)
			}
		})
	}
}

// Questions and codes for the payer are on our own page, to which the merchant sends the payer.
func TestPayDisplayAndPrompt(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(methods.Operation) methods.Answer{
		"shown": func(op methods.Operation) methods.Answer {
			return methods.Displayed(op, methods.Display{QR: "pay me"}, nil)
		},
		"asked": func(op methods.Operation) methods.Answer {
			return methods.Prompted(op, []methods.Prompt{{Name: "otp", Label: "Code"}}, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := caught(t, &catcher{answer: answer})
			got := s.pay(t, s.collected(t, gatewaytest.Settles))
			require.Equal(t, "redirect", got.Result)
			require.Nil(t, got.Params)
			link, ok := strings.CutPrefix(got.URL, gatewaytest.PublicURL+"/auth/")
			require.True(t, ok, got.URL)
			next, err := s.NextAction(t.Context(), link)
			require.NoError(t, err)
			require.Equal(t, map[string]gateway.ActionKind{"shown": gateway.ActionDisplay, "asked": gateway.ActionPrompt}[name],
				next.Kind)
		})
	}
}

// For GET the parameters are in the address.
func TestPayRedirectByGet(t *testing.T) {
	t.Parallel()
	s := caught(t, &catcher{answer: func(op methods.Operation) methods.Answer {
		return methods.Redirected(op, store.Redirect{URL: "https://bank.example/x?a=1", Method: "GET",
			Params: []store.RedirectParam{{Name: "b", Value: "2 3"}}}, nil)
	}})
	got := s.pay(t, s.collected(t, gatewaytest.Settles))
	require.Equal(t, "https://bank.example/x?a=1&b=2+3", got.URL)
	require.Nil(t, got.Params)
}

// Decision ag: the payer is sent to success_url or cancel_url when given, otherwise to return_url, each with the
// four parameters. The browser goes through the pages of Checkout.
func TestPayReturn(t *testing.T) {
	t.Parallel()
	both := []edit{set("success_url", "https://shop.example/success?a=1"),
		set("cancel_url", "https://shop.example/cancel?a=1")}
	for _, c := range []struct {
		name string
		card methods.Card
		urls []edit
		want string
		own  [2]string
	}{
		{"3-D Secure passes", gatewaytest.ThreeDSPasses, nil, "/return", [2]string{"cart", "1"}},
		{"3-D Secure fails", gatewaytest.ThreeDSFails, nil, "/return", [2]string{"cart", "1"}},
		{"bank passes", gatewaytest.BankPasses, nil, "/return", [2]string{"cart", "1"}},
		{"3-D Secure passes, URLs", gatewaytest.ThreeDSPasses, both, "/success", [2]string{"a", "1"}},
		{"3-D Secure fails, URLs", gatewaytest.ThreeDSFails, both, "/cancel", [2]string{"a", "1"}},
		{"bank fails, URLs", gatewaytest.BankFails, both, "/cancel", [2]string{"a", "1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			token := s.collected(t, c.card, c.urls...)
			got := s.pay(t, token)
			next := &store.Redirect{URL: got.URL, Method: "GET", ThreeDS: got.Params != nil}
			if got.Params != nil {
				next.Method, next.Params = "POST", *got.Params
			}
			target := s.ComeBack(t, next)
			require.True(t, strings.HasPrefix(target, gatewaytest.PublicURL+"/auth/"), target)
			require.NotContains(t, target, token)
			w := httptest.NewRecorder()
			page.Handler(s.Gateway, page.Options{}).ServeHTTP(w,
				httptest.NewRequest(http.MethodGet, strings.TrimPrefix(target, gatewaytest.PublicURL), nil))
			require.Equal(t, 303, w.Code, w.Body.String())
			u, err := url.Parse(w.Header().Get("Location"))
			require.NoError(t, err)
			require.Equal(t, "https://shop.example"+c.want, u.Scheme+"://"+u.Host+u.Path)
			p := s.Payment(t, "ORD-1")
			requireHash(t, &p, u.Query().Get("hash"))
			require.Equal(t, url.Values{"payment_id": {p.ID}, "trans_id": {p.Transactions[0].ID}, "order_id": {"ORD-1"},
				"hash": u.Query()["hash"], c.own[0]: {c.own[1]}}, u.Query())
			require.Equal(t, got.Return["hash"], u.Query().Get("hash"))
		})
	}
}

// The token opens no page, and the link of the page cannot pay.
func TestTokenIsNoLink(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.collected(t, gatewaytest.ThreeDSPasses)
	_, err := s.NextAction(t.Context(), token)
	require.ErrorIs(t, err, gateway.ErrNoSession)
	got := s.pay(t, token)
	target := s.GiveUp(t, &store.Redirect{URL: got.URL, Method: "POST", ThreeDS: true, Params: *got.Params})
	link := strings.TrimPrefix(target, gatewaytest.PublicURL+"/auth/")
	requireForbidden(t, s.under(t, link, pathPurchase, payment()))
	require.ErrorIs(t, s.HostedFields().Collect(t.Context(), link, gatewaytest.Settles), gateway.ErrToken)
}

// After the expiry nothing can be paid, even if a card was collected.
func TestPayExpired(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.collected(t, gatewaytest.Settles)
	s.Clock.Set(s.Clock.Now().Add(gateway.DefaultExpiry - time.Nanosecond))
	s.update(t, token, set("order_amount", "11.00"))
	s.Clock.Set(s.Clock.Now().Add(time.Nanosecond))
	requireForbidden(t, s.under(t, token, pathPurchase, payment()))
	requireForbidden(t, s.under(t, token, pathUpdate, object{"order_amount": "12.00"}))
	require.Empty(t, s.Charges(t))
}

// The same handler serves package sdk for the same sessions.
func TestFieldsAreMounted(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.token(t)
	response, err := s.server.Client().Get(s.server.URL + "/sdk/hosted-fields.js")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, 200, response.StatusCode)

	collect := func(token string) answer {
		return s.send(t, http.MethodPost, "/sdk/collect", `{"card_number":"4111111111111111","expiry":"01/38","cvv":"123"}`,
			"Token: "+token, "Sec-Fetch-Site: same-origin")
	}
	require.Equal(t, 403, collect(token[1:]).status)
	got := collect(token)
	require.Equal(t, 200, got.status, got.body)
	require.Equal(t, "success", s.pay(t, token).Result)

	origins, err := s.HostedFields().Origins(t.Context(), s.sessionOf(t, token))
	require.NoError(t, err)
	require.Equal(t, []string{"https://shop.example"}, origins)
	s.Advance(t, time.Hour)
	_, err = s.HostedFields().Origins(t.Context(), s.sessionOf(t, token))
	require.ErrorIs(t, err, gateway.ErrToken)
	require.Equal(t, 403, collect(token).status)
}

// Register works with the other protocols on one mux.
func TestRegister(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	mux := http.NewServeMux()
	page.Register(mux, kit.Gateway, page.Options{})
	mux.HandleFunc("/api/v1/", http.NotFound)
	hpf.Register(mux, kit.Gateway, hpf.Options{})
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, pathToken, strings.NewReader(purchase().text()))
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	mux.ServeHTTP(w, r)
	require.Equal(t, 200, w.Code, w.Body.String())
}
