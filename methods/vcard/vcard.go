package vcard

import (
	"crypto/rand"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// MinSecret is the least number of bytes of Config.Secret.
const MinSecret = 16

// Config configures a test acquirer. Store, Secret and PublicURL are required.
type Config struct {
	// Store holds the ledger. It may be the gateway's own: the keys begin with Prefix.
	Store store.Store
	// Prefix of every key; "vcard/" when empty. Two acquirers in one store need two prefixes.
	Prefix string
	// Secret signs notifications and the tokens of the simulated pages; at least MinSecret bytes.
	Secret store.Secret
	// PublicURL is the base of the simulated pages, as the payer's browser reaches them.
	PublicURL string
	// Now is the acquirer's clock; time.Now when nil.
	Now func() time.Time
	// NewID names transactions (References); random when nil.
	NewID func() string
	// Capabilities overrides what is declared, and with it how the acquirer behaves.
	Capabilities *methods.Capabilities
}

// Connector is the test acquirer. It implements every optional power of a connector and is safe for
// concurrent use.
type Connector struct {
	books   books
	scripts scripts
	secret  store.Secret
	public  string
	now     func() time.Time
	newID   func() string
	can     methods.Capabilities
}

var _ interface {
	methods.Connector
	methods.Declarer
	methods.Finder
	methods.Completer
	methods.Notified
	methods.Stopper
} = (*Connector)(nil)

// New checks the configuration and makes the acquirer. It starts nothing and stores nothing.
func New(cfg Config) (*Connector, error) {
	u, err := url.Parse(cfg.PublicURL)
	switch {
	case cfg.Store == nil:
		return nil, errors.New("vcard: Config.Store is required")
	case len(cfg.Secret.Reveal()) < MinSecret:
		return nil, errors.New("vcard: Config.Secret must have at least 16 bytes")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("vcard: Config.PublicURL must be an http or https URL without a query")
	}
	c := &Connector{
		books: books{store: cfg.Store, prefix: cfg.Prefix}, secret: cfg.Secret,
		public: strings.TrimRight(cfg.PublicURL, "/"), now: cfg.Now, newID: cfg.NewID, can: defaults(),
	}
	if c.books.prefix == "" {
		c.books.prefix = "vcard/"
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.newID == nil {
		c.newID = rand.Text
	}
	if cfg.Capabilities != nil {
		c.can = *cfg.Capabilities
	}
	c.can.Powers = methods.PowersOf(c)
	return c, nil
}

func defaults() methods.Capabilities {
	return methods.Capabilities{
		IdempotentByKey: true, Lateness: time.Minute, ResendWithoutCode: true, Holds: true, ZeroAmount: true,
		Wallet: methods.WalletDecrypted, WalletHolds: true,
	}
}

// Capabilities returns Config.Capabilities, or the defaults: idempotent by key, one minute of lateness, resends
// without the security code, holds and zero amounts, and everything of wallets. Its powers are declared in any case.
func (c *Connector) Capabilities() methods.Capabilities { return c.can }
