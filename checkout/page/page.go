// Package page serves everything a payer's browser or an acquirer calls, whatever the protocol: the
// payment page, the way to the issuer and back, the waiting and result pages, and the acquirers'
// notifications.
//
//	GET  /auth/{token}          what the payer sees next: form, forwarding, code or details, question, waiting, result
//	POST /auth/{token}          the method chosen, with the card or what else it asks for
//	POST /auth/{token}/answer   what a connector asks for after the start
//	GET  /auth/{token}/qr.png   the QR code the payer is shown
//	POST /auth/{token}/cancel   the payer closes the form
//	POST /auth/{token}/wallet   a merchant session of Apple Pay, for the script of the page
//	GET  /return/{token}        the payer comes back from the issuer or the bank, also by POST
//	POST /notify/{token}        the acquirer's own notification, also by GET
//	GET  /page/assets/{file}    stylesheet, script and pictures, named by their content
//
// The page keeps nothing: every answer is drawn from what the kernel returns at that moment, so a reload,
// the back button and a second window all show the same. It uses no cookie, works without JavaScript,
// and every link is relative, so the handler may be mounted under any prefix.
//
// # Wallets
//
// The buttons of Apple Pay and Google Pay use what the browser has, ApplePaySession and PaymentRequest, and
// are shown where it has it; no script of others is loaded. A page that offers Google Pay lets the browser
// look at https://google.com/pay and https://pay.google.com (connect-src), since browsers hold the addresses
// of payment methods against the policy of the page; Apple Pay needs nothing beside the page's own origin,
// because the merchant session is asked for by the server. A merchant who shows the page in a frame has to
// allow it payments, or no wallet opens there:
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
	"github.com/tollgatepay/gateway/internal/hsts"
)

// Options are the choices of the host. The zero value serves the built-in page and trusts no
// proxy with the payer's address.
type Options struct {
	// TrustedProxies are the peers whose X-Forwarded-For is trusted. The payer's address is then the
	// rightmost entry that is not itself a trusted proxy; without them it is the peer's own.
	TrustedProxies []netip.Prefix
	// Templates replaces the page's templates: all of TemplateNames, each executed with a View.
	// Start from a copy of DefaultTemplates. Scripts and styles of other origins stay forbidden.
	Templates fs.FS
	// Forms are the templates of single forms, by the form_id that a session asks for: a UUID in lower case. Each
	// is as complete as Templates, which a session with another form_id, or none, gets.
	Forms map[string]fs.FS
	// Assets replaces the stylesheet ("page.css") and pictures of the page by the files of the same names,
	// and serves others beside them, for templates of the host's own ({{(.Asset "logo.png").URL}}): files
	// of types .css, .svg, .png, .jpg and .webp at its root. What it does not have stays as it is.
	Assets fs.FS
	// StrictTransport is for how long browsers remember that this host is reached over https only
	// (Strict-Transport-Security). Default: a year where the gateway's PublicURL is https; a negative one sends
	// no such header, for a host whose name serves plain http too.
	StrictTransport time.Duration
	// Apple is for merchants who take Apple Pay.
	Apple Apple
	// Now is the clock that card expiry and the time left to pay are judged by. Default: time.Now.
	Now func() time.Time
	// Log gets what a payer saw as an internal error. Default: discarded.
	Log *slog.Logger
}

// New is a handler for all routes of the page. The error names every template that is missing or does
// not parse, and every file of Options.Assets that cannot be served.
func New(gw kernel, opts Options) (http.Handler, error) {
	p, err := newPages(gw, opts)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	p.register(mux)
	return mux, nil
}

// Handler is New for options that are known to be right: it panics where New gives an error, which can
// only happen with Options.Templates, Options.Forms and Options.Assets.
func Handler(gw kernel, opts Options) http.Handler {
	handler, err := New(gw, opts)
	if err != nil {
		panic(err)
	}
	return handler
}

// Register adds the routes of the page to mux. It panics as Handler does, and as mux does when a route
// is taken.
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
	if err = errors.Join(err, bad, wrong); err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	p := &pages{
		gw: gw, views: views, forms: forms, assets: own, proxies: opts.TrustedProxies,
		origin: http.NewCrossOriginProtection(), wallet: opts.Apple.client(),
		domainFile: opts.Apple.DomainFile,
		strict:     hsts.Age(opts.StrictTransport, gw.PublicURL()), now: opts.Now, log: opts.Log,
	}
	if p.now == nil {
		p.now = time.Now
	}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	return p, nil
}

func (p *pages) register(mux *http.ServeMux) {
	handle := func(pattern string, h http.HandlerFunc) { mux.HandleFunc(pattern, hsts.Handler(p.strict, h)) }
	handle("GET /auth/{token}", p.show)
	handle("POST /auth/{token}", p.pay)
	handle("GET /auth/{token}/qr.png", p.code)
	handle("GET /auth/{token}/answer", p.backToForm)
	handle("POST /auth/{token}/answer", p.answer)
	handle("GET /auth/{token}/cancel", p.backToForm)
	handle("POST /auth/{token}/cancel", p.leave)
	handle("POST /auth/{token}/wallet", p.appleSession)
	if len(p.domainFile) > 0 {
		handle("GET "+domainPath, p.domain)
	}
	handle("GET /return/{token}", p.returned)
	handle("POST /return/{token}", p.returned)
	handle("GET /notify/{token}", p.notified)
	handle("POST /notify/{token}", p.notified)
	handle("GET /page/assets/{file}", p.asset)
}
