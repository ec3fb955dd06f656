package shop

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/receive"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/store"
)

func open(t *testing.T) (*Shop, *http.ServeMux) {
	t.Helper()
	s, err := New(Config{API: "http://127.0.0.1:1", Public: "http://shop.example", Accounts: []Account{
		{Name: "One", Key: "k1", Password: store.NewSecret("password of one")},
		{Name: "Two", Key: "k2", Password: store.NewSecret("password of two"), SHA256: []receive.Protocol{receive.Checkout}},
	}})
	require.NoError(t, err)
	mux := http.NewServeMux()
	s.Register(mux)
	return s, mux
}

func call(mux *http.ServeMux, method, target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	_, err := New(Config{Public: "http://shop.example"})
	require.ErrorContains(t, err, "Accounts")
	_, err = New(Config{Public: "http://shop.example/x", Accounts: []Account{{}}})
	require.ErrorContains(t, err, "Public")
}

// Amounts are exact, and have the decimals of their currency.
func TestAmounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id       string
		quantity int
		want     string
	}{{"mug", 1, "18.00"}, {"teapot", 7, "297.50"}, {"candle", 9, "21600"}, {"honey", 3, "21.750"}} {
		p, ok := findProduct(c.id)
		require.True(t, ok)
		require.Equal(t, c.want, p.Amount(c.quantity))
	}
	for text, want := range map[string]int{"": 1, "0": 1, "-1": 1, "3": 3, "10": 1, "x": 1} {
		require.Equal(t, want, quantity(text), text)
	}
}

func signed(a *Account, number string) string {
	in := signature.Inputs{PaymentID: "p1", OrderNumber: number, Amount: "1.00", Currency: "EUR", Description: "1 x ü"}
	return url.Values{
		"id": {"p1"}, "order_number": {number}, "order_amount": {"1.00"}, "order_currency": {"EUR"},
		"order_description": {"1 x ü"}, "type": {"sale"}, "status": {"success"}, "order_status": {"settled"},
		"hash": {a.sign(signature.CheckoutCallback, in)},
	}.Encode()
}

// Callbacks of every protocol are accepted, each by the digest of its own mapping. A hash that cannot be checked is
// not valid.
func TestCallbacksOfEveryProtocol(t *testing.T) {
	t.Parallel()
	sent := func(_ context.Context, c *receive.Callback) (receive.Payment, error) {
		if c.PaymentID != "p1" {
			return receive.Payment{}, receive.ErrUnknown
		}
		return receive.Payment{Email: "doe@example.com", Card: "411111******1111"}, nil
	}
	s2s := func(id string, formula signature.Formula, mode signature.Mode) string {
		form := url.Values{
			"action": {"SALE"}, "result": {"SUCCESS"}, "status": {"SETTLED"}, "order_id": {"o"}, "trans_id": {id},
		}
		in := signature.Inputs{Email: "doe@example.com", Card: "4111111111111111", TransID: id, Body: form}
		form.Set("hash", signature.Sign(formula, mode, in, "password of two"))
		return form.Encode()
	}
	two := Account{Password: store.NewSecret("password of two"), SHA256: []receive.Protocol{receive.S2SAPM}}
	for _, c := range []struct {
		name, body string
		sent       Sent
		want       int
	}{
		{"checkout", signed(&two, "o"), sent, 200},
		{"card", s2s("p1", signature.Card2, signature.MD5), sent, 200},
		{"card in the digest of another protocol", s2s("p1", signature.Card2, signature.SHA256), sent, 400},
		{"card, payment not known", s2s("p2", signature.Card2, signature.MD5), sent, 400},
		{"card, nothing known", s2s("p1", signature.Card2, signature.MD5), nil, 400},
		{"apm", s2s("p1", signature.APMCallback, signature.SHA256), sent, 200},
		{"apm, nothing known", s2s("p1", signature.APMCallback, signature.SHA256), nil, 200},
		{"apm in the digest of another protocol", s2s("p1", signature.APMCallback, signature.MD5), sent, 400},
		{"changed", s2s("p1", signature.APMCallback, signature.SHA256) + "&amount=1.00", sent, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := New(Config{Public: "http://shop.example", Sent: c.sent, Accounts: []Account{
				{Password: store.NewSecret("password of one")}, two,
			}})
			require.NoError(t, err)
			mux := http.NewServeMux()
			s.Register(mux)
			require.Equal(t, c.want, call(mux, "POST", "/demo/callback", c.body).Code)
			require.Equal(t, c.want == 200, s.inbox.all()[0].Verified)
		})
	}
}

func TestInboxKeepsTheNewest(t *testing.T) {
	t.Parallel()
	s, mux := open(t)
	for i := range maxNotes + 5 {
		account := &s.cfg.Accounts[i%2]
		require.Equal(t, 200, call(mux, "POST", "/demo/callback", signed(account, fmt.Sprint("order-", i))).Code)
	}
	list := s.inbox.all()
	require.Len(t, list, maxNotes)
	require.Equal(t, "order-5", list[0].Field("order_number"))
	require.Equal(t, 6, list[0].Index)
	require.Len(t, s.inbox.of("order-7"), 1)
	sum := 0
	for _, n := range list {
		sum += len(n.Body)
	}
	require.Equal(t, sum, s.inbox.bytes)
}

func TestInboxBoundsBytes(t *testing.T) {
	t.Parallel()
	var in inbox
	for range 2 * maxInbox / receive.MaxBytes {
		in.add(note{Body: strings.Repeat("x", receive.MaxBytes)})
	}
	require.Len(t, in.all(), maxInbox/receive.MaxBytes)
	_, mux := open(t)
	require.Equal(t, 400, call(mux, "POST", "/demo/callback", strings.Repeat("x", receive.MaxBytes+1)).Code)
}

func TestOrdersAreBounded(t *testing.T) {
	t.Parallel()
	var all orders
	for i := range maxOrders + 1 {
		all.add(order{Number: fmt.Sprint(i)})
	}
	_, found := all.find("0")
	require.False(t, found)
	for range maxExchanges + 1 {
		all.note("7", exchange{})
	}
	o, found := all.find("7")
	require.True(t, found)
	require.Len(t, o.Exchanges, maxExchanges)
	require.Equal(t, fmt.Sprint(maxOrders), all.newest(3)[0].Number)
}

// An ending page shows success only with a valid hash and the status that was looked up.
func TestReturnHash(t *testing.T) {
	t.Parallel()
	s, mux := open(t)
	o := order{Number: "LARK-1", Amount: "18.00", Currency: "EUR", Description: "1 x Stoneware mug"}
	s.orders.add(o)
	hash := s.seller.sign(signature.CheckoutCallback, o.signed("p1"))
	for _, c := range []struct{ name, query, want string }{
		{"none", "", "none"},
		{"right", "payment_id=p1&order_id=LARK-1&hash=" + hash, "valid"},
		{"another payment", "payment_id=p2&order_id=LARK-1&hash=" + hash, "invalid"},
		{"another order", "payment_id=p1&order_id=LARK-2&hash=" + hash, "invalid"},
		{"no hash", "payment_id=p1&order_id=LARK-1", "invalid"},
		{"no payment", "hash=" + hash, "invalid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			query, err := url.ParseQuery(c.query)
			require.NoError(t, err)
			require.Equal(t, c.want, s.returnHash(&o, query))
			text := call(mux, "GET", "/orders/LARK-1/success?"+c.query, "").Body.String()
			require.Contains(t, text, "We are checking your payment", "the gateway cannot be asked here")
		})
	}
}

// Every page has the strict policy and loads files that exist.
func TestPages(t *testing.T) {
	t.Parallel()
	s, mux := open(t)
	s.orders.add(order{Number: "LARK-1", Product: products()[0], Link: "http://shop.example/auth/x"})
	loads := regexp.MustCompile(`(?:src|href)="(/shop/[^"]+)"`)
	for _, target := range []string{"/", "/products/mug", "/products/none", "/orders", "/orders/LARK-1",
		"/orders/LARK-1/expiry", "/callbacks"} {
		w := call(mux, "GET", target, "")
		require.Contains(t, w.Header().Get("Content-Security-Policy"), "form-action 'self' http://shop.example;")
		require.NotContains(t, w.Body.String(), "could not be drawn")
		for _, found := range loads.FindAllStringSubmatch(w.Body.String(), -1) {
			asset := call(mux, "GET", found[1], "")
			require.Equal(t, 200, asset.Code, found[1])
			require.NotEmpty(t, asset.Header().Get("Content-Type"), found[1])
		}
	}
	require.Equal(t, 404, call(mux, "GET", "/shop/..%2fshop.go", "").Code)
}
