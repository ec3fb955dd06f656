package gateway_test

import (
	"context"
	"fmt"
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

// trials is how often each pair meets; TOLLGATE_TRIALS raises it.
func trials(t testing.TB) int {
	text, ok := os.LookupEnv("TOLLGATE_TRIALS")
	if !ok {
		return 50
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// duel is two instances on one store, keys, acquirer and merchant.
type duel struct {
	*testing.T
	one, two *gatewaytest.Kit
	spy      *spy
	round    int
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

func sale(kit *gatewaytest.Kit) error {
	_, err := kit.Charge(context.Background(), chargeOf("ORD-1", gatewaytest.Settles))
	return err
}

// pass moves the clock without doing what falls due.
func (d *duel) pass(by time.Duration) { d.one.Clock.Set(d.one.Clock.Now().Add(by)) }

// The pairs of reliability.md, section 2, that this kernel has.
var pairs = []struct {
	name string
	meet func(d *duel)
	end  store.Status // of the payment, when all is done; empty for either
}{
	{"equal sales", func(d *duel) { d.oneWins(d.ask(4, sale), gateway.ErrDuplicate) }, store.Settled},
	{"capture x capture", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles, held)
		d.oneWins(d.ask(2, d.follow("capture", "6.00", p)), gateway.ErrBusy, gateway.ErrCaptureStatus)
	}, store.Settled},
	{"capture x reversal", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles, held)
		var errs [2]error
		d.atOnce(func() { errs[0] = d.follow("capture", "", p)(d.one) }, func() { errs[1] = d.follow("refund", "10.00", p)(d.two) })
		if errs[0] == nil && errs[1] == nil { // captured, and what was captured refunded
			require.Equal(d, store.Refunded, d.one.Payment(d, "ORD-1").Status)
			return
		}
		d.oneWins(errs[:], gateway.ErrBusy, gateway.ErrCaptureStatus)
	}, ""},
	{"refund x refund", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		d.oneWins(d.ask(4, d.follow("refund", "6.00", p)), gateway.ErrRefundAmount)
	}, store.Refunded},
	{"full refund x full refund", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		d.oneWins(d.ask(4, d.follow("refund", "", p)), gateway.ErrRefund)
	}, store.Refunded},
	{"many small refunds", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		won := 0
		for _, err := range d.ask(8, d.follow("refund", "0.90", p)) {
			if err == nil {
				won++
			} else {
				require.ErrorIs(d, err, gateway.ErrRefundAmount)
			}
		}
		require.Equal(d, 11, won)
		require.Equal(d, "9.90", d.one.Payment(d, "ORD-1").Refunded.String())
	}, store.Refunded},
	{"refund x void", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		var errs [2]error
		d.atOnce(func() { errs[0] = d.follow("refund", "1.00", p)(d.one) }, func() { errs[1] = d.follow("void", "", p)(d.two) })
		d.oneWins(errs[:], gateway.ErrBusy, gateway.ErrVoid, gateway.ErrRefund)
	}, ""},
	{"void x void", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		d.oneWins(d.ask(2, d.follow("void", "", p)), gateway.ErrBusy, gateway.ErrVoid)
	}, store.Voided},
	{"dispute x refund", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		d.atOnce(func() { _ = d.follow("dispute", "", p)(d.one) }, func() { _ = d.follow("refund", "4.00", p)(d.two) })
	}, store.Disputed},
	{"payment x payment on one session", func(d *duel) {
		token := d.one.Session(d, "ORD-1", "10.00")
		for _, err := range d.ask(4, func(kit *gatewaytest.Kit) error {
			_, err := kit.PaySession(context.Background(), token, gateway.Submission{Card: gatewaytest.Settles})
			return err
		}) {
			require.NoError(d, err)
		}
		require.Len(d, d.one.Charges(d), 1)
	}, store.Settled},
	{"payment x leaving", func(d *duel) {
		token := d.one.Session(d, "ORD-1", "10.00")
		d.atOnce(
			func() {
				_, _ = d.one.PaySession(context.Background(), token, gateway.Submission{Card: gatewaytest.Settles})
			},
			func() { _, _ = d.two.LeaveSession(context.Background(), token) },
		)
	}, ""},
	{"recovery x live answer", func(d *duel) {
		release, wait := d.running(vcard.BlockAfter, sale)
		d.pass(time.Hour)
		d.atOnce(release, tick(d, d.two), tick(d, d.one))
		wait()
	}, store.Settled},
	{"recovery x live answer, not seen yet", func(d *duel) {
		release, wait := d.running(vcard.Block, sale)
		d.pass(time.Hour)
		d.atOnce(release, tick(d, d.two), tick(d, d.one))
		wait()
	}, store.Settled},
	{"recovery x live refund", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		release, wait := d.running(vcard.Block, d.follow("refund", "", p))
		d.pass(time.Hour)
		d.atOnce(release, tick(d, d.two), tick(d, d.one))
		wait()
	}, store.Refunded},
	{"recovery x recovery", func(d *duel) {
		d.one.Vcard.Next(vcard.UnknownAfter())
		require.NoError(d, sale(d.one))
		d.pass(time.Hour)
		d.atOnce(tick(d, d.one), tick(d, d.two))
	}, store.Settled},
	{"resend x resend", func(d *duel) {
		d.one.Vcard.Next(vcard.UnknownBefore())
		require.NoError(d, sale(d.one))
		d.pass(time.Hour)
		d.atOnce(tick(d, d.one), tick(d, d.two), tick(d, d.one), tick(d, d.two))
		require.LessOrEqual(d, len(d.spy.sends(d.one.Payment(d, "ORD-1").Transactions[0])), 2, "claimed once")
	}, store.Settled},
	{"notification x live answer", func(d *duel) {
		release, wait := d.running(vcard.BlockAfter, sale)
		id := d.one.Payment(d, "ORD-1").Transactions[0]
		d.atOnce(release, func() { notify(d, d.two, d.spy, id) }, func() { notify(d, d.one, d.spy, id) })
		wait()
	}, store.Settled},
	{"notification x recovery", func(d *duel) {
		d.one.Vcard.Next(vcard.UnknownAfter())
		require.NoError(d, sale(d.one))
		id := d.one.Payment(d, "ORD-1").Transactions[0]
		d.pass(time.Hour)
		d.atOnce(tick(d, d.one), func() { notify(d, d.two, d.spy, id) })
	}, store.Settled},
	{"decision x recovery", func(d *duel) {
		d.one.Vcard.Next(vcard.UnknownAfter())
		require.NoError(d, sale(d.one))
		id := d.one.Payment(d, "ORD-1").Transactions[0]
		d.pass(time.Hour)
		d.atOnce(tick(d, d.one), func() { _, _ = d.two.Settle(context.Background(), id, true, "ann", "seen") })
	}, store.Settled},
	{"return x return", func(d *duel) { d.comeBack(func(back func(*gatewaytest.Kit)) { back(d.two) }) }, store.Settled},
	{"return x recovery", func(d *duel) {
		d.comeBack(func(func(*gatewaytest.Kit)) { tick(d, d.two)() })
	}, store.Settled},
	{"return x notification", func(d *duel) {
		d.comeBack(func(func(*gatewaytest.Kit)) { notify(d, d.two, d.spy, d.one.Payment(d, "ORD-1").Transactions[0]) })
	}, store.Settled},
	{"outbox x outbox", func(d *duel) {
		for i := range 8 {
			p := pay(d, d.one, fmt.Sprintf("ORD-%d", i+1), gatewaytest.Settles)
			require.NoError(d, d.follow("refund", "4.00", p)(d.two))
			require.NoError(d, d.follow("refund", "6.00", p)(d.one))
		}
		for range 3 {
			d.atOnce(tick(d, d.one), tick(d, d.two), tick(d, d.one), tick(d, d.two))
		}
		heard := map[string]bool{}
		for _, delivery := range d.one.Inbox.All() {
			require.False(d, heard[delivery.ID], "leased to one at a time")
			heard[delivery.ID] = true
			if payment, number, _ := strings.Cut(delivery.ID, "."); number != "0001" {
				n, err := strconv.Atoi(number)
				require.NoError(d, err)
				require.True(d, heard[fmt.Sprintf("%s.%04d", payment, n-1)], "C5: in the order of the commits")
			}
		}
		require.Len(d, heard, 24)
	}, store.Refunded},
}

// comeBack has a payer come back to the first instance while something else happens.
func (d *duel) comeBack(meanwhile func(back func(*gatewaytest.Kit))) {
	card := gatewaytest.ThreeDSPasses
	if d.round%4 > 1 {
		card = gatewaytest.BankPasses
	}
	token, next := awayFrom(d, d.one, card)
	target, with := d.one.Away(d, next, "confirm")
	link := strings.TrimPrefix(strings.SplitN(target, "?", 2)[0], gatewaytest.PublicURL+"/return/")
	d.pass(2 * time.Minute)
	back := func(kit *gatewaytest.Kit) {
		location, err := kit.Return(context.Background(), link, with)
		if err != nil || location != gatewaytest.PublicURL+"/auth/"+token {
			d.Errorf("return: %q %v", location, err)
		}
	}
	d.atOnce(func() { back(d.one) }, func() { meanwhile(back) })
}

func TestPairs(t *testing.T) {
	t.Parallel()
	for _, pair := range pairs {
		t.Run(pair.name, func(t *testing.T) {
			t.Parallel()
			for round := range trials(t) {
				one, spy := spied(t, able(true, time.Minute), true)
				d := &duel{T: t, one: one, two: one.Twin(t), spy: spy, round: round}
				pair.meet(d)
				audit(t, one)
				one.Advance(t, 72*time.Hour)
				b := quiet(t, one)
				for _, tr := range b.transactions {
					require.Empty(t, tr.Review)
				}
				for _, p := range b.payments {
					if pair.end != "" {
						require.Equal(t, pair.end, p.Status)
					}
				}
			}
		})
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
