package vcard

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// The times of the test cards.
const (
	// PayerTime is how long a payer may take on a simulated page; then the operation is declined.
	PayerTime = 20 * time.Minute
	// PendingFor is how long 07/2038 and 08/2038 stay pending.
	PendingFor = 5 * time.Minute
	// LateBy is how long 11/2038 is not found before it takes effect. It is less than the declared lateness.
	LateBy = 30 * time.Second
	// SettledAfter is when captured money can no longer be voided: the longest day of any time zone.
	SettledAfter = 25 * time.Hour
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
	return c, nil
}

func defaults() methods.Capabilities {
	return methods.Capabilities{
		IdempotentByKey: true, Lateness: time.Minute, ResendWithoutCode: true, Holds: true, ZeroAmount: true,
		Wallet: methods.WalletDecrypted, WalletHolds: true,
	}
}

// Capabilities returns Config.Capabilities, or the defaults: idempotent by key, one minute of lateness, resends
// without the security code, holds and zero amounts, and everything of wallets.
func (c *Connector) Capabilities() methods.Capabilities { return c.can }

// Perform books op, or answers why not. A second call with the same key finds the booking of the first and books
// nothing; the same key for another kind, amount or currency is declined.
func (c *Connector) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	switch {
	case ctx.Err() != nil:
		return methods.NotSent(op, "the context had ended before anything was sent")
	case op.Key == "" || len(op.Key) > maxKey || !utf8.ValidString(op.Key):
		return methods.NotSent(op, "the operation has no valid key")
	}
	o := c.scripts.take(CallPerform, op)
	if a, stop := o.halt(ctx, op, before); stop {
		return a
	}
	p := c.planOf(op)
	if o.plan != nil {
		p = *o.plan
	}
	e, repeated, err := c.perform(ctx, op, p)
	if err != nil {
		return methods.Unknown(op, "the ledger failed: "+err.Error())
	}
	if a, stop := o.halt(ctx, op, after); stop {
		return a
	}
	if p.lost && !repeated {
		return methods.Unknown(op, "the answer was lost")
	}
	return o.spoiled(c.answer(op, e))
}

// Find answers with what the ledger has under op's key, after the changes that were due: late effects, pending
// outcomes and payers who did not finish.
func (c *Connector) Find(ctx context.Context, op methods.Operation) methods.Answer {
	if ctx.Err() != nil {
		return methods.Unknown(op, "the context has ended")
	}
	o := c.scripts.take(CallFind, op)
	for _, s := range []stage{before, after} {
		if a, stop := o.halt(ctx, op, s); stop {
			return a
		}
	}
	if o.plan != nil {
		return o.spoiled(o.plan.claim(op))
	}
	e, err := c.Entry(ctx, op.Key)
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && e.State == StateUnseen:
		return o.spoiled(methods.NotFound(op))
	case err != nil:
		return methods.Unknown(op, "the ledger failed: "+err.Error())
	}
	return o.spoiled(c.found(op, e))
}
