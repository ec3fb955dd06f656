// Package engine moves money in three steps: it stores an intent, calls the acquirer, and applies what came of it.
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
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Ports is what the engine is handed. All of it is required.
type Ports struct {
	Store       store.Store
	Now         func() time.Time // in UTC, without the monotonic part
	NewID       func() (string, error)
	Random      io.Reader
	Log         *slog.Logger
	Connectors  map[string]methods.Connector
	CallTimeout time.Duration // of a connector that declares none
	Catalogue   *methods.Catalogue
	Currencies  *methods.Currencies
	Seals       *seal.Sealer
	Site        links.Site
	Queues      *due.Queues
	Gate        *Gate

	Merchant func(ctx context.Context, id string) (Merchant, error)
	// Another makes the attempt at another MID that follows what a payer came back with; nil for none.
	Another func(ctx context.Context, d Declined) (*Operation, error)
	// Consequences are what outcomes lead to outside of the engine, in the order they are done.
	Consequences []Consequence
	// Sends hears of the body of a callback before it is queued, within the transaction that queues it.
	Sends func(s *Settlement, body []byte) error
	// Changed hears of every committed change.
	Changed func(from store.Status, r *Result)
	// Wake says that something was queued.
	Wake func()
}

// Engine moves money in three steps: it stores an intent, calls the acquirer, and applies what came of it. Each part
// is handed only the ports it needs; recovery and reviews offer their own verbs.
type Engine struct {
	Ports
	calls   *calls
	returns *returns
	*recovery
	*reviews
}

// New is an engine over its ports.
func New(p Ports) *Engine {
	ledger := &ledger{p.Store}
	settler := &settler{
		ledger:    ledger,
		acquirers: &acquirers{p.Connectors, p.CallTimeout, p.Catalogue, p.Now, p.Gate},
		Log:       p.Log, Currencies: p.Currencies, Consequences: p.Consequences,
		Sends: p.Sends, Changed: p.Changed, Wake: p.Wake,
	}
	c := &calls{
		settler: settler, marks: &marks{ledger, p.Now, p.Random, p.Log}, redirects: &redirects{},
		Site: p.Site, Seals: p.Seals, Random: p.Random,
	}
	crew := due.NewCrew(records.RecoveryQueue, store.WorkRecovery, due.CrewWorkers)
	return &Engine{
		Ports: p, calls: c, returns: &returns{c, p.Merchant, p.Another},
		recovery: &recovery{c, p.Queues, crew, p.Merchant}, reviews: &reviews{ledger, p.Now},
	}
}

// IsCrypto reports a payment by a method of crypto currencies.
func (e *Engine) IsCrypto(p *store.Payment) bool { return e.calls.isCrypto(p) }

// Prompts is what the payer is asked now; what they answered once more, where its outcome was never heard.
func (e *Engine) Prompts(t *store.Transaction) []store.Prompt { return e.calls.prompts(t) }
