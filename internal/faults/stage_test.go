package faults_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// faultStage repeats one scenario: every play begins at the same time with the same records, an empty ledger and
// gateways without a cache.
type faultStage struct {
	root            *gatewaytest.Kit
	judge           *watchedOrders
	records, ledger *kerneltest.SwappedStore
	merchant        *kerneltest.SwappedInbox
	scene           []store.Entry // the records before the first play
}

func newFaultStage(t testing.TB, sc *scenario) *faultStage {
	t.Helper()
	s := &faultStage{records: kerneltest.Swappable(newRecords(t)), ledger: kerneltest.Swappable(memory.New()),
		merchant: &kerneltest.SwappedInbox{}}
	t.Cleanup(func() { require.NoError(t, s.records.Close()) })
	s.judge = &watchedOrders{Store: s.records}
	var acquirer *vcard.Connector
	s.root = gatewaytest.On(t, s.seen(), func(c *gateway.Config) {
		var err error
		acquirer, err = vcard.New(vcard.Config{Store: s.ledger, Secret: store.NewSecret("an-acquirer-secret-0001"),
			PublicURL: gatewaytest.PublicURL + "/vcard", Now: c.Now})
		require.NoError(t, err)
		c.Connectors["vcard"], c.Notifier = acquirer, s.merchant
		if sc.config != nil {
			sc.config(c)
		}
	})
	s.root.Vcard = acquirer
	if sc.set != nil {
		sc.set(t, s.root)
	}
	require.NoError(t, s.records.View(context.Background(), func(r store.Reader) error {
		s.scene = nil
		for e := range r.Scan(store.Range{Limit: kerneltest.Everything}) {
			require.NoError(t, e.Err)
			s.scene = append(s.scene, store.Entry{Key: slices.Clone(e.Key), Value: slices.Clone(e.Value)})
		}
		return nil
	}))
	return s
}

// clear restores the state before the first play, and returns a gateway without faults for what follows a play.
func (s *faultStage) clear(t testing.TB) *gatewaytest.Kit {
	t.Helper()
	require.NoError(t, s.records.Close())
	s.records.Swap(newRecords(t))
	s.ledger.Swap(memory.New())
	s.root.Vcard.ClearScripts() // scripts that a fault left unused must not affect the next play
	s.root.Clock.Set(kerneltest.Opening)
	s.judge.forget()
	s.root.Inbox = &gatewaytest.Inbox{}
	s.merchant.Inbox.Store(s.root.Inbox)
	require.NoError(t, s.records.Update(context.Background(), func(tx store.Tx) error {
		for _, e := range s.scene {
			if err := tx.Put(e.Key, e.Value); err != nil {
				return err
			}
		}
		return nil
	}))
	return s.root.Twin(t)
}

// watchedOrders judges every commit as kerneltest.JudgedStore does, but also knows cascades: an attempt that
// another one follows is declined and not reported, unless it is the first one of an APM payment (callbacks.md,
// "Cascading").
type watchedOrders struct {
	store.Store
	mu    sync.Mutex
	found []string
}

func (w *watchedOrders) Update(ctx context.Context, fn func(store.Tx) error) error {
	return w.commit(fn, func(fn func(store.Tx) error) error { return w.Store.Update(ctx, fn) })
}

// commit judges what fn writes in the transaction that run makes of it. A store may run fn several times, also over
// what never was there together; the last run counts.
func (w *watchedOrders) commit(fn func(store.Tx) error, run func(func(store.Tx) error) error) error {
	var found []string
	err := run(func(tx store.Tx) error {
		found = nil
		judge := &kerneltest.JudgedTx{Tx: tx, Silent: func(p *records.Payment) bool {
			return p.Next != "" && !kerneltest.ReportsDecline(p)
		}}
		if err := fn(judge); err != nil {
			return err
		}
		found = judge.Verdict()
		return nil
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.found = append(w.found, found...)
	return err
}

func (w *watchedOrders) faults() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.found)
}

func (w *watchedOrders) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.found = nil
}

// seen is the store as gateways get it, with what the records of a play offer in addition.
func (s *faultStage) seen() store.Store {
	if _, ok := s.records.Current().(kerneltest.Remembering); ok {
		return &remembering{s.judge, s.records}
	}
	return s.judge
}

// remembering is a judged store that remembers.
type remembering struct {
	*watchedOrders
	records *kerneltest.SwappedStore
}

func (r *remembering) current() kerneltest.Remembering {
	return r.records.Current().(kerneltest.Remembering)
}

// Plan implements store.Planner.
func (r *remembering) Plan(ctx context.Context, fn func(store.Tx) error) error {
	return r.commit(fn, func(fn func(store.Tx) error) error { return r.current().Plan(ctx, fn) })
}

// Presume implements store.Presumer.
func (r *remembering) Presume(ctx context.Context, fn func(context.Context) error) error {
	return r.current().Presume(ctx, fn)
}

// Confirm implements store.Presumer.
func (r *remembering) Confirm(ctx context.Context) error { return r.current().Confirm(ctx) }

// fleeting is a part of a test with its own cleanup, so that resources do not pile up until the test ends.
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
