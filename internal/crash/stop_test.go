package crash

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// A stopped process is the other kind of outage: it comes back with its memory. Meanwhile it has missed the
// deadline of every call under way and the lease of everything it had claimed; what it does then meets what its own
// recovery does.
const (
	shortCall = time.Second             // of the acquirer, in worlds that stop children
	stopFor   = 1300 * time.Millisecond // longer than that by the machine's clock, which times calls
	leasesEnd = 15 * time.Minute        // longer than any lease, by the gateway's clock
)

// stopChild stops the child until all deadlines have passed, and resumes it. meanwhile runs while it is stopped.
func (w *world) stopChild(meanwhile func()) {
	w.t.Helper()
	require.NoError(w.t, stop(w.child.cmd.Process))
	w.advance(leasesEnd)
	meanwhile()
	time.Sleep(stopFor)
	require.NoError(w.t, resume(w.child.cmd.Process))
	w.stopped++
}

// TestStop stops the gateway while it waits for another process.
func TestStop(t *testing.T) {
	needsSignals(t)
	t.Parallel()
	for _, c := range []struct {
		name   string
		hold   func(*world) *point
		buyer  func(*world) *shopper
		ledger int
	}{
		{"charge sent, not booked", func(w *world) *point { return w.holdCall("before", vcard.CallPerform, store.OpSale) }, cardOf(settles), 1},
		{"charge booked, answer not read", func(w *world) *point { return w.holdCall("after", vcard.CallPerform, store.OpSale) }, cardOf(settles), 1},
		{"hosted payment booked, answer not read", func(w *world) *point { return w.holdCall("after", vcard.CallPerform, store.OpSale) },
			func(w *world) *shopper { return w.newHosted(settles) }, 1},
		{"callback delivered, answer not read", (*world).holdDelivery, cardOf(settles), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 1, envTimeout+"="+shortCall.String())
			w.restart()
			p := c.hold(w)
			w.people.Go(c.buyer(w).run)
			p.await(t)
			w.stopChild(func() {
				p.release()
				w.acquirer.books(t, "all") // it is booked now
			})
			w.acquirer.hold(t, nil)
			w.merchant.hold(t, nil)
			w.people.Wait()
			w.clock.advance(leasesEnd) // it asks for what it does not know, and learns the outcome by itself
			w.merchant.wait(t, func(d delivery) bool { return tellsOutcome(d) && d.Accepted })
			w.settle()
			e := w.evidence()
			require.Empty(t, judge(e))
			require.Len(t, e.Ledger, c.ledger)
			require.Equal(t, tally{callbacks: count(e).callbacks, hosted: count(e).hosted}, count(e))
		})
	}
}

func cardOf(card string) func(*world) *shopper {
	return func(w *world) *shopper { return w.newBuyer(false, card) }
}

// holdDelivery stops the first callback that the merchant has stored.
func (w *world) holdDelivery() *point {
	p := newPoint()
	w.merchant.hold(w.t, func(passage) { p.stop() })
	return p
}
