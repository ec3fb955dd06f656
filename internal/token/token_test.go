package token_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// The other merchant of these tests.

// SPEC1, "Events": every callback of a purchase or debit reports the token, if one was requested.
func TestTokenIsTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		card   methods.Card
		change []func(*gateway.ChargeRequest)
		follow []string
		told   []string // types
		token  bool
	}{
		{"purchase", gatewaytest.Settles, []func(*gateway.ChargeRequest){kerneltest.AsksToken}, []string{"refund"},
			[]string{"sale", "refund"}, true},
		{"authorization", gatewaytest.Settles, []func(*gateway.ChargeRequest){kerneltest.AsksToken, kerneltest.Held},
			[]string{"capture"}, []string{"sale", "capture"}, true},
		{"debit", gatewaytest.Settles, []func(*gateway.ChargeRequest){kerneltest.AsksToken, kerneltest.AsDebit},
			[]string{"refund"}, []string{"debit", "refund"}, true},
		{"declined", gatewaytest.Declines, []func(*gateway.ChargeRequest){kerneltest.AsksToken}, nil, []string{"sale"}, true},
		{"not requested", gatewaytest.Settles, nil, []string{"refund"}, []string{"sale", "refund"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			p := kerneltest.Charged(t, kit, "ORD-1", c.card, c.change...).Payment
			for _, what := range c.follow {
				_, err := kerneltest.Step{What: what}.Run(t.Context(), kit, p)
				require.NoError(t, err)
			}
			var types []string
			for _, form := range kerneltest.FormsOf(t, kit, "ORD-1") {
				types = append(types, form.Get("type"))
				require.Equal(t, c.token, form.Has("card_token"))
				require.Equal(t, p.CardToken, form.Get("card_token"))
			}
			require.Equal(t, c.told, types)
			require.Equal(t, c.token, kerneltest.Hex64.MatchString(p.CardToken))
			kerneltest.Audit(t, kit)
		})
	}
}

func TestTokensDiffer(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NotEqual(t, kerneltest.TokenOf(t, kit, "ORD-1", gatewaytest.Settles),
		kerneltest.TokenOf(t, kit, "ORD-2", gatewaytest.Settles))
}

// Through 3-D Secure the token is the same in both callbacks.
func TestTokenThrough3DS(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Extra.ReqToken = true
	next := kit.Pay(t, kit.SessionOf(t, r), gatewaytest.ThreeDSPasses)
	kit.ComeBack(t, next.Redirect)
	forms := kerneltest.FormsOf(t, kit, "ORD-1")
	require.Len(t, forms, 2)
	require.Regexp(t, kerneltest.Hex64, forms[0].Get("card_token"))
	require.Equal(t, forms[0].Get("card_token"), forms[1].Get("card_token"))
}

func TestChargeByToken(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*gateway.ChargeRequest){
		"purchase": func(*gateway.ChargeRequest) {}, "debit": kerneltest.AsDebit, "asked for again": kerneltest.AsksToken,
		"payout": func(r *gateway.ChargeRequest) { r.Kind = store.Credit },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
			token := kerneltest.TokenOf(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038))
			r := kerneltest.Charged(t, kit, "ORD-2", methods.Card{}, kerneltest.ByToken(token), change)
			require.Equal(t, store.Settled, r.Payment.Status)
			op := spy.Sends(r.Transaction.ID)[0]
			require.Equal(t, kerneltest.CanaryPAN, op.Card.PAN.Digits())
			require.Equal(t, store.Expiry{Year: 2038, Month: 1}, op.Card.Expiry)
			require.Empty(t, op.Card.Code.Digits(), "no record has the code")
			forms := kerneltest.FormsOf(t, kit, "ORD-2")
			require.Len(t, forms, 1)
			require.Equal(t, "460154******6519", forms[0].Get("card"))
			require.Equal(t, "01/2038", forms[0].Get("card_expiration_date"))
			if r.Payment.Kind != store.Credit {
				require.Equal(t, token, forms[0].Get("card_token"), "the one of the payment, no other")
			}
		})
	}
}

// Card data wins over a token in the same request (s2s_card.md, "Precedence").
func TestCardBeatsToken(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
	token := kerneltest.TokenOf(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038))
	for order, other := range map[string]string{"ORD-2": token, "ORD-3": "no token at all"} {
		r := kerneltest.Charged(t, kit, order, gatewaytest.Settles, func(r *gateway.ChargeRequest) { r.CardToken = other })
		require.Equal(t, "4111111111111111", spy.Sends(r.Transaction.ID)[0].Card.PAN.Digits())
		require.Empty(t, r.Payment.CardToken)
	}
}

func TestTokenIsRefused(t *testing.T) {
	t.Parallel()
	unknown := "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for _, c := range []struct {
		name  string
		key   string
		token string
		now   time.Time
		err   *gateway.Error
	}{
		{"unknown", gatewaytest.MerchantKey, unknown, time.Time{}, gateway.ErrCardToken},
		{"of no form", gatewaytest.MerchantKey, "x", time.Time{}, gateway.ErrCardToken},
		{"of another merchant", kerneltest.OtherKey, "", time.Time{}, gateway.ErrCardTokenOwner},
		{"with the test key", gatewaytest.TestKey, "", time.Time{}, gateway.ErrCardTokenOwner},
		{"expired", gatewaytest.MerchantKey, "", time.Date(2038, 2, 1, 12, 0, 0, 0, time.UTC), gateway.ErrCardTokenExpired},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			kerneltest.SaveOtherMerchant(t, kit)
			token := kerneltest.TokenOf(t, kit, "ORD-1", gatewaytest.Settles)
			if c.token != "" {
				token = c.token
			}
			if !c.now.IsZero() {
				kit.Clock.Set(c.now.Add(-time.Second))
				kerneltest.Charged(t, kit, "ORD-0", methods.Card{}, kerneltest.ByToken(token))
				kit.Clock.Set(c.now)
			}
			before := len(kit.Charges(t))
			_, err := kit.Merchant(c.key).Charge(t.Context(),
				kerneltest.ChargeOf("ORD-2", methods.Card{}, kerneltest.ByToken(token)))
			require.ErrorIs(t, err, c.err)
			require.Len(t, kit.Charges(t), before)
			_, err = kit.Shop().Status(t.Context(), gateway.Lookup{OrderNumber: "ORD-2"})
			require.ErrorIs(t, err, gateway.ErrNoOrder, "nothing is stored")
		})
	}
}

// A token of the test key does not work with the live one.
func TestTestTokenStaysApart(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	token := kerneltest.TokenOf(t, kit.As(gatewaytest.TestKey), "ORD-1", gatewaytest.Settles)
	_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-2", methods.Card{}, kerneltest.ByToken(token)))
	require.ErrorIs(t, err, gateway.ErrCardTokenOwner)
	require.Equal(t, store.Settled,
		kerneltest.Charged(t, kit.As(gatewaytest.TestKey), "ORD-3", methods.Card{}, kerneltest.ByToken(token)).Payment.Status)
}

// The number never appears in plain: not in the record of a token or a chain, and not in what was sent.
func TestNumberOfSavedCardStaysSealed(t *testing.T) {
	t.Parallel()
	kit, _, h := kerneltest.Searched(t)
	token := kerneltest.TokenOf(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038),
		func(r *gateway.ChargeRequest) { r.RecurringInit = true })
	kerneltest.Charged(t, kit, "ORD-2", methods.Card{}, kerneltest.ByToken(token))
	first := kit.Payment(t, "ORD-1")
	later, err := kit.Shop().Recur(t.Context(), gateway.RecurRequest{InitID: first.ID,
		Token: first.RecurringToken,
		Order: store.Order{Number: "ORD-3", Amount: "5.00", Description: "Second month"}})
	require.NoError(t, err)
	r := gatewaytest.Request("ORD-4", "10.00")
	r.Extra.CardTokens = []string{token}
	link := kit.SessionOf(t, r)
	next := kerneltest.Submit(kit, t, link, gateway.Submission{Saved: 1})
	kit.Work(t)
	h.Add("answers", fmt.Appendf(nil, "%+v %#v %+v", later, later, next))
	kerneltest.Gather(t, kit, h)
	require.Empty(t, h.Find(kerneltest.CanaryPAN))
	require.Empty(t, h.FindCode())
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-4").Status)
}

// A session with saved cards shows their masks, and the payer can choose one instead of typing a card.
func TestSavedCardsOfASession(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
	kerneltest.SaveOtherMerchant(t, kit)
	token := kerneltest.TokenOf(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038))
	second := kerneltest.TokenOf(t, kit, "ORD-2", gatewaytest.Settles)
	foreign := kerneltest.TokenOf(t, kit.As(kerneltest.OtherKey), "ORD-3", gatewaytest.Settles)
	request := func(order string, tokens ...string) gateway.SessionRequest {
		r := gatewaytest.Request(order, "10.00")
		r.Extra.CardTokens, r.Extra.ReqToken = tokens, true
		return r
	}
	_, err := kit.Shop().CreateSession(t.Context(), request("ORD-4", token, foreign))
	require.ErrorIs(t, err, gateway.ErrCardTokenOwner)
	_, err = kit.Shop().CreateSession(t.Context(), request("ORD-4", hexOf('a')))
	require.ErrorIs(t, err, gateway.ErrCardToken)

	link := kit.SessionOf(t, request("ORD-4", token, second))
	next, err := kit.NextAction(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, []gateway.SavedCard{
		{Mask: "460154******6519", Expiry: "01/2038", Brand: "visa"}, {Mask: "411111******1111", Expiry: "01/2038", Brand: "visa"},
	}, next.Cards)
	for _, saved := range []int{0, 3, -1} { // nothing typed, and no such card
		_, err = kit.PaySession(t.Context(), link, gateway.Submission{Saved: saved})
		require.ErrorIs(t, err, gateway.ErrInvalid)
	}
	code, err := store.ParseSecurityCode("737")
	require.NoError(t, err)
	next = kerneltest.Submit(kit, t, link, gateway.Submission{Saved: 1, Card: methods.Card{Code: code}})
	require.Equal(t, gateway.ReturnPaid, next.Status)
	p := kit.Payment(t, "ORD-4")
	op := spy.Sends(p.Transactions[0].ID)[0]
	require.Equal(t, kerneltest.CanaryPAN, op.Card.PAN.Digits())
	require.Equal(t, "737", op.Card.Code.Digits(), "the payer's new one")
	require.Equal(t, token, p.CardToken)
	require.Equal(t, token, kerneltest.FormsOf(t, kit, "ORD-4")[0].Get("card_token"))
}

func hexOf(digit byte) string {
	text := make([]byte, 64)
	for i := range text {
		text[i] = digit
	}
	return string(text)
}

// A card that expires while its session is open is refused when it is chosen.
func TestSavedCardExpiresMeanwhile(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	token := kerneltest.TokenOf(t, kit, "ORD-1", gatewaytest.Settles)
	kit.Clock.Set(time.Date(2038, 2, 1, 11, 59, 0, 0, time.UTC))
	r := gatewaytest.Request("ORD-2", "10.00")
	r.Extra.CardTokens = []string{token}
	link := kit.SessionOf(t, r)
	kit.Clock.Set(time.Date(2038, 2, 1, 12, 1, 0, 0, time.UTC))
	_, err := kit.PaySession(t.Context(), link, gateway.Submission{Saved: 1})
	require.ErrorIs(t, err, gateway.ErrCardTokenExpired)
	next, err := kit.NextAction(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, gateway.ActionCollect, next.Kind, "the payer may type another")
}

// The code that is typed for a saved card is sent to the acquirer; it does not count as card data that wins over
// the token.
func TestTokenWithACode(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
	token := kerneltest.TokenOf(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038))
	code, err := store.ParseSecurityCode("737")
	require.NoError(t, err)
	r := kerneltest.Charged(t, kit, "ORD-2", methods.Card{Code: code},
		func(r *gateway.ChargeRequest) { r.CardToken = token })
	op := spy.Sends(r.Transaction.ID)[0]
	require.Equal(t, kerneltest.CanaryPAN, op.Card.PAN.Digits())
	require.Equal(t, "737", op.Card.Code.Digits())
	require.Equal(t, token, r.Payment.CardToken)
}

// req_token is ignored if a card token is sent, even if another card pays (decision be).
func TestTokenSentIssuesNone(t *testing.T) {
	t.Parallel()
	typed := gatewaytest.Settles
	inSession := func(in gateway.Submission) func(*testing.T, *gatewaytest.Kit, string) {
		return func(t *testing.T, kit *gatewaytest.Kit, token string) {
			r := gatewaytest.Request("ORD-2", "10.00")
			r.Extra.CardTokens, r.Extra.ReqToken = []string{token}, true
			kerneltest.Submit(kit, t, kit.SessionOf(t, r), in)
		}
	}
	for _, c := range []struct {
		name string
		pay  func(*testing.T, *gatewaytest.Kit, string)
		same bool // the saved card pays
	}{
		{"Go, the saved card", func(t *testing.T, kit *gatewaytest.Kit, token string) {
			kerneltest.Charged(t, kit, "ORD-2", typed, kerneltest.ByToken(token), kerneltest.AsksToken)
		}, true},
		{"Go, a card typed", func(t *testing.T, kit *gatewaytest.Kit, token string) {
			kerneltest.Charged(t, kit, "ORD-2", typed, kerneltest.AsksToken,
				func(r *gateway.ChargeRequest) { r.CardToken = token })
		}, false},
		{"page, the saved card", inSession(gateway.Submission{Saved: 1, Card: methods.Card{Code: typed.Code}}), true},
		{"page, a card typed", inSession(gateway.Submission{Card: typed}), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			token := kerneltest.TokenOf(t, kit, "ORD-1", gatewaytest.Settles)
			c.pay(t, kit, token)
			p := kit.Payment(t, "ORD-2")
			require.Equal(t, store.Settled, p.Status)
			want := ""
			if c.same {
				want = token
			}
			require.Equal(t, want, p.CardToken)
			require.Equal(t, want, kerneltest.FormsOf(t, kit, "ORD-2")[0].Get("card_token"))
		})
	}
}
