package seal_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
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
	"github.com/tollgatepay/gateway/store/memory"
)

// The card of these tests: its number and code appear nowhere else.

// The security code is never stored, on every path of a charge, at any time.
func TestCodeIsNeverStored(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	close(hang)
	for name, c := range map[string]struct {
		month, year int
		outcome     vcard.Outcome
	}{
		"settled": {1, 2038, vcard.Normal()}, "declined": {2, 2038, vcard.Normal()}, "pending": {7, 2038, vcard.Normal()},
		"lost": {9, 2038, vcard.Normal()}, "answer lost": {10, 2038, vcard.Normal()}, "late": {11, 2038, vcard.Normal()},
		"3-D Secure": {5, 2038, vcard.Normal()}, "bank": {12, 2038, vcard.Normal()}, "not sent": {1, 2038, vcard.NotSent()},
		"panic": {1, 2038, vcard.Panic()}, "wrong amount": {1, 2038, vcard.WrongAmount(store.MustAmount("1.00"))},
		"blocked": {1, 2038, vcard.Block(hang)},
	} {
		for _, hold := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, %t", name, hold), func(t *testing.T) {
				t.Parallel()
				kit, spy, h := kerneltest.Searched(t)
				r := gatewaytest.Request("ORD-1", "10.00")
				r.Hold = hold
				token := kit.SessionOf(t, r)
				kit.Vcard.Next(c.outcome)
				next := kit.Pay(t, token, kerneltest.CanaryCard(t, c.month, c.year))
				h.Add("turn", fmt.Appendf(nil, "%+v %#v", next, next))
				op := spy.Sends(kit.Payment(t, "ORD-1").Transactions[0].ID)[0]
				require.Equal(t, kerneltest.CanaryCode, op.Card.Code.Digits(), "the acquirer got it")
				kerneltest.Gather(t, kit, h) // while it is open
				if next.Kind == gateway.ActionRedirect {
					kit.ComeBack(t, next.Redirect)
				}
				kit.Advance(t, 72*time.Hour)
				kerneltest.Gather(t, kit, h)
				require.Empty(t, h.Find(kerneltest.CanaryPAN))
				require.Empty(t, h.FindCode())
				requireSealedLinks(t, h, token, op)
				kerneltest.Quiet(t, kit)
			})
		}
	}
}

// requireSealedLinks checks that neither the session's link nor the return link is stored, whole or only its
// secret. Only the payer has them.
func requireSealedLinks(t testing.TB, h *kerneltest.Haystack, session string, op methods.Operation) {
	t.Helper()
	for name, link := range map[string]string{
		"session": session, "return": strings.TrimPrefix(op.ReturnURL, gatewaytest.PublicURL+"/return/"),
		"notification": strings.TrimPrefix(op.NotificationURL, gatewaytest.PublicURL+"/notify/"),
	} {
		raw, err := base64.RawURLEncoding.DecodeString(link)
		require.NoError(t, err)
		for _, secret := range []string{link, string(raw[:32])} {
			for _, where := range h.Find(secret) {
				require.Equal(t, "turn", where, "the secret of the %s link", name)
			}
		}
	}
}

// Errors name fields and rules, never secret values; values print as masks.
func TestErrorsAndPrints(t *testing.T) {
	t.Parallel()
	kit, _, h := kerneltest.Searched(t)
	card := kerneltest.CanaryCard(t, 1, 2038)
	submission := gateway.Submission{Card: card}
	keep := func(err error) {
		require.Error(t, err)
		h.Add("errors", fmt.Appendf(nil, "%v %+v %#v", err, err, err))
		h.Add("errors", fmt.Appendf(nil, "%+v", kit.Logged(t.Context(), err)))
	}
	for _, change := range []func(*gateway.ChargeRequest){
		func(r *gateway.ChargeRequest) { r.Kind = "gift" },
		func(r *gateway.ChargeRequest) { r.Order.Amount = "1e9" },
		func(r *gateway.ChargeRequest) { r.Order.Currency = "XXX" },
		func(r *gateway.ChargeRequest) { r.Payer.Email = "a@b\r\nBcc: c@d" },
		func(r *gateway.ChargeRequest) { r.CallbackURL = "javascript:alert(1)" },
		func(r *gateway.ChargeRequest) { r.Method = "cheque" },
	} {
		request := kerneltest.ChargeOf("ORD-1", card, change)
		_, err := kit.Shop().Charge(t.Context(), request)
		if err != nil {
			keep(err)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			h.Add("prints", fmt.Appendf(nil, verb+verb+verb, *request.Card, request, submission))
		}
	}
	_, err := kit.Merchant("nobody").Charge(t.Context(), kerneltest.ChargeOf("ORD-1", card))
	keep(err)
	_, err = kit.PaySession(t.Context(), "no link", submission)
	keep(err)
	p := kerneltest.Pay(t, kit, "ORD-2", card)
	_, err = kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "99.00"))
	keep(err)
	slog.New(slog.NewTextHandler(h, nil)).Info("a careless host", "card", card, "submission", submission, "request",
		kerneltest.ChargeOf("ORD-3", card))
	kit.Work(t)
	kerneltest.Gather(t, kit, h)
	require.Empty(t, h.Find(kerneltest.CanaryPAN))
	require.Empty(t, h.FindCode())
	require.Empty(t, h.Find(gatewaytest.Password))
}

// telltale panics with everything that it was given, as careless code does.
type telltale struct{ kerneltest.Plain }

func (telltale) Perform(_ context.Context, op methods.Operation) methods.Answer {
	panic(fmt.Sprint("cannot charge ", op.Card.PAN.Digits(), " ", op.Card.Code.Digits()))
}

// The value of a connector's panic is never read, because it may contain card data.
func TestPanicTellsNothing(t *testing.T) {
	t.Parallel()
	h := &kerneltest.Haystack{Bits: map[string][]byte{}}
	kit := gatewaytest.On(t, kerneltest.NotedStore{Store: memory.New(), Hay: h}, func(c *gateway.Config) {
		c.Connectors["vcard"] = telltale{kerneltest.Plain{Connector: c.Connectors["vcard"]}}
		c.Log = slog.New(slog.NewJSONHandler(h, &slog.HandlerOptions{Level: slog.LevelDebug}))
		c.Observers = append(c.Observers, h)
	})
	r, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", kerneltest.CanaryCard(t, 1, 2038)))
	require.NoError(t, err)
	require.Equal(t, store.InDoubt, r.Transaction.Outcome)
	kit.Advance(t, time.Hour)
	kerneltest.Gather(t, kit, h)
	require.Empty(t, h.Find(kerneltest.CanaryPAN))
	require.Empty(t, h.FindCode())
}
