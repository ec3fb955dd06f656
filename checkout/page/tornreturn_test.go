package page_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// sentAway are the protocols by which a payer is sent to the issuer.
var sentAway = map[string]func(testing.TB, *gatewaytest.Kit){
	"Checkout page": func(t testing.TB, kit *gatewaytest.Kit) {
		kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	},
	"Hosted Payment Fields": func(t testing.TB, kit *gatewaytest.Kit) {
		r := gatewaytest.Request("ORD-1", "10.00")
		r.SuccessURL, r.CancelURL, r.ReturnURL = "", "", "https://shop.example/back"
		session, err := kit.Shop().CreateHosted(t.Context(), r)
		require.NoError(t, err)
		require.NoError(t, kit.HostedFields().Collect(t.Context(), session.Token, gatewaytest.Settles))
		_, err = kit.HostedFields().Pay(t.Context(), session.Token,
			gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"})
		require.NoError(t, err)
	},
	"S2S CARD": chargedAway(func(r *gateway.ChargeRequest) {
		r.Protocol, r.Action, r.ReturnURL = store.S2SCard, "SALE", "https://shop.example/cancel"
	}),
	"S2S APM": chargedAway(func(r *gateway.ChargeRequest) {
		r.Protocol, r.Action, r.ReturnURL = store.S2SAPM, "SALE", "https://shop.example/cancel"
		r.Card, r.Method, r.Identifier = nil, "vcard", "success@gmail.com"
	}),
	"Go API": chargedAway(func(r *gateway.ChargeRequest) { r.ReturnURL = "https://shop.example/cancel" }),
}

func chargedAway(change func(*gateway.ChargeRequest)) func(testing.TB, *gatewaytest.Kit) {
	return func(t testing.TB, kit *gatewaytest.Kit) {
		r := gateway.ChargeRequest{
			Kind: store.Purchase, Card: &gatewaytest.Settles,
			Order: store.Order{Number: "ORD-1", Amount: "10.00", Currency: "USD", Description: "Important gift"},
			Payer: store.Payer{Name: "John Doe", Email: "doe@example.com", IP: "203.0.113.7"},
		}
		change(&r)
		_, err := kit.Shop().Charge(t.Context(), r)
		require.NoError(t, err)
	}
}

// A return that cannot be read calls no connector and leaves no mark: the payer sees where they are and how to go
// on, and the real return completes the payment afterwards.
func TestTornReturnLosesNothing(t *testing.T) {
	t.Parallel()
	for name, start := range sentAway {
		for _, c := range []struct {
			name, method, query, body string
			status                    int
		}{
			{"large", "POST", "", "PaRes=" + strings.Repeat("y", 70<<10), http.StatusRequestEntityTooLarge},
			{"broken", "POST", "", "PaRes=%zz", http.StatusBadRequest},
			{"broken query", "GET", "?PaRes=%zz", "", http.StatusBadRequest},
		} {
			t.Run(name+", "+c.name, func(t *testing.T) {
				t.Parallel()
				bank := &issuer{}
				kit := gatewaytest.New(t, func(cfg *gateway.Config) { cfg.Connectors["vcard"] = bank })
				start(t, kit)
				handler := page.Handler(kit.Gateway, page.Options{})
				send := func(method, path, body string) *httptest.ResponseRecorder {
					r := httptest.NewRequest(method, path, strings.NewReader(body))
					r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
					w := httptest.NewRecorder()
					handler.ServeHTTP(w, r)
					return w
				}
				link := strings.TrimPrefix(bank.link, gatewaytest.PublicURL)
				before := kit.Payment(t, "ORD-1")
				w := send(c.method, link+c.query, c.body)
				require.Equal(t, c.status, w.Code)
				require.Contains(t, bodyOf(w), "<bdi>Test Shop</bdi>")
				require.Contains(t, bodyOf(w), `href="`+gatewaytest.PublicURL+`/auth/`)
				require.Contains(t, bodyOf(w), `>Back to Test Shop</a>`)
				require.Zero(t, bank.calls)
				require.Equal(t, before, kit.Payment(t, "ORD-1"))
				require.Equal(t, http.StatusSeeOther, send("POST", link, "PaRes=%3Ca%26b%3E").Code)
				require.Equal(t, 1, bank.calls)
				require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
			})
		}
	}
}
