package crash

import (
	"context"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// killPoints are the moments at which a child can kill itself: on both sides of everything that it asks of
// somebody else.
var killPoints = []string{"store.before", "store.after", "connector.before", "connector.after", "notifier.before", "notifier.after"}

// trap kills the process at the n-th passage of one point; TOLLGATE_CRASH_AT names both, as name:n.
type trap struct {
	name string
	left atomic.Int64
}

func newTrap() *trap {
	name, n, _ := strings.Cut(os.Getenv(envAt), ":")
	t := &trap{name: name}
	left, _ := strconv.ParseInt(n, 10, 64)
	t.left.Store(left)
	return t
}

// pass is a passage. Nothing runs after a SIGKILL to oneself.
func (t *trap) pass(name string) {
	if name == t.name && t.left.Add(-1) == 0 {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
		}
		select {}
	}
}

// trappedStore has a trap on both sides of a commit.
type trappedStore struct {
	store.Store
	trap *trap
}

func (s trappedStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	s.trap.pass("store.before")
	err := s.Store.Update(ctx, fn)
	s.trap.pass("store.after")
	return err
}

// trappedConnector has one on both sides of a call.
type trappedConnector struct {
	connector
	trap *trap
}

func (c trappedConnector) between(call func() methods.Answer) methods.Answer {
	c.trap.pass("connector.before")
	answer := call()
	c.trap.pass("connector.after")
	return answer
}

func (c trappedConnector) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return c.between(func() methods.Answer { return c.connector.Perform(ctx, op) })
}

func (c trappedConnector) Find(ctx context.Context, op methods.Operation) methods.Answer {
	return c.between(func() methods.Answer { return c.connector.Find(ctx, op) })
}

func (c trappedConnector) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	return c.between(func() methods.Answer { return c.connector.Complete(ctx, op, back) })
}

// trappedNotifier has one on both sides of a delivery.
type trappedNotifier struct {
	callback.Notifier
	trap *trap
}

func (n trappedNotifier) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	n.trap.pass("notifier.before")
	r := n.Notifier.Deliver(ctx, d)
	n.trap.pass("notifier.after")
	return r
}

// TestKillAtEveryPoint kills the gateway at the first passage of each point, the second, and so on until the
// point is not reached any more: a payer who is declined, proves who he is at the issuer and pays, and a refund.
func TestKillAtEveryPoint(t *testing.T) {
	needsSignals(t)
	t.Parallel()
	var kills atomic.Int64
	t.Cleanup(func() {
		if !t.Failed() {
			t.Logf("crash: points=%d kills=%d", len(killPoints), kills.Load())
		}
	})
	for _, name := range killPoints {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 1)
			n := 1
			for w.killedAt(name + ":" + strconv.Itoa(n)) {
				n++
				require.Less(t, n, 200, "a point without an end")
			}
			require.Greater(t, n, 2, "the point was hardly ever reached")
			w.settle()
			e := w.evidence()
			require.Empty(t, judge(e))
			kills.Add(int64(n - 1))
		})
	}
}

// killedAt plays one order on a child that is to kill itself, and on the next one. It reports whether it did.
func (w *world) killedAt(point string) (killed bool) {
	w.t.Helper()
	w.child.kill(w.t)
	select {
	case <-w.child.launch(w.t, w.clock.lead(), envStill+"=1", envAt+"="+point):
		w.greet()
	case <-w.child.gone: // as it came up
		return true
	}
	over := make(chan error, 1)
	go func() {
		s := &shopper{w: w, order: w.newOrder(false), cards: []string{declines, threeDS, settles}}
		s.run()
		if s.order.Paid != "" {
			w.refund(s.order.Paid, "3.00")
		}
		_, err := w.client.work(w.clock.lead())
		over <- err
	}()
	select {
	case <-w.child.gone:
		w.child.kill(w.t)
		w.clock.advance(time.Minute)
		w.restart(envStill + "=1")
		<-over
		return true
	case err := <-over:
		return err != nil // its last answer was lost
	}
}
