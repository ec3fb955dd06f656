package hpf_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// preRouted limits the methods of a session that names none.
func preRouted(t testing.TB, s *shop, codes ...string) {
	t.Helper()
	require.NoError(t, s.SaveMapping(t.Context(), store.Mapping{
		MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, PreRouting: []store.PreRoute{{Methods: codes}},
	}))
}

// Decision at: the fields collect cards, so a request whose methods have no card is refused: by the token request,
// by an update, and by the payment.
func TestMethodsOfCards(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		asked []string
		ruled []string // by pre-routing
		good  bool
	}{
		{"none named", nil, nil, true},
		{"the card", []string{"card"}, nil, true},
		{"the card among others", []string{"vcard", "card"}, nil, true},
		{"another", []string{"vcard"}, nil, false},
		{"others", []string{"vcard", "applepay"}, nil, false},
		{"none named, pre-routed to the card", nil, []string{"vcard", "card"}, true},
		{"none named, pre-routed to another", nil, []string{"vcard"}, false},
		{"the card, pre-routed to another", []string{"card"}, []string{"vcard"}, true},
	} {
		for operation, path := range map[string]string{"purchase": pathPurchase, "debit": pathDebit} {
			t.Run(c.name+" "+operation, func(t *testing.T) {
				t.Parallel()
				s := open(t)
				if c.ruled != nil {
					preRouted(t, s, c.ruled...)
				}
				edits := []edit{set("operation", operation)}
				if c.asked != nil {
					edits = append(edits, set("methods", c.asked))
				}
				before := s.records(t)
				got := s.send(t, http.MethodPost, pathToken, purchase(edits...).text())
				if !c.good {
					requireError(t, got, noMethods)
					require.Equal(t, before, s.records(t))
					return
				}
				require.Equal(t, 200, got.status, got.body)
				token := tokenIn(t, got)
				s.collect(t, token, gatewaytest.Settles)
				require.Equal(t, 200, s.under(t, token, path, payment()).status)
				require.Equal(t, "card", s.Payment(t, "ORD-1").Method)
			})
		}
	}
}

const noMethods = "Not found acceptable methods"

// A payment uses the current configuration and session, not those of the token request.
func TestMethodsOfCardsAtPayment(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.collected(t, gatewaytest.Settles)
	preRouted(t, s, "vcard")
	requireError(t, s.under(t, token, pathPurchase, payment()), noMethods)
	requireError(t, s.under(t, token, pathUpdate, object{"order_amount": "12.00"}), noMethods)
	require.Empty(t, s.Charges(t))
	preRouted(t, s, "card")
	require.Equal(t, "success", s.pay(t, token).Result)
}

// A host's own card method counts as a card.
func TestMethodsOfTheHostsOwnCard(t *testing.T) {
	t.Parallel()
	s := open(t, func(cfg *gateway.Config) {
		cfg.Methods = append(cfg.Methods, methods.Method{Code: "house-card", Name: "House card", Kind: methods.KindCard,
			Protocols:  []store.Protocol{store.Checkout},
			Operations: []store.Operation{store.OpSale}})
	})
	token := s.collected(t, gatewaytest.Settles, set("methods", []string{"vcard", "house-card"}))
	require.Equal(t, "success", s.pay(t, token).Result)
	require.Equal(t, "house-card", s.Payment(t, "ORD-1").Method)
}
