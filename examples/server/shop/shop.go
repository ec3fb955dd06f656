// Package shop is a small shop that sells through a Tollgate gateway the way every merchant does: it sends signed
// JSON to the gateway over HTTP, sends the payer to the page of the answer, checks the hash of every return and
// callback, and trusts only the status that it looks up, never the browser.
//
// It uses no internals of the gateway. From the library it imports the packages callback/receive and
// callback/signature, and the types that hide a secret.
//
//	GET  /                          the products
//	GET  /products/{id}             one product, to be bought by POST
//	GET  /orders                    the orders, newest first
//	GET  /orders/{number}           one order: its payment, its requests and answers, and the callbacks
//	POST /orders/{number}/{action}  capture, refund or void; of a subscription also pause, run or unsubscribe
//	GET  /orders/{number}/{ending}  where the payer returns: success, cancel, expiry or error
//	GET  /callbacks                 the callbacks as they came
//	POST /demo/callback             takes a callback
//	GET  /demo/callbacks            the callbacks as JSON, oldest first
//	GET  /shop/{file}               stylesheet, scripts and pictures
//
// These pages may share an origin with the gateway, and do in the demo. A page that takes cards itself, with the
// gateway's hosted fields, must not: its scripts cannot read the digits only because the frames are of another
// origin. Own serves the shop for an origin of its own, with these pages too:
//
//	POST /products/{id}/fields      places an order that is paid on the shop's own page
//	GET  /orders/{number}/pay       that page; POST pays
//	GET  /orders/{number}/return    where the payer returns, however it ended
//
// One product is a subscription. Its later payments are made by the gateway: the shop makes a schedule for each
// subscriber (S2S CARD, CREATE_SCHEDULE), names it in the session of the first payment, and gets callbacks of the
// others. The first of those is due on the day of the sale (schedule_start_date), so that a visitor of the demo
// sees it.
//
// Orders and callbacks are kept in memory; a shop that earns money keeps them in its database.
package shop

import (
	"context"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/tollgatepay/gateway/callback/receive"
)

// Config configures a shop. API, Public and one account are required.
type Config struct {
	// VAT says that the gateway computes tax: buyers choose their country, and the payment page shows the tax.
	VAT bool
	// API is the address of the gateway for merchants, like "http://127.0.0.1:8080".
	API string
	// Public is the address of the shop and the payment page for payers, like "https://demo.example". It has no path.
	Public string
	// Own is an origin of the shop other than the gateway's, like "https://shop.example", for pages that take cards
	// themselves. Without it there are no such pages.
	Own string
	// Library is the gateway's script for such pages. Required with Own.
	Library Library
	// Accounts are merchants of the gateway. The first one sells; callbacks of all are accepted.
	Accounts []Account
	// Sent returns what was sent of a payment by S2S, as a merchant's own records have it: the shop itself sells by
	// Checkout. Default: callbacks whose hash covers what they do not have are refused.
	Sent Sent
	// Now is the clock. Default: time.Now.
	Now func() time.Time
	// Log gets the failures. Default: discarded.
	Log *slog.Logger
}

// Sent returns what a hash covers and a callback does not have, or receive.ErrUnknown.
type Sent = func(ctx context.Context, c *receive.Callback) (receive.Payment, error)

// Library is a script of the gateway, with what a page needs to load it.
type Library struct {
	URL       string // absolute
	Integrity string // for the integrity attribute
}

// Shop is a demo shop. It is safe for concurrent use.
type Shop struct {
	cfg    Config
	seller *Account
	api    *client
	orders orders
	inbox  inbox
	views  map[string]*template.Template
	policy string
	origin *http.CrossOriginProtection
}

// New checks the configuration and makes a shop. It starts nothing.
func New(cfg Config) (*Shop, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	views, err := parseViews()
	if err != nil {
		return nil, err
	}
	seller := &cfg.Accounts[0]
	return &Shop{
		cfg: cfg, seller: seller, api: newClient(cfg.API, seller, cfg.Now), views: views,
		policy: policyFor(cfg.Public), origin: http.NewCrossOriginProtection(),
	}, nil
}

func (cfg *Config) check() error {
	switch {
	case len(cfg.Accounts) == 0:
		return errors.New("shop: Accounts needs at least one")
	case !isOrigin(cfg.Public):
		return errors.New("shop: Public must be scheme and host, like https://demo.example")
	case cfg.Own != "" && (!isOrigin(cfg.Own) || cfg.Own == cfg.Public):
		return errors.New("shop: Own must be scheme and host, and not those of Public")
	case cfg.Own != "" && (cfg.Library.URL == "" || cfg.Library.Integrity == ""):
		return errors.New("shop: Own needs a Library")
	}
	return nil
}

func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme != "" && u.Host != "" && u.Path == "" && u.RawQuery == ""
}

// Close closes the connections to the gateway that are kept for reuse.
func (s *Shop) Close() { s.api.close() }
