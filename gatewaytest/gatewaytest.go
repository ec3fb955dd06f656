// Package gatewaytest runs a whole gateway in memory for tests: the same kernel as in production, the test
// acquirer vcard, a clock that only the test moves, and callbacks that can be read back.
//
//	kit := gatewaytest.New(t)
//	link := kit.Session(t, "ORD-1", "10.00")
//	turn := kit.Pay(t, link, gatewaytest.Settles)
//	kit.Work(t) // deliver what is due
//	callbacks := kit.Inbox.Fields(t)
package gatewaytest

import (
	"cmp"
	"context"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
	"github.com/tollgatepay/gateway/store/storetest"
)

// The demo merchant of every kit, and the public URL of its gateway.
const (
	MerchantID  = "m-test"
	MerchantKey = "2f1a9f0e-7b1c-4f57-9d5e-6a0c3f7e1b11"
	TestKey     = "7d0c2b1e-3c4f-4a57-8a3b-0f1e2d3c4b5a"
	Password    = "gatewaytest-password-0001"
	PublicURL   = "https://pay.example"
	CallbackURL = "https://shop.example/callback"
)

// Kit is a running gateway and what a test needs around it.
type Kit struct {
	*gateway.Gateway
	Clock *Clock
	Store store.Store
	Vcard *vcard.Connector
	Inbox *Inbox

	key    string         // of As
	public string         // the address of payers
	config gateway.Config // as the gateway was made
}

// address is where payers reach the kit: PublicURL, unless it is a Site.
func (kit *Kit) address() string { return cmp.Or(kit.public, PublicURL) }

// Shop is the demo merchant's side of the gateway, or that of the merchant of As.
func (kit *Kit) Shop() gateway.Merchant { return kit.Merchant(cmp.Or(kit.key, MerchantKey)) }

// As is the same kit on behalf of the merchant of a key, for example of TestKey.
func (kit *Kit) As(key string) *Kit {
	other := *kit
	other.key = key
	return &other
}

// Option changes the configuration before the gateway is made.
type Option func(*gateway.Config)

// New makes a gateway with the demo merchant and one live and one test MID on vcard. It is closed when
// the test ends.
func New(t testing.TB, options ...Option) *Kit {
	t.Helper()
	return On(t, memory.New(), options...)
}

// On is New on a store of the caller, which may hold payments already. The test fails when the store is called
// from inside its own transaction (storetest.Checked).
func On(t testing.TB, s store.Store, options ...Option) *Kit {
	t.Helper()
	return onAddress(t, s, PublicURL, options...)
}

func onAddress(t testing.TB, s store.Store, public string, options ...Option) *Kit {
	t.Helper()
	s = checked(t, s)
	kit := &Kit{Clock: &Clock{now: time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)}, Store: s, public: public}
	kit.Inbox = &Inbox{now: kit.Clock.Now}
	var err error
	kit.Vcard, err = vcard.New(vcard.Config{
		Store: checked(t, memory.New()), Secret: store.NewSecret("gatewaytest-acquirer-0001"),
		PublicURL: public + "/vcard", Now: kit.Clock.Now,
	})
	require.NoError(t, err)
	cfg := gateway.Config{
		Store: s, Keys: NewKeys(), Connectors: map[string]methods.Connector{"vcard": kit.Vcard},
		PublicURL: public, Notifier: kit.Inbox, Now: kit.Clock.Now,
	}
	for _, option := range options {
		option(&cfg)
	}
	kit.start(t, cfg)
	kit.setUp(t)
	return kit
}

// checked wraps a store so that calls from inside its own transaction fail the test. A benchmark measures the
// store without it.
func checked(t testing.TB, s store.Store) store.Store {
	if _, measured := t.(*testing.B); measured {
		return s
	}
	return storetest.Rerun(storetest.Checked(t, s))
}

// Twin is another instance of the gateway on the same store, as a second process would be. It shares the keys, the
// acquirer, the clock and the merchant's inbox with the first, and nothing in memory. The options get the
// configuration that the first was made with.
func (kit *Kit) Twin(t testing.TB, options ...Option) *Kit {
	t.Helper()
	twin := *kit
	cfg := kit.config
	cfg.Connectors = maps.Clone(cfg.Connectors)
	for _, option := range options {
		option(&cfg)
	}
	twin.start(t, cfg)
	return &twin
}

// start makes the gateway, and closes it when the test ends.
func (kit *Kit) start(t testing.TB, cfg gateway.Config) {
	t.Helper()
	var err error
	kit.config = cfg
	kit.Gateway, err = gateway.New(cfg)
	require.NoError(t, err)
	started := kit.Gateway
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, started.Close(ctx))
	})
}

func (kit *Kit) setUp(t testing.TB) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, kit.SaveMerchant(ctx, store.Merchant{
		ID: MerchantID, Name: "Test Shop", Key: MerchantKey, TestKey: TestKey,
		Password: store.NewSecret(Password), NotificationURL: CallbackURL,
	}))
	require.NoError(t, kit.SaveMID(ctx, store.MID{ID: "live", MerchantID: MerchantID, Name: "Live", Connector: "vcard"}))
	require.NoError(t, kit.SaveMID(ctx,
		store.MID{ID: "test", MerchantID: MerchantID, Name: "Test", Connector: "vcard", Test: true}))
}
