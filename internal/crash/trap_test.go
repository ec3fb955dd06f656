package crash

import (
	"context"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// killPoints are the moments at which a child can kill itself: before and after every call of a port.
var killPoints = []string{"store.before", "store.after", "connector.before", "connector.after", "notifier.before",
	"notifier.after"}

// trap kills the process at the n-th passage of one point; TOLLGATE_CRASH_AT names both, as name:n. Before that it
// appends the passage to a file.
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

// pass is a passage of a port, before or after a call. Nothing runs after the process has sent itself SIGKILL.
func (t *trap) pass(port, side, call string) {
	if port+"."+side != t.name || t.left.Add(-1) != 0 {
		return
	}
	noteSpot(strings.TrimRight(port+" "+call, " ") + " " + side)
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}

// noteSpot writes a line that survives the process, because it is in the operating system's cache.
func noteSpot(spot string) {
	file, err := os.OpenFile(spotsOf(os.Getenv(envFile)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_, _ = file.WriteString(spot + "\n") // the parent notices if it is missing
	_ = file.Close()
}

func spotsOf(file string) string { return file + ".spots" }

// spots returns the moments at which children have killed themselves so far.
func (w *world) spots() []string {
	text, err := os.ReadFile(spotsOf(w.child.file))
	if err != nil {
		return nil // none so far
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// trappedStore has a trap before and after a commit.
type trappedStore struct {
	store.Store
	trap *trap
}

// commit is a call that commits.
func (s trappedStore) commit(do func() error) error {
	s.trap.pass("store", "before", "")
	err := do()
	s.trap.pass("store", "after", "")
	return err
}

func (s trappedStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.commit(func() error { return s.Store.Update(ctx, fn) })
}

// trapped puts the trap into a store, and leaves it what it offers in addition, which the gateway takes.
func trapped(s store.Store, t *trap) store.Store {
	below := trappedStore{s, t}
	switch s := s.(type) {
	case store.Sharer:
		return trappedSharer{below, s}
	case presumingPlanner:
		return trappedPresumer{trappedPlanner{below, s}, s}
	case store.Planner:
		return trappedPlanner{below, s}
	}
	return below
}

type presumingPlanner interface {
	store.Planner
	store.Presumer
}

// trappedPresumer is trappedPlanner for one that presumes, too.
type trappedPresumer struct {
	trappedPlanner
	store.Presumer
}

// trappedPlanner is trappedStore for one whose transactions plan by themselves.
type trappedPlanner struct {
	trappedStore
	planner store.Planner
}

// Plan implements store.Planner.
func (s trappedPlanner) Plan(ctx context.Context, fn func(store.Tx) error) error {
	return s.commit(func() error { return s.planner.Plan(ctx, fn) })
}

// trappedSharer is trappedStore for one that shares.
type trappedSharer struct {
	trappedStore
	sharer store.Sharer
}

// Share implements store.Sharer.
func (s trappedSharer) Share(ctx context.Context, fn func(store.Tx) error) error {
	return s.commit(func() error { return s.sharer.Share(ctx, fn) })
}

// trappedConnector has a trap before and after a call.
type trappedConnector struct {
	connector
	trap *trap
}

func (c trappedConnector) between(call string, op methods.Operation, do func() methods.Answer) methods.Answer {
	call += " " + string(op.Kind)
	c.trap.pass("connector", "before", call)
	answer := do()
	c.trap.pass("connector", "after", call)
	return answer
}

func (c trappedConnector) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return c.between("perform", op, func() methods.Answer { return c.connector.Perform(ctx, op) })
}

func (c trappedConnector) Find(ctx context.Context, op methods.Operation) methods.Answer {
	return c.between("find", op, func() methods.Answer { return c.connector.Find(ctx, op) })
}

func (c trappedConnector) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	return c.between("complete", op, func() methods.Answer { return c.connector.Complete(ctx, op, back) })
}

// trappedNotifier has a trap before and after a delivery.
type trappedNotifier struct {
	callback.Notifier
	trap *trap
}

func (n trappedNotifier) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	form, _ := url.ParseQuery(string(d.Body)) // the judge checks the body
	n.trap.pass("notifier", "before", form.Get("type"))
	r := n.Notifier.Deliver(ctx, d)
	n.trap.pass("notifier", "after", form.Get("type"))
	return r
}

// TestTrapped: a store with a trap offers the gateway what it offers without.
func TestTrapped(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]store.Store{
		"nothing": struct{ store.Store }{},
		"shares": struct {
			store.Store
			store.Sharer
		}{},
		"plans": struct {
			store.Store
			store.Planner
		}{},
		"remembers": struct {
			store.Store
			presumingPlanner
		}{},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := trapped(s, nil)
			require.Equal(t, offers[store.Sharer](s), offers[store.Sharer](seen))
			require.Equal(t, offers[store.Planner](s), offers[store.Planner](seen))
			require.Equal(t, offers[store.Presumer](s), offers[store.Presumer](seen))
		})
	}
}

func offers[T any](s store.Store) bool { _, ok := s.(T); return ok }
