package wire_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/wire"
)

// session is a request for a purchase over 10.00.
func session(order string, more wire.Fields) wire.Fields {
	f := wire.Fields{
		"operation": "purchase", "success_url": "https://shop.example/thanks", "cancel_url": "https://shop.example/cart",
		"order":    wire.Fields{"number": order, "amount": "10.00", "currency": "USD", "description": "A cup of tea"},
		"customer": wire.Fields{"name": "John Doe", "email": "doe@example.com"},
	}
	for name, value := range more {
		f[name] = value
	}
	return f
}

// inBothModes runs a test with the hash mode of a mapping: MD5 and SHA-256.
func inBothModes(t *testing.T, protocol store.Protocol, test func(*testing.T, *gatewaytest.Site, *wire.Client)) {
	t.Helper()
	t.Parallel()
	for name, sha256 := range map[string]bool{"MD5": false, "SHA-256": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := gatewaytest.Serve(t)
			require.NoError(t, site.SaveMapping(t.Context(), store.Mapping{
				MerchantID: gatewaytest.MerchantID, Protocol: protocol, SHA256: sha256}))
			shop, err := wire.New(site.URL, wire.Options{Key: gatewaytest.MerchantKey,
				Password: store.NewSecret(gatewaytest.Password), SHA256: sha256, Transport: site.Client.Transport})
			require.NoError(t, err)
			test(t, site, shop)
		})
	}
}

// paid makes a payment on the page and returns its id.
func paid(t *testing.T, site *gatewaytest.Site, shop *wire.Client, order string, more wire.Fields) string {
	t.Helper()
	page, err := shop.CreateSession(t.Context(), session(order, more))
	require.NoError(t, err)
	site.Pay(t, page, gatewaytest.Settles)
	a, err := shop.StatusByOrder(t.Context(), order)
	require.NoError(t, err)
	return a.Text("payment_id")
}

// Every request of Checkout is signed as the gateway verifies it, and answered.
func TestCheckout(t *testing.T) {
	inBothModes(t, store.Checkout, func(t *testing.T, site *gatewaytest.Site, shop *wire.Client) {
		ctx := t.Context()
		id := paid(t, site, shop, "ORD-1", nil)
		a, err := shop.Status(ctx, id)
		require.NoError(t, err)
		require.Equal(t, []string{"settled", "10.00", "USD", "ORD-1"}, []string{a.Text("status"),
			a.Text("order", "amount"), a.Text("order", "currency"), a.Text("order", "number")})
		a, err = shop.Post(ctx, "/api/v1/payment/status", wire.Fields{"order_id": "ORD-1", "size": 5})
		require.NoError(t, err)
		require.Equal(t, id, a.Text("0", "payment_id"))
		a, err = shop.Refund(ctx, id, "4.00")
		require.NoError(t, err)
		require.Equal(t, "accepted", a.Text("result"))
		require.Equal(t, "4.00", site.Payment(t, "ORD-1").Refunded.String())

		void := paid(t, site, shop, "ORD-2", nil)
		_, err = shop.Void(ctx, void)
		require.NoError(t, err)
		require.Equal(t, store.Voided, site.Payment(t, "ORD-2").Status)

		held := paid(t, site, shop, "ORD-3", wire.Fields{"auth": "Y"})
		require.Equal(t, store.Pending, site.Payment(t, "ORD-3").Status)
		_, err = shop.Capture(ctx, held, "7.00")
		require.NoError(t, err)
		require.Equal(t, "7.00", site.Payment(t, "ORD-3").Captured.String())
	})
}

// Later payments of a chain, their retry, and a payout to a card.
func TestCheckoutLater(t *testing.T) {
	inBothModes(t, store.Checkout, func(t *testing.T, site *gatewaytest.Site, shop *wire.Client) {
		ctx := t.Context()
		first := paid(t, site, shop, "SUB-1", wire.Fields{"recurring_init": true})
		a, err := shop.Status(ctx, first)
		require.NoError(t, err)
		later := wire.Fields{"order": wire.Fields{"number": "SUB-2", "amount": "3.00", "description": "Next month"},
			"recurring_init_trans_id": first, "recurring_token": a.Text("recurring_token")}
		site.Vcard.Next(declined)
		a, err = shop.Post(ctx, "/api/v1/payment/recurring", later)
		require.NoError(t, err, "a decline is an answer")
		require.Equal(t, "decline", a.Text("status"))
		_, err = shop.Retry(ctx, a.Text("payment_id"))
		refused := new(wire.Refused)
		require.ErrorAs(t, err, &refused, "a payment outside of a schedule is not retried")
		require.NotContains(t, err.Error(), "ash")

		a, err = shop.Post(ctx, "/api/v1/payment/card/credit", wire.Fields{"order_id": "PAYOUT-1", "order_amount": "5.00",
			"order_currency": "USD", "order_description": "Winnings", "card_number": gatewaytest.Settles.PAN.Digits()})
		require.NoError(t, err)
		require.Equal(t, "accepted", a.Text("result"))
	})
}

// A token is made, changed and paid with the card of the fields.
func TestHostedFields(t *testing.T) {
	inBothModes(t, store.Checkout, func(t *testing.T, site *gatewaytest.Site, shop *wire.Client) {
		ctx := t.Context()
		token, err := shop.CreateToken(ctx, session("ORD-1", wire.Fields{"return_url": "https://shop.example/back",
			"customer": wire.Fields{"name": "John Doe", "email": "doe@example.com", "ip": "203.0.113.7"}}))
		require.NoError(t, err)
		_, err = shop.Update(ctx, token, wire.Fields{"order_amount": "12.00", "order_currency": "USD"})
		require.NoError(t, err)
		require.NoError(t, site.HostedFields().Collect(ctx, token, gatewaytest.Settles))
		a, err := shop.PayHosted(ctx, token, store.Purchase, wire.Fields{"name": "John Doe"})
		require.NoError(t, err)
		require.Equal(t, "success", a.Text("result"))
		require.Equal(t, "12.00", site.Payment(t, "ORD-1").Amount.String())
		_, err = shop.PayHosted(ctx, "nobody-s", store.Debit, wire.Fields{"name": "John Doe"})
		refused := new(wire.Refused)
		require.ErrorAs(t, err, &refused)
		require.Equal(t, 403, refused.Status, "a page of HTML")
	})
}

// called keeps the method and the path of a request.
type called struct{ request string }

func (c *called) RoundTrip(r *http.Request) (*http.Response, error) {
	c.request = r.Method + " " + r.URL.Path
	return answers{200, `{}`}.RoundTrip(r)
}

// Each verb sends to its own path. An answer without what was asked for is none.
func TestPaths(t *testing.T) {
	t.Parallel()
	ctx, to := t.Context(), &called{}
	shop := against(t, to)
	_, err := shop.CreateSession(ctx, session("ORD-1", nil))
	require.ErrorIs(t, err, wire.ErrUnsure)
	require.Equal(t, "POST /api/v1/session", to.request)
	_, err = shop.CreateToken(ctx, session("ORD-1", nil))
	require.ErrorIs(t, err, wire.ErrUnsure)
	require.Equal(t, "POST /api/v1/session/token", to.request)
	for want, call := range map[string]func() (*wire.Answer, error){
		"POST /api/v1/payment/status":           func() (*wire.Answer, error) { return shop.Status(ctx, "p-1") },
		"POST /api/v1/payment/capture":          func() (*wire.Answer, error) { return shop.Capture(ctx, "p-1", "1.00") },
		"POST /api/v1/payment/refund":           func() (*wire.Answer, error) { return shop.Refund(ctx, "p-1", "1.00") },
		"POST /api/v1/payment/void":             func() (*wire.Answer, error) { return shop.Void(ctx, "p-1") },
		"POST /api/v1/payment/retry":            func() (*wire.Answer, error) { return shop.Retry(ctx, "p-1") },
		"PUT /api/v1/session/update":            func() (*wire.Answer, error) { return shop.Update(ctx, "t-1", wire.Fields{}) },
		"POST /api/v1/processing/purchase/card": func() (*wire.Answer, error) { return shop.PayHosted(ctx, "t-1", "", wire.Fields{}) },
		"POST /api/v1/processing/debit/card":    func() (*wire.Answer, error) { return shop.PayHosted(ctx, "t-1", store.Debit, wire.Fields{}) },
	} {
		_, err := call()
		require.NoError(t, err)
		require.Equal(t, want, to.request)
	}
	to.request = ""
	for _, kind := range []store.Kind{store.Transfer, store.Credit, "Purchase"} {
		_, err := shop.PayHosted(ctx, "t-1", kind, wire.Fields{})
		require.EqualError(t, err, `wire: hosted fields take no "`+string(kind)+`"`)
		require.Empty(t, to.request, "nothing is sent")
	}
}

// A struct of the caller is a body as Fields are, and its numbers are signed as they are sent.
func TestBodies(t *testing.T) {
	t.Parallel()
	site := gatewaytest.Serve(t)
	shop := site.Wire(t)
	type order struct {
		Number      string          `json:"number"`
		Amount      json.RawMessage `json:"amount"`
		Currency    string          `json:"currency"`
		Description string          `json:"description"`
	}
	own := struct {
		Operation string `json:"operation"`
		Success   string `json:"success_url"`
		Order     order  `json:"order"`
	}{"purchase", "https://shop.example/", order{"ORD-1", json.RawMessage(`"10.00"`), "USD", "<Tea & cake>"}}
	page, err := shop.CreateSession(t.Context(), own)
	require.NoError(t, err)
	site.Pay(t, page, gatewaytest.Settles)
	require.Equal(t, "<Tea & cake>", site.Payment(t, "ORD-1").Order.Description)
	for _, body := range []any{nil, "text", []string{"list"}, make(chan int)} {
		_, err := shop.Post(t.Context(), "/api/v1/session", body)
		require.Error(t, err)
		require.NotErrorIs(t, err, wire.ErrUnsure)
	}
	_, err = shop.Post(t.Context(), "/api/v1/session/update", wire.Fields{})
	require.EqualError(t, err, `wire: "/api/v1/session/update" is no path with a hash`)
}

// While a merchant's password is changed, requests are signed by either.
func TestRotation(t *testing.T) {
	t.Parallel()
	site := gatewaytest.Serve(t)
	next := store.NewSecret("the-next-password-of-the-shop")
	require.NoError(t, site.SaveMerchant(t.Context(), store.Merchant{ID: gatewaytest.MerchantID, Name: "Test Shop",
		Key: gatewaytest.MerchantKey, Password: store.NewSecret(gatewaytest.Password), NextPassword: next,
		RotatesAt: site.Clock.Now().Add(24 * time.Hour)}))
	for order, password := range map[string]store.Secret{"ORD-1": store.NewSecret(gatewaytest.Password), "ORD-2": next} {
		shop, err := wire.New(site.URL, wire.Options{Key: gatewaytest.MerchantKey, Password: password})
		require.NoError(t, err)
		defer shop.Close()
		_, err = shop.CreateSession(t.Context(), session(order, nil))
		require.NoError(t, err)
	}
}
