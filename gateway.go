package gateway

import (
	"context"
	"time"

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
	"github.com/tollgatepay/gateway/refusal"
)

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

// Logged is AsError for protocols: a fault of our own is written to the log, where a merchant's is not.
func (gw *Gateway) Logged(ctx context.Context, err error) *refusal.Error {
	known := refusal.AsError(err)
	if known.Is(refusal.ErrInternal) && ctx.Err() == nil { // a caller who hung up is no fault of ours
		gw.cfg.Log.ErrorContext(ctx, "internal error", "error", err)
	}
	return known
}
