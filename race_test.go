package gateway_test

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// trials is how often each pair meets; TOLLGATE_TRIALS=1000 asks for more, TOLLGATE_SHARE for a part.
func trials(t testing.TB) int {
	all, share := 100, 1
	for name, n := range map[string]*int{"TOLLGATE_TRIALS": &all, "TOLLGATE_SHARE": &share} {
		text, ok := os.LookupEnv(name)
		if !ok {
			continue
		}
		var err error
		*n, err = strconv.Atoi(text)
		require.NoError(t, err)
		require.Positive(t, *n, name)
	}
	return max(all/share, min(all, 10))
}

// T is a test, or who stands in for one.
type T interface{ testing.TB }

// duel is two instances on one store, keys, acquirer and merchant.
type duel struct {
	T
	one, two *gatewaytest.Kit
	spy      *spy
	round    int
	naive    *naive // acts in the kernel's place; nil for the kernel itself
}

// atOnce runs every function from the same moment on and waits for them all. Even rounds begin with
// the first, odd rounds with the last.
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

// ask has both instances ask for the same k times each, and answers the errors.
func (d *duel) ask(k int, ask func(kit *gatewaytest.Kit) error) (errs []error) {
	errs = make([]error, 2*k)
	fns := make([]func(), 2*k)
	for i := range fns {
		kit := []*gatewaytest.Kit{d.one, d.two}[i%2]
		fns[i] = func() { errs[i] = ask(kit) }
	}
	d.atOnce(fns...)
	return errs
}

// oneWins wants exactly one success, and one of the given errors from everybody else.
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

func (d *duel) follow(what, amount string, p store.Payment) func(*gatewaytest.Kit) error {
	return func(kit *gatewaytest.Kit) error {
		if d.naive != nil {
			return d.naive.follow(kit, what, amount, p)
		}
		_, err := do{what: what, amount: amount}.run(context.Background(), kit, p)
		return err
	}
}

// running starts a call of the first instance that hangs at the acquirer, after or before its effect,
// and answers how to let it go on and how to wait for its end.
func (d *duel) running(o func(<-chan struct{}) vcard.Outcome, call func(kit *gatewaytest.Kit) error) (release, wait func()) {
	hang, done := make(chan struct{}), make(chan error, 1)
	d.one.Vcard.Next(o(hang))
	before := len(d.one.Charges(d))
	go func() { done <- call(d.one) }()
	require.Eventually(d, func() bool {
		return d.one.Vcard.Scripted() == 0 && (o(nil).String() == "block" || len(d.one.Charges(d)) > before)
	}, 10*time.Second, 100*time.Microsecond)
	return func() { close(hang) }, func() { require.NoError(d, <-done) }
}

func tick(t testing.TB, kit *gatewaytest.Kit) func() {
	return func() {
		if _, _, err := kit.Tick(context.Background(), 100); err != nil {
			t.Error(err)
		}
	}
}

// sale is the sale of an order.
func (d *duel) sale(kit *gatewaytest.Kit) error {
	if d.naive != nil {
		return d.naive.sale(kit)
	}
	return sale(kit)
}

// submit pays by a session's form.
func (d *duel) submit(kit *gatewaytest.Kit, token string) error {
	if d.naive != nil {
		return d.naive.submit(kit, token)
	}
	_, err := kit.PaySession(context.Background(), token, gateway.Submission{Card: gatewaytest.Settles})
	return err
}

func sale(kit *gatewaytest.Kit) error {
	_, err := kit.Charge(context.Background(), chargeOf("ORD-1", gatewaytest.Settles))
	return err
}

// pass moves the clock without doing what falls due.
func (d *duel) pass(by time.Duration) { d.one.Clock.Set(d.one.Clock.Now().Add(by)) }

// TestPairs has every pair meet on every store. Its command line for a release is
//
//	TOLLGATE_TRIALS=1000 go test -run 'TestPairs|TestSchedulePairs|TestNaive' -v .
func TestPairs(t *testing.T) {
	t.Parallel()
	for _, backend := range backends {
		met := map[string]bool{}
		t.Run(backend.name, func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() { announce(t, backend.name, len(met), len(pairs)) })
			for _, pair := range pairs {
				if pair.of != "" {
					met[pair.of] = true
				}
				t.Run(pair.name, func(t *testing.T) {
					t.Parallel()
					pair.play(t, backend.open)
				})
			}
		})
	}
}

// announce is the line that a table of figures is made of.
func announce(t testing.TB, backend string, named, shapes int) {
	t.Helper()
	if !t.Failed() {
		t.Logf("races: store=%s pairs=%d shapes=%d trials=%d each", backend, named, shapes, trials(t))
	}
}

// play has a pair meet again and again, and judges each time.
func (p pair) play(t *testing.T, open func(testing.TB) store.Store) {
	t.Helper()
	var s *stage
	can := able(true, time.Minute)
	for round := range trials(t) {
		if round%perStage == 0 {
			s = newStage(t, &can, func() store.Store { return open(t) })
		}
		s.next(t)
		d := &duel{T: t, one: s.one, two: s.two, spy: s.spy, round: round}
		p.meet(d)
		audit(t, s.one)
		s.one.Advance(t, 72*time.Hour)
		p.judge(t, s)
	}
}

// perStage is how many trials two instances play: then others come, who know nothing.
const perStage = 50

func (p pair) judge(t *testing.T, s *stage) {
	t.Helper()
	b := quiet(t, s.one)
	require.Empty(t, s.judge.faults())
	for _, tr := range b.transactions {
		require.Empty(t, tr.Review)
	}
	for _, payment := range b.payments {
		if p.end != "" {
			require.Equal(t, p.end, payment.Status)
		}
	}
}

// A client that hangs up while the acquirer works has paid (design.md, section 4).
func TestHangUp(t *testing.T) {
	t.Parallel()
	for _, op := range []store.Operation{store.OpSale, store.OpRefund, store.OpVoid} {
		for _, o := range []func(<-chan struct{}) vcard.Outcome{vcard.Block, vcard.BlockAfter} {
			t.Run(string(op)+", "+o(nil).String(), func(t *testing.T) {
				t.Parallel()
				kit, spy := spied(t, able(true, time.Minute), true)
				d := &duel{T: t, one: kit, two: kit, spy: spy}
				ctx, hangUp := context.WithCancel(t.Context())
				call := func(kit *gatewaytest.Kit) error {
					_, err := kit.Charge(ctx, chargeOf("ORD-1", gatewaytest.Settles))
					return err
				}
				if op != store.OpSale {
					p := pay(t, kit, "ORD-1", gatewaytest.Settles)
					call = func(kit *gatewaytest.Kit) error {
						_, err := do{what: strings.ToLower(string(op))}.run(ctx, kit, p)
						return err
					}
				}
				release, wait := d.running(o, call)
				hangUp()
				release()
				wait()
				want := map[store.Operation]store.Status{store.OpSale: store.Settled, store.OpRefund: store.Refunded, store.OpVoid: store.Voided}[op]
				require.Equal(t, want, kit.Payment(t, "ORD-1").Status)
				kit.Work(t)
				quiet(t, kit)
			})
		}
	}
}

// The same for the payer's browser: at the form, and on the way back.
func TestPayerHangsUp(t *testing.T) {
	t.Parallel()
	kit := audited(t)
	ctx, hangUp := context.WithCancel(t.Context())
	token := kit.Session(t, "ORD-1", "10.00")
	hangUpIn(kit, vcard.CallPerform, hangUp)
	_, _ = kit.PaySession(ctx, token, gateway.Submission{Card: gatewaytest.Settles})
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)

	other := audited(t)
	_, next := awayFrom(t, other, gatewaytest.ThreeDSPasses)
	target, back := other.Away(t, next, "confirm")
	ctx, hangUp = context.WithCancel(t.Context())
	hangUpIn(other, vcard.CallComplete, hangUp)
	_, _ = other.Return(ctx, strings.TrimPrefix(target, gatewaytest.PublicURL+"/return/"), back)
	require.Equal(t, store.Settled, other.Payment(t, "ORD-1").Status)
	for _, kit := range []*gatewaytest.Kit{kit, other} {
		kit.Work(t)
		quiet(t, kit)
	}
}

// hangUpIn has a payer hang up while the acquirer works on the next call.
func hangUpIn(kit *gatewaytest.Kit, call vcard.Call, hangUp context.CancelFunc) {
	hang := make(chan struct{})
	kit.Vcard.Script(vcard.Script{Call: call, Outcomes: []vcard.Outcome{vcard.Block(hang)}})
	go func() {
		for kit.Vcard.Scripted() > 0 {
			runtime.Gosched()
		}
		hangUp()
		close(hang)
	}()
}
