package gateway_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// taxed answers the tax of a country, and for orders in USD an exchange.
func taxed(asked *[]gateway.QuoteRequest) kerneltest.Quoter {
	return func(r gateway.QuoteRequest) (q gateway.Quote, err error) {
		*asked = append(*asked, r)
		if r.VAT {
			tax, rate := store.MustAmount("1.60"), "19%"
			if r.Country == "AT" {
				tax, rate = store.MustAmount("1.67"), "20%"
			}
			q.VAT, q.VATRate = &tax, rate
		}
		q.Exchange = &gateway.Exchange{Currency: "JPY", Amount: store.MustAmount("1508"), Rate: "150.8"}
		return q, nil
	}
}

func withVAT(r *gateway.ChargeRequest) { r.VATCalc = true }

// Decision bm: the host computes a quote once for a charge. It is sent to the connector and in the callback of the
// charge, and changes no amount.
func TestQuote(t *testing.T) {
	t.Parallel()
	for protocol, action := range map[store.Protocol]string{store.Checkout: "", store.S2SCard: "SALE"} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			var asked []gateway.QuoteRequest
			acquirer := &kerneltest.ScriptedConnector{OnPerform: kerneltest.Approves}
			kit := gatewaytest.New(t, acquirer.Option, taxed(&asked).Option)
			p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, withVAT, func(r *gateway.ChargeRequest) {
				r.Protocol, r.Action, r.Payer.Address.Country = protocol, action, "AT"
			}).Payment
			require.Equal(t, []gateway.QuoteRequest{{
				MerchantID: gatewaytest.MerchantID, Kind: store.Purchase, Method: "card", Order: p.Order, Amount: p.Amount,
				Country: "AT", VAT: true,
			}}, asked)
			want := &store.Quote{VATAmount: "1.67", VATRate: "20%", ExchangeCurrency: "JPY",
				ExchangeAmount: p.Quote.ExchangeAmount, ExchangeRate: "150.8"}
			require.Equal(t, want, p.Quote)
			require.Equal(t, want, acquirer.Sent[0].Quote)
			require.Equal(t, "10.00", acquirer.Sent[0].Amount.String())
			require.Equal(t, "USD", acquirer.Sent[0].Currency)
			_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "4.00"))
			require.NoError(t, err)
			forms := kerneltest.FormsOf(t, kit, "ORD-1")
			require.Equal(t, "JPY", forms[0].Get("exchange_currency"))
			require.Equal(t, p.Quote.ExchangeAmount, forms[0].Get("exchange_amount"))
			require.Equal(t, "150.8", forms[0].Get("exchange_rate"))
			require.False(t, forms[0].Has("exchange_rate_base"))
			require.False(t, forms[1].Has("exchange_currency"), "a refund was not exchanged")
			require.False(t, forms[1].Has("vat_amount"))
			if protocol == store.Checkout {
				require.Equal(t, "1.67", forms[0].Get("vat_amount"))
				require.Equal(t, "10.00", forms[0].Get("order_amount"))
			}
		})
	}
}

// What the acquirer itself computed replaces the host's quote.
func TestAcquirerComputes(t *testing.T) {
	t.Parallel()
	var asked []gateway.QuoteRequest
	acquirer := &kerneltest.ScriptedConnector{OnPerform: func(op methods.Operation) methods.Answer {
		a := kerneltest.Approves(op)
		a.Facts = store.Facts{VATAmount: "0.70", ExchangeCurrency: "CHF", ExchangeAmount: "9.10", ExchangeRate: "0.91",
			ExchangeRateBase: "1.1"}
		return a
	}}
	kit := gatewaytest.New(t, acquirer.Option, taxed(&asked).Option)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, withVAT)
	form := kerneltest.FormsOf(t, kit, "ORD-1")[0]
	require.Equal(t, []string{"0.70", "CHF", "9.10", "0.91", "1.1"}, []string{form.Get("vat_amount"),
		form.Get("exchange_currency"), form.Get("exchange_amount"), form.Get("exchange_rate"), form.Get("exchange_rate_base")})
}

// The tax is for purchases, and only if the host computes it: in every request with vat_calc.
func TestVATIsRefused(t *testing.T) {
	t.Parallel()
	var asked []gateway.QuoteRequest
	session := func(kit *gatewaytest.Kit, kind store.Kind) error {
		r := gatewaytest.Request("ORD-1", "10.00")
		r.Operation, r.Extra.VATCalc = string(kind), true
		_, err := kit.Shop().CreateSession(t.Context(), r)
		return err
	}
	hosted := func(kit *gatewaytest.Kit, kind store.Kind) error {
		r := kerneltest.HostedRequest("ORD-1")
		r.Operation, r.Extra.VATCalc = string(kind), true
		_, err := kit.Shop().CreateHosted(t.Context(), r)
		return err
	}
	charge := func(protocol store.Protocol, action string) func(*gatewaytest.Kit, store.Kind) error {
		return func(kit *gatewaytest.Kit, kind store.Kind) error {
			_, err := kit.Shop().Charge(t.Context(),
				kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, withVAT, func(r *gateway.ChargeRequest) {
					r.Protocol, r.Action, r.Kind = protocol, action, kind
				}))
			return err
		}
	}
	for name, ask := range map[string]func(*gatewaytest.Kit, store.Kind) error{
		"session": session, "hosted fields": hosted, "charge": charge(store.Checkout, ""),
		"S2S charge": charge(store.S2SCard, "SALE"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			require.ErrorContains(t, ask(kit, store.Purchase), "vat_calc: is not available: this gateway computes no VAT")
			require.ErrorContains(t, ask(kit, store.Debit), "vat_calc: is not for operation debit")
			require.Empty(t, kit.Charges(t))
			require.NoError(t, ask(gatewaytest.New(t, taxed(&[]gateway.QuoteRequest{}).Option), store.Purchase))
		})
	}
	require.Empty(t, asked)
}

// A quote that is wrong, fails or panics charges nothing and stores nothing.
func TestWrongQuotes(t *testing.T) {
	t.Parallel()
	some := func(text string) *store.Amount { a := store.MustAmount(text); return &a }
	exchange := func(e gateway.Exchange) kerneltest.Quoter {
		return func(gateway.QuoteRequest) (gateway.Quote, error) { return gateway.Quote{Exchange: &e}, nil }
	}
	of := func(q gateway.Quote) kerneltest.Quoter {
		return func(gateway.QuoteRequest) (gateway.Quote, error) { return q, nil }
	}
	ten := store.MustAmount("9.10")
	for name, q := range map[string]kerneltest.Quoter{
		"error": func(gateway.QuoteRequest) (gateway.Quote, error) {
			return gateway.Quote{}, errors.New("no table")
		},
		"panic":                     func(gateway.QuoteRequest) (gateway.Quote, error) { panic("geheim") },
		"tax above the amount":      of(gateway.Quote{VAT: some("10.01")}),
		"tax too fine":              of(gateway.Quote{VAT: some("1.001")}),
		"rate without tax":          of(gateway.Quote{VATRate: "19%"}),
		"rate that does not print":  of(gateway.Quote{VAT: some("1.00"), VATRate: "19\u202e%"}),
		"rate that is long":         of(gateway.Quote{VAT: some("1.00"), VATRate: "19% of what is left when all is said"}),
		"currency of the order":     exchange(gateway.Exchange{Currency: "USD", Amount: ten, Rate: "1"}),
		"unknown currency":          exchange(gateway.Exchange{Currency: "XYZ", Amount: ten, Rate: "1"}),
		"nothing in exchange":       exchange(gateway.Exchange{Currency: "CHF", Rate: "0.91"}),
		"fraction of a yen":         exchange(gateway.Exchange{Currency: "JPY", Amount: ten, Rate: "0.91"}),
		"no rate":                   exchange(gateway.Exchange{Currency: "CHF", Amount: ten}),
		"rate that is no number":    exchange(gateway.Exchange{Currency: "CHF", Amount: ten, Rate: "0,91"}),
		"rate of nothing":           exchange(gateway.Exchange{Currency: "CHF", Amount: ten, Rate: "0.0"}),
		"base rate that is no rate": exchange(gateway.Exchange{Currency: "CHF", Amount: ten, Rate: "0.91", RateBase: "-1"}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, q.Option)
			_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, withVAT))
			require.ErrorIs(t, gateway.AsError(err), gateway.ErrInternal)
			require.ErrorContains(t, err, `no quote for order "ORD-1"`)
			require.NotContains(t, err.Error(), "geheim")
			require.Empty(t, kit.Charges(t))
			require.Empty(t, kerneltest.ReadBooks(t, kit).Payments)
		})
	}
	kit := gatewaytest.New(t, of(gateway.Quote{VAT: some("1.00")}).Option)
	_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
	require.ErrorContains(t, err, "VAT: not asked for")
}

// The page shows the tax by the country it knows, and omits the line if the host has no answer.
func TestPageTellsVAT(t *testing.T) {
	t.Parallel()
	var asked []gateway.QuoteRequest
	fail := false
	quote := taxed(&asked)
	kit := gatewaytest.New(t, kerneltest.Quoter(func(r gateway.QuoteRequest) (gateway.Quote, error) {
		if fail {
			return gateway.Quote{}, errors.New("no table")
		}
		return quote(r)
	}).Option)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Extra.VATCalc, r.Billing.Country = true, "AT"
	session, err := kit.Shop().CreateSession(t.Context(), r)
	require.NoError(t, err)
	link := strings.TrimPrefix(session.RedirectURL, gatewaytest.PublicURL+"/auth/")
	next, err := kit.NextAction(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, &gateway.ContainedVAT{Amount: "1.67", Rate: "20%"}, next.VAT)
	require.Equal(t, "10.00", next.Order.Amount)
	fail = true
	next, err = kit.NextAction(t.Context(), link)
	require.NoError(t, err)
	require.Nil(t, next.VAT)
	_, err = kit.PaySession(t.Context(), link, gateway.Submission{Card: gatewaytest.Settles})
	require.Error(t, err, "what was promised cannot be kept")
	fail = false
	kit.Pay(t, link, gatewaytest.Settles)
	require.Equal(t, "1.67", kit.Payment(t, "ORD-1").Quote.VATAmount)
}

// The later payments of a chain are quoted like the first, whether they are requested or scheduled.
func TestQuoteOfAChain(t *testing.T) {
	t.Parallel()
	var asked []gateway.QuoteRequest
	kit := gatewaytest.New(t, taxed(&asked).Option)
	set := kerneltest.Scheduled(t, kit)
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, withVAT, kerneltest.OnSchedule(set)).Payment
	_, err := kit.Shop().Recur(t.Context(), gateway.RecurRequest{
		InitID: first.ID, Token: first.RecurringToken,
		Order: store.Order{Number: "ORD-2", Amount: "5.00", Description: "again"},
	})
	require.NoError(t, err)
	require.Equal(t, "1.60", kit.Payment(t, "ORD-2").Quote.VATAmount)
	before := len(asked)
	kit.Advance(t, 60*24*time.Hour)
	require.Greater(t, len(asked), before, "the scheduled payment")
	require.True(t, asked[before].VAT)
}
