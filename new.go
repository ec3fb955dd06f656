package gateway

import (
	"context"
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/delivery"
	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/ids"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/once"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/retention"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/internal/watch"
	"github.com/tollgatepay/gateway/internal/work"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// New checks the configuration, reports every fault and returns the gateway. It starts nothing.
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
	watched := &watch.Watch{Observers: cfg.Observers, Log: cfg.Log}
	queues := &due.Queues{Store: cfg.Store, Now: cfg.now, Log: cfg.Log, Watch: watched}
	gw := &Gateway{
		cfg:    cfg,
		gate:   &engine.Gate{},
		queues: queues,
		site:   links.Site{PublicURL: cfg.PublicURL},
		sweeper: &retention.Sweeper{
			Store: cfg.Store, Now: cfg.now, Queues: queues, Keep: retention.Keep(cfg.Retention), Window: door.Window,
			Watch: watched, Purged: door.MarkPurged,
		},
		currencies: currencies,
		catalogue:  catalogue,
		form:       newForm(currencies, cfg.Now, cfg.Quoter != nil, catalogue),
		seals:      &seal.Sealer{Keys: cfg.Keys, Random: cfg.Random, Now: cfg.Now},
	}
	gw.router = &charge.Router{Connectors: cfg.Connectors, Catalogue: catalogue, Currencies: currencies}
	gw.ids = &ids.Source{Next: cfg.NewID}
	gw.wallets = &charge.WalletFlow{Router: gw.router, Log: cfg.Log, Now: gw.Now}
	gw.offers = &offers{router: gw.router, form: gw.form, now: gw.Now}
	gw.quotes = &quotes{quoter: cfg.Quoter, store: cfg.Store, currencies: currencies, log: cfg.Log, limit: cfg.CallTimeout}
	gw.merchants = gw.directory()
	gw.sessions = &session.Sessions{Store: cfg.Store, Now: gw.Now, Queues: queues}
	gw.cards = &token.Cards{Store: cfg.Store, Now: gw.Now, Random: cfg.Random, Seals: gw.seals}
	gw.door = &door.Door{Store: cfg.Store, Now: gw.Now, Currencies: currencies, Merchants: gw.merchants}
	gw.once = &once.Keys{Store: cfg.Store, Now: gw.Now, Seals: gw.seals}
	gw.agreements = recurring.New(recurring.Ports{
		Store: cfg.Store, Now: gw.Now, NewID: gw.ids.NewID, Queues: queues, Pay: gw.paySlot,
		Workers: cfg.Workers.Schedules,
	})
	gw.runner = &work.Runner{Store: cfg.Store, Now: gw.Now, Log: cfg.Log, Gate: gw.gate}
	gw.charges = &charge.Flow{
		Store: cfg.Store, Now: gw.Now, NewID: gw.ids.NewID, Random: cfg.Random,
		Site: gw.site, Seals: gw.seals, Router: gw.router, Quote: gw.quotes.quote,
		Wallets: gw.wallets, Cards: gw.cards, Agreements: gw.agreements,
	}
	gw.courier = delivery.New(delivery.Ports{
		Store: cfg.Store, Now: gw.Now, Log: cfg.Log, Seals: gw.seals, Queues: queues, Watch: watched, Runner: gw.runner,
		Notifier: cfg.Sinks.Beside(cfg.Notifier, cfg.Log), Retry: cfg.Retry, Workers: cfg.Workers.Callbacks,
	})
	gw.engine = engine.New(gw.ports())
	gw.charges.Engine = gw.engine
	gw.runner.Add(gw.kinds()...)
	gw.desk = gw.newDesk(watched)
	return gw, nil
}

func (gw *Gateway) directory() *merchant.Directory {
	return &merchant.Directory{
		Store: gw.cfg.Store, Now: gw.Now, Log: gw.cfg.Log, Seals: gw.seals, Queues: gw.queues, Connectors: gw.cfg.Connectors,
		Catalogue: gw.catalogue, Currencies: gw.currencies, Roots: merchant.Roots(gw.cfg.Wallets),
		IsCountry: fields.IsCountry, Sinks: gw.cfg.Sinks,
	}
}

// ports returns what the engine needs from the gateway.
func (gw *Gateway) ports() engine.Ports {
	return engine.Ports{
		Store: gw.cfg.Store, Now: gw.cfg.now, NewID: gw.ids.NewID, Random: gw.cfg.Random, Log: gw.cfg.Log,
		Connectors: gw.cfg.Connectors, CallTimeout: gw.cfg.CallTimeout, Catalogue: gw.catalogue, Currencies: gw.currencies,
		Seals: gw.seals, Site: gw.site, Queues: gw.queues, Gate: gw.gate, Workers: gw.cfg.Workers.Recovery,
		Merchant: func(ctx context.Context, id string) (engine.Merchant, error) {
			p, err := gw.merchants.ByID(ctx, id)
			if err != nil {
				return nil, err
			}
			return p, nil
		},
		Another: gw.charges.AnotherMID, Consequences: gw.consequences(), Sends: gw.markCallback, Watch: gw.queues.Watch,
		Wake: gw.runner.Nudge, Queued: gw.courier.Queued,
	}
}

// kinds returns the kinds of due work, in the order in which Tick does them.
func (gw *Gateway) kinds() []work.Kind {
	return []work.Kind{
		{Work: store.WorkRecovery, Claim: gw.engine.Claim, Batch: 8, Workers: gw.cfg.Workers.Recovery,
			Next: records.RecoveryQueue.Next, Offers: gw.engine.Offers, More: gw.engine.ClaimMore},
		{Work: store.WorkCallback, Claim: gw.courier.Claim, Batch: 32, Workers: gw.cfg.Workers.Callbacks,
			Next: callback.Outbox.Next, Offers: gw.courier.Offers,
			More: gw.courier.ClaimMore,
			Own:  &work.Own{Claim: gw.courier.ClaimQueued, Rest: gw.courier.ClaimUntil}},
		{Work: store.WorkSchedule, Claim: gw.agreements.Claim, Batch: 8, Workers: gw.cfg.Workers.Schedules,
			Next: records.DueQueue.Next, Offers: gw.agreements.Offers, More: gw.agreements.ClaimMore},
		{Work: store.WorkExpiry, Claim: gw.sessions.ClaimHeld, Batch: 32, Workers: 1, Next: records.HeldQueue.Next},
		{Work: store.WorkPurge, Claim: gw.sweeper.Claim, Batch: 1, Workers: 1, Next: retention.Due},
	}
}
