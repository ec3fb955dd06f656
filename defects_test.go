package gateway_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// chooser is an acquirer whose payers choose 12.5.
type chooser struct{}

func (chooser) Perform(_ context.Context, op methods.Operation) methods.Answer {
	a := methods.Approved(op, "chosen")
	if op.Open {
		a.Amount = store.MustAmount("12.500000")
	}
	return a
}

// What the payer chose counts against the MID's limits once it is known, and a MID that took enough takes no
// amount that nobody knows.
func TestLimitsCountChosenAmounts(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, func(cfg *gateway.Config) {
		cfg.Crypto = []methods.Currency{{Code: "USDC", Exponent: 6, Crypto: true}}
		cfg.Connectors["chain"] = chooser{}
	})
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "chain", MerchantID: gatewaytest.MerchantID, Connector: "chain",
		Methods: []string{"crypto-currency"}, Limits: store.Limits{Day: "20.000000"}}))
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Methods: []string{"card"}}))
	buy := func(order, amount string) error {
		_, err := kit.Charge(t.Context(), gateway.ChargeRequest{MerchantKey: gatewaytest.MerchantKey, Kind: store.Purchase, Method: "crypto-currency",
			Order:      store.Order{Number: order, Amount: amount, Currency: "USDC", Description: "Coins"},
			Parameters: []byte(`{"cryptoCurrency":"USDC","payment_currency":"USDC"}`)})
		return err
	}
	require.NoError(t, buy("ORD-1", ""))
	require.NoError(t, buy("ORD-2", ""), "12.5 of 20 were taken; this one goes beyond, which nobody could know")
	require.ErrorIs(t, buy("ORD-3", ""), gateway.ErrDayLimit)
	require.ErrorIs(t, buy("ORD-4", "1.000000"), gateway.ErrDayLimit)
}

// What was chosen counts although it goes beyond the limit, once, and is the day's: the next day takes again.
// What was declined counts nothing.
func TestChosenAmountsAreCountedLate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		chosen string // empty: declined
		err    error  // of another 1 afterwards
	}{
		{"far beyond the limit", "500.000000", gateway.ErrDayLimit},
		{"all but 1", "19.000000", nil},
		{"all but a little less", "19.000001", gateway.ErrDayLimit},
		{"declined", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, tether)
			bounded(t, kit, store.Limits{Day: "20.000000"})
			submit(kit, t, kit.SessionOf(t, coins("")), gateway.Submission{})
			open := transactionOf(t, kit, kit.Payment(t, "ORD-1").Transactions[0])
			require.True(t, open.Open)
			outcome := vcard.Decline("No")
			if c.chosen == "" {
				require.NoError(t, kit.Vcard.Resolve(t.Context(), key(t, kit), outcome))
			} else {
				require.NoError(t, kit.Vcard.Pay(t.Context(), key(t, kit), store.MustAmount(c.chosen)))
			}
			kit.Advance(t, time.Hour)
			closed := transactionOf(t, kit, open.ID)
			require.Equal(t, c.chosen != "", closed.Counted)
			require.Equal(t, c.chosen == "", closed.Outcome == store.Fail)
			another := coins("1.000000")
			another.Order.Number = "ORD-2"
			_, err := kit.PaySession(t.Context(), kit.SessionOf(t, another), gateway.Submission{})
			require.ErrorIs(t, err, c.err)
			kit.Clock.Set(kit.Clock.Now().Add(24 * time.Hour))
			another.Order.Number = "ORD-3"
			_, err = kit.PaySession(t.Context(), kit.SessionOf(t, another), gateway.Submission{})
			require.NoError(t, err)
		})
	}
}

// A limit that is reached exactly takes no open amount; what a MID got its limits for meanwhile is counted too.
func TestOpenAmountAtTheLimit(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, tether)
	submit(kit, t, kit.SessionOf(t, coins("")), gateway.Submission{})
	bounded(t, kit, store.Limits{Day: "20.000000"})
	require.NoError(t, kit.Vcard.Pay(t.Context(), key(t, kit), store.MustAmount("20.000000")))
	kit.Advance(t, time.Hour)
	p := kit.Payment(t, "ORD-1")
	require.Equal(t, store.Settled, p.Status)
	require.True(t, transactionOf(t, kit, p.Transactions[0]).Counted)
	another := coins("")
	another.Order.Number = "ORD-2"
	_, err := kit.PaySession(t.Context(), kit.SessionOf(t, another), gateway.Submission{})
	require.ErrorIs(t, err, gateway.ErrDayLimit)
}

// Of several methods that cannot take a session the one that came furthest says why.
func TestRefusalOfTheFurthestMethod(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, func(cfg *gateway.Config) {
		cfg.Crypto = []methods.Currency{{Code: "USDC", Exponent: 6, Crypto: true}}
	})
	for _, mid := range []store.MID{
		{ID: "live", Methods: []string{"card"}, Currencies: []string{"USD", "USDC"}},
		{ID: "other", Methods: []string{"vcard"}, Currencies: []string{"BRL"}},
	} {
		mid.MerchantID, mid.Connector = gatewaytest.MerchantID, "vcard"
		require.NoError(t, kit.SaveMID(t.Context(), mid))
	}
	open := func(order string, change func(*gateway.SessionRequest)) error {
		r := gatewaytest.Request(order, "10.00")
		r.Methods = nil
		change(&r)
		_, err := kit.CreateSession(t.Context(), r)
		return err
	}
	require.ErrorIs(t, open("ORD-1", func(r *gateway.SessionRequest) { r.Extra.MOTOType = "phone_moto" }), gateway.ErrMOTORoute)
	require.ErrorIs(t, open("ORD-2", func(r *gateway.SessionRequest) { r.Order.Amount, r.Hold = "0.00", true }), gateway.ErrZeroRoute)
	crypto := func(r *gateway.SessionRequest) { r.Order.Currency, r.Order.Amount = "USDC", "1.000000" }
	require.ErrorIs(t, open("ORD-3", crypto), gateway.ErrCurrencyRoute, "no card is in a crypto currency")
}

// A method that is named twice is one choice.
func TestMethodsNamedTwice(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Methods = []string{"card", "vcard", "card"}
	s, err := kit.CreateSession(t.Context(), r)
	require.NoError(t, err)
	turn, err := kit.Turn(t.Context(), s.RedirectURL[len(gatewaytest.PublicURL+"/auth/"):])
	require.NoError(t, err)
	var codes []string
	for _, method := range turn.Methods {
		codes = append(codes, method.Code)
	}
	require.Equal(t, []string{"card", "vcard"}, codes)
}

// The MIDs of a merchant with cards and Pix: a telephone order fails for that, not for the currency of Pix.
func TestRefusalBesideAnotherCurrency(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	for _, mid := range []store.MID{{ID: "live", Methods: []string{"card"}}, {ID: "pix", Methods: []string{"pix"}, Currencies: []string{"BRL"}}} {
		mid.MerchantID, mid.Connector = gatewaytest.MerchantID, "vcard"
		require.NoError(t, kit.SaveMID(t.Context(), mid))
	}
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Extra.MOTOType = "phone_moto"
	for _, methods := range [][]string{nil, {"pix", "card"}, {"card", "pix"}} {
		r.Methods = methods
		_, err := kit.CreateSession(t.Context(), r)
		require.Equal(t, 204025, gateway.AsError(err).Code, "%q", methods)
	}
}

// A card is not charged in a crypto currency, in whatever protocol.
func TestNoCardInCrypto(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, tether)
	r := coins("10.000000")
	r.Methods = []string{"card"}
	_, err := kit.CreateSession(t.Context(), r)
	require.Equal(t, 204012, gateway.AsError(err).Code)
	_, err = kit.Charge(t.Context(), chargeOf("ORD-2", gatewaytest.Settles, func(r *gateway.ChargeRequest) {
		r.Order.Currency, r.Order.Amount = "USDT", "10.000000"
	}))
	require.Equal(t, 204012, gateway.AsError(err).Code)
	r.Methods = []string{"card", "helio"}
	turn := turnOf(t, kit, kit.SessionOf(t, r))
	require.Len(t, turn.Methods, 1)
	require.Equal(t, "helio", turn.Methods[0].Code)
}

// Nothing of a saved card is shown that may not be used, and its place stays.
func TestNothingOfAnExpiredCard(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	good := tokenOf(t, kit, "ORD-1", gatewaytest.Settles)
	short := tokenOf(t, kit, "ORD-2", gatewaytest.Card(1, 2028))
	kit.Clock.Set(time.Date(2028, 2, 1, 11, 0, 0, 0, time.UTC))
	r := gatewaytest.Request("ORD-3", "10.00")
	r.Extra.CardTokens = []string{short, good}
	r.Expiry = new(720)
	link := kit.SessionOf(t, r)
	require.NotEmpty(t, turnOf(t, kit, link).Cards[0].Mask)
	kit.Clock.Set(time.Date(2028, 2, 1, 13, 0, 0, 0, time.UTC))
	cards := turnOf(t, kit, link).Cards
	require.Len(t, cards, 2)
	require.Zero(t, cards[0])
	require.NotEmpty(t, cards[1].Mask)
}

// Every attempt of a cascade issues a token; what stays is the one that the merchant hears of.
func TestCascadeKeepsOneToken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		script []vcard.Outcome
		tokens int // that stay
		mids   []string
		change []func(*gateway.ChargeRequest)
	}{
		{"second settles", soft(1), 1, []string{"second"}, nil},
		{"third settles", soft(2), 1, []string{"second", "third"}, nil},
		{"all decline", soft(3), 1, []string{"second", "third"}, nil},
		{"nobody comes after", soft(1), 1, nil, nil},
		{"S2S CARD", soft(2), 1, []string{"second", "third"}, []func(*gateway.ChargeRequest){viaCard}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			moreMIDs(t, kit, c.mids...)
			cascading(t, kit, store.Checkout)
			cascading(t, kit, store.S2SCard)
			kit.Vcard.Next(c.script...)
			r := charged(t, kit, "ORD-1", gatewaytest.Settles, append(c.change, asks)...)
			require.Equal(t, c.tokens, tokensKept(t, kit))
			list := attempts(t, kit, "ORD-1")
			require.Len(t, list, min(len(c.mids)+1, len(c.script)+1))
			for _, p := range list[:len(list)-1] {
				require.Empty(t, p.CardToken, "deleted")
			}
			require.Equal(t, store.Settled, charged(t, kit, "ORD-2", methods.Card{}, byToken(r.Payment.CardToken)).Payment.Status)
		})
	}
}

// A token that was told stays, and so does one that was paid with.
func TestCascadeKeepsToldTokens(t *testing.T) {
	t.Parallel()
	t.Run("told when the payer was sent away", func(t *testing.T) {
		t.Parallel()
		p := firstAway()
		kit := gatewaytest.New(t, p.option)
		moreMIDs(t, kit, "second")
		cascading(t, kit, store.Checkout)
		r := gatewaytest.Request("ORD-1", "10.00")
		r.Extra.ReqToken = true
		submit(kit, t, kit.SessionOf(t, r), gateway.Submission{Card: gatewaytest.Settles})
		p.comeBack(t, kit)
		require.Equal(t, 2, tokensKept(t, kit))
		forms := told(t, kit, "ORD-1")
		require.NotEqual(t, forms[0].Get("card_token"), forms[1].Get("card_token"))
		for i, form := range forms {
			require.Equal(t, store.Settled, charged(t, kit, fmt.Sprintf("ORD-%d", i+2), methods.Card{}, byToken(form.Get("card_token"))).Payment.Status)
		}
	})
	t.Run("the first decline of an APM payment", func(t *testing.T) {
		t.Parallel()
		kit := gatewaytest.New(t)
		moreMIDs(t, kit, "second", "third")
		cascading(t, kit, store.S2SAPM)
		kit.Vcard.Next(soft(2)...)
		charged(t, kit, "ORD-1", gatewaytest.Settles, viaAPM, asks, func(r *gateway.ChargeRequest) { r.Card = &gatewaytest.Settles })
		require.Equal(t, 2, tokensKept(t, kit), "the first and the last")
	})
	t.Run("paid by token", func(t *testing.T) {
		t.Parallel()
		kit := gatewaytest.New(t)
		token := tokenOf(t, kit, "ORD-1", gatewaytest.Settles)
		moreMIDs(t, kit, "second")
		cascading(t, kit, store.Checkout)
		kit.Vcard.Next(soft(1)...)
		charged(t, kit, "ORD-2", methods.Card{}, byToken(token))
		require.Equal(t, 1, tokensKept(t, kit))
		require.Equal(t, token, attempts(t, kit, "ORD-2")[0].CardToken)
		require.Equal(t, store.Settled, charged(t, kit, "ORD-3", methods.Card{}, byToken(token)).Payment.Status)
	})
}

// tokensKept is how many card tokens are stored.
func tokensKept(t testing.TB, kit *gatewaytest.Kit) (n int) {
	t.Helper()
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		for entry := range r.Scan(store.Range{Prefix: store.Key("ct"), Limit: everything}) {
			require.NoError(t, entry.Err)
			n++
		}
		return nil
	}))
	return n
}
