package vcard_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// TestRules runs operations on one charge of 10.00. A step is an operation, an amount and whether the acquirer
// does it.
func TestRules(t *testing.T) {
	t.Parallel()
	type step struct {
		kind   store.Operation
		amount string
		ok     bool
	}
	const capture, refund, void, reversal = store.OpCapture, store.OpRefund, store.OpVoid, store.OpReversal
	for _, row := range []struct {
		name  string
		kind  store.Operation
		month int
		steps []step
	}{
		{"capture once", store.OpAuth, 1, []step{{capture, "10.01", false}, {capture, "6.00", true}, {capture, "1.00", false}}},
		{"refund the captured", store.OpAuth, 1, []step{{refund, "1.00", false}, {capture, "6.00", true}, {refund, "6.01", false}, {refund, "6.00", true}, {refund, "0.01", false}}},
		{"reverse the hold", store.OpAuth, 1, []step{{reversal, "9.99", false}, {reversal, "10.00", true}, {capture, "10.00", false}, {reversal, "10.00", false}}},
		{"void the captured", store.OpAuth, 1, []step{{void, "10.00", false}, {capture, "6.00", true}, {void, "10.00", false}, {void, "6.00", true}, {refund, "1.00", false}}},
		{"void a sale", store.OpSale, 1, []step{{void, "9.00", false}, {void, "10.00", true}, {void, "10.00", false}}},
		{"no void after a refund", store.OpSale, 1, []step{{refund, "1.00", true}, {void, "10.00", false}, {void, "9.00", false}}},
		{"a sale is not captured or reversed", store.OpSale, 1, []step{{capture, "10.00", false}, {reversal, "10.00", false}}},
		{"refund nothing", store.OpSale, 1, []step{{refund, "0.00", false}}},
		{"void a debit", store.OpDebit, 1, []step{{void, "9.00", false}, {void, "10.00", true}, {reversal, "10.00", false}}},
		{"reverse a debit", store.OpDebit, 1, []step{{reversal, "10.00", true}}},
		{"reverse a held debit", store.OpAuth, 1, []step{{capture, "6.00", true}, {reversal, "10.00", false}, {reversal, "6.00", true}}},
		{"a transfer cannot be undone", store.OpTransfer, 1, []step{{refund, "1.00", false}, {void, "10.00", false}, {reversal, "10.00", false}}},
		{"a payout cannot be undone", store.OpCredit, 1, []step{{refund, "1.00", false}, {void, "10.00", false}}},
		{"03 declines the capture", store.OpAuth, 3, []step{{capture, "10.00", false}, {reversal, "10.00", true}}},
		{"a declined charge has no follow-up", store.OpSale, 2, []step{{refund, "1.00", false}, {void, "10.00", false}}},
		{"a waiting charge has no follow-up", store.OpSale, 7, []step{{refund, "1.00", false}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a, ctx := newAcquirer(t), context.Background()
			op := charge(row.kind, "charge", 2038, row.month)
			a.Perform(ctx, op)
			for i, s := range row.steps {
				next := follow(op, s.kind, fmt.Sprint("step", i), s.amount)
				got := a.Perform(ctx, next)
				require.Equal(t, s.ok, got.Result == methods.ResultApproved, "step %d: %s", i, got.Reason)
				require.True(t, s.ok || got.Reason != "", "step %d", i)
				require.Equal(t, map[bool]int{true: 1}[s.ok], a.entry(next.Key).Effects)
			}
		})
	}
}

func TestVoidEndsWithTheDay(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	op := charge(store.OpSale, "charge", 2038, 1)
	a.Perform(ctx, op)
	a.clock.Advance(vcard.SettledAfter + time.Second)
	require.Equal(t, "Charge is settled", a.Perform(ctx, follow(op, store.OpVoid, "void", "10.00")).Reason)
}

func TestParents(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	op := charge(store.OpAuth, "charge", 2038, 1)
	reference := a.Perform(ctx, op).Reference
	capture := follow(op, store.OpCapture, "capture", "10.00")
	capture.ParentKey, capture.ParentReference = "", reference
	require.Equal(t, methods.ResultApproved, a.Perform(ctx, capture).Result, "by reference alone")

	refund := follow(capture, store.OpRefund, "refund", "4.00")
	require.Equal(t, methods.ResultApproved, a.Perform(ctx, refund).Result, "by the capture")
	require.Equal(t, "charge", a.entry("refund").Parent)

	wrong := follow(op, store.OpRefund, "wrong", "1.00")
	wrong.ParentReference = "somebody else's"
	require.Equal(t, methods.ResultDeclined, a.Perform(ctx, wrong).Result)
	euro := follow(op, store.OpRefund, "euro", "1.00")
	euro.Currency = "EUR"
	require.Equal(t, methods.ResultDeclined, a.Perform(ctx, euro).Result)
	require.Equal(t, "4.00", a.entry("charge").Refunded.String())
}

func TestKeyBelongsToOneOperation(t *testing.T) {
	t.Parallel()
	for _, change := range []func(*methods.Operation){
		func(op *methods.Operation) { op.Amount = store.MustAmount("10.01") },
		func(op *methods.Operation) { op.Currency = "EUR" },
		func(op *methods.Operation) { op.Kind = store.OpAuth },
	} {
		a, ctx := newAcquirer(t), context.Background()
		op := charge(store.OpSale, "k", 2038, 1)
		first := a.Perform(ctx, op)
		before := a.entry("k")
		other := op
		change(&other)
		got := a.Perform(ctx, other)
		require.Equal(t, methods.ResultDeclined, got.Result)
		require.True(t, got.Repeats(other))
		require.Equal(t, before, a.entry("k"))
		require.Equal(t, first, a.Perform(ctx, op))
	}
}

// TestNotIdempotent: the ledger shows the double booking when a gateway repeats a key at such an acquirer.
func TestNotIdempotent(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t, func(c *vcard.Config) { c.Capabilities = &methods.Capabilities{} }), context.Background()
	op := charge(store.OpSale, "k", 2038, 1)
	a.Perform(ctx, op)
	a.Perform(ctx, op)
	require.Equal(t, 2, a.entry("k").Effects)
	refund := follow(op, store.OpRefund, "refund", "10.00")
	require.Equal(t, methods.ResultApproved, a.Perform(ctx, refund).Result)
	require.Equal(t, methods.ResultDeclined, a.Perform(ctx, refund).Result)
	require.Equal(t, 1, a.entry("refund").Effects)

	late := charge(store.OpSale, "late", 2038, 1)
	a.Next(vcard.Late(time.Minute))
	require.Equal(t, methods.ResultUnknown, a.Perform(ctx, late).Result)
	require.Equal(t, methods.ResultApproved, a.Perform(ctx, late).Result)
	require.Equal(t, 1, a.entry("late").Effects)
	a.clock.Advance(time.Minute)
	require.Equal(t, 2, a.entry("late").Effects)

	require.Equal(t, methods.ResultDeclined, a.Perform(ctx, charge(store.OpAuth, "hold", 2038, 1)).Result)
	zero := charge(store.OpSale, "zero", 2038, 1)
	zero.Amount = store.Amount{}
	require.Equal(t, methods.ResultDeclined, a.Perform(ctx, zero).Result)
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", strings.Repeat("x", 257), "\xff"} {
		a, ctx := newAcquirer(t), context.Background()
		op := charge(store.OpSale, key, 2038, 1)
		require.Equal(t, methods.ResultNotSent, a.Perform(ctx, op).Result)
		require.Equal(t, methods.ResultNotFound, a.Find(ctx, op).Result)
	}
}

func TestLedgerPages(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	const many = 450
	for i := range many {
		a.clock.Advance(time.Second)
		a.Perform(ctx, charge(store.OpSale, fmt.Sprintf("k%03d", many-i), 2038, 1))
	}
	all, err := a.Ledger(ctx)
	require.NoError(t, err)
	require.Len(t, all, many)
	for i, e := range all {
		require.Equal(t, fmt.Sprintf("k%03d", many-i), e.Key, "oldest first")
	}
	some, err := a.Page(ctx, "k010", 3)
	require.NoError(t, err)
	require.Equal(t, []string{"k011", "k012", "k013"}, []string{some[0].Key, some[1].Key, some[2].Key})
}
