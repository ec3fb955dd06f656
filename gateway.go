package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/delivery"
	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/retention"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/internal/work"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
)

// Config is everything the host supplies. Store, Keys, Connectors and PublicURL are required; the zero
// value of every other field picks the strict choice named beside it.
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
	// Retry is the schedule of redeliveries. Default: callback.DefaultSchedule, about three days.
	Retry callback.Schedule
	// Crypto registers crypto currencies with their exponents. Default: ISO 4217 only.
	Crypto []methods.Currency
	// Methods are the host's own payment methods, beside or in place of those of the default catalogue.
	Methods []methods.Method
	// Wallets are the roots under which wallet tokens are verified. Default: nobody is trusted, so that no
	// merchant can have keys that open tokens.
	Wallets WalletRoots
	// Quoter computes value added tax and currency exchange. Default: none, and a request that asks for the tax
	// (vat_calc) is refused.
	Quoter Quoter
	// Retention says for how long records stay that are good for nothing any more. Default: see there; payments
	// stay for ever.
	Retention Retention
	// CallTimeout bounds one call of a connector that declares no time-out. Default: 30 s.
	CallTimeout time.Duration
	// Now is the clock. Default: time.Now. Instances on one store keep their clocks together, closer than
	// DuplicateWindow and than the shortest Lateness that a connector declares: what one instance dates, the others
	// judge by their own clock.
	Now func() time.Time
	// NewID makes identifiers of payments, transactions, sessions, chains and schedules: 1 to 64 bytes of A to Z,
	// a to z, 0 to 9 and -_.~, each but once, ascending in time. An answer that is none of these is ErrInternal to
	// who asked, and told in the log. Default: UUID version 7.
	NewID func() string
	// Random is the source of secrets. Default: crypto/rand.
	Random io.Reader
	// Log gets what goes wrong and what a person has to look at. Default: discarded.
	Log *slog.Logger
	// Observer hears of every committed change, of what is set aside, and of what is put off. It must not block. Default: none.
	Observer func(Event)
}

// Event is one committed change of a payment, for metrics and alarms; or, with Aside, something that was set
// aside because it cannot be read, or, with PutOff, due work that could not be begun: the other fields but At are
// empty then.
type Event struct {
	PaymentID     string
	TransactionID string
	Operation     store.Operation
	Outcome       store.Outcome
	From, To      store.Status
	Review        string // why a person has to look, when so
	At            time.Time
	Aside         *store.Aside
	PutOff        *store.PutOff
}

// Gateway is a payment gateway. It is safe for concurrent use; nothing runs by itself until Run or Tick
// is called.
type Gateway struct {
	cfg        Config
	currencies *methods.Currencies
	catalogue  *methods.Catalogue
	router     *router
	wallets    *walletFlow
	offers     *offers
	charges    *charges
	quotes     *quotes
	form       *form
	seals      *seal.Sealer
	merchants  *merchant.Directory
	gate       *engine.Gate
	engine     *engine.Engine
	courier    *delivery.Courier
	runner     *work.Runner
	ids        *identifiers
	agreements *recurring.Agreements
	door       *door.Door
	sessions   *session.Sessions
	cards      *token.Cards
	queues     *due.Queues
	site       links.Site
	sweeper    *retention.Sweeper
}

// New checks the configuration as a whole and names every fault. It starts nothing.
func New(cfg Config) (*Gateway, error) {
	faults := cfg.faults()
	currencies, err := methods.NewCurrencies(cfg.Crypto...)
	if err != nil {
		faults = append(faults, fmt.Errorf("Config.Crypto: %w", err))
	}
	catalogue, err := methods.NewCatalogue(cfg.Methods...)
	if err != nil {
		faults = append(faults, fmt.Errorf("Config.Methods: %w", err))
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("gateway: configuration: %w", errors.Join(faults...))
	}
	cfg.setDefaults()
	queues := cfg.queues()
	gw := &Gateway{
		cfg:    cfg,
		gate:   &engine.Gate{},
		queues: queues,
		site:   links.Site{PublicURL: cfg.PublicURL},
		sweeper: &retention.Sweeper{
			Store: cfg.Store, Now: cfg.now, Queues: queues, Keep: retention.Keep(cfg.Retention), Window: door.Window,
		},
		currencies: currencies,
		catalogue:  catalogue,
		form:       newForm(currencies, cfg.Now, cfg.Quoter != nil, catalogue),
		seals:      &seal.Sealer{Keys: cfg.Keys, Random: cfg.Random, Now: cfg.Now},
	}
	gw.router = &router{connectors: cfg.Connectors, catalogue: catalogue, currencies: currencies}
	gw.ids = &identifiers{next: cfg.NewID, chance: cfg.Random}
	gw.wallets = &walletFlow{router: gw.router, log: cfg.Log, now: gw.now}
	gw.offers = &offers{router: gw.router, form: gw.form, now: gw.now}
	gw.quotes = &quotes{quoter: cfg.Quoter, currencies: currencies, log: cfg.Log, timeout: cfg.CallTimeout}
	gw.merchants = gw.directory()
	gw.sessions = &session.Sessions{Store: cfg.Store, Now: gw.now, Queues: queues}
	gw.cards = &token.Cards{Store: cfg.Store, Now: gw.now, Random: cfg.Random, Seals: gw.seals}
	gw.door = &door.Door{Store: cfg.Store, Now: gw.now, Currencies: currencies, Merchants: gw.merchants}
	gw.agreements = recurring.New(recurring.Ports{
		Store: cfg.Store, Now: gw.now, NewID: gw.ids.newID, Queues: queues, Pay: gw.paySlot,
	})
	gw.runner = &work.Runner{Store: cfg.Store, Now: gw.now, Log: cfg.Log, Gate: gw.gate}
	gw.charges = &charges{
		store: cfg.Store, now: gw.now, ids: gw.ids, site: gw.site, seals: gw.seals, router: gw.router, quotes: gw.quotes,
		wallets: gw.wallets, cards: gw.cards, agreements: gw.agreements,
	}
	gw.engine = engine.New(gw.ports())
	gw.charges.engine = gw.engine
	gw.courier = delivery.New(delivery.Ports{
		Store: cfg.Store, Now: gw.now, Log: cfg.Log, Seals: gw.seals, Queues: queues, Notifier: cfg.Notifier, Retry: cfg.Retry,
		Nudge: gw.runner.Nudge,
	})
	gw.runner.Add(gw.kinds()...)
	return gw, nil
}

func (gw *Gateway) directory() *merchant.Directory {
	return &merchant.Directory{
		Store: gw.cfg.Store, Now: gw.now, Log: gw.cfg.Log, Seals: gw.seals, Queues: gw.queues, Connectors: gw.cfg.Connectors,
		Catalogue: gw.catalogue, Currencies: gw.currencies, Roots: merchant.Roots(gw.cfg.Wallets),
		IsCountry: func(code string) bool { return isCountry(gw.form, nil, code) },
	}
}

// ports are what the engine is handed.
func (gw *Gateway) ports() engine.Ports {
	return engine.Ports{
		Store: gw.cfg.Store, Now: gw.cfg.now, NewID: gw.ids.newID, Random: gw.cfg.Random, Log: gw.cfg.Log,
		Connectors: gw.cfg.Connectors, CallTimeout: gw.cfg.CallTimeout, Catalogue: gw.catalogue, Currencies: gw.currencies,
		Seals: gw.seals, Site: gw.site, Queues: gw.queues, Gate: gw.gate,
		Merchant: func(ctx context.Context, id string) (engine.Merchant, error) {
			p, err := gw.merchants.ByID(ctx, id)
			if err != nil {
				return nil, err
			}
			return p, nil
		},
		Another: gw.charges.anotherMID, Consequences: gw.consequences(), Sends: gw.markCallback, Changed: gw.tellChange, Wake: gw.runner.Nudge,
	}
}

// tellChange tells the Observer of a change that is committed.
func (gw *Gateway) tellChange(from store.Status, r *engine.Result) {
	t := &r.Transaction
	gw.cfg.Observer(Event{
		PaymentID: t.PaymentID, TransactionID: t.ID, Operation: t.Operation, Outcome: t.Outcome,
		From: from, To: r.Payment.Status, Review: t.Review, At: gw.now(),
	})
}

func (cfg *Config) faults() (faults []error) {
	if cfg.Store == nil {
		faults = append(faults, errors.New("Config.Store is required: memory.New() for tests, bolt.Open(path) to keep payments"))
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
		}
	}
	if err := checkPublicURL(cfg.PublicURL); err != nil {
		faults = append(faults, fmt.Errorf("Config.PublicURL: %w", err))
	}
	if cfg.CallTimeout < 0 {
		faults = append(faults, errors.New("Config.CallTimeout must not be negative"))
	}
	faults = append(faults, cfg.Retention.faults()...)
	return append(faults, merchant.Roots(cfg.Wallets).Faults()...)
}

func checkPublicURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return errors.New("is not a URL")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return errors.New("must be an absolute http or https URL, like https://pay.example")
	case u.RawQuery != "" || u.Fragment != "" || u.User != nil:
		return errors.New("must have no query, fragment or user information")
	}
	return nil
}

func (cfg *Config) setDefaults() {
	cfg.Retention.setDefaults()
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
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.NewID == nil {
		cfg.NewID = func() string { return uuid.Must(uuid.NewV7()).String() }
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Observer == nil {
		cfg.Observer = func(Event) {}
	}
}

// now is the clock in UTC and without the monotonic part, as records hold it.
func (cfg *Config) now() time.Time { return cfg.Now().UTC().Round(0) }

func (cfg *Config) queues() *due.Queues {
	return &due.Queues{Store: cfg.Store, Now: cfg.now, Log: cfg.Log, Told: func(a *store.Aside, off *store.PutOff, at time.Time) {
		cfg.Observer(Event{Aside: a, PutOff: off, At: at})
	}}
}

// Close refuses new work and waits until every operation that was begun has its outcome stored. The
// store stays open: it is the host's. What Close cannot wait for, because ctx ends, is resolved by
// recovery the next time a gateway runs on the store.
func (gw *Gateway) Close(ctx context.Context) error {
	if err := gw.gate.Close(ctx); err != nil {
		return err
	}
	if own, ok := gw.cfg.Notifier.(*callback.HTTPNotifier); ok {
		own.Close() // its idle connections
	}
	return nil
}

// PublicURL is where payers reach the handlers, as Config names it, without a slash at its end.
func (gw *Gateway) PublicURL() string { return gw.cfg.PublicURL }

// now is the gateway's clock, in UTC and without the monotonic part, as records hold it.
func (gw *Gateway) now() time.Time { return gw.cfg.now() }
