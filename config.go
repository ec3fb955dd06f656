package gateway

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/delivery"
	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/ids"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
)

// Config is what the host supplies. Store, Keys, Connectors and PublicURL are required. Every other field may be zero,
// which picks the strict choice named beside it.
type Config struct {
	// Store keeps every record. The host opens and closes it.
	Store store.Store
	// Keys wraps the keys under which cards and passwords are sealed.
	Keys keys.Provider
	// Connectors are the acquirers, by the name that MIDs use.
	Connectors map[string]methods.Connector
	// PublicURL is where payers reach the handlers, like "https://pay.example". It builds every
	// absolute link; a path prefix is kept.
	PublicURL string

	// Notifier delivers callbacks. Default: over HTTP, to public addresses only.
	Notifier callback.Notifier
	// Sinks deliver callbacks to what is no URL, by scheme: {"queue": q} lets a merchant's NotificationURL be
	// queue:orders, and q gets it as Delivery.URL. Retries, blocks and order are the same as for URLs. A request over
	// the wire may name URLs only. Default: none.
	Sinks callback.Sinks
	// Retry is the schedule of redeliveries. Default: callback.DefaultSchedule, about three days.
	Retry callback.Schedule
	// Crypto registers crypto currencies with their exponents. Default: ISO 4217 only.
	Crypto []methods.Currency
	// Methods are the host's own payment methods, beside or in place of those of the default catalogue.
	Methods []methods.Method
	// Wallets are the roots under which wallet tokens are verified. Default: none is trusted, so that no
	// merchant can have keys that open tokens.
	Wallets WalletRoots
	// Quoter computes value added tax and currency exchange. Default: none, and a request that asks for the tax
	// (vat_calc) is refused.
	Quoter Quoter
	// Retention says how long records stay that are of no more use. Default: see there; payments
	// stay for ever.
	Retention Retention
	// Workers are how much Run does at a time. Default: see there.
	Workers Workers
	// CallTimeout bounds one call of a connector that declares no time-out. Default: 30 s.
	CallTimeout time.Duration
	// Now is the clock. Default: that of the store, if it has one (store.Clock), else time.Now. With clocks of their
	// own, instances on one store keep these together, closer than DuplicateWindow and than the shortest Lateness that
	// a connector declares: what one instance dates, the others judge by their own clock.
	Now func() time.Time
	// NewID makes identifiers of payments, transactions, sessions, chains and schedules: 1 to 64 bytes of A to Z,
	// a to z, 0 to 9 and -_.~, each only once, ascending in time. For any other the caller gets ErrInternal, and
	// the log says why. Default: UUID version 7.
	NewID func() string
	// Random is the source of secrets. Default: crypto/rand.
	Random io.Reader
	// Log gets what goes wrong and what a person has to look at. Default: discarded.
	Log *slog.Logger
	// Observers hear of payments, calls, callbacks and what a person has to look at: docs/events.md. They must not block.
	// Default: none; what a person has to look at is logged all the same.
	Observers []observe.Observer
}

// Workers are how many items of each kind of due work one instance does at a time. They are divided among connectors,
// merchants and their servers: one that hangs takes no more than a quarter.
type Workers struct {
	Callbacks int // deliveries; default 64
	Recovery  int // questions about open transactions; default 32
	Schedules int // scheduled payments; default 128
}

func (w *Workers) faults() (faults []error) {
	if min(w.Callbacks, w.Recovery, w.Schedules) < 0 || max(w.Callbacks, w.Recovery, w.Schedules) > 10_000 {
		faults = append(faults, errors.New("Config.Workers must be within 0..10000"))
	}
	return faults
}

func (w *Workers) setDefaults() {
	w.Callbacks = cmp.Or(w.Callbacks, delivery.Workers)
	w.Recovery, w.Schedules = cmp.Or(w.Recovery, due.CrewWorkers), cmp.Or(w.Schedules, recurring.Workers)
}

func (cfg *Config) faults() (faults []error) {
	if cfg.Store == nil {
		faults = append(faults,
			errors.New("Config.Store is required: memory.New() for tests, bolt.Open(path) to keep payments"))
	}
	if cfg.Keys == nil {
		faults = append(faults, errors.New("Config.Keys is required: cards and passwords are kept sealed only"))
	}
	if len(cfg.Connectors) == 0 {
		faults = append(faults, errors.New("Config.Connectors needs at least one: vcard.New for tests"))
	}
	for name, connector := range cfg.Connectors {
		if name == "" || connector == nil {
			faults = append(faults, fmt.Errorf("Config.Connectors: %q has no name or no connector", name))
		} else if err := methods.CheckPowers(connector); err != nil {
			faults = append(faults, fmt.Errorf("Config.Connectors: %q: %w", name, err))
		}
	}
	if slices.Contains(cfg.Observers, nil) {
		faults = append(faults, errors.New("Config.Observers must not contain nil"))
	}
	if err := links.CheckPublicURL(cfg.PublicURL); err != nil {
		faults = append(faults, fmt.Errorf("Config.PublicURL: %w", err))
	}
	if slices.ContainsFunc(cfg.Retry, func(wait time.Duration) bool { return wait < 0 }) {
		faults = append(faults, errors.New("Config.Retry: waits must not be negative"))
	}
	if cfg.CallTimeout < 0 {
		faults = append(faults, errors.New("Config.CallTimeout must not be negative"))
	}
	faults = append(faults, cfg.Retention.faults()...)
	faults = append(faults, cfg.Workers.faults()...)
	for _, fault := range cfg.Sinks.Faults() {
		faults = append(faults, fmt.Errorf("Config.Sinks: %w", fault))
	}
	return append(faults, merchant.Roots(cfg.Wallets).Faults()...)
}

func (cfg *Config) setDefaults() {
	cfg.Retention.setDefaults()
	cfg.Workers.setDefaults()
	cfg.PublicURL = strings.TrimSuffix(cfg.PublicURL, "/")
	if cfg.Notifier == nil {
		cfg.Notifier = &callback.HTTPNotifier{}
	}
	if cfg.Retry == nil {
		cfg.Retry = callback.DefaultSchedule()
	}
	if cfg.CallTimeout == 0 {
		cfg.CallTimeout = 30 * time.Second
	}
	if clock := store.ClockOf(cfg.Store); cfg.Now == nil && clock != nil {
		cfg.Now = clock.Now
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	if cfg.NewID == nil {
		cfg.NewID = (&ids.Ordered{Now: cfg.Now, Random: rand.Reader}).Next // which never fails
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
}

// now returns the time as records hold it: in UTC, without the monotonic part, in microseconds as databases keep them.
func (cfg *Config) now() time.Time { return cfg.Now().UTC().Truncate(time.Microsecond) }

// WalletRoots are the roots that the gateway trusts to sign wallet tokens, by environment. The wallets publish and
// change them, so the library ships none. Without the roots of an environment no processing keys can be saved for it.
type WalletRoots struct {
	// Apple has the root certificates of wallet A, each in PEM.
	Apple map[store.WalletEnvironment][]string
	// Google has the list of root signing keys of wallet B, as the wallet publishes it in JSON.
	Google map[store.WalletEnvironment]string
}
