package vcard_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// TestOutcomes: what one scripted call answers, what Find answers then, and how often money moved.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	open := make(chan struct{})
	close(open)
	for _, row := range []struct {
		outcome vcard.Outcome
		result  methods.Result
		found   methods.Result
		effects int
	}{
		{vcard.Normal(), methods.ResultApproved, methods.ResultApproved, 1},
		{vcard.Approve(), methods.ResultApproved, methods.ResultApproved, 1},
		{vcard.Decline("no"), methods.ResultDeclined, methods.ResultDeclined, 0},
		{vcard.SoftDecline("not now"), methods.ResultDeclined, methods.ResultDeclined, 0},
		{vcard.Pending(), methods.ResultPending, methods.ResultPending, 0},
		{vcard.ThreeDS(true), methods.ResultRedirect, methods.ResultPending, 0},
		{vcard.Redirect(true), methods.ResultRedirect, methods.ResultPending, 0},
		{vcard.Late(time.Minute), methods.ResultUnknown, methods.ResultNotFound, 0},
		{vcard.NotSent(), methods.ResultNotSent, methods.ResultNotFound, 0},
		{vcard.UnknownBefore(), methods.ResultUnknown, methods.ResultNotFound, 0},
		{vcard.UnknownAfter(), methods.ResultUnknown, methods.ResultApproved, 1},
		{vcard.Block(open), methods.ResultApproved, methods.ResultApproved, 1},
		{vcard.BlockAfter(open), methods.ResultApproved, methods.ResultApproved, 1},
	} {
		t.Run(row.outcome.String(), func(t *testing.T) {
			t.Parallel()
			a, ctx := newAcquirer(t), context.Background()
			op := charge(store.OpSale, "k", 2038, 1)
			a.Next(row.outcome)
			require.Equal(t, row.result, a.Perform(ctx, op).Result)
			require.Equal(t, row.found, a.Find(ctx, op).Result)
			entries, err := a.Ledger(ctx)
			require.NoError(t, err)
			effects := 0
			for _, e := range entries {
				effects += e.Effects
			}
			require.Equal(t, row.effects, effects)
			require.Zero(t, a.Scripted())
		})
	}
}

func TestPanics(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	op := charge(store.OpSale, "k", 2038, 1)
	a.Next(vcard.Panic(), vcard.PanicAfter())
	require.Panics(t, func() { a.Perform(ctx, op) })
	require.Equal(t, methods.ResultNotFound, a.Find(ctx, op).Result)
	require.Panics(t, func() { a.Perform(ctx, op) })
	require.Equal(t, methods.ResultApproved, a.Find(ctx, op).Result)
}

func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	for _, o := range []vcard.Outcome{
		vcard.WrongAmount(store.MustAmount("9.99")), vcard.WrongCurrency("EUR"), vcard.WrongKey("another"),
	} {
		a, ctx := newAcquirer(t), context.Background()
		op := charge(store.OpSale, "k", 2038, 1)
		a.Next(o)
		got := a.Perform(ctx, op)
		require.Equal(t, methods.ResultApproved, got.Result)
		require.False(t, got.Repeats(op), o.String())
		require.True(t, a.Find(ctx, op).Repeats(op))
	}
}

func TestBlockEndsWithTheContext(t *testing.T) {
	t.Parallel()
	for effects, o := range []vcard.Outcome{vcard.Block(nil), vcard.BlockAfter(nil)} {
		a := newAcquirer(t)
		op := charge(store.OpSale, "k", 2038, 1)
		a.Next(o)
		ctx, cancel := context.WithCancel(context.Background())
		answers := make(chan methods.Answer)
		go func() { answers <- a.Perform(ctx, op) }()
		for a.Scripted() > 0 { // the call has begun
			select {
			case got := <-answers:
				require.Fail(t, "did not block", "%v", got)
			default:
			}
		}
		if effects == 1 {
			require.Eventually(t, func() bool {
				_, err := a.Entry(context.Background(), "k")
				return err == nil
			}, time.Minute, time.Millisecond)
		}
		cancel()
		require.Equal(t, methods.ResultUnknown, (<-answers).Result)
		e, _ := a.Entry(context.Background(), "k")
		require.Equal(t, effects, e.Effects)
	}
}

func TestScriptsFindTheirCall(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	a.Next(vcard.Decline("anybody"))
	a.On("order-b", vcard.Decline("b"))
	a.Script(vcard.Script{Operation: store.OpRefund, Outcomes: []vcard.Outcome{vcard.Decline("refund")}})
	require.Equal(t, "b", a.Perform(ctx, charge(store.OpSale, "b", 2038, 1)).Reason)
	require.Equal(t, "anybody", a.Perform(ctx, charge(store.OpSale, "a", 2038, 1)).Reason)
	paid := charge(store.OpSale, "c", 2038, 1)
	require.Equal(t, methods.ResultApproved, a.Perform(ctx, paid).Result)
	require.Equal(t, "refund", a.Perform(ctx, follow(paid, store.OpRefund, "r", "1.00")).Reason)
	require.Zero(t, a.Scripted())

	a.On("nobody", vcard.Panic())
	a.ClearScripts()
	require.Zero(t, a.Scripted())
	require.Panics(t, func() { a.Next(make([]vcard.Outcome, vcard.MaxScripted+1)...) })
}

func TestFindFaults(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	op := charge(store.OpSale, "k", 2038, 1)
	a.Perform(ctx, op)
	a.Script(vcard.Script{Call: vcard.CallFind, Outcomes: []vcard.Outcome{
		vcard.UnknownBefore(), vcard.Pending(), vcard.Absent(), vcard.Decline("stale"), vcard.WrongKey("x"),
	}})
	for _, want := range []methods.Result{methods.ResultUnknown, methods.ResultPending, methods.ResultNotFound,
		methods.ResultDeclined, methods.ResultApproved, methods.ResultApproved} {
		require.Equal(t, want, a.Find(ctx, op).Result)
	}
}

func TestCompleteFaults(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	op := charge(store.OpSale, "k", 2038, 5)
	_, back := browser{a}.press(a.Perform(ctx, op).Redirect, "confirm")
	a.Script(vcard.Script{Call: vcard.CallComplete, Outcomes: []vcard.Outcome{
		vcard.UnknownBefore(), vcard.UnknownAfter(),
	}})
	require.Equal(t, methods.ResultUnknown, a.Complete(ctx, op, back).Result)
	require.Zero(t, a.entry("k").Effects)
	require.Equal(t, methods.ResultUnknown, a.Complete(ctx, op, back).Result)
	require.Equal(t, 1, a.entry("k").Effects)
}

func TestCompleteSoftDecline(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	op := charge(store.OpSale, "k", 2038, 5)
	_, back := browser{a}.press(a.Perform(ctx, op).Redirect, "confirm")
	a.Script(vcard.Script{Call: vcard.CallComplete, Outcomes: []vcard.Outcome{vcard.SoftDecline("another MID may")}})
	answer := a.Complete(ctx, op, back)
	require.Equal(t, methods.ResultDeclined, answer.Result)
	require.True(t, answer.Soft)
}

func TestResolve(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	paid := charge(store.OpSale, "paid", 2038, 1)
	a.Perform(ctx, paid)
	pending := func(key, amount string) methods.Operation {
		a.Next(vcard.Pending())
		op := follow(paid, store.OpRefund, key, amount)
		require.Equal(t, methods.ResultPending, a.Perform(ctx, op).Result)
		return op
	}
	first, second, third := pending("1", "6.00"), pending("2", "6.00"), pending("3", "1.00")
	a.restart()
	require.NoError(t, a.Resolve(ctx, "1", vcard.Approve()))
	require.NoError(t, a.Resolve(ctx, "2", vcard.Approve()))
	require.NoError(t, a.Resolve(ctx, "3", vcard.SoftDecline("later")))
	require.Equal(t, methods.ResultApproved, a.Find(ctx, first).Result)
	require.Equal(t, methods.ResultDeclined, a.Find(ctx, second).Result, "no more than was captured")
	require.True(t, a.Find(ctx, third).Soft)
	require.Equal(t, "6.00", a.entry("paid").Refunded.String())

	require.ErrorIs(t, a.Resolve(ctx, "1", vcard.Approve()), vcard.ErrDecided)
	require.ErrorIs(t, a.Resolve(ctx, "nobody", vcard.Approve()), store.ErrNotFound)
	require.Error(t, a.Resolve(ctx, "1", vcard.Pending()))
}

// TestLateRefund: a late effect is booked on its charge from the start.
func TestLateRefund(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	paid := charge(store.OpSale, "paid", 2038, 1)
	a.Perform(ctx, paid)
	a.Next(vcard.Late(time.Minute))
	late := follow(paid, store.OpRefund, "late", "6.00")
	require.Equal(t, methods.ResultUnknown, a.Perform(ctx, late).Result)
	require.Equal(t, methods.ResultDeclined, a.Perform(ctx, follow(paid, store.OpRefund, "other", "6.00")).Result)
	require.ErrorIs(t, a.Resolve(ctx, "late", vcard.Decline("no")), vcard.ErrDecided)
	a.clock.Advance(time.Minute)
	require.Equal(t, methods.ResultApproved, a.Find(ctx, late).Result)
	require.Equal(t, 1, a.entry("late").Effects)
	require.Equal(t, "6.00", a.entry("paid").Refunded.String())
}

func TestNotify(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	op := charge(store.OpSale, "k", 2038, 7)
	a.Perform(ctx, op)
	early, err := a.Notify(ctx, "k")
	require.NoError(t, err)
	require.NoError(t, a.Resolve(ctx, "k", vcard.Approve()))
	late, err := a.Notify(ctx, "k")
	require.NoError(t, err)
	a.restart()
	require.Equal(t, methods.ResultPending, a.Notification(ctx, op, early).Result)
	got := a.Notification(ctx, op, late)
	require.Equal(t, methods.ResultApproved, got.Result)
	require.True(t, got.Repeats(op))
	require.Equal(t, 1, a.entry("k").Effects)

	stranger := newAcquirer(t, func(c *vcard.Config) { c.Secret = store.NewSecret("sixteen other bytes") })
	require.Equal(t, methods.ResultUnverified, stranger.Notification(ctx, op, late).Result)
	_, err = a.Notify(ctx, "nobody")
	require.ErrorIs(t, err, store.ErrNotFound)
}

func TestNew(t *testing.T) {
	t.Parallel()
	good := newAcquirer(t).cfg
	for _, row := range []struct {
		name   string
		change func(*vcard.Config)
	}{
		{"no store", func(c *vcard.Config) { c.Store = nil }},
		{"short secret", func(c *vcard.Config) { c.Secret = store.NewSecret("fifteen bytes..") }},
		{"no URL", func(c *vcard.Config) { c.PublicURL = "" }},
		{"odd URL", func(c *vcard.Config) { c.PublicURL = "ftp://x/" }},
		{"URL with a query", func(c *vcard.Config) { c.PublicURL = "https://x/?a=b" }},
	} {
		cfg := good
		row.change(&cfg)
		_, err := vcard.New(cfg)
		require.Error(t, err, row.name)
	}
	good.Now, good.NewID = nil, nil
	c, err := vcard.New(good)
	require.NoError(t, err)
	require.Equal(t, methods.ResultApproved, c.Perform(context.Background(), charge(store.OpSale, "k", 2038, 1)).Result)
}

// TestStoreFaults: a ledger that cannot be written leaves the outcome unknown.
func TestStoreFaults(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	op := charge(store.OpSale, "k", 2038, 1)
	require.NoError(t, a.cfg.Store.Close())
	require.Equal(t, methods.ResultUnknown, a.Perform(ctx, op).Result)
	require.Equal(t, methods.ResultUnknown, a.Find(ctx, op).Result)
	require.Equal(t, methods.ResultUnknown, a.Complete(ctx, op, methods.Return{}).Result)
}
