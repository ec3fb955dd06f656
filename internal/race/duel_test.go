package race_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// T is a test, or its replacement.
type T interface{ testing.TB }

// duel is two instances on one store, keys, acquirer and merchant. A store that is apart is opened by each of them.
type duel struct {
	T
	one, two *gatewaytest.Kit
	spy      *kerneltest.Spy
	stage    *stage
	round    int
	met      int    // races whose racers ran at the same time
	naive    *naive // acts in place of the kernel; nil for the kernel itself
}

// atOnce runs all functions at the same time and waits for them. Even rounds start the first one first, odd rounds
// the last one.
func (d *duel) atOnce(fns ...func()) {
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range fns {
		if d.round%2 == 1 {
			i = len(fns) - 1 - i
		}
		all.Go(func() {
			<-start
			fns[i]()
		})
	}
	close(start)
	all.Wait()
}

// race is atOnce for functions that act by their context: they meet at the store, and the trial counts only if they
// ran at the same time.
func (d *duel) race(fns ...func(context.Context)) {
	d.Helper()
	m := newMeeting(len(fns), d.round)
	run := make([]func(), len(fns))
	for i, fn := range fns {
		ctx, seat := seated(m.racers[i])
		if d.naive != nil && d.naive.careful != nil { // a racer that holds the lock of the other cannot meet it
			seat.racer.Store(nil)
		}
		run[i] = func() {
			defer m.racers[i].end()
			fn(ctx)
		}
	}
	d.stage.enter(d)
	before := askedOf(d.stage.records.Current())
	d.stage.racing.Store(true)
	d.atOnce(run...)
	d.stage.racing.Store(false)
	requireBoth(d, d.stage.records.Current(), before)
	d.stage.leave(d)
	if d.naive == nil {
		require.True(d, m.atOnce(), "they never met")
		d.met++
	}
}

// ask makes both instances send the same request k times each, and returns the errors.
func (d *duel) ask(k int, ask func(ctx context.Context, kit *gatewaytest.Kit) error) (errs []error) {
	d.Helper()
	errs = make([]error, 2*k)
	fns := make([]func(context.Context), 2*k)
	for i := range fns {
		kit := []*gatewaytest.Kit{d.one, d.two}[i%2]
		fns[i] = func(ctx context.Context) { errs[i] = ask(ctx, kit) }
	}
	d.race(fns...)
	return errs
}

// against makes the instances do one thing each, and returns the errors.
func (d *duel) against(one, two func(ctx context.Context, kit *gatewaytest.Kit) error) (errs [2]error) {
	d.Helper()
	d.race(
		func(ctx context.Context) { errs[0] = one(ctx, d.one) },
		func(ctx context.Context) { errs[1] = two(ctx, d.two) },
	)
	return errs
}

// oneWins requires exactly one success, and one of the given errors from all others.
func (d *duel) oneWins(errs []error, others ...error) {
	d.Helper()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		known := false
		for _, other := range others {
			known = known || gateway.AsError(err).Is(other)
		}
		require.True(d, known, "%v", err)
	}
	require.Equal(d, 1, won)
}

func (d *duel) follow(what, amount string, p store.Payment) func(context.Context, *gatewaytest.Kit) error {
	return func(ctx context.Context, kit *gatewaytest.Kit) error {
		if d.naive != nil {
			return d.naive.follow(ctx, kit, what, amount, p)
		}
		_, err := kerneltest.Step{What: what, Amount: amount}.Run(ctx, kit, p)
		return err
	}
}

// running starts a call of the first instance that hangs at the acquirer, after or before its effect, and returns a
// racer that resumes it and waits for its end.
func (d *duel) running(o func(<-chan struct{}) vcard.Outcome,
	call func(ctx context.Context, kit *gatewaytest.Kit) error) (goOn func(context.Context)) {
	d.Helper()
	hang, done := make(chan struct{}), make(chan error, 1)
	ctx, seat := seated(nil)
	d.one.Vcard.Next(o(hang))
	before := len(d.one.Charges(d))
	go func() { done <- call(ctx, d.one) }()
	require.Eventually(d, func() bool {
		return d.one.Vcard.Scripted() == 0 && (o(nil).String() == "block" || len(d.one.Charges(d)) > before)
	}, kerneltest.Patience, 100*time.Microsecond)
	return func(ctx context.Context) {
		seat.racer.Store(racerOf(ctx))
		close(hang)
		if err := <-done; err != nil {
			d.Error(err)
		}
	}
}

func tick(t testing.TB, kit *gatewaytest.Kit) func() {
	return func() { work(t, kit)(context.Background()) }
}

// work does what is due.
func work(t testing.TB, kit *gatewaytest.Kit) func(context.Context) {
	return func(ctx context.Context) {
		if _, _, err := kit.Tick(ctx, 100); err != nil {
			t.Error(err)
		}
	}
}

// notice is the acquirer's notification of a transaction.
func (d *duel) notice(kit *gatewaytest.Kit, id string) func(context.Context) {
	d.Helper()
	op := d.spy.Sends(id)[0]
	token, ok := strings.CutPrefix(op.NotificationURL, gatewaytest.PublicURL+"/notify/")
	require.True(d, ok)
	return func(ctx context.Context) {
		note, err := kit.Vcard.Notify(ctx, op.Key)
		if err = errors.Join(err, kit.Notify(ctx, token, note)); err != nil {
			d.Error(err)
		}
	}
}

// sale is the sale of an order.
func (d *duel) sale(ctx context.Context, kit *gatewaytest.Kit) error {
	if d.naive != nil {
		return d.naive.sale(ctx, kit)
	}
	_, err := kit.Shop().Charge(ctx, kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
	return err
}

// submit pays by a session's form.
func (d *duel) submit(token string) func(context.Context, *gatewaytest.Kit) error {
	return func(ctx context.Context, kit *gatewaytest.Kit) error {
		if d.naive != nil {
			return d.naive.submit(ctx, kit, token)
		}
		_, err := kit.PaySession(ctx, token, gateway.Submission{Card: gatewaytest.Settles})
		return err
	}
}

// pass moves the clock without doing what is then due.
func (d *duel) pass(by time.Duration) { d.one.Clock.Set(d.one.Clock.Now().Add(by)) }
