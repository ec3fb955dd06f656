package token_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// If an acquirer answers every use with a new reference, the first one stays, because the payer agreed to that use;
// this holds for card tokens and chains.
func TestFirstCredentialIsKept(t *testing.T) {
	t.Parallel()
	p := &kerneltest.ScriptedConnector{OnPerform: func(op methods.Operation) methods.Answer {
		a := kerneltest.Approves(op)
		a.Facts.Credential = "ntid-" + op.Order.Number
		return a
	}}
	kit := gatewaytest.New(t, p.Option)
	registering(t, kit, "live")
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.AsksToken, kerneltest.BeginsChain).Payment
	for _, order := range []string{"ORD-2", "ORD-3"} {
		kerneltest.Charged(t, kit, order, gatewaytest.Settles, kerneltest.ByToken(first.CardToken))
	}
	for _, order := range []string{"ORD-4", "ORD-5"} {
		kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, order))
	}
	sent := map[string]string{}
	for _, op := range p.Sent {
		sent[op.Order.Number] = op.Credential
	}
	require.Equal(t, map[string]string{"ORD-1": "", "ORD-2": "ntid-ORD-1", "ORD-3": "ntid-ORD-1", "ORD-4": "ntid-ORD-1",
		"ORD-5": "ntid-ORD-1"}, sent)
}

// A MID that registers no cards keeps no reference, even if its acquirer returns one: the payer agreed to none.
func TestUnaskedCredentialIsNotKept(t *testing.T) {
	t.Parallel()
	p := &kerneltest.ScriptedConnector{OnPerform: func(op methods.Operation) methods.Answer {
		a := kerneltest.Approves(op)
		a.Facts.Credential = "ntid-" + op.Order.Number
		return a
	}}
	kit := gatewaytest.New(t, p.Option)
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.AsksToken, kerneltest.BeginsChain).Payment
	registering(t, kit, "live")
	kerneltest.Charged(t, kit, "ORD-2", gatewaytest.Settles, kerneltest.ByToken(first.CardToken))
	kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-3"))
	require.Len(t, p.Sent, 3)
	for _, op := range p.Sent {
		require.Empty(t, op.Credential, op.Order.Number)
	}
}

// A chain that has made all its payments leaves the queue. If its schedule is made shorter than that, it is claimed
// once, charged nothing, and not claimed again.
func TestFinishedChainIsNotClaimed(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	set, _ := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(1, 5))
	kerneltest.AdvanceTo(t, kit, "2027-03-12")
	require.Len(t, kerneltest.PaidOn(t, kit), 2)
	require.Equal(t, "2027-03-13", nextDue(t, kit).Format(time.DateOnly))
	_, err := kit.Shop().UpdateSchedule(t.Context(), set.ID, func(s *store.Schedule) error {
		s.PaymentsCount = 2
		return nil
	})
	require.NoError(t, err)
	kit.Advance(t, 26*time.Hour)
	require.Len(t, kerneltest.PaidOn(t, kit), 2)
	require.Zero(t, nextDue(t, kit))
	require.NoError(t, kit.Shop().DeleteSchedule(t.Context(), set.ID), "no chain is on it")
}

// nextDue returns when the first scheduled payment is due; zero if there is none.
func nextDue(t testing.TB, kit *gatewaytest.Kit) (next time.Time) {
	t.Helper()
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) (err error) {
		next, err = store.Queue{Name: "qs"}.Next(r)
		return err
	}))
	return next
}

// Hosted Payment Fields share the Checkout mapping: if that is switched off, every request of theirs is refused.
func TestHostedWhereCheckoutIsOff(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	token := kerneltest.HostedToken(t, kit, "ORD-1", gatewaytest.Settles)
	off := store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, Disabled: true}
	require.NoError(t, kit.SaveMapping(t.Context(), off))
	_, err := kit.Shop().CreateHosted(t.Context(), kerneltest.HostedRequest("ORD-2"))
	require.ErrorIs(t, err, gateway.ErrNoMID)
	_, err = kit.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-3", "10.00"))
	require.ErrorIs(t, err, gateway.ErrNoMID)
	amount := "12.00"
	require.ErrorIs(t, kit.HostedFields().Update(t.Context(), token, gateway.HostedUpdate{Amount: &amount}),
		gateway.ErrNoMID)
	_, err = kit.HostedFields().Pay(t.Context(), token, gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"})
	require.ErrorIs(t, err, gateway.ErrNoMID)
	require.Empty(t, kit.Charges(t))

	off.Disabled = false
	require.NoError(t, kit.SaveMapping(t.Context(), off))
	require.NoError(t, kit.HostedFields().Update(t.Context(), token, gateway.HostedUpdate{Amount: &amount}))
	require.Equal(t, "12.00", kerneltest.PayHosted(t, kit, token).Payment.Order.Amount)
	for _, other := range []store.Protocol{store.S2SCard, store.S2SAPM} {
		require.NoError(t, kit.SaveMapping(t.Context(),
			store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: other, Disabled: true}))
	}
	kerneltest.PayHosted(t, kit, kerneltest.HostedToken(t, kit, "ORD-4", gatewaytest.Settles))
}
