package vcard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

func debit(kind store.Operation, key, amount, currency string) methods.Operation {
	op := apm(methods.KindWallet, "some", "")
	op.Kind, op.Key, op.Amount, op.Currency = kind, key, store.MustAmount(amount), currency
	return op
}

func TestCommission(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ currency, amount, commission, total string }{
		{"USD", "10.00", "0.50", "10.50"},
		{"USD", "0.00", "0.50", "0.50"},
		{"USD", "0.10", "0.50", "0.60"},
		{"USD", "123456789012345.67", "0.50", "123456789012346.17"},
		{"JPY", "100", "1", "101"},
		{"JPY", "100.00", "1", "101.00"},
		{"KWD", "1.999", "0.500", "2.499"},
		{"CLF", "1.0001", "0.5000", "1.5001"},
		{"BTC", "0.00000001", "0.50000000", "0.50000001"},
		{"UNIT0", "5", "1", "6"},
	} {
		t.Run(row.currency+" "+row.amount, func(t *testing.T) {
			t.Parallel()
			a, ctx := newAcquirer(t), context.Background()
			calc := debit(store.OpCalc, "calc", row.amount, row.currency)
			first := a.Perform(ctx, calc)
			require.Equal(t, methods.ResultApproved, first.Result, first.Reason)
			require.True(t, first.Repeats(calc))
			require.Equal(t, []string{row.commission, row.total}, []string{first.Facts.Commission, first.Facts.TotalAmount})
			require.Equal(t, first, a.Find(ctx, calc))
			require.Zero(t, a.entry("calc").Effects, "nothing moves")

			op := debit(store.OpDebit, "debit", row.amount, row.currency)
			op.ParentKey, op.ParentReference = calc.Key, first.Reference
			paid := a.Perform(ctx, op)
			require.Equal(t, methods.ResultApproved, paid.Result, paid.Reason)
			require.Equal(t, []string{row.commission, row.total}, []string{paid.Facts.Commission, paid.Facts.TotalAmount})
			require.Equal(t, paid, a.Perform(ctx, op), "a repeated key has the same answer")
			require.Equal(t, 1, a.entry("debit").Effects)
			require.Zero(t, a.entry("debit").Captured.Cmp(op.Amount), "the commission comes on top")
		})
	}
}

// TestCommissionOf: which operations have a commission, and which answers report it.
func TestCommissionOf(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	card, byCode := charge(store.OpDebit, "k", 2038, 1), debit(store.OpDebit, "k", "10.00", "USD")
	byCode.MethodKind = methods.KindCard
	for name, op := range map[string]methods.Operation{
		"card": card, "card without its number": byCode, "sale": debit(store.OpSale, "k", "10.00", "USD"),
		"payout": debit(store.OpCredit, "k", "10.00", "USD"),
	} {
		got := newAcquirer(t).Perform(ctx, op)
		require.Equal(t, methods.ResultApproved, got.Result, name)
		require.Empty(t, got.Facts.Commission+got.Facts.TotalAmount, name)
	}
	a, away := newAcquirer(t), debit(store.OpDebit, "k", "10.00", "USD")
	away.MethodKind = methods.KindQR
	require.Equal(t, "10.50", a.Perform(ctx, away).Facts.TotalAmount, "the payer has to know before they pay")
	note, err := a.BankNote(ctx, "k", vcard.BankACSC)
	require.NoError(t, err)
	require.Equal(t, "0.50", a.Notification(ctx, away, note).Facts.Commission)

	for _, kind := range []store.Operation{store.OpDebit, store.OpCalc} {
		fails := debit(kind, "k", "10.00", "USD")
		fails.Identifier = "fail@gmail.com"
		got := newAcquirer(t).Perform(ctx, fails)
		require.Equal(t, methods.ResultDeclined, got.Result)
		require.Empty(t, got.Facts.Commission)
		large := debit(kind, "k", "999999999999999.99", "USD")
		require.Equal(t, "Amount is too large with its commission", newAcquirer(t).Perform(ctx, large).Reason)
	}
	a = newAcquirer(t)
	calc := debit(store.OpCalc, "k", "10.00", "USD")
	a.Next(vcard.Pending())
	require.Equal(t, methods.ResultPending, a.Perform(ctx, calc).Result)
	require.NoError(t, a.Resolve(ctx, "k", vcard.Approve()))
	require.Equal(t, "10.50", a.Find(ctx, calc).Facts.TotalAmount)
	require.Zero(t, a.entry("k").Effects)
}

// TestCompletion: a debit that names a calculation has to match it, and completes it once.
func TestCompletion(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	calc := debit(store.OpCalc, "calc", "10.00", "USD")
	reference := a.Perform(ctx, calc).Reference
	complete := func(key string, change func(*methods.Operation)) string {
		op := debit(store.OpDebit, key, "10.00", "USD")
		op.ParentKey, op.ParentReference = "calc", reference
		change(&op)
		return a.Perform(ctx, op).Reason
	}
	for reason, change := range map[string]func(*methods.Operation){
		"Calculation is not known": func(op *methods.Operation) {
			op.ParentKey, op.ParentReference = "", "another"
		},
		"Amount differs from what was calculated": func(op *methods.Operation) { op.Amount = store.MustAmount("10.01") },
		"Declined by processing":                  func(op *methods.Operation) { op.Identifier = "fail@gmail.com" },
	} {
		require.Equal(t, reason, complete(reason, change))
	}
	require.Equal(t, "Calculation is not known",
		complete("1", func(op *methods.Operation) { op.ParentReference = "another" }))
	require.Equal(t, "Amount differs from what was calculated",
		complete("2", func(op *methods.Operation) { op.Currency = "EUR" }))
	a.On("3", vcard.Pending())
	require.Empty(t, complete("3", func(op *methods.Operation) { op.ParentKey = "" }))
	require.Equal(t, "Calculation is completed already", complete("4", func(*methods.Operation) {}))
	require.NoError(t, a.Resolve(ctx, "3", vcard.Decline("scripted")))
	require.Empty(t, complete("5", func(*methods.Operation) {}), "a declined one is tried again")
	require.Empty(t, complete("5", func(*methods.Operation) {}), "and the same key is the same debit")
	require.Equal(t, "Calculation is completed already", complete("6", func(*methods.Operation) {}))

	paid := debit(store.OpDebit, "5", "10.00", "USD")
	require.Equal(t, methods.ResultApproved, a.Perform(ctx, follow(paid, store.OpRefund, "refund", "10.00")).Result)
	require.Equal(t, methods.ResultDeclined, a.Perform(ctx, follow(calc, store.OpRefund, "none", "10.00")).Result)

	again := newAcquirer(t, func(c *vcard.Config) { c.Capabilities = &methods.Capabilities{} })
	paid.ParentKey = again.Perform(ctx, calc).Key
	for range 2 {
		require.Equal(t, methods.ResultApproved, again.Perform(ctx, paid).Result, "a booking per request")
	}
	require.Equal(t, 2, again.entry("5").Effects)

	calc.Key, calc.Identifier = "refused", "fail@gmail.com"
	a.Perform(ctx, calc)
	require.Equal(t, "Calculation is not approved",
		complete("7", func(op *methods.Operation) { op.ParentKey, op.ParentReference = "refused", "" }))
	require.NotEqual(t, "Calculation is not known",
		complete("8", func(op *methods.Operation) { op.ParentKey, op.ParentReference = "5", "" }),
		"the first debit of a chain is no calculation")
}
