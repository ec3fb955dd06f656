package gateway

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/delivery"
	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/ids"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/once"
	"github.com/tollgatepay/gateway/internal/operator"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/retention"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/internal/work"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Gateway is a payment gateway. It is safe for concurrent use; nothing runs by itself until Run or Tick
// is called.
type Gateway struct {
	cfg        Config
	currencies *methods.Currencies
	catalogue  *methods.Catalogue
	router     *charge.Router
	wallets    *charge.WalletFlow
	offers     *offers
	charges    *charge.Flow
	quotes     *quotes
	form       *form
	seals      *seal.Sealer
	once       *once.Keys
	merchants  *merchant.Directory
	gate       *engine.Gate
	engine     *engine.Engine
	courier    *delivery.Courier
	runner     *work.Runner
	ids        *ids.Source
	agreements *recurring.Agreements
	door       *door.Door
	sessions   *session.Sessions
	cards      *token.Cards
	queues     *due.Queues
	site       links.Site
	sweeper    *retention.Sweeper
	desk       *operator.Desk
}

// made returns the gateway, and panics for one that New did not make: it has no store.
func made(gw *Gateway) *Gateway {
	if gw == nil || gw.gate == nil {
		panic("gateway: the Gateway is nil or zero: make one with gateway.New")
	}
	return gw
}

// Close refuses new work and waits until every operation that was begun has its outcome stored. From then on verbs
// return ErrUnavailable. The store stays open, because it is the host's. If ctx ends first, Close returns an error that
// wraps the context's, and recovery resolves the rest the next time a gateway runs on the store.
func (gw *Gateway) Close(ctx context.Context) error {
	if err := made(gw).gate.Close(ctx); err != nil {
		return err
	}
	if own, ok := gw.cfg.Notifier.(*callback.HTTPNotifier); ok {
		own.Close() // its idle connections
	}
	return nil
}

// PublicURL returns where payers reach the handlers: Config.PublicURL without a slash at its end.
func (gw *Gateway) PublicURL() string { return made(gw).cfg.PublicURL }

// Now returns the time by the gateway's clock (Config.Now) as records hold it: in UTC, in microseconds.
func (gw *Gateway) Now() time.Time { return made(gw).cfg.now() }

// Logged is AsError for packages that speak a protocol. It logs an internal error, unless ctx has ended.
func (gw *Gateway) Logged(ctx context.Context, err error) *refusal.Error {
	known, gw := refusal.AsError(err), made(gw)
	if known.Is(refusal.ErrInternal) && ctx.Err() == nil { // a caller who hung up is no fault of ours
		gw.cfg.Log.ErrorContext(ctx, "internal error", "error", err)
	}
	return known
}

// update runs fn as one transaction. fn may run more than once, so it sets its results anew each time.
func (gw *Gateway) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, gw.cfg.Store, fn)
}

func (gw *Gateway) payment(ctx context.Context, id string) (*records.Payment, error) {
	return records.Read(ctx, gw.cfg.Store, records.Payments, id)
}

func (gw *Gateway) session(ctx context.Context, token string) (s *store.Session, p *merchant.Profile, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		s, err = session.Load(r, token)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if s.Parameters, err = gw.seals.OpenParameters(ctx, s.MerchantID, s.ID, s.SealedParameters); err != nil {
		return nil, nil, err
	}
	p, err = gw.merchants.For(ctx, s.MerchantID, store.Checkout)
	return s, p, err
}

// SaveMerchant stores a merchant, new or changed, while the gateway runs. The merchant's keys must be free or its own,
// and its password none that it had before. The error names every fault; it is none of the catalogue.
func (gw *Gateway) SaveMerchant(ctx context.Context, m store.Merchant) error {
	return made(gw).merchants.SaveMerchant(ctx, m)
}

// SaveMapping stores the Protocol Mapping of a merchant for one protocol, in place of the one it had. The error names
// every fault; it wraps store.ErrNotFound when the merchant was not saved before.
func (gw *Gateway) SaveMapping(ctx context.Context, m store.Mapping) error {
	return made(gw).merchants.SaveMapping(ctx, m)
}

// SaveMID stores a MID of a merchant, new or changed. Errors are as for SaveMapping.
func (gw *Gateway) SaveMID(ctx context.Context, mid store.MID) error {
	return made(gw).merchants.SaveMID(ctx, mid)
}

// SaveWallets replaces a merchant's wallet settings. Errors are as for SaveMapping, and none repeats a key.
func (gw *Gateway) SaveWallets(ctx context.Context, w store.Wallets) error {
	return made(gw).merchants.SaveWallets(ctx, w)
}
