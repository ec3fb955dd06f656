// Package page serves everything a payer's browser or an acquirer calls, whatever the protocol: the payment page,
// the way to the issuer and back, the waiting and result pages, and the acquirers' notifications.
//
//	GET  /auth/{token}          what the payer sees next: form, forwarding, code or details, question, waiting, result
//	POST /auth/{token}          the chosen method, with the card or what else it asks for
//	POST /auth/{token}/answer   what a connector asks for after the start
//	GET  /auth/{token}/qr.png   the QR code that the payer sees
//	POST /auth/{token}/cancel   the payer closes the form
//	POST /auth/{token}/wallet   a merchant session of Apple Pay, for the script of the page
//	GET  /return/{token}        the payer comes back from the issuer or the bank, also by POST
//	POST /notify/{token}        the acquirer's own notification, also by GET
//	GET  /page/assets/{file}    stylesheet, script and pictures, named by their content
//
// The page has no state: every answer shows what the kernel returns at that moment, so a reload, the back button
// and a second window all show the same. It uses no cookie and works without JavaScript. Every link is relative,
// so the handler may be mounted under any prefix.
//
// # Wallets
//
// The buttons of Apple Pay and Google Pay use the browser's own ApplePaySession and PaymentRequest, and are shown
// only if it has them; no third-party script is loaded. A page that offers Google Pay allows the browser to
// request https://google.com/pay and https://pay.google.com (connect-src), because browsers apply the page's
// policy to the URLs of payment methods. Apple Pay needs only the page's own origin, because the server requests
// the merchant session. A merchant who shows the page in a frame has to allow payments there, or no wallet opens:
//
//	<iframe src="https://pay.example/auth/..." allow="payment"></iframe>
package page

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/tollgatepay/gateway/checkout/page/internal/static"
	"github.com/tollgatepay/gateway/internal/clientip"
	"github.com/tollgatepay/gateway/internal/hsts"
	"github.com/tollgatepay/gateway/internal/readonce"
)

// Options are the options of the host. The zero value serves the built-in page and trusts no proxy for the payer's
// address.
type Options struct {
	// TrustedProxies are the peers whose X-Forwarded-For is trusted. The payer's address is then the rightmost entry
	// that is not a trusted proxy; without them it is the peer's own.
	TrustedProxies []netip.Prefix
	// Templates replaces the page's templates: all of TemplateNames, each executed with a View. Start from a copy of
	// DefaultTemplates. Scripts and styles of other origins stay forbidden.
	Templates fs.FS
	// Forms are the templates of single forms, by the form_id of a session: a UUID in lower case. Each set is as
	// complete as Templates, which sessions with another form_id, or none, get.
	Forms map[string]fs.FS
	// Assets replaces the stylesheet ("page.css") and pictures of the page by files of the same names, and adds
	// others for the host's own templates ({{(.Asset "logo.png").URL}}): files of types .css, .svg, .png, .jpg and
	// .webp at its root. Files that it does not have stay the built-in ones.
	Assets fs.FS
	// StrictTransport is how long browsers remember to use https only for this host (Strict-Transport-Security).
	// Default: a year when the gateway's PublicURL is https. A negative value sends no such header, for a host whose
	// name serves plain http too.
	StrictTransport time.Duration
	// Apple is for merchants with Apple Pay.
	Apple Apple
	// Log gets the causes of internal errors that payers saw. Default: discarded.
	Log *slog.Logger
}

// New returns a handler for all routes of the page of a gateway: gw is a *gateway.Gateway. The error names every
// template that is missing or does not parse, every file of Options.Assets that cannot be served, and every prefix of
// Options.TrustedProxies that does not do what it says.
func New(gw kernel, opts Options) (http.Handler, error) {
	p, err := newPages(gw, opts)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	p.register(mux)
	return mux, nil
}

// Handler is New for options that are known to be valid: it panics when New returns an error, which only
// Options.Templates, Options.Forms and Options.Assets can cause.
func Handler(gw kernel, opts Options) http.Handler {
	handler, err := New(gw, opts)
	if err != nil {
		panic(err)
	}
	return handler
}

// Register adds the routes of the page to mux; gw is as for New. It panics like Handler, and like mux for a route that
// is already registered.
func Register(mux *http.ServeMux, gw kernel, opts Options) {
	p, err := newPages(gw, opts)
	if err != nil {
		panic(err)
	}
	p.register(mux)
}

func newPages(gw kernel, opts Options) (*pages, error) {
	files := opts.Templates
	if files == nil {
		files = DefaultTemplates()
	}
	views, err := parseTemplates(files)
	forms, bad := parseForms(opts.Forms)
	own, wrong := static.Load(opts.Assets)
	if err = errors.Join(err, bad, wrong, clientip.Check(opts.TrustedProxies)); err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	p := &pages{
		gw: gw, views: views, forms: forms, assets: own, proxies: opts.TrustedProxies,
		origin: http.NewCrossOriginProtection(), wallet: opts.Apple.client(),
		domainFile: opts.Apple.DomainFile,
		strict:     hsts.Age(opts.StrictTransport, gw.PublicURL()), log: opts.Log,
	}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	return p, nil
}

func (p *pages) register(mux *http.ServeMux) {
	for _, r := range p.routes() {
		mux.HandleFunc(r.pattern, hsts.Handler(p.strict, func(w http.ResponseWriter, q *http.Request) {
			r.serve(w, q.WithContext(readonce.Begin(q.Context())))
		}))
	}
}

// Routes returns the patterns that Register claims of a mux.
func Routes(opts Options) (patterns []string) {
	for _, r := range (&pages{domainFile: opts.Apple.DomainFile}).routes() {
		patterns = append(patterns, r.pattern)
	}
	return patterns
}

// route is a row of the table of routes.
type route struct {
	pattern string
	serve   http.HandlerFunc
}

func (p *pages) routes() []route {
	table := []route{
		{"GET /auth/{token}", p.show},
		{"POST /auth/{token}", p.pay},
		{"GET /auth/{token}/qr.png", p.code},
		{"GET /auth/{token}/answer", p.backToForm},
		{"POST /auth/{token}/answer", p.answer},
		{"GET /auth/{token}/cancel", p.backToForm},
		{"POST /auth/{token}/cancel", p.leave},
		{"POST /auth/{token}/wallet", p.appleSession},
		{"GET /return/{token}", p.returned},
		{"POST /return/{token}", p.returned},
		{"GET /notify/{token}", p.notified},
		{"POST /notify/{token}", p.notified},
		{"GET /page/assets/{file}", p.asset},
	}
	if len(p.domainFile) > 0 {
		table = append(table, route{"GET " + domainPath, p.domain})
	}
	return table
}
