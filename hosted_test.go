package gateway_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// hostedRequest is a token request that passes.
func hostedRequest(order string) gateway.SessionRequest {
	return gateway.SessionRequest{
		MerchantKey: gatewaytest.MerchantKey, Operation: "purchase", ReturnURL: "https://shop.example/return",
		Order:    store.Order{Number: order, Amount: "10.00", Currency: "USD", Description: "Important gift"},
		Customer: gateway.Customer{IP: "203.0.113.7"},
	}
}

// hostedToken is the token of a session with a collected card.
func hostedToken(t testing.TB, kit *gatewaytest.Kit, order string, card methods.Card) string {
	t.Helper()
	session, err := kit.CreateHosted(t.Context(), hostedRequest(order))
	require.NoError(t, err)
	require.NoError(t, kit.CollectHosted(t.Context(), session.Token, card))
	return session.Token
}

func payHosted(t testing.TB, kit *gatewaytest.Kit, token string) *gateway.Result {
	t.Helper()
	r, err := kit.PayHosted(t.Context(), token, gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"})
	require.NoError(t, err)
	return r
}

// holdsCard reports whether a session in the store still has a collected card, or a place in the queue of
// those that have.
func holdsCard(t testing.TB, kit *gatewaytest.Kit) (card, queued bool) {
	t.Helper()
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		for entry := range r.Scan(store.Range{Limit: everything}) {
			require.NoError(t, entry.Err)
			card = card || bytes.Contains(entry.Value, []byte(`"held_card"`))
			queued = queued || bytes.Contains(entry.Value, []byte(`"held_until"`))
		}
		return nil
	}))
	return card, queued
}

// The collected card is gone with the attempt that charges it, whatever comes of it.
func TestHostedCardIsErasedByAttempt(t *testing.T) {
	t.Parallel()
	for name, card := range map[string]methods.Card{
		"settled": gatewaytest.Settles, "declined": gatewaytest.Declines, "3-D Secure": gatewaytest.ThreeDSPasses, "unknown": gatewaytest.Card(9, 2038),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			token := hostedToken(t, kit, "ORD-1", card)
			held, _ := holdsCard(t, kit)
			require.True(t, held)
			payHosted(t, kit, token)
			held, _ = holdsCard(t, kit)
			require.False(t, held)
			kit.Advance(t, time.Hour)
			_, queued := holdsCard(t, kit)
			require.False(t, queued)
		})
	}
}

// A card that nobody charges is gone when the session ends, not before and not much later, also one that was
// collected after a decline, or again and again.
func TestHostedCardIsErasedByExpiry(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(testing.TB, *gatewaytest.Kit, string){
		"once": func(testing.TB, *gatewaytest.Kit, string) {},
		"three times": func(t testing.TB, kit *gatewaytest.Kit, token string) {
			for range 2 {
				kit.Advance(t, time.Minute)
				require.NoError(t, kit.CollectHosted(t.Context(), token, gatewaytest.Settles))
			}
		},
		"after a decline": func(t testing.TB, kit *gatewaytest.Kit, token string) {
			require.NoError(t, kit.CollectHosted(t.Context(), token, gatewaytest.Declines))
			payHosted(t, kit, token)
			require.NoError(t, kit.CollectHosted(t.Context(), token, gatewaytest.Settles))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			created := kit.Clock.Now()
			token := hostedToken(t, kit, "ORD-1", gatewaytest.Settles)
			before(t, kit, token)
			kit.Advance(t, created.Add(time.Hour-time.Second).Sub(kit.Clock.Now()))
			held, _ := holdsCard(t, kit)
			require.True(t, held)
			kit.Advance(t, time.Second)
			held, queued := holdsCard(t, kit)
			require.False(t, held)
			require.False(t, queued)
			require.ErrorIs(t, kit.CollectHosted(t.Context(), token, gatewaytest.Settles), gateway.ErrToken)
			_, next, err := kit.Tick(t.Context(), 1)
			require.NoError(t, err)
			require.True(t, next.IsZero() || next.After(kit.Clock.Now()), "nothing is left to do at once")
		})
	}
}

// Neither number nor code nor token stands anywhere, at any time, in any spelling; the acquirer gets both.
func TestHostedSecrets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		month   int
		outcome vcard.Outcome
		pay     bool
	}{
		"settled": {1, vcard.Normal(), true}, "declined": {2, vcard.Normal(), true}, "lost": {9, vcard.Normal(), true},
		"3-D Secure": {5, vcard.Normal(), true}, "bank": {12, vcard.Normal(), true}, "panic": {1, vcard.Panic(), true},
		"never paid": {1, vcard.Normal(), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit, spy, h := watchedFor(t)
			token := hostedToken(t, kit, "ORD-1", canaryCard(t, c.month, 2038))
			other := hostedToken(t, kit, "ORD-2", canaryCard(t, c.month, 2038)) // of which the log tells something
			gatherQuiet(t, kit, h)
			amount := "11.00"
			require.NoError(t, kit.UpdateHosted(t.Context(), token, gateway.HostedUpdate{Amount: &amount}))
			links := []string{}
			if c.pay {
				kit.Vcard.Next(c.outcome)
				r := payHosted(t, kit, token)
				h.add("answers", fmt.Appendf(nil, "%+v %#v", r.Payment, r.Transaction))
				op := spy.sends(r.Transaction.ID)[0]
				require.Equal(t, canaryPAN, op.Card.PAN.Digits())
				require.Equal(t, canaryCode, op.Card.Code.Digits())
				links = append(links, strings.TrimPrefix(op.ReturnURL, gatewaytest.PublicURL+"/return/"))
				gatherQuiet(t, kit, h)
				if r.Next != nil {
					links = append(links, strings.TrimPrefix(kit.ComeBack(t, r.Next), gatewaytest.PublicURL+"/auth/"))
				}
			}
			kit.Advance(t, 72*time.Hour)
			gatherQuiet(t, kit, h)
			require.Empty(t, h.find(canaryPAN))
			require.Empty(t, h.findCode())
			for _, link := range append(links, token, other) {
				raw, err := base64.RawURLEncoding.DecodeString(link)
				require.NoError(t, err)
				require.Empty(t, h.find(link))
				require.Empty(t, h.find(string(raw[:32])))
			}
		})
	}
}

// gatherQuiet is gather without the demand that there is a log: a session that nobody pays leaves none.
func gatherQuiet(t testing.TB, kit *gatewaytest.Kit, h *hay) {
	t.Helper()
	h.add("log", []byte("-"))
	h.add("events", []byte("-"))
	gather(t, kit, h)
}

// Errors and prints of collected cards tell nothing.
func TestHostedErrorsTellNothing(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	h := &hay{bits: map[string][]byte{}}
	card := canaryCard(t, 1, 2020) // expired
	session, err := kit.CreateHosted(t.Context(), hostedRequest("ORD-1"))
	require.NoError(t, err)
	err = kit.CollectHosted(t.Context(), session.Token, card)
	require.ErrorIs(t, err, gateway.ErrInvalid)
	h.add("errors", fmt.Appendf(nil, "%v %+v %#v", err, err, err))
	err = kit.CollectHosted(t.Context(), session.Token[1:], gatewaytest.Settles)
	require.ErrorIs(t, err, gateway.ErrToken)
	h.add("errors", fmt.Appendf(nil, "%v %+v %#v", err, err, err))
	require.Empty(t, h.find(canaryPAN))
	require.Empty(t, h.findCode())
	require.Empty(t, h.find(session.Token[1:]))
}

// A merchant who takes https only has it of return_url too.
func TestHostedHTTPSOnly(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password), HTTPSOnly: true,
	}))
	r := hostedRequest("ORD-1")
	r.ReturnURL = "http://shop.example/return"
	_, err := kit.CreateHosted(t.Context(), r)
	require.ErrorContains(t, err, "return_url: This value is not a valid URL.")
}

// The merchant's registered origins win over those of the URLs (decision ag).
func TestHostedOrigins(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := hostedRequest("ORD-1")
	r.CancelURL, r.SuccessURL = "https://other.example/x", "https://shop.example/y"
	session, err := kit.CreateHosted(t.Context(), r)
	require.NoError(t, err)
	origins, err := kit.HostedOrigins(t.Context(), session.ID)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"https://shop.example", "https://other.example"}, origins)
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password), Origins: []string{"https://frames.example"},
	}))
	origins, err = kit.HostedOrigins(t.Context(), session.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"https://frames.example"}, origins)
	_, err = kit.HostedOrigins(t.Context(), "nobody")
	require.ErrorIs(t, err, gateway.ErrToken)
	_, err = kit.HostedOrigins(t.Context(), sessionID(t, kit.Session(t, "ORD-2", "10.00")))
	require.ErrorIs(t, err, gateway.ErrToken, "a Checkout session has no fields")
}

func sessionID(t testing.TB, link string) string {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(link)
	require.NoError(t, err)
	return string(raw[32:])
}

// Another schedule amount than the currency takes is refused with the currency.
func TestHostedUpdateKeepsScheduleAmount(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := hostedRequest("ORD-1")
	r.Extra = store.SessionExtra{RecurringInit: true, ScheduleID: scheduled(t, kit).ID, PaymentScheduleAmount: "5.00"}
	session, err := kit.CreateHosted(t.Context(), r)
	require.NoError(t, err)
	amount, currency, off := "10.000", "KWD", false
	err = kit.UpdateHosted(t.Context(), session.Token, gateway.HostedUpdate{Amount: &amount, Currency: &currency})
	require.ErrorContains(t, err, "payment_schedule_amount: ")
	err = kit.UpdateHosted(t.Context(), session.Token, gateway.HostedUpdate{RecurringInit: &off})
	require.ErrorContains(t, err, "schedule_id: This value is not valid.")
	none := ""
	require.NoError(t, kit.UpdateHosted(t.Context(), session.Token, gateway.HostedUpdate{Amount: &amount, Currency: &currency, ScheduleID: &none, RecurringInit: &off}))
}

// The language of the payment request is that of the pages its payer sees, and the token request's without one (SPEC1,
// selected_language).
func TestHostedLanguage(t *testing.T) {
	t.Parallel()
	for selected, want := range map[string]string{"": "fr", "de": "de"} {
		kit := gatewaytest.New(t)
		r := hostedRequest("ORD-1")
		r.Language = "fr"
		session, err := kit.CreateHosted(t.Context(), r)
		require.NoError(t, err)
		require.NoError(t, kit.CollectHosted(t.Context(), session.Token, gatewaytest.ThreeDSPasses))
		paid, err := kit.PayHosted(t.Context(), session.Token, gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe", Language: selected})
		require.NoError(t, err)
		require.Equal(t, want, paid.Payment.Language)
		require.Equal(t, want, turnOf(t, kit, pageToken(t, kit.ComeBack(t, paid.Next))).Language)
	}
}
