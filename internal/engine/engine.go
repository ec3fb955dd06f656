// Package engine moves money in three steps: it stores an intent, calls the acquirer, and applies the answer.
package engine

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/internal/watch"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Ports are what the engine needs from outside. All of them are required.
type Ports struct {
	Store       store.Store
	Now         func() time.Time // in UTC, without the monotonic part
	NewID       func() (string, error)
	Random      io.Reader
	Log         *slog.Logger
	Connectors  map[string]methods.Connector
	Workers     int           // how many questions of recovery one instance asks at a time
	CallTimeout time.Duration // for a connector that declares none
	Catalogue   *methods.Catalogue
	Currencies  *methods.Currencies
	Seals       *seal.Sealer
	Site        links.Site
	Queues      *due.Queues
	Gate        *Gate

	Merchant func(ctx context.Context, id string) (Merchant, error)
	// Another makes the attempt at another MID after a soft decline of a payer's return; nil if there is none.
	Another func(ctx context.Context, d Declined) (*Operation, error)
	// Consequences are the effects of outcomes outside the engine, in the order in which they run.
	Consequences []Consequence
	// Sends is called with the body of a callback, in the transaction that queues it.
	Sends func(s *Settlement, body string) error
	// Watch is told of every committed change and of every call.
	Watch *watch.Watch
	// Wake is called when work was queued that may be due.
	Wake func(store.Work)
	// Queued is called when a callback of a payment was queued, with its number.
	Queued func(p *store.Payment, callback int)
}

// Engine moves money in three steps: it stores an intent, calls the acquirer, and applies the answer. Each
// part gets only the ports it needs. Recovery and reviews have their own methods.
type Engine struct {
	Ports
	calls   *calls
	returns *returns
	*recovery
	*reviews
}

// New returns an engine over its ports.
func New(p Ports) *Engine {
	ledger := &ledger{p.Store}
	settler := &settler{
		ledger:    ledger,
		acquirers: &acquirers{p.Connectors, p.CallTimeout, p.Catalogue, p.Now, p.Gate, p.Watch},
		Log:       p.Log, Currencies: p.Currencies, Consequences: p.Consequences,
		Sends: p.Sends, Wake: p.Wake, Queued: p.Queued,
	}
	c := &calls{
		settler: settler, marks: &marks{ledger, p.Now, p.Random, p.Log}, redirects: &redirects{},
		Site: p.Site, Seals: p.Seals, Random: p.Random,
	}
	crew := due.NewCrew(records.RecoveryQueue, store.WorkRecovery, p.Workers)
	return &Engine{
		Ports: p, calls: c, returns: &returns{c, p.Merchant, p.Another},
		recovery: &recovery{c, p.Queues, crew, p.Merchant}, reviews: &reviews{ledger, p.Now},
	}
}

// IsCrypto reports whether a payment's method is a cryptocurrency.
func (e *Engine) IsCrypto(p *records.Payment) bool { return e.calls.isCrypto(p) }

// Prompts returns what to ask the payer now. Prompts that were answered are asked again if the outcome of the
// answer is unknown.
func (e *Engine) Prompts(t *records.Transaction) []store.Prompt { return e.calls.prompts(t) }
