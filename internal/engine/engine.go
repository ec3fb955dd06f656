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

// Merchant is a merchant with everything configured for it, as an operation needs it.
type Merchant interface {
	Record() *store.Merchant
	Mapping(store.Protocol) *store.Mapping
	MID(id string) *store.MID
	// Speaks is the error of a protocol whose mapping cannot be read.
	Speaks(store.Protocol) error
	// Readable is the error of a payment whose mapping or MID cannot be read.
	Readable(*store.Payment) error
}

// Ports is what the engine is handed. All of it is required but Log's reader.
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

// Engine moves money in three steps: it stores an intent, calls the acquirer, and applies what came of it.
type Engine struct {
	Ports
	crew      *due.Crew // of recovery, by connector
	redirects redirects
}

// New is an engine over its ports.
func New(p Ports) *Engine {
	return &Engine{Ports: p, crew: due.NewCrew(records.RecoveryQueue, store.WorkRecovery, due.CrewWorkers)}
}

func (e *Engine) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, e.Store, fn)
}

// createIntent stores what an operation begins with. Should the store not know whether it committed, the
// transaction's own record tells.
func (e *Engine) createIntent(ctx context.Context, id string, fn func(store.Tx) error) error {
	return records.Create(ctx, e.Store, func(r store.Reader) error {
		_, err := records.Transactions.Get(r, id)
		return err
	}, fn)
}

func (e *Engine) payment(ctx context.Context, id string) (*store.Payment, error) {
	return records.Read(ctx, e.Store, records.Payments, id)
}

func (e *Engine) transaction(ctx context.Context, id string) (*store.Transaction, error) {
	return records.Read(ctx, e.Store, records.Transactions, id)
}

// Timeout is how long one call of a connector may take.
func (e *Engine) Timeout(name string) time.Duration {
	if connector, ok := e.Connectors[name]; ok {
		if own := methods.CapabilitiesOf(connector).Timeout; own > 0 {
			return own
		}
	}
	return e.CallTimeout
}

// IsCrypto reports a payment by a method of crypto currencies.
func (e *Engine) IsCrypto(p *store.Payment) bool {
	method, _ := e.Catalogue.Lookup(p.Method)
	return method.Kind == methods.KindCrypto
}
