package gateway_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// hostOption is an option of the host, with its effect: without it and with it. Each test makes its own gateway.
type hostOption struct {
	name string
	set  func(*gateway.Config)
	seen func(t testing.TB, kit *gatewaytest.Kit) any
	want [2]any
}

// isCharged reports whether a changed charge is accepted.
func isCharged(change func(*gateway.ChargeRequest)) func(t testing.TB, kit *gatewaytest.Kit) any {
	return func(t testing.TB, kit *gatewaytest.Kit) any {
		_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, change))
		return err == nil
	}
}

// charges makes a payment and returns something that it stored.
func charges(left func(store.Payment) any) func(t testing.TB, kit *gatewaytest.Kit) any {
	return func(t testing.TB, kit *gatewaytest.Kit) any {
		p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
		kit.Work(t)
		return left(p)
	}
}

// counting is a random source that counts the bytes that are read.
type counting struct{ n *int }

func (c counting) Read(p []byte) (int, error) { *c.n += len(p); return rand.Read(p) }

func hostOptions() []hostOption {
	var text bytes.Buffer
	var inbox gatewaytest.Inbox
	var heard []methods.Operation
	var quotes []gateway.QuoteRequest
	events, read, number := 0, 0, 0
	return []hostOption{
		{"Retry", func(c *gateway.Config) { c.Retry = callback.Schedule{time.Hour} }, func(t testing.TB, kit *gatewaytest.Kit) any {
			kit.Inbox.Answer(func(callback.Delivery) callback.Receipt { return callback.Receipt{Verdict: callback.Refused} })
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
			kit.Advance(t, time.Minute)
			return len(kit.Inbox.All())
		}, [2]any{2, 1}},
		{"Crypto", kerneltest.Tether, isCharged(func(r *gateway.ChargeRequest) {
			kerneltest.ViaAPM(r)
			r.Method, r.Order.Currency, r.Order.Amount, r.ReturnURL = "helio", "USDT", "1.000000", kerneltest.BackURL
		}), [2]any{false, true}},
		{"Methods", func(c *gateway.Config) {
			c.Methods = []methods.Method{{Code: "coupon", Name: "Coupon", Kind: methods.KindCard,
				Operations: []store.Operation{store.OpSale}}}
		}, isCharged(func(r *gateway.ChargeRequest) { r.Method = "coupon" }), [2]any{false, true}},
		{"CallTimeout", func(c *gateway.Config) { c.CallTimeout = time.Second }, func(t testing.TB, kit *gatewaytest.Kit) any {
			kit.Vcard.Next(vcard.UnknownAfter()) // a transaction with an outcome has no deadline any more
			p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles).Payment
			return kerneltest.TransactionOf(t, kit, p.ChargeID()).DeadlineAt.Sub(kit.Clock.Now())
		}, [2]any{30 * time.Second, time.Second}},
		{"Now", func(c *gateway.Config) { c.Now = func() time.Time { return kerneltest.Date("2030-01-01") } },
			charges(func(p store.Payment) any { return p.CreatedAt.Year() }), [2]any{2027, 2030}},
		{"NewID", func(c *gateway.Config) { c.NewID = func() string { number++; return fmt.Sprintf("own-%06d", number) } },
			charges(func(p store.Payment) any { return strings.HasPrefix(p.ID, "own-") }), [2]any{false, true}},
		{"PublicURL", func(c *gateway.Config) { c.PublicURL = "https://other.example/pay" }, func(t testing.TB, kit *gatewaytest.Kit) any {
			s, err := kit.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
			require.NoError(t, err)
			return strings.HasPrefix(s.RedirectURL, "https://other.example/pay/auth/")
		}, [2]any{false, true}},
		{"Observers", func(c *gateway.Config) {
			c.Observers = []observe.Observer{observe.Func(func(context.Context, observe.Event) { events++ })}
		}, charges(func(store.Payment) any { return events > 0 }), [2]any{false, true}},
		{"Random", func(c *gateway.Config) { c.Random = counting{&read} }, charges(func(store.Payment) any { return read > 0 }), [2]any{false, true}},
		{"Notifier", func(c *gateway.Config) { c.Notifier = &inbox }, charges(func(store.Payment) any { return len(inbox.All()) }), [2]any{0, 1}},
		{"Log", func(c *gateway.Config) { c.Log = slog.New(slog.NewTextHandler(&text, nil)) }, func(t testing.TB, kit *gatewaytest.Kit) any {
			twin := kit.Twin(t, func(c *gateway.Config) { c.Connectors = map[string]methods.Connector{"other": kit.Vcard} })
			_, _ = twin.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
			return strings.Contains(text.String(), "connector that is not configured")
		}, [2]any{false, true}},
		{"Connectors", func(c *gateway.Config) { c.Connectors["ear"] = kerneltest.Listener{Soft: nil, Heard: &heard} },
			func(t testing.TB, kit *gatewaytest.Kit) any {
				if err := kit.SaveMID(t.Context(), store.MID{ID: "live", MerchantID: gatewaytest.MerchantID,
					Connector: "ear"}); err != nil {
					return false
				}
				kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
				return len(heard) == 1
			}, [2]any{false, true}},
		{"Quoter", taxed(&quotes).Option, isCharged(withVAT), [2]any{false, true}},
	}
}

func TestHostOptions(t *testing.T) {
	t.Parallel()
	for i := range hostOptions() {
		for on := range 2 {
			o := hostOptions()[i]
			t.Run(fmt.Sprintf("%s %d", o.name, on), func(t *testing.T) {
				t.Parallel()
				var options []gatewaytest.Option
				if on == 1 {
					options = append(options, o.set)
				}
				require.Equal(t, o.want[on], o.seen(t, gatewaytest.New(t, options...)))
			})
		}
	}
}

// agedRow: at a certain time the records under a prefix still exist by default, and are deleted if their age is
// set.
type agedRow struct {
	set    func(*gateway.Retention)
	make   func(t testing.TB, kit *gatewaytest.Kit)
	prefix string
	at     time.Time
}

func ageOptions() map[string]agedRow {
	const short = 2 * kerneltest.Day
	soon, cardEnded := kerneltest.Date("2027-03-25"), kerneltest.Date("2038-02-10")
	paid := func(change ...func(*gateway.ChargeRequest)) func(t testing.TB, kit *gatewaytest.Kit) {
		return func(t testing.TB, kit *gatewaytest.Kit) {
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, change...)
		}
	}
	return map[string]agedRow{
		"Sessions": {func(r *gateway.Retention) { r.Sessions = short }, func(t testing.TB, kit *gatewaytest.Kit) { kit.Session(t, "ORD-1", "10.00") }, "s", soon},
		"Tokens":   {func(r *gateway.Retention) { r.Tokens = short }, paid(kerneltest.AsksToken), "ct", cardEnded},
		"Chains":   {func(r *gateway.Retention) { r.Chains = short }, paid(kerneltest.BeginsChain), "ch", cardEnded},
		"Payments": {func(r *gateway.Retention) { r.Payments = gateway.MinPayments }, paid(), "p",
			kerneltest.Date("2028-12-24")},
		"Callbacks": {func(r *gateway.Retention) { r.Callbacks = short }, paid(), "cb", soon},
		"Dead": {func(r *gateway.Retention) { r.Dead = short }, func(t testing.TB, kit *gatewaytest.Kit) {
			kit.Inbox.Answer(func(callback.Delivery) callback.Receipt { return callback.Receipt{Verdict: callback.Refused} })
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
			kit.Advance(t, 4*kerneltest.Day)
		}, "cb", soon},
		"Hashes": {func(r *gateway.Retention) { r.Hashes = short }, func(t testing.TB, kit *gatewaytest.Kit) {
			s := &kerneltest.SignedShop{Kit: kit, Handler: kerneltest.EveryDoor(kit)}
			d := kerneltest.DoorNamed(t, "session credit")
			s.Takes(t, d, d.Of("ORD-1", "10.00"))
			m := kerneltest.MerchantNotifiedAt(gatewaytest.CallbackURL, "")
			m.Password = store.NewSecret("another-password-0001")
			require.NoError(t, kit.SaveMerchant(t.Context(), m))
		}, "hs", soon},
	}
}

func TestRetentionOptions(t *testing.T) {
	t.Parallel()
	for name, row := range ageOptions() {
		for _, set := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %t", name, set), func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t, func(c *gateway.Config) {
					if set {
						row.set(&c.Retention)
					}
				})
				row.make(t, kit)
				kit.Work(t)
				require.NotEmpty(t, kerneltest.KeysUnder(t, kit.Store, row.prefix))
				kerneltest.LapAt(t, kit, row.at)
				require.Equal(t, set, len(kerneltest.KeysUnder(t, kit.Store, row.prefix)) == 0)
			})
		}
	}
}

// The page believes X-Forwarded-For only of the trusted peers; its clock is the gateway's.
func TestPageOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		set    func(*page.Options)
		expiry string
		ip     string // of the payment; empty for none
		at     string // by the gateway's clock; empty for the usual time
	}{
		{"nothing", func(*page.Options) {}, "01/38", "192.0.2.1", ""},
		{"TrustedProxies", func(o *page.Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} }, "01/38", "198.51.100.9", ""},
		{"a card that has expired by then", func(*page.Options) {}, "01/38", "", "2039-01-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			if c.at != "" {
				kit.Clock.Set(kerneltest.Date(c.at))
			}
			opts := page.Options{}
			c.set(&opts)
			asked := gatewaytest.Request("ORD-1", "10.00")
			asked.Customer.IP = ""
			link := kit.SessionOf(t, asked)
			form := url.Values{"attempt": {"0"}, "method": {"card"}, "card_number": {"4111 1111 1111 1111"},
				"expiry": {c.expiry}, "cvv": {"123"}}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/auth/"+link, strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("X-Forwarded-For", "198.51.100.9")
			r.RemoteAddr = "192.0.2.1:1234"
			w := httptest.NewRecorder()
			page.Handler(kit.Gateway, opts).ServeHTTP(w, r)
			if c.ip == "" {
				require.Empty(t, kit.Charges(t))
				return
			}
			require.Equal(t, c.ip, kit.Payment(t, "ORD-1").Payer.IP, w.Body.String())
		})
	}
}

// A connector that lost a power on its way into the configuration is refused, by its name.
func TestNewRefusesHiddenPowers(t *testing.T) {
	t.Parallel()
	_, err := gateway.New(gateway.Config{Connectors: map[string]methods.Connector{
		"bank": struct{ methods.Connector }{gatewaytest.New(t).Vcard}}})
	require.ErrorContains(t, err, `Config.Connectors: "bank": methods: struct { methods.Connector } embeds`)
	require.ErrorContains(t, err, "wrap it with methods.Wrap")
}

// configNonsense are values of Config that mean nothing, by their fields, with what New says of each.
func configNonsense() []struct {
	field string
	set   func(*gateway.Config)
	want  string
} {
	type c = gateway.Config
	public := func(text string) func(*c) { return func(cfg *c) { cfg.PublicURL = text } }
	return []struct {
		field string
		set   func(*c)
		want  string
	}{
		{"Store", func(cfg *c) { cfg.Store = nil }, "Config.Store is required"},
		{"Keys", func(cfg *c) { cfg.Keys = nil }, "Config.Keys is required"},
		{"Connectors", func(cfg *c) { cfg.Connectors = nil }, "Config.Connectors needs at least one"},
		{"Connectors", func(cfg *c) { cfg.Connectors = map[string]methods.Connector{"bank": nil} }, `Config.Connectors: "bank" has`},
		{"Connectors", func(cfg *c) { cfg.Connectors[""] = cfg.Connectors["vcard"] }, `Config.Connectors: "" has`},
		{"PublicURL", public(""), "Config.PublicURL: must be an absolute http or https URL"},
		{"PublicURL", public("pay.example"), "Config.PublicURL: must be an absolute http or https URL"},
		{"PublicURL", public("ftp://pay.example"), "Config.PublicURL: must be an absolute http or https URL"},
		{"PublicURL", public("https://pay.example?"), "Config.PublicURL: must have no query"},
		{"PublicURL", public("https://pay.example#"), "Config.PublicURL: must have no query, fragment"},
		{"PublicURL", public("https://admin@pay.example"), "Config.PublicURL: must have no query, fragment or user"},
		{"PublicURL", public("https://:8443"), "Config.PublicURL: has a host, a port"},
		{"PublicURL", public("https://*.example"), "Config.PublicURL: has a host, a port"},
		{"PublicURL", public("https://pay.example:99999"), "Config.PublicURL: has a host, a port"},
		{"PublicURL", public(`https://pay.example\@other.example`), "Config.PublicURL: is not a URL"},
		{"PublicURL", public("https://pay.example/" + strings.Repeat("a", 1024)), "Config.PublicURL: has a host, a port"},
		{"Sinks", func(cfg *c) { cfg.Sinks = callback.Sinks{"https": cfg.Notifier} }, "Config.Sinks: "},
		{"Sinks", func(cfg *c) { cfg.Sinks = callback.Sinks{"queue": nil} }, "Config.Sinks: "},
		{"Retry", func(cfg *c) { cfg.Retry = callback.Schedule{time.Second, -1} }, "Config.Retry: waits must not be negative"},
		{"Crypto", func(cfg *c) { cfg.Crypto = []methods.Currency{{Code: "USD"}} }, "Config.Crypto: "},
		{"Crypto", func(cfg *c) { cfg.Crypto = []methods.Currency{{Code: "USDT", Exponent: -1}} }, "Config.Crypto: "},
		{"Methods", func(cfg *c) { cfg.Methods = []methods.Method{{}} }, "Config.Methods: "},
		{"Wallets", func(cfg *c) {
			cfg.Wallets.Apple = map[store.WalletEnvironment][]string{store.WalletTest: {"no certificate"}}
		}, "Wallets"},
		{"Wallets", func(cfg *c) { cfg.Wallets.Google = map[store.WalletEnvironment]string{"test": "{}"} }, "Wallets"},
		{"Retention", func(cfg *c) { cfg.Retention.Sessions = -1 }, "Config.Retention.Sessions must not be negative"},
		{"Retention", func(cfg *c) { cfg.Retention.Hashes = time.Hour }, "Config.Retention.Hashes must be at least 24h0m0s"},
		{"Workers", func(cfg *c) { cfg.Workers.Callbacks = -1 }, "Config.Workers must be within 0..10000"},
		{"CallTimeout", func(cfg *c) { cfg.CallTimeout = -1 }, "Config.CallTimeout must not be negative"},
		{"Observers", func(cfg *c) { cfg.Observers = []observe.Observer{nil} }, "Config.Observers must not contain nil"},
	}
}

// defaulted are the fields of which nil is a default and every other value a choice.
var defaulted = []string{"Notifier", "Quoter", "Now", "NewID", "Random", "Log"}

// New refuses every value of Config that means nothing, with the name of the field.
func TestNewRefusesNonsense(t *testing.T) {
	t.Parallel()
	covered := map[string]bool{}
	for _, name := range defaulted {
		covered[name] = true
	}
	for _, row := range configNonsense() {
		covered[row.field] = true
		cfg := gateway.Config{Store: memory.New(), Keys: gatewaytest.NewKeys(), PublicURL: gatewaytest.PublicURL,
			Notifier: &gatewaytest.Inbox{}, Connectors: map[string]methods.Connector{"vcard": gatewaytest.New(t).Vcard}}
		_, err := gateway.New(cfg)
		require.NoError(t, err)
		row.set(&cfg)
		_, err = gateway.New(cfg)
		require.ErrorContains(t, err, row.want, row.field)
	}
	for i := range reflect.TypeFor[gateway.Config]().NumField() {
		name := reflect.TypeFor[gateway.Config]().Field(i).Name
		require.True(t, covered[name], "Config.%s needs a row, or is one of defaulted", name)
	}
}
