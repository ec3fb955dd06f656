package crash

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// world is the child and everything around it.
type world struct {
	t        *testing.T
	dice     *dice
	clock    *clock
	acquirer *partner
	merchant merchant
	child    *process
	client   *client
	journal  *journal
	people   sync.WaitGroup
	schedule string // of all chains, once it is made
	stopped  int    // how often a child was stopped
	pairs    int    // children that died in the recovery of a crash
	beside   others

	n atomic.Int64 // orders so far

	mu   sync.Mutex
	next chan struct{} // closed when the next child has started
	last bool          // no further child is started
}

func newWorld(t *testing.T, seed uint64, env ...string) *world {
	t.Helper()
	w := &world{t: t, dice: newDice(seed), clock: newClock(t), journal: &journal{}, next: make(chan struct{})}
	w.acquirer = newPartner(t, roleAcquirer, "acquirer.db", seed)
	w.merchant = merchant{newPartner(t, roleMerchant, "merchant.log", seed), t}
	w.clock.heard = func(lead time.Duration) { w.acquirer.instruct(t, func(w *wishes) { w.Ahead = lead }) }
	env = append(env, envAcquirer+"="+w.acquirer.url, envPath+"="+w.acquirer.path, envMerchant+"="+w.merchant.url,
		envClock+"="+w.clock.file.Name())
	w.child = newProcess(t, filepath.Join(t.TempDir(), "gateway.db"), env...)
	w.client = newClient(w.child.url)
	return w
}

// nextChild is closed when another child has started.
func (w *world) nextChild() chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.next
}

// awaitChild waits for another child, but not long: the caller has lost an answer, and the child may already be
// there.
func (w *world) awaitChild() {
	select {
	case <-w.nextChild():
	case <-time.After(time.Second):
	}
}

// restart starts the next child.
func (w *world) restart(env ...string) {
	w.t.Helper()
	w.child.start(w.t, env...)
	w.wakeWaiters()
}

// wakeWaiters wakes those who wait for a child.
func (w *world) wakeWaiters() {
	w.client.http.CloseIdleConnections()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.last {
		close(w.next)
		w.next = make(chan struct{})
	}
}

// finish releases those who wait for another child, because no burst follows. It returns when they are done.
func (w *world) finish() {
	w.mu.Lock()
	if !w.last {
		close(w.next)
		w.last = true
	}
	w.mu.Unlock()
	w.people.Wait()
}

// advance moves the clock.
func (w *world) advance(d time.Duration) {
	w.t.Helper()
	w.beside.expect(w, d)
	w.clock.advance(d)
}

func (w *world) newOrder(hold bool) *order {
	o := &order{Number: fmt.Sprintf("ORD-%06d", w.n.Add(1)),
		Amount: fmt.Sprintf("%d.%02d", 10+w.dice.intN(90), w.dice.intN(100)), Hold: hold}
	w.journal.add(o)
	return o
}

// patienceOfAll is longer than every schedule of recovery and redelivery. What is still due then is a fault.
const patienceOfAll = 15 * 24 * time.Hour

// settle lets the last child finish everything: it moves the clock from one due time to the next until nothing is
// due, or until patienceOfAll has passed, because the retention sweep is due every day for ever. The child does
// nothing by itself, so that no moment is missed.
func (w *world) settle() {
	w.t.Helper()
	w.finish()
	w.beside.quieten(w)
	w.child.kill(w.t)
	w.acquirer.books(w.t, "all")
	w.acquirer.hold(w.t, func(passage) {}) // only the clock delays calls now
	w.restart(envStill + "=1")
	w.wait()
}

// wait advances the clock by patienceOfAll.
func (w *world) wait() {
	w.t.Helper()
	for end := w.clock.lead() + patienceOfAll; w.clock.lead() < end; {
		d, err := w.client.workBy(16)
		require.NoError(w.t, err)
		if d.Next.IsZero() {
			return
		}
		if wait := d.Next.Sub(w.clock.Now()); wait > 0 {
			w.clock.advance(wait + 10*time.Second)
		}
	}
}
