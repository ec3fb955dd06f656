package work_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// busy starts n charges that hang at the acquirer until released.
func busy(t testing.TB, kit *gatewaytest.Kit, n int,
	o func(<-chan struct{}) vcard.Outcome) (release func(), results chan *gateway.Result) {
	t.Helper()
	hang := make(chan struct{})
	results = make(chan *gateway.Result, n)
	for i := range n {
		kit.Vcard.Next(o(hang))
		go func() {
			r, err := kit.Shop().Charge(context.Background(), kerneltest.ChargeOf(fmt.Sprintf("ORD-%d", i), gatewaytest.Settles))
			if err != nil {
				t.Error(err)
			}
			results <- r
		}()
	}
	require.Eventually(t, func() bool { return kit.Vcard.Scripted() == 0 }, kerneltest.Patience, time.Millisecond)
	return sync.OnceFunc(func() { close(hang) }), results
}

// L3 and D1: Close waits for everything under way, accepts nothing more, and leaves no goroutine. It is not
// parallel, because it counts goroutines.
func TestCloseLosesNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	kit := kerneltest.Audited(t)
	release, results := busy(t, kit, 64, vcard.Block)
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	require.ErrorIs(t, kit.Close(short), context.DeadlineExceeded)
	_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-X", gatewaytest.Settles))
	require.ErrorIs(t, err, gateway.ErrUnavailable)

	closed := make(chan error, 1)
	go func() { closed <- kit.Close(context.Background()) }()
	release()
	require.NoError(t, <-closed)
	b := kerneltest.Audit(t, kit)
	require.Len(t, b.Payments, 64)
	for _, p := range b.Payments {
		require.Equal(t, store.Settled, p.Status, "stored when Close returns")
	}
	for range 64 {
		require.Equal(t, store.Settled, (<-results).Payment.Status)
	}
	require.NoError(t, kit.Close(t.Context()), "closing again is no error")
	require.True(t, fellTo(before), "a goroutine outlives Close")
	kit.Twin(t).Work(t)
	kerneltest.Quiet(t, kit)
}

// fellTo waits until at most n goroutines are left; one that has just ended may still be counted.
func fellTo(n int) bool {
	for range 1_000_000 {
		if runtime.NumGoroutine() <= n {
			return true
		}
		runtime.Gosched()
	}
	return false
}

// deaf ignores its deadline until it is released.
type deaf struct {
	kerneltest.Plain
	until chan struct{}
}

func (d deaf) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	<-d.until
	return d.Connector.Perform(context.WithoutCancel(ctx), op)
}

// A connector that never returns delays its caller no longer than the deadline and a moment. Close waits for it,
// and its outcome is learned later.
func TestConnectorThatIgnoresItsDeadline(t *testing.T) {
	t.Parallel()
	until := make(chan struct{})
	kit := kerneltest.Audited(t, func(c *gateway.Config) {
		c.CallTimeout = time.Millisecond
		own := c.Connectors["vcard"].(*vcard.Connector)
		c.Connectors["vcard"] = struct {
			methods.Connector
			methods.Declarer
			methods.Finder
		}{deaf{kerneltest.Plain{Connector: own}, until}, kerneltest.Fewer{Of: own}, own}
	})
	r, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
	require.NoError(t, err)
	require.Equal(t, store.InDoubt, r.Transaction.Outcome)
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	require.ErrorIs(t, kit.Close(short), context.DeadlineExceeded)
	close(until)
	require.NoError(t, kit.Close(t.Context()))
	kit.Twin(t, func(c *gateway.Config) { c.CallTimeout = 0 }).Advance(t, time.Hour)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	kerneltest.Quiet(t, kit)
}

// Run on several instances does all the work and returns when its context ends.
func TestRun(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	for i := range 50 {
		if i%2 == 0 {
			kit.Vcard.On(fmt.Sprintf("ORD-%d", i), vcard.UnknownAfter())
		}
		p := kerneltest.Pay(t, kit, fmt.Sprintf("ORD-%d", i), gatewaytest.Settles)
		if i%2 == 1 {
			_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "4.00"))
			require.NoError(t, err)
		}
	}
	kit.Clock.Set(kit.Clock.Now().Add(time.Hour))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 3)
	for _, instance := range []*gatewaytest.Kit{kit, kit.Twin(t), kit.Twin(t)} {
		go func() { ended <- instance.Run(ctx) }()
	}
	require.Eventually(t, func() bool { return allDelivered(t, kit) }, kerneltest.Patience, 10*time.Millisecond)
	cancel()
	for range 3 {
		require.NoError(t, <-ended)
	}
	require.Len(t, kerneltest.ReadBooks(t, kit).Payments, 50)
	kerneltest.Quiet(t, kit)
}

func allDelivered(t testing.TB, kit *gatewaytest.Kit) bool {
	b := kerneltest.ReadBooks(t, kit)
	for _, c := range b.Callbacks {
		if c.State != store.CallbackDelivered {
			return false
		}
	}
	for _, tr := range b.Transactions {
		if !tr.Outcome.Final() {
			return false
		}
	}
	return true
}

// A hanging merchant or acquirer delays no other, and Run ends although they still hang.
func TestRunBesideWhoHangs(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	hang := make(chan struct{})
	t.Cleanup(sync.OnceFunc(func() { close(hang) }))
	kit.Vcard.On("ORD-0", vcard.UnknownAfter())
	kit.Vcard.Script(vcard.Script{Call: vcard.CallFind, For: "ORD-0", Outcomes: []vcard.Outcome{vcard.Block(hang)}})
	slow := kit.Twin(t, func(c *gateway.Config) { c.Notifier = hanging{c.Notifier, hang} })
	for i := range 20 {
		kit.Vcard.On(fmt.Sprintf("ORD-%d", i), vcard.UnknownAfter())
		kerneltest.Pay(t, kit, fmt.Sprintf("ORD-%d", i), gatewaytest.Settles)
	}
	kit.Clock.Set(kit.Clock.Now().Add(time.Hour))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- slow.Run(ctx) }()
	require.Eventually(t, func() bool {
		settled := 0
		for _, p := range kerneltest.ReadBooks(t, kit).Payments {
			if p.Status == store.Settled {
				settled++
			}
		}
		return settled == 19
	}, kerneltest.Patience, 10*time.Millisecond)
	cancel()
	require.NoError(t, <-ended)
	kit.Advance(t, 24*time.Hour)
	kerneltest.Quiet(t, kit)
}

// hanging is a merchant whose first callback hangs until its context ends.
type hanging struct {
	callback.Notifier
	hang chan struct{}
}

func (h hanging) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	select {
	case <-h.hang:
		return h.Notifier.Deliver(ctx, d)
	case <-ctx.Done():
		return callback.Receipt{Verdict: callback.TimedOut}
	}
}
