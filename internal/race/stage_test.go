package race_test

import (
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
}

// backends are those of this module, and more.
var backends = append([]backend{
	{"memory", func(testing.TB) store.Store { return memory.New() }},
	{"bolt", openBolt},
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
	judge           *kerneltest.JudgedStore
	records, ledger *kerneltest.SwappedStore
	merchant        *kerneltest.SwappedInbox
	scene           []store.Entry // the records before the first trial
	open            func() store.Store
	ahead           atomic.Int64 // how far the clock of the second is ahead
	racing          *atomic.Bool // whether a race is on
	keys            [2]*fileKeys // each instance's own view of one key file
	firstKey        string       // that sealed the merchant's secrets
}

// newStage makes the instances on an acquirer with these capabilities, by default those of vcard; open makes the
// store of a trial.
func newStage(t testing.TB, can *methods.Capabilities, open func() store.Store) *stage {
	t.Helper()
	return newStageOf(t, can, false, open)
}

// newStageOf is newStage on an acquirer that, if it is blind, cannot be asked.
func newStageOf(t testing.TB, can *methods.Capabilities, blind bool, open func() store.Store) *stage {
	t.Helper()
	s := &stage{records: kerneltest.Swappable(open()), ledger: kerneltest.Swappable(memory.New()),
		merchant: &kerneltest.SwappedInbox{}, spy: &kerneltest.Spy{}, open: open, racing: &atomic.Bool{}}
	s.judge = &kerneltest.JudgedStore{Store: s.records}
	s.openKeys(t)
	var acquirer *vcard.Connector
	s.one = gatewaytest.On(t, &met{s.judge, 0}, func(c *gateway.Config) {
		var err error
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
		c.Store, c.Keys = &met{s.judge, 1}, &metKeys{s.keys[1], 1}
		c.Now = func() time.Time { return s.one.Clock.Now().Add(time.Duration(s.ahead.Load())) }
	})
	require.NoError(t, s.records.View(context.Background(), func(r store.Reader) error {
		s.scene = nil
		for e := range r.Scan(store.Range{Limit: kerneltest.Everything}) {
			require.NoError(t, e.Err)
			s.scene = append(s.scene, store.Entry{Key: append([]byte(nil), e.Key...), Value: append([]byte(nil), e.Value...)})
		}
		return nil
	}))
	t.Cleanup(func() { _ = s.records.Close() })
	return s
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
	require.NoError(t, s.records.Update(context.Background(), func(tx store.Tx) error {
		for _, e := range s.scene {
			if err := tx.Put(e.Key, e.Value); err != nil {
				return err
			}
		}
		return nil
	}))
}

var (
	_ store.Store       = (*kerneltest.SwappedStore)(nil)
	_ methods.Connector = kerneltest.Finder{}
)
