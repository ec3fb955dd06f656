package engine_test

import (
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

// An address is reported once, however often recovery asks; the chain settles the payment (callbacks.md,
// init).
func TestCryptoInit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, amount string
		decline      bool
		told         []string
	}{
		{"paid", "10.000000", false, []string{"init success pending", "sale success settled"}},
		{"refused", "10.000000", true, []string{"init success pending", "sale fail decline"}},
		{"open amount", "", false, []string{"init success pending", "sale success settled"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, kerneltest.Tether)
			link := kit.SessionOf(t, kerneltest.Coins(c.amount))
			next := kerneltest.Submit(kit, t, link, gateway.Submission{})
			require.Equal(t, gateway.ActionDisplay, next.Kind)
			require.Equal(t, store.Pending, kit.Payment(t, "ORD-1").Status)
			kit.Advance(t, 10*time.Minute)
			require.Equal(t, c.told[:1], kerneltest.CallbackStatuses(t, kit), "init is told once")
			require.NotEmpty(t, kit.Inbox.Fields(t)[0].Get("crypto_address"))
			_, err := kit.Shop().Capture(t.Context(), kerneltest.FollowUpOf(kit.Payment(t, "ORD-1"), ""))
			require.ErrorIs(t, err, gateway.ErrCaptureStatus, "pending here is no authorization")
			_, err = kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(kit.Payment(t, "ORD-1"), ""))
			require.ErrorIs(t, err, gateway.ErrRefund, "and holds nothing (decision bd)")
			if c.decline {
				require.NoError(t, kit.Vcard.Resolve(t.Context(), kerneltest.AcquirerKey(t, kit), vcard.Decline("No")))
			} else {
				require.NoError(t, kit.Vcard.Pay(t.Context(), kerneltest.AcquirerKey(t, kit), store.MustAmount("12.500000")))
			}
			kit.Advance(t, time.Hour)
			require.Equal(t, c.told, kerneltest.CallbackStatuses(t, kit))
			p := kit.Payment(t, "ORD-1")
			want := map[string]string{"": "12.500000"}[c.amount]
			if want == "" {
				want = c.amount
			}
			require.Equal(t, want, p.Order.Amount)
			require.Equal(t, want, p.Amount.String())
			require.Equal(t, want, kit.Inbox.Fields(t)[1].Get("order_amount"))
			if !c.decline {
				require.Equal(t, want, p.Captured.String())
				require.Equal(t, gateway.ReturnPaid, kerneltest.NextActionOf(t, kit, link).Status)
			}
		})
	}
}

// Where the payer chooses the amount, an approval without an amount or of a negative amount is not believed;
// otherwise neither is an approval of another amount.
func TestCryptoApprovalOfNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, asked, told string
		status            store.Status
	}{
		{"nothing", "", "0", store.Pending},
		{"something", "", "3.000000", store.Settled},
		{"more than was asked for", "10.000000", "11.000000", store.Pending},
		{"what was asked for", "10.000000", "10.000000", store.Settled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := &kerneltest.ScriptedConnector{OnPerform: func(op methods.Operation) methods.Answer {
				a := methods.Pending(op, []byte("address"))
				a.Display = &methods.Display{Details: []methods.Detail{{Label: "Address", Value: "0x1"}}}
				return a
			}}
			paid := func(op methods.Operation) methods.Answer {
				a := kerneltest.Approves(op)
				a.Amount = store.MustAmount(c.told)
				return a
			}
			p.OnFind = paid
			kit := gatewaytest.New(t, p.Option, kerneltest.Tether)
			kerneltest.Submit(kit, t, kit.SessionOf(t, kerneltest.Coins(c.asked)), gateway.Submission{})
			require.Equal(t, c.asked == "", p.Sent[0].AmountOpen)
			require.Equal(t, store.Pending, kit.Payment(t, "ORD-1").Status)
			kit.Advance(t, time.Hour)
			now := kit.Payment(t, "ORD-1")
			require.Equal(t, c.status, now.Status)
			stored := kerneltest.TransactionOf(t, kit, now.Transactions[0].ID)
			if c.status == store.Settled {
				require.Equal(t, c.told, now.Captured.String())
				require.False(t, stored.AmountOpen)
				return
			}
			require.Equal(t, store.InDoubt, stored.Outcome)
			require.NotEmpty(t, stored.Review)
			require.True(t, now.Captured.IsZero())
			p.OnFind = func(op methods.Operation) methods.Answer { return methods.Pending(op, nil) }
			kit.Advance(t, 48*time.Hour)
			require.Equal(t, store.Pending, kit.Payment(t, "ORD-1").Status)
		})
	}
}

// S2S sends the payer to our page to see the address; the answer is INIT, not REDIRECT (s2s_apm.md).
func TestCryptoOnS2S(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, kerneltest.Tether)
	r := kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack,
		func(r *gateway.ChargeRequest) {
			r.Method, r.Order.Currency, r.Order.Amount = "helio", "USDT", ""
		})
	require.Equal(t, store.Pending, r.Payment.Status)
	require.NotEmpty(t, r.Transaction.Facts.CryptoAddress)
	require.NoError(t, kit.Vcard.Pay(t.Context(), kerneltest.AcquirerKey(t, kit), store.MustAmount("2.000000")))
	kit.Advance(t, time.Hour)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	var results []string
	for _, form := range kerneltest.FormsOf(t, kit, "ORD-1") {
		results = append(results, form.Get("result")+" "+form.Get("status")+" "+form.Get("amount"))
	}
	require.Equal(t, []string{"INIT PENDING ", "SUCCESS SETTLED 2.000000"}, results)
}
