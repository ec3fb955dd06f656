package recurring_test

import (
	"encoding/json"
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

// lifecycle.md, "Recurring": the token is reported once the first payment is taken, and never before.
func TestChainTokenIsToldWhenTaken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		card   methods.Card
		change []func(*gateway.ChargeRequest)
		told   []bool // of each callback in order
		good   bool
	}{
		{"settled", gatewaytest.Settles, nil, []bool{true}, true},
		{"settled debit", gatewaytest.Settles, []func(*gateway.ChargeRequest){kerneltest.AsDebit}, []bool{true}, true},
		{"held", gatewaytest.Settles, []func(*gateway.ChargeRequest){kerneltest.Held}, []bool{false}, false},
		{"declined", gatewaytest.Declines, nil, []bool{false}, false},
		{"settled after 3-D Secure", gatewaytest.ThreeDSPasses, nil, []bool{false, true}, true},
		{"declined after 3-D Secure", gatewaytest.ThreeDSFails, nil, []bool{false, false}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			r := kerneltest.Charged(t, kit, "ORD-1", c.card, append(c.change, kerneltest.BeginsChain)...)
			stored := kerneltest.ChainTokens(t, kit)
			require.Len(t, kerneltest.FormsOf(t, kit, "ORD-1"), 1)
			if r.Redirect != nil {
				_, err := kit.Shop().Recur(t.Context(), gateway.RecurRequest{InitID: r.Payment.ID,
					Token: stored[0],
					Order: store.Order{Number: "ORD-0", Amount: "5.00", Description: "Too early"}})
				require.ErrorIs(t, err, gateway.ErrNoChain, "not before the first one is taken")
				kit.ComeBack(t, r.Redirect)
			}
			first := kit.Payment(t, "ORD-1")
			var tokens []bool
			for _, form := range kerneltest.FormsOf(t, kit, "ORD-1") {
				tokens = append(tokens, form.Has("recurring_token"))
				require.Equal(t, form.Has("recurring_token"), form.Has("recurring_init_trans_id"))
				if form.Has("recurring_token") {
					require.Equal(t, first.ID, form.Get("recurring_init_trans_id"))
					require.Equal(t, stored[0], form.Get("recurring_token"))
				}
			}
			require.Equal(t, c.told, tokens)
			for _, token := range stored {
				_, err := kit.Shop().Recur(t.Context(), gateway.RecurRequest{InitID: first.ID,
					Token: token,
					Order: store.Order{Number: "ORD-2", Amount: "5.00", Description: "Another month"}})
				if c.good {
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, gateway.ErrNoChain)
				}
			}
			if first.Status == store.Declined {
				require.Empty(t, kerneltest.ChainTokens(t, kit), "no card is kept for a chain that was never begun")
				require.Empty(t, first.RecurringToken)
			}
		})
	}
}

func TestNoChainWithoutAsking(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles).Payment
	require.Empty(t, kerneltest.ChainTokens(t, kit))
	require.False(t, kerneltest.FormsOf(t, kit, "ORD-1")[0].Has("recurring_token"))
	_, err := kit.Shop().Recur(t.Context(), kerneltest.LaterOf(first, "ORD-2"))
	require.ErrorIs(t, err, gateway.ErrNoChain)
}

// A later payment inherits from the first what it does not bring, and is reported as recurring.
func TestRecurInherits(t *testing.T) {
	t.Parallel()
	for name, custom := range map[string]json.RawMessage{
		"custom_data inherited": nil, "custom_data replaced": json.RawMessage(`{"month":"2"}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
			first := kerneltest.Charged(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038), kerneltest.BeginsChain,
				func(r *gateway.ChargeRequest) {
					r.Order.Currency, r.CustomData = "EUR", json.RawMessage(`{"month":"1"}`)
				}).Payment
			r := kerneltest.Recurred(t, kit,
				kerneltest.LaterOf(first, "ORD-2", func(r *gateway.RecurRequest) { r.CustomData = custom }))
			require.Equal(t, store.Settled, r.Payment.Status)
			require.Equal(t, "EUR", r.Payment.Order.Currency)
			op := spy.Sends(r.Transaction.ID)[0]
			require.Equal(t, kerneltest.CanaryPAN, op.Card.PAN.Digits())
			require.Equal(t, methods.AuthOff, op.Authentication)
			require.Empty(t, op.Card.Code.Digits())
			require.Equal(t, "doe@example.com", op.Payer.Email)
			forms := kerneltest.FormsOf(t, kit, "ORD-2")
			require.Len(t, forms, 1)
			require.Equal(t, []string{"recurring", "success", "settled"},
				[]string{forms[0].Get("type"), forms[0].Get("status"), forms[0].Get("order_status")})
			require.Equal(t, first.ID, forms[0].Get("recurring_init_trans_id"))
			require.Equal(t, first.RecurringToken, forms[0].Get("recurring_token"))
			month := "1"
			if custom != nil {
				month = "2"
			}
			require.Equal(t, month, forms[0].Get("custom_data[month]"))
			kerneltest.Audit(t, kit)
		})
	}
}

// A later payment may name the payer anew; the parts of the first payment's name do not stay beside that.
func TestRecurNamesThePayer(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain,
		func(r *gateway.ChargeRequest) {
			r.Payer = store.Payer{FirstName: "John", MiddleName: "M", LastName: "Doe", Email: "doe@example.com"}
		}).Payment
	for name, want := range map[string]store.Payer{
		"": first.Payer, "Jane Roe": {Name: "Jane Roe", Email: "doe@example.com"},
	} {
		r := kerneltest.Recurred(t, kit,
			kerneltest.LaterOf(first, "ORD-2"+name, func(r *gateway.RecurRequest) { r.Name = name }))
		require.Equal(t, want, r.Payment.Payer)
	}
}

// The payer was authenticated once: later payments skip 3-D Secure (card 05/2038).
func TestRecurStartsNo3DS(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.ThreeDSPasses, kerneltest.BeginsChain)
	require.Equal(t, store.ThreeDS, r.Payment.Status)
	kit.ComeBack(t, r.Redirect)
	for _, order := range []string{"ORD-2", "ORD-3"} {
		after := kerneltest.Recurred(t, kit, kerneltest.LaterOf(kit.Payment(t, "ORD-1"), order))
		require.Nil(t, after.Redirect)
		require.Equal(t, store.Settled, after.Payment.Status)
	}
}

// A later payment goes to the MID where the chain began, and to no other.
func TestRecurIsPinned(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	ctx := t.Context()
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	require.Equal(t, "live", first.MIDID)
	require.NoError(t, kit.SaveMID(ctx, store.MID{ID: "better", MerchantID: gatewaytest.MerchantID, Connector: "vcard",
		Priority: -1}))
	kerneltest.SwitchCascading(t, kit, store.Checkout)
	require.Equal(t, "better", kerneltest.Charged(t, kit, "ORD-2", gatewaytest.Settles).Payment.MIDID)
	require.Equal(t, "live", kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-3")).Payment.MIDID)
	kit.Vcard.Next(vcard.SoftDecline("No"))
	r := kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-4"))
	require.Equal(t, store.Declined, r.Payment.Status, "no cascade to a MID without the chain")
	require.NoError(t, kit.SaveMID(ctx, store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard",
		Disabled: true}))
	_, err := kit.Shop().Recur(ctx, kerneltest.LaterOf(first, "ORD-5"))
	require.ErrorIs(t, err, gateway.ErrNoMID)
}

// A protocol that is switched off makes no later payments either.
func TestRecurNeedsItsProtocol(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	require.NoError(t, kit.SaveMapping(t.Context(),
		store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.S2SCard, Disabled: true}))
	_, err := kit.Shop().Recur(t.Context(),
		kerneltest.LaterOf(first, "ORD-2", func(r *gateway.RecurRequest) { r.Protocol = store.S2SCard }))
	require.ErrorIs(t, err, gateway.ErrNoMID)
}

func TestRecurOfNobody(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kerneltest.SaveOtherMerchant(t, kit)
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	second := kerneltest.Charged(t, kit, "ORD-2", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	for name, change := range map[string]func(*gateway.RecurRequest){
		"the id of another chain":    func(r *gateway.RecurRequest) { r.InitID = second.ID },
		"the token of another chain": func(r *gateway.RecurRequest) { r.Token = second.RecurringToken },
		"no token":                   func(r *gateway.RecurRequest) { r.Token = "" },
		"no id":                      func(r *gateway.RecurRequest) { r.InitID = "" },
		"an unknown token":           func(r *gateway.RecurRequest) { r.Token = "00000000-0000-0000-0000-000000000000" },
	} {
		_, err := kit.Shop().Recur(t.Context(), kerneltest.LaterOf(first, "ORD-3", change))
		require.ErrorIs(t, err, gateway.ErrNoChain, name)
	}
	for _, key := range []string{kerneltest.OtherKey, gatewaytest.TestKey} {
		_, err := kit.Merchant(key).Recur(t.Context(), kerneltest.LaterOf(first, "ORD-3"))
		require.ErrorIs(t, err, gateway.ErrNoChain, key)
	}
	require.Len(t, kit.Charges(t), 2)
}

// s2s_card.md, RETRY: of a later payment that was declined softly, any number of times.
func TestRetry(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
	first := kerneltest.Charged(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038), kerneltest.BeginsChain).Payment
	kit.Work(t)
	kit.Vcard.Next(vcard.SoftDecline("No funds"), vcard.SoftDecline("Still none"))
	p := kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-2")).Payment
	require.Equal(t, store.Declined, p.Status)
	for i, status := range []store.Status{store.Declined, store.Settled} {
		r, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(p))
		require.NoError(t, err)
		require.Equal(t, status, r.Payment.Status)
		require.Equal(t, p.ID, r.Payment.ID)
		require.NotEqual(t, p.Transactions[0].ID, r.Transaction.ID)
		op := spy.Sends(r.Transaction.ID)[0]
		require.Equal(t, kerneltest.CanaryPAN, op.Card.PAN.Digits(), i)
		require.Equal(t, methods.AuthOff, op.Authentication)
		require.Empty(t, op.ParentKey)
		kit.Work(t)
	}
	require.Equal(t, []string{"sale success settled", "recurring fail decline", "recurring fail decline",
		"recurring success settled"}, kerneltest.CallbackStatuses(t, kit))
	now := kit.Payment(t, "ORD-2")
	require.Equal(t, "5.00", now.Captured.String())
	require.Empty(t, now.Reason)
	_, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(p))
	require.ErrorIs(t, err, gateway.ErrRetry, "a settled payment stays settled")
	r, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, ""))
	require.NoError(t, err)
	require.Equal(t, store.Refunded, r.Payment.Status, "it can be given back like any other")
}

func TestRetryIsRefused(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kerneltest.SaveOtherMerchant(t, kit)
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	kit.Vcard.On("ORD-2", vcard.Decline("Stolen card"))
	kit.Vcard.On("ORD-3", vcard.SoftDecline("No"))
	kit.Vcard.On("ORD-4", vcard.SoftDecline("No"))
	kit.Vcard.On("ORD-5", vcard.SoftDecline("No"), vcard.Decline("Stolen card"))
	hard := kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-2")).Payment
	plain := kerneltest.Charged(t, kit, "ORD-3", gatewaytest.Settles).Payment
	begins := kerneltest.Charged(t, kit, "ORD-4", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	soft := kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-5")).Payment
	for name, p := range map[string]store.Payment{
		"hard decline": hard, "no chain": plain, "the first of a chain": begins, "settled": first,
	} {
		_, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(p))
		require.ErrorIs(t, err, gateway.ErrRetry, name)
	}
	_, err := kit.Merchant(kerneltest.OtherKey).Retry(t.Context(), gateway.FollowUp{PaymentID: soft.ID})
	require.ErrorIs(t, err, gateway.ErrNoPayment)
	r, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(soft))
	require.NoError(t, err)
	require.Equal(t, store.Fail, r.Transaction.Outcome)
	_, err = kit.Shop().Retry(t.Context(), kerneltest.RetryOf(soft))
	require.ErrorIs(t, err, gateway.ErrRetry, "declined for good now")
}

// A retry without an answer is settled by recovery, once.
func TestRetryInDoubt(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	kit.Vcard.On("ORD-2", vcard.SoftDecline("No"), vcard.UnknownAfter())
	p := kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-2")).Payment
	r, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(p))
	require.NoError(t, err)
	require.Equal(t, store.InDoubt, r.Transaction.Outcome)
	_, err = kit.Shop().Retry(t.Context(), kerneltest.RetryOf(p))
	require.Error(t, err, "one at a time")
	kit.Advance(t, time.Hour)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-2").Status)
	require.Len(t, kit.Charges(t), 3)
}

// A chain may begin with a saved card, and with an amount of zero (SPEC1: zero amounts).
func TestChainBeginsOtherwise(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", ZeroAmount: true}))
	token := kerneltest.TokenOf(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038))
	saved := kerneltest.Charged(t, kit, "ORD-2", methods.Card{}, kerneltest.ByToken(token), kerneltest.BeginsChain).Payment
	empty := kerneltest.Charged(t, kit, "ORD-3", kerneltest.CanaryCard(t, 1, 2038), kerneltest.BeginsChain,
		func(r *gateway.ChargeRequest) { r.Order.Amount = "0.00" }).Payment
	for order, first := range map[string]store.Payment{"ORD-4": saved, "ORD-5": empty} {
		r := kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, order))
		require.Equal(t, store.Settled, r.Payment.Status)
		require.Equal(t, kerneltest.CanaryPAN, spy.Sends(r.Transaction.ID)[0].Card.PAN.Digits())
	}
}

// An authorization in doubt begins no chain, although the payment is PENDING.
func TestNoChainInDoubt(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	zeroes(t, kit)
	kit.Vcard.Next(vcard.UnknownAfter())
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain, kerneltest.Held,
		ofNothing).Payment
	require.Equal(t, store.Pending, first.Status)
	_, err := kit.Shop().Recur(t.Context(), kerneltest.LaterOf(first, "ORD-2"))
	require.ErrorIs(t, err, gateway.ErrNoChain)
	require.False(t, kerneltest.FormsOf(t, kit, "ORD-1")[0].Has("recurring_token"))
	kit.Advance(t, time.Hour)
	require.Equal(t, store.Settled, kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-2")).Payment.Status)
	forms := kerneltest.FormsOf(t, kit, "ORD-1")
	require.Equal(t, first.RecurringToken, forms[len(forms)-1].Get("recurring_token"))
}
