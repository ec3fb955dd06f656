package gateway_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// brokenKeys is a key provider that a saboteur watches.
type brokenKeys struct {
	gateway.KeyProvider
	by *saboteur
}

func (b brokenKeys) fault() error {
	switch b.by.strike("keys") {
	case "":
		return nil
	case "gone":
		return errors.Join(errInjected, gateway.ErrKeyGone)
	default:
		return errInjected
	}
}

func (b brokenKeys) Wrap(ctx context.Context, key []byte) (gateway.WrappedKey, error) {
	if err := b.fault(); err != nil {
		return gateway.WrappedKey{}, err
	}
	return b.KeyProvider.Wrap(ctx, key)
}

func (b brokenKeys) Unwrap(ctx context.Context, wrapped gateway.WrappedKey) ([]byte, error) {
	if err := b.fault(); err != nil {
		return nil, err
	}
	return b.KeyProvider.Unwrap(ctx, wrapped)
}

func (b brokenKeys) LookupKey(ctx context.Context) ([]byte, error) {
	if err := b.fault(); err != nil {
		return nil, err
	}
	return b.KeyProvider.LookupKey(ctx)
}

// errInjected is every fault that the loop below makes.
var errInjected = errors.New("injected fault")

// saboteur makes the n-th call of one port fail. A mode with a crash fails every call after it as well,
// of every port, as those of a process that is dead.
type saboteur struct {
	port, mode string
	n          int

	mu    sync.Mutex
	armed bool
	calls int
	fired bool
	dead  bool
}

// strike counts a call of a port and says what befalls it: "" nothing, "dead", or the mode.
func (s *saboteur) strike(port string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return "dead"
	}
	if port != s.port || !s.armed {
		return ""
	}
	if s.calls++; s.calls != s.n {
		return ""
	}
	s.fired = true
	s.dead = strings.HasPrefix(s.mode, "crash")
	return s.mode
}

// brokenStore is a store whose Updates and Views a saboteur watches.
type brokenStore struct {
	store.Store
	by *saboteur
}

func (b brokenStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	switch b.by.strike("store") {
	case "":
		return b.Store.Update(ctx, fn)
	case "unknown", "crash after":
		if err := b.Store.Update(ctx, fn); err != nil {
			return err
		}
		return errors.Join(errInjected, store.ErrUnknownCommit)
	case "lost":
		return errors.Join(errInjected, store.ErrUnknownCommit)
	default:
		return errInjected
	}
}

func (b brokenStore) View(ctx context.Context, fn func(store.Reader) error) error {
	if b.by.strike("view") != "" {
		return errInjected
	}
	return b.Store.View(ctx, fn)
}

// brokenAcquirer is an acquirer that a saboteur watches.
type brokenAcquirer struct {
	*vcard.Connector
	by *saboteur
}

func (b brokenAcquirer) call(op methods.Operation, call func() methods.Answer) methods.Answer {
	switch mode := b.by.strike("connector"); mode {
	case "":
		return call()
	case "not sent":
		return methods.NotSent(op, "injected")
	case "after", "crash after":
		call()
		return methods.Unknown(op, "injected")
	case "panic after":
		call()
		panic("injected")
	case "panic":
		panic("injected")
	default:
		return methods.Unknown(op, "injected")
	}
}

func (b brokenAcquirer) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return b.call(op, func() methods.Answer { return b.Connector.Perform(ctx, op) })
}

func (b brokenAcquirer) Find(ctx context.Context, op methods.Operation) methods.Answer {
	return b.call(op, func() methods.Answer { return b.Connector.Find(ctx, op) })
}

func (b brokenAcquirer) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	return b.call(op, func() methods.Answer { return b.Connector.Complete(ctx, op, back) })
}

func (b brokenAcquirer) Notification(ctx context.Context, op methods.Operation, note methods.Note) methods.Answer {
	return b.call(op, func() methods.Answer { return b.Connector.Notification(ctx, op, note) })
}

// brokenNotifier is a merchant that a saboteur watches.
type brokenNotifier struct {
	callback.Notifier
	by *saboteur
}

func (b brokenNotifier) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	switch b.by.strike("notifier") {
	case "":
		return b.Notifier.Deliver(ctx, d)
	case "refused", "dead", "crash before":
		return callback.Receipt{Verdict: callback.Refused, Status: 500}
	default: // the merchant has it, and we do not know
		b.Notifier.Deliver(ctx, d)
		return callback.Receipt{Verdict: callback.TimedOut}
	}
}

// brokenRandom is a source of chance that a saboteur watches.
type brokenRandom struct{ by *saboteur }

func (b brokenRandom) Read(p []byte) (int, error) {
	if b.by.strike("random") != "" {
		return 0, errInjected
	}
	return io.ReadFull(rand.Reader, p)
}

var sabotage = []struct {
	port  string
	modes []string
}{
	{"store", []string{"before", "lost", "unknown", "crash before", "crash after"}},
	{"view", []string{"before", "crash before"}},
	{"connector", []string{"not sent", "before", "after", "panic", "panic after", "crash before", "crash after"}},
	{"notifier", []string{"refused", "after", "crash before", "crash after"}},
	{"random", []string{"before", "crash before"}},
	{"keys", []string{"before", "gone", "crash before"}},
}

// L4: any single fault, of any port, at any call, and another gateway over what is left: nothing is
// lost, nothing happens twice, and the merchant hears of everything. The loop ends where no fault fires.
func TestEveryFault(t *testing.T) {
	t.Parallel()
	var injected atomic.Int64
	t.Cleanup(func() {
		if !t.Failed() {
			t.Logf("faults: scenarios=%d ports=%d injected=%d", len(scenarios), len(sabotage), injected.Load())
		}
	})
	for _, scenario := range scenarios {
		for _, s := range sabotage {
			for _, mode := range s.modes {
				t.Run(fmt.Sprintf("%s, %s, %s", scenario.name, s.port, mode), func(t *testing.T) {
					t.Parallel()
					injected.Add(faultEverywhere(t, scenario.play, s.port, mode))
				})
			}
		}
	}
}

// faultEverywhere fails the first call of a port, the second, and so on. It answers how many there were.
func faultEverywhere(t *testing.T, scenario func(*play), port, mode string) (fired int64) {
	t.Helper()
	var s *stage
	for n := 1; ; n++ {
		require.Less(t, n, 1000)
		if s == nil || s.one.Vcard.Scripted() > 0 { // what a fault kept from being asked for must not befall the next play
			s = newStage(t, nil, func() store.Store { return memory.New() })
		}
		s.next(t)
		if !faulted(t, s, scenario, &saboteur{port: port, mode: mode, n: n}) {
			require.True(t, n > 1 || port == "notifier" || port == "connector", "no fault ever fired")
			return fired
		}
		fired++
	}
}

// fleeting is a test that is over before the test: what was begun for it does not pile up until then.
type fleeting struct {
	testing.TB
	ends []func()
}

func (f *fleeting) Cleanup(end func()) { f.ends = append(f.ends, end) }

func (f *fleeting) end() {
	for _, end := range slices.Backward(f.ends) {
		end()
	}
}

// faulted plays a scenario with one fault, recovers, and judges. It reports whether the fault fired.
func faulted(t *testing.T, s *stage, scenario func(*play), by *saboteur) bool {
	t.Helper()
	kit, during := s.one, &fleeting{TB: t}
	defer during.end()
	broken := kit.Twin(during, func(c *gateway.Config) {
		c.Store = brokenStore{s.judge, by}
		c.Connectors["vcard"] = brokenAcquirer{kit.Vcard, by}
		c.Notifier = brokenNotifier{s.merchant, by}
		c.Random = brokenRandom{by}
		c.Keys = brokenKeys{c.Keys, by}
	})
	by.armed = true
	p := &play{t: t, kit: broken}
	scenario(p)
	kit.Advance(t, 7*24*time.Hour)
	runAgain(t, kit)
	b := quiet(t, kit)
	b.auditSchedules(t)
	require.Empty(t, s.judge.faults())
	for _, ack := range p.acks {
		tr, ok := b.transactions[ack.Transaction.ID]
		require.True(t, ok, "D1: %s at call %d: an answered transaction is gone", by.mode, by.n)
		if ack.Transaction.Outcome.Final() {
			require.Equal(t, ack.Transaction.Outcome, tr.Outcome, "D1: %s at call %d", by.mode, by.n)
		}
	}
	return by.fired
}

// runAgain lets every schedule that is still paused run, and waits.
func runAgain(t *testing.T, kit *gatewaytest.Kit) {
	t.Helper()
	var paused []string
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		for s, err := range schedulesTable.Scan(r, everything) {
			require.NoError(t, err)
			if s.Paused {
				paused = append(paused, s.ID)
			}
		}
		return nil
	}))
	if len(paused) == 0 {
		return
	}
	for _, id := range paused {
		require.NoError(t, kit.RunSchedule(t.Context(), gatewaytest.MerchantKey, id))
	}
	kit.Advance(t, 7*24*time.Hour)
}

var schedulesTable = store.Table[store.Schedule]{Prefix: "sc", Version: 1}

// auditSchedules: every chain of these plays was taken at its first payment, so each of the two dates of its
// schedule was charged once (S10).
func (b *books) auditSchedules(t *testing.T) {
	t.Helper()
	paid := map[string]map[int]int{}
	for _, p := range b.payments {
		if p.ScheduleID != "" && p.Occurrence == 0 && p.Status == store.Settled {
			paid[p.ID] = map[int]int{}
		}
	}
	for _, p := range b.payments {
		if p.Occurrence > 0 {
			paid[p.RecurringInitID][p.Occurrence]++
		}
	}
	for first, occurrences := range paid {
		require.Equal(t, map[int]int{1: 1, 2: 1}, occurrences, "S10: of the chain %s", first)
	}
}
