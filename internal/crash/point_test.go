package crash

import (
	"context"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// point is a moment of a call that a test stops at.
type point struct {
	reached, released chan struct{}
	once              sync.Once
}

func newPoint() *point { return &point{reached: make(chan struct{}), released: make(chan struct{})} }

// stop holds the first caller until release.
func (p *point) stop() {
	p.once.Do(func() {
		close(p.reached)
		<-p.released
	})
}

// await waits until a caller has come.
func (p *point) await(t *testing.T) {
	t.Helper()
	select {
	case <-p.reached:
	case <-time.After(startTime):
		t.Fatal("the moment did not come")
	}
}

func (p *point) release() { close(p.released) }

// holdCall stops the first call of a kind at the acquirer, before or after it is booked.
func (w *world) holdCall(stage string, call vcard.Call, kind store.Operation) *point {
	p := newPoint()
	w.acquirer.hold(w.t, func(at passage) {
		if at.Stage == stage && at.Call == call && at.Kind == kind {
			p.stop()
		}
	})
	return p
}

// TestKillAt kills at moments that random kills seldom hit.
func TestKillAt(t *testing.T) {
	needsSignals(t)
	t.Parallel()
	for _, c := range []struct {
		name, stage string
		call        vcard.Call
		kind        store.Operation
		card        string
	}{
		{"charge sent, not booked", "before", vcard.CallPerform, store.OpSale, settles},
		{"charge booked, answer not read", "after", vcard.CallPerform, store.OpSale, settles},
		{"payer sent away, gateway not told", "after", vcard.CallPerform, store.OpSale, threeDS},
		{"payer is back, not booked", "before", vcard.CallComplete, store.OpSale, threeDS},
		{"payer is back, booked, answer not read", "after", vcard.CallComplete, store.OpSale, threeDS},
		{"refund sent, not booked", "before", vcard.CallPerform, store.OpRefund, settles},
		{"refund booked, answer not read", "after", vcard.CallPerform, store.OpRefund, settles},
		{"recovery asks, not answered", "after", vcard.CallFind, store.OpSale, unheard},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 1)
			w.restart()
			p := w.holdCall(c.stage, c.call, c.kind)
			o := w.newOrder(false)
			w.people.Go(func() {
				(&shopper{w: w, order: o, cards: []string{c.card}}).run()
				if c.kind == store.OpRefund {
					w.followUp("refund", o.Paid, "3.00")
				}
			})
			if c.call == vcard.CallFind {
				go w.recover()
			}
			p.await(t)
			w.child.kill(t)
			p.release()
			w.acquirer.hold(t, nil)
			w.restart()
			w.settle()
			e := w.evidence()
			require.Empty(t, judge(e))
			require.Len(t, e.Payments[o.Number], 1)
			want := 1
			if c.kind == store.OpRefund {
				want++
			}
			require.Len(t, e.Ledger, want)
			if c.call != vcard.CallComplete { // there the payer comes again
				require.NotZero(t, w.acquirer.books(t, "").Recovered,
					"nothing had to be recovered: the kill came at another moment")
			}
		})
	}
}

// recover waits for the callback with an unknown outcome, and then lets the child ask.
func (w *world) recover() {
	w.merchant.wait(w.t, func(d delivery) bool { return d.Form.Get("status") == "undefined" })
	w.clock.advance(startTime * 4)
	_, _ = w.client.work() // the answer is lost: the child dies
}

// TestKillBeforeReceipt kills when the merchant has a callback and the gateway does not know: the same callback is
// sent again.
func TestKillBeforeReceipt(t *testing.T) {
	needsSignals(t)
	t.Parallel()
	w := newWorld(t, 1)
	w.restart()
	p := w.holdDelivery()
	o := w.newOrder(false)
	w.people.Go(func() { (&shopper{w: w, order: o, cards: []string{settles}}).run() })
	p.await(t)
	w.people.Wait()
	w.child.kill(t)
	p.release()
	w.restart()
	w.settle()
	e := w.evidence()
	require.Empty(t, judge(e))
	require.Len(t, e.Deliveries, 2)
	require.Equal(t, e.Deliveries[0].Body, e.Deliveries[1].Body)
}

// TestAwayDuringKill checks that a payer at the issuer's page does not notice a kill.
func TestAwayDuringKill(t *testing.T) {
	needsSignals(t)
	t.Parallel()
	for _, c := range []struct{ name, card, status string }{
		{"3-D Secure", threeDS, "settled"},
		{"3-D Secure, declined then", threeDSNo, "decline"},
		{"bank", bank, "settled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 1)
			w.restart()
			s := &shopper{w: w, order: w.newOrder(false), cards: []string{c.card}, tarry: true, there: make(chan struct{})}
			w.people.Go(s.run)
			<-s.there
			w.child.kill(t)
			w.restart()
			w.people.Wait()
			found, err := w.client.payments(s.order.Number) // before any recovery
			require.NoError(t, err)
			require.Len(t, found, 1)
			require.Equal(t, c.status, found[0].Status)
			require.Zero(t, w.acquirer.books(t, "").Recovered)
			w.settle()
			require.Empty(t, judge(w.evidence()))
		})
	}
}

// TestHangUp checks that a client that hangs up while the acquirer works does not cancel the charge.
func TestHangUp(t *testing.T) {
	needsSignals(t)
	t.Parallel()
	w := newWorld(t, 1)
	w.restart()
	s := &shopper{w: w, order: w.newOrder(false)}
	require.True(t, s.createSession())
	p := w.holdCall("before", vcard.CallPerform, store.OpSale)
	ctx, hangUp := context.WithCancel(t.Context())
	over := make(chan error)
	w.journal.asked(s.order, w.clock.Now())
	go func() {
		_, err := w.client.post(ctx, s.order.Link, url.Values{
			"attempt": {"0"}, "card_number": {"4111111111111111"}, "expiry": {settles}, "cvv": {"123"},
		})
		over <- err
	}()
	p.await(t)
	hangUp()
	require.Error(t, <-over)
	_, err := w.client.get(t.Context(), w.child.url+"/crash/gone") // the gateway noticed it too
	require.NoError(t, err)
	p.release()
	w.merchant.wait(t, func(d delivery) bool { return d.Form.Get("type") == "sale" && d.Form.Get("status") == "success" })
	require.Zero(t, w.acquirer.books(t, "").Recovered, "the charge went on by itself")
	w.settle()
	e := w.evidence()
	require.Empty(t, judge(e))
	require.Equal(t, "settled", e.Payments[s.order.Number][0].Status)
}
