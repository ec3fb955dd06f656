package engine_test

import (
	"context"
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

// chooser is an acquirer whose payers choose the amount 12.5.
type chooser struct{}

// An amount that the payer chose counts against the MID's limits once it is known. A MID at its limit accepts
// no open amount.
func TestLimitsCountChosenAmounts(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, func(cfg *gateway.Config) {
		cfg.Crypto = []methods.Currency{{Code: "USDC", Exponent: 6, Crypto: true}}
		cfg.Connectors["chain"] = chooser{}
	})
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "chain", MerchantID: gatewaytest.MerchantID, Connector: "chain",
			Methods: []string{"crypto-currency"}, Limits: store.Limits{Day: "20.000000"}}))
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Methods: []string{"card"}}))
	buy := func(order, amount string) error {
		_, err := kit.Shop().Charge(t.Context(), gateway.ChargeRequest{Kind: store.Purchase,
			Method:     "crypto-currency",
			Order:      store.Order{Number: order, Amount: amount, Currency: "USDC", Description: "Coins"},
			Parameters: []byte(`{"cryptoCurrency":"USDC","payment_currency":"USDC"}`)})
		return err
	}
	require.NoError(t, buy("ORD-1", ""))
	require.NoError(t, buy("ORD-2", ""), "12.5 of 20 were taken; this one exceeds the limit, which was not known")
	require.ErrorIs(t, buy("ORD-3", ""), gateway.ErrDayLimit)
	require.ErrorIs(t, buy("ORD-4", "1.000000"), gateway.ErrDayLimit)
}

// A chosen amount is counted even beyond the limit, once, on its own day: the next day begins at zero. A
// declined amount is not counted.
func TestChosenAmountsAreCountedLate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		chosen string // empty: declined
		err    error  // of another charge of 1 afterwards
	}{
		{"far beyond the limit", "500.000000", gateway.ErrDayLimit},
		{"all but 1", "19.000000", nil},
		{"all but a little less", "19.000001", gateway.ErrDayLimit},
		{"declined", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, kerneltest.Tether)
			bounded(t, kit, store.Limits{Day: "20.000000"})
			kerneltest.Submit(kit, t, kit.SessionOf(t, kerneltest.Coins("")), gateway.Submission{})
			open := kerneltest.TransactionOf(t, kit, kit.Payment(t, "ORD-1").Transactions[0].ID)
			require.True(t, open.AmountOpen)
			outcome := vcard.Decline("No")
			if c.chosen == "" {
				require.NoError(t, kit.Vcard.Resolve(t.Context(), kerneltest.AcquirerKey(t, kit), outcome))
			} else {
				require.NoError(t, kit.Vcard.Pay(t.Context(), kerneltest.AcquirerKey(t, kit), store.MustAmount(c.chosen)))
			}
			kit.Advance(t, time.Hour)
			closed := kerneltest.TransactionOf(t, kit, open.ID)
			require.Equal(t, c.chosen != "", closed.CountedInLimits)
			require.Equal(t, c.chosen == "", closed.Outcome == store.Fail)
			another := kerneltest.Coins("1.000000")
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

// A MID exactly at its limit accepts no open amount. Charges that began before the limits were configured are
// counted too.
func TestOpenAmountAtTheLimit(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, kerneltest.Tether)
	kerneltest.Submit(kit, t, kit.SessionOf(t, kerneltest.Coins("")), gateway.Submission{})
	bounded(t, kit, store.Limits{Day: "20.000000"})
	require.NoError(t, kit.Vcard.Pay(t.Context(), kerneltest.AcquirerKey(t, kit), store.MustAmount("20.000000")))
	kit.Advance(t, time.Hour)
	p := kit.Payment(t, "ORD-1")
	require.Equal(t, store.Settled, p.Status)
	require.True(t, kerneltest.TransactionOf(t, kit, p.Transactions[0].ID).CountedInLimits)
	another := kerneltest.Coins("")
	another.Order.Number = "ORD-2"
	_, err := kit.PaySession(t.Context(), kit.SessionOf(t, another), gateway.Submission{})
	require.ErrorIs(t, err, gateway.ErrDayLimit)
}

func (chooser) Perform(_ context.Context, op methods.Operation) methods.Answer {
	a := methods.Approved(op, "chosen")
	if op.AmountOpen {
		a.Amount = store.MustAmount("12.500000")
	}
	return a
}
