package race_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
	"github.com/tollgatepay/gateway/store/memory"
)

// backend is a store that pairs meet on; open makes an empty one.
type backend struct {
	name string
	open func(t testing.TB) store.Store
	far  bool // a call takes long, as it goes to another process
}

// backends are those of this module, and more.
var backends = append([]backend{
	{"memory", func(testing.TB) store.Store { return memory.New() }, false},
	{"bolt", openBolt, false},
}, more...)

// openBolt opens a new file, in memory if the system has a folder there: the test is about isolation, and a flush
// to the disk takes longer than a race.
func openBolt(t testing.TB) store.Store {
	t.Helper()
	folder := swift(t)
	s, err := bolt.Open(filepath.Join(folder, "race.db"), func(o *bolt.Options) {
		o.InitialMmapSize, o.LogSize = 4<<20, 16<<10 // so that logs are exchanged beside the pairs
	})
	require.NoError(t, err)
	return fleeting{s, folder}
}

// fleeting is a store whose folder goes with it.
type fleeting struct {
	*bolt.Store
	folder string
}

func (f fleeting) Close() error { return errors.Join(f.Store.Close(), os.RemoveAll(f.folder)) }

// swift returns a new folder in memory, if there is one.
func swift(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "tollgate-race-")
	if err != nil {
		folder = t.TempDir()
	}
	return folder
}

// stage is two instances that play many trials, each with its own records: making gateways takes longer than a
// race.
type stage struct {
	one, two        *gatewaytest.Kit
	spy             *kerneltest.Spy
	judges          [2]*kerneltest.JudgedStore // of what each instance commits
	records, ledger *kerneltest.SwappedStore
	merchant        *kerneltest.SwappedInbox
	scene           []store.Entry // the records before the first trial
	open            func() store.Store
	arena           func() store.Store // makes the store of a race; nil: that of the whole trial
	planning        atomic.Bool        // the kernel's transactions are planned by the store, if it can
	ahead           atomic.Int64       // how far the clock of the second is ahead
	racing          *atomic.Bool       // whether a race is on
	keys            [2]*fileKeys       // each instance's own view of one key file
	firstKey        string             // that sealed the merchant's secrets
}

// newStage makes the instances on an acquirer with these capabilities, by default those of vcard; open makes the
// store of a trial.
func newStage(t testing.TB, can *methods.Capabilities, open func() store.Store) *stage {
	t.Helper()
	return newStageOf(t, can, false, open, nil)
}

// newStageOf is newStage on an acquirer that, if it is blind, cannot be asked. arena, if it is not nil, makes the store
// of a race, and open that before and after it.
func newStageOf(t testing.TB, can *methods.Capabilities, blind bool, open, arena func() store.Store) *stage {
	t.Helper()
	s := &stage{arena: arena, records: kerneltest.Swappable(open()), ledger: kerneltest.Swappable(memory.New()),
		merchant: &kerneltest.SwappedInbox{}, spy: &kerneltest.Spy{}, open: open, racing: &atomic.Bool{}}
	for who := range s.judges {
		s.judges[who] = &kerneltest.JudgedStore{Store: share{s.records, who}}
	}
	s.openKeys(t)
	var acquirer *vcard.Connector
	s.one = gatewaytest.On(t, &met{s.judges[0], 0}, func(c *gateway.Config) {
		var err error
		c.Store = s.seen(c.Store, 0)
		acquirer, err = vcard.New(vcard.Config{Store: s.ledger, Secret: store.NewSecret("an-acquirer-secret-0001"),
			PublicURL: gatewaytest.PublicURL + "/vcard", Now: c.Now, Capabilities: can})
		require.NoError(t, err)
		s.spy.Powers = acquirer.Capabilities()
		s.spy.Connector, s.spy.Completer, s.spy.Notified, s.spy.Clock = acquirer, acquirer, acquirer, c.Now
		c.Connectors["vcard"] = kerneltest.Finder{Spy: s.spy, Finder: acquirer}
		if blind {
			c.Connectors["vcard"] = s.spy
		}
		c.Notifier, c.Keys = s.merchant, &metKeys{s.keys[0], 0}
		c.Retention.Tokens = gateway.MinTokens
	})
	s.one.Vcard = acquirer
	s.two = s.one.Twin(t, func(c *gateway.Config) {
		c.Store, c.Keys = s.seen(&met{s.judges[1], 1}, 1), &metKeys{s.keys[1], 1}
		c.Now = func() time.Time { return s.one.Clock.Now().Add(time.Duration(s.ahead.Load())) }
	})
	s.scene = all(t, s.records)
	t.Cleanup(s.close)
	return s
}

// close closes the store of the last trial. Another stage may have the place.
func (s *stage) close() { _ = s.records.Close() }

// seen is a store as an instance gets it. One that plans transactions by itself does so in every other trial; in the
// others the kernel calls it twice, and the racers wait in between.
func (s *stage) seen(plain store.Store, who int) store.Store {
	one := s.open
	if s.arena != nil {
		one = s.arena
	}
	sample := one()
	defer sample.Close() //nolint:errcheck // of an empty store
	if _, ok := (share{kerneltest.Swappable(sample), who}).Current().(store.Planner); !ok {
		return plain
	}
	return &planned{Store: plain, stage: s, who: who}
}

// planned is a store as one instance sees it, with the power to plan and to presume.
type planned struct {
	store.Store
	stage *stage
	who   int
}

// Plan implements store.Planner.
func (p *planned) Plan(ctx context.Context, fn func(store.Tx) error) error {
	planner, ok := share{p.stage.records, p.who}.Current().(store.Planner)
	if !ok || !p.stage.planning.Load() {
		return store.Optimistic(ctx, p.Store, fn)
	}
	defer point(ctx, p.who)()
	return p.stage.judges[p.who].Judge(fn, func(fn func(store.Tx) error) error { return planner.Plan(ctx, fn) })
}

// Presume implements store.Presumer, for a store that does.
func (p *planned) Presume(ctx context.Context, fn func(context.Context) error) error {
	if presumer, ok := (share{p.stage.records, p.who}).Current().(store.Presumer); ok {
		return presumer.Presume(ctx, fn)
	}
	return fn(ctx)
}

// Confirm implements store.Presumer.
func (p *planned) Confirm(ctx context.Context) error {
	return store.Confirm(ctx, (share{p.stage.records, p.who}).Current())
}

// all returns all records of a store.
func all(t testing.TB, s store.Store) (found []store.Entry) {
	t.Helper()
	require.NoError(t, s.View(context.Background(), func(r store.Reader) error {
		found = nil
		for e := range r.Scan(store.Range{Limit: kerneltest.Everything}) {
			require.NoError(t, e.Err)
			found = append(found, store.Entry{Key: bytes.Clone(e.Key), Value: bytes.Clone(e.Value)})
		}
		return nil
	}))
	return found
}

// fill puts records into an empty store.
func fill(t testing.TB, s store.Store, records []store.Entry) {
	t.Helper()
	require.NoError(t, s.Update(context.Background(), func(tx store.Tx) error {
		for _, e := range records {
			if err := tx.Put(e.Key, e.Value); err != nil {
				return err
			}
		}
		return nil
	}))
}

// enter carries the records to where a race takes place, and leave carries them back.
func (s *stage) enter(t testing.TB) {
	t.Helper()
	if s.arena != nil {
		s.carry(t, s.arena())
	}
}

func (s *stage) leave(t testing.TB) {
	t.Helper()
	if s.arena != nil {
		s.carry(t, s.open())
	}
}

func (s *stage) carry(t testing.TB, to store.Store) {
	t.Helper()
	fill(t, to, all(t, s.records))
	require.NoError(t, s.records.Close())
	s.records.Swap(to)
}

// fileKeys is a key provider of one process that uses the key file.
type fileKeys = keyfile.Keys

// openKeys makes a key file that both instances open.
func (s *stage) openKeys(t testing.TB) {
	t.Helper()
	folder := swift(t)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	for i := range s.keys {
		var err error
		s.keys[i], err = keyfile.Open(filepath.Join(folder, "keys.json"))
		require.NoError(t, err)
	}
	s.firstKey = s.keys[0].Current()
}

// theKeys is the operator of the keys, beside the instances 0 and 1.
const theKeys = 2

// metKeys is a key provider as one instance sees it: unwrapping is a step of a racer.
type metKeys struct {
	gateway.KeyProvider
	who int
}

func (k *metKeys) Unwrap(ctx context.Context, wrapped gateway.WrappedKey) ([]byte, error) {
	defer point(ctx, k.who)()
	return k.KeyProvider.Unwrap(ctx, wrapped)
}

// next clears the stage for another trial.
func (s *stage) next(t testing.TB) {
	t.Helper()
	require.NoError(t, s.records.Close())
	s.records.Swap(s.open())
	s.ledger.Swap(memory.New())
	s.ahead.Store(0)
	inbox := &gatewaytest.Inbox{}
	s.one.Inbox, s.two.Inbox = inbox, inbox
	s.merchant.Inbox.Store(inbox)
	s.planning.Store(!s.planning.Load())
	fill(t, s.records, s.scene)
}

var (
	_ store.Store       = (*kerneltest.SwappedStore)(nil)
	_ methods.Connector = kerneltest.Finder{}
)
