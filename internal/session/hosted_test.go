package session_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// The collected card is erased by the attempt that charges it, whatever the outcome.
func TestHostedCardIsErasedByAttempt(t *testing.T) {
	t.Parallel()
	for name, card := range map[string]methods.Card{
		"settled": gatewaytest.Settles, "declined": gatewaytest.Declines, "3-D Secure": gatewaytest.ThreeDSPasses,
		"unknown": gatewaytest.Card(9, 2038),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			token := kerneltest.HostedToken(t, kit, "ORD-1", card)
			held, _ := kerneltest.HoldsCard(t, kit)
			require.True(t, held)
			kerneltest.PayHosted(t, kit, token)
			held, _ = kerneltest.HoldsCard(t, kit)
			require.False(t, held)
			kit.Advance(t, time.Hour)
			_, queued := kerneltest.HoldsCard(t, kit)
			require.False(t, queued)
		})
	}
}

// A card that is never charged is erased when the session ends, not before and not much later. This includes a card
// collected after a decline, and one collected several times.
func TestHostedCardIsErasedByExpiry(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(testing.TB, *gatewaytest.Kit, string){
		"once": func(testing.TB, *gatewaytest.Kit, string) {},
		"three times": func(t testing.TB, kit *gatewaytest.Kit, token string) {
			for range 2 {
				kit.Advance(t, time.Minute)
				require.NoError(t, kit.HostedFields().Collect(t.Context(), token, gatewaytest.Settles))
			}
		},
		"after a decline": func(t testing.TB, kit *gatewaytest.Kit, token string) {
			require.NoError(t, kit.HostedFields().Collect(t.Context(), token, gatewaytest.Declines))
			kerneltest.PayHosted(t, kit, token)
			require.NoError(t, kit.HostedFields().Collect(t.Context(), token, gatewaytest.Settles))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			created := kit.Clock.Now()
			token := kerneltest.HostedToken(t, kit, "ORD-1", gatewaytest.Settles)
			before(t, kit, token)
			kit.Advance(t, created.Add(time.Hour-time.Second).Sub(kit.Clock.Now()))
			held, _ := kerneltest.HoldsCard(t, kit)
			require.True(t, held)
			kit.Advance(t, time.Second)
			held, queued := kerneltest.HoldsCard(t, kit)
			require.False(t, held)
			require.False(t, queued)
			require.ErrorIs(t, kit.HostedFields().Collect(t.Context(), token, gatewaytest.Settles), gateway.ErrToken)
			_, next, err := kit.Tick(t.Context(), 1)
			require.NoError(t, err)
			require.True(t, next.IsZero() || next.After(kit.Clock.Now()), "nothing is left to do at once")
		})
	}
}

// Number, code and token never appear in any store, log or callback, in any spelling; the acquirer gets number and
// code.
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
			kit, spy, h := kerneltest.Searched(t)
			token := kerneltest.HostedToken(t, kit, "ORD-1", kerneltest.CanaryCard(t, c.month, 2038))
			other := kerneltest.HostedToken(t, kit, "ORD-2",
				kerneltest.CanaryCard(t, c.month, 2038)) // a card whose charge writes log lines
			gatherQuiet(t, kit, h)
			amount := "11.00"
			require.NoError(t, kit.HostedFields().Update(t.Context(), token, gateway.HostedUpdate{Amount: &amount}))
			links := []string{}
			if c.pay {
				kit.Vcard.Next(c.outcome)
				r := kerneltest.PayHosted(t, kit, token)
				h.Add("answers", fmt.Appendf(nil, "%+v %#v", r.Payment, r.Transaction))
				op := spy.Sends(r.Transaction.ID)[0]
				require.Equal(t, kerneltest.CanaryPAN, op.Card.PAN.Digits())
				require.Equal(t, kerneltest.CanaryCode, op.Card.Code.Digits())
				links = append(links, strings.TrimPrefix(op.ReturnURL, gatewaytest.PublicURL+"/return/"))
				gatherQuiet(t, kit, h)
				if r.Redirect != nil {
					links = append(links, strings.TrimPrefix(kit.ComeBack(t, r.Redirect), gatewaytest.PublicURL+"/auth/"))
				}
			}
			kit.Advance(t, 72*time.Hour)
			gatherQuiet(t, kit, h)
			require.Empty(t, h.Find(kerneltest.CanaryPAN))
			require.Empty(t, h.FindCode())
			for _, link := range append(links, token, other) {
				raw, err := base64.RawURLEncoding.DecodeString(link)
				require.NoError(t, err)
				require.Empty(t, h.Find(link))
				require.Empty(t, h.Find(string(raw[:32])))
			}
		})
	}
}

// gatherQuiet is gather for a session without a payment, which may leave no log.
func gatherQuiet(t testing.TB, kit *gatewaytest.Kit, h *kerneltest.Haystack) {
	t.Helper()
	h.Add("log", []byte("-"))
	h.Add("events", []byte("-"))
	kerneltest.Gather(t, kit, h)
}

// Errors and prints of collected cards contain no card data.
func TestHostedErrorsTellNothing(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	h := &kerneltest.Haystack{Bits: map[string][]byte{}}
	card := kerneltest.CanaryCard(t, 1, 2020) // expired
	session, err := kit.Shop().CreateHosted(t.Context(), kerneltest.HostedRequest("ORD-1"))
	require.NoError(t, err)
	err = kit.HostedFields().Collect(t.Context(), session.Token, card)
	require.ErrorIs(t, err, gateway.ErrInvalid)
	h.Add("errors", fmt.Appendf(nil, "%v %+v %#v", err, err, err))
	err = kit.HostedFields().Collect(t.Context(), session.Token[1:], gatewaytest.Settles)
	require.ErrorIs(t, err, gateway.ErrToken)
	h.Add("errors", fmt.Appendf(nil, "%v %+v %#v", err, err, err))
	require.Empty(t, h.Find(kerneltest.CanaryPAN))
	require.Empty(t, h.FindCode())
	require.Empty(t, h.Find(session.Token[1:]))
}

// A merchant that accepts only https URLs requires it of return_url too.
func TestHostedHTTPSOnly(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password), HTTPSOnly: true,
	}))
	r := kerneltest.HostedRequest("ORD-1")
	r.ReturnURL = "http://shop.example/return"
	_, err := kit.Shop().CreateHosted(t.Context(), r)
	require.ErrorContains(t, err, "return_url: This value is not a valid URL.")
}

// The merchant's registered origins replace those of the URLs (decision ag).
func TestHostedOrigins(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := kerneltest.HostedRequest("ORD-1")
	r.CancelURL, r.SuccessURL = "https://other.example/x", "https://shop.example/y"
	session, err := kit.Shop().CreateHosted(t.Context(), r)
	require.NoError(t, err)
	origins, err := kit.HostedFields().Origins(t.Context(), session.ID)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"https://shop.example", "https://other.example"}, origins)
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password), Origins: []string{"https://frames.example"},
	}))
	origins, err = kit.HostedFields().Origins(t.Context(), session.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"https://frames.example"}, origins)
	_, err = kit.HostedFields().Origins(t.Context(), "nobody")
	require.ErrorIs(t, err, gateway.ErrToken)
	_, err = kit.HostedFields().Origins(t.Context(), sessionID(t, kit.Session(t, "ORD-2", "10.00")))
	require.ErrorIs(t, err, gateway.ErrToken, "a Checkout session has no fields")
}

func sessionID(t testing.TB, link string) string {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(link)
	require.NoError(t, err)
	return string(raw[32:])
}

// A schedule amount that does not fit a new currency is refused together with the currency.
func TestHostedUpdateKeepsScheduleAmount(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := kerneltest.HostedRequest("ORD-1")
	r.Extra = store.SessionExtra{RecurringInit: true, ScheduleID: kerneltest.Scheduled(t, kit).ID,
		PaymentScheduleAmount: "5.00"}
	session, err := kit.Shop().CreateHosted(t.Context(), r)
	require.NoError(t, err)
	amount, currency, off := "10.000", "KWD", false
	err = kit.HostedFields().Update(t.Context(), session.Token, gateway.HostedUpdate{Amount: &amount, Currency: &currency})
	require.ErrorContains(t, err, "payment_schedule_amount: ")
	err = kit.HostedFields().Update(t.Context(), session.Token, gateway.HostedUpdate{RecurringInit: &off})
	require.ErrorContains(t, err, "schedule_id: This value is not valid.")
	none := ""
	require.NoError(t, kit.HostedFields().Update(t.Context(), session.Token,
		gateway.HostedUpdate{Amount: &amount, Currency: &currency, ScheduleID: &none, RecurringInit: &off}))
}

// The language of the payment request applies to the payer's pages; without one, the language of the token request
// does (SPEC1, selected_language).
func TestHostedLanguage(t *testing.T) {
	t.Parallel()
	for selected, want := range map[string]string{"": "fr", "de": "de"} {
		kit := gatewaytest.New(t)
		r := kerneltest.HostedRequest("ORD-1")
		r.Language = "fr"
		session, err := kit.Shop().CreateHosted(t.Context(), r)
		require.NoError(t, err)
		require.NoError(t, kit.HostedFields().Collect(t.Context(), session.Token, gatewaytest.ThreeDSPasses))
		paid, err := kit.HostedFields().Pay(t.Context(), session.Token,
			gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe", Language: selected})
		require.NoError(t, err)
		require.Equal(t, want, paid.Payment.Language)
		require.Equal(t, want, kerneltest.NextActionOf(t, kit,
			kerneltest.PageToken(t, kit.ComeBack(t, paid.Redirect))).Language)
	}
}
