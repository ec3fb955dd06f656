// Package sdk serves the browser side of Hosted Payment Fields: the library that a merchant's page loads, the
// frames that hold the fields of a card, and the URL that accepts what was typed.
//
//	GET  /sdk/hosted-fields.js            the library, whatever its version
//	GET  /sdk/hosted-fields.{hash}.js     the library of one content, for the integrity attribute; see Library
//	GET  /sdk/hosted-fields.d.ts          its types
//	GET  /sdk/frame/{field}.html?session= the frame of a field: card, expiry, cvv
//	GET  /sdk/frame/{file}                scripts, stylesheet and pictures of the frames, named by their content
//	POST /sdk/collect                     the card, from the card's frame only
//
// # On the page
//
// A page needs three elements and one script. Its Content-Security-Policy has to allow the gateway's origin in
// script-src and frame-src, and nothing more: the library sets no inline style and adds no stylesheet. The page
// must be of an origin that Gateway.Origins names.
//
//	<div id="card"></div> <div id="expiry"></div> <div id="cvv"></div>
//	<script src="https://pay.example/sdk/hosted-fields.js"></script>
//
//	const fields = new HostedFields(); // or HostedFields itself
//	fields.cardOn.input = ({ valid }) => { ... };
//	fields.onSubmitResult = ({ result, message }) => { ... };
//	fields.init({ sessionToken, fields: { card: { id: "card" }, expiry: { id: "expiry" }, cvv: { id: "cvv" } } });
//	button.onclick = () => fields.collectIframesData();
//
// A frame has the size of its element, or is 3rem high in an element without height, and is transparent on light
// and dark pages. If the element's direction is right to left, the digits are on the right and the picture of the
// brand on the left, as on the payment page. Label and error of a field are English unless the configuration has
// others.
//
// Styles are set by selector: input, .valid, .invalid, their states (:hover, :focus, :disabled) and ::placeholder,
// body, and the picture of the brand; values may end in !important. Properties that are not on the lists of
// style.js are left out, with one message on the console. They never stop the fields.
//
// # Versions
//
// Merchants pin the library by the hash in its name and the integrity attribute, and do not change their pages on
// the day a gateway is upgraded. So a released library is served for ever: with a release that changes
// hosted-fields.js, the old file goes into assets/released, under any name that ends in ".js". Versions between
// releases are not kept, and give 404 once they are replaced. The frames are always those of the running gateway;
// they understand every library that is kept, by the version number in its first message. The plain name,
// /sdk/hosted-fields.js, is the newest library and is not for pinning.
//
// # Messages
//
// When a frame has loaded, the library posts it one message to the gateway's origin, with a port. The frame takes
// the first such message only, and only from its parent window, of an origin that the gateway allows, with a token
// of the session in the frame's own URL. From then on both talk through the port: the page says "collect", the
// frame says "ready", "input" with valid, "focus", "blur" and "result" with message. The library listens to no
// window, so there is nothing to forge.
//
// No message has card data. The card's frame finds the two others among the frames of the page and reads them
// directly, as documents of one origin may; it then posts the card to this package. A page that shares the
// gateway's origin could do the same: keep merchants' pages on origins of their own.
//
// # Autofill
//
// Chromium fills frames of one origin together, so all three fields are filled from one of them. Other browsers
// fill one document only: the card's frame has a hidden field for the expiry date and passes its value on. The
// security code is then typed. The cardholder's name belongs to the merchant's page, and Chromium fills it only if
// its rules allow that across origins.
package sdk

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/tollgatepay/gateway/internal/asset"
	"github.com/tollgatepay/gateway/internal/hsts"
	"github.com/tollgatepay/gateway/store"
)

// Gateway is what the fields need of the keeper of sessions. Every method returns an error that is
// gateway.ErrNoSession for an unknown or expired session or token.
type Gateway interface {
	// Origins returns the origins that may embed the fields of a session (decision ag), like "https://shop.example";
	// of a longer URL its origin counts. Origins that are not valid in a policy are left out. The id of a session is
	// no secret: it is in the URL of a frame.
	Origins(ctx context.Context, session string) ([]string, error)
	// CodeOptional reports whether the payer may leave the security code out (decision au).
	CodeOptional(ctx context.Context, session string) (bool, error)
	// Collect keeps a card until the payment. For what the payer can correct it returns a *gateway.Error with a
	// status under 500, or store.ErrPAN, store.ErrExpiry or store.ErrSecurityCode; its text reaches the page. Collect
	// decides whether the card has expired, and whether the code may be missing.
	Collect(ctx context.Context, token string, card Card) error
}

// Card is the input of the three fields.
type Card struct {
	Number store.PAN
	Expiry store.Expiry
	Code   store.SecurityCode
}

// Options are the options of the host. The zero value is valid.
type Options struct {
	// Log gets the causes of internal errors that payers saw. Default: discarded.
	Log *slog.Logger
	// StrictTransport is how long browsers remember to use https only for this host (Strict-Transport-Security).
	// Default: no such header, because this package does not know the public URL; hpf.Register passes its own option.
	StrictTransport time.Duration
}

// fields serves every route.
type fields struct {
	gw     Gateway
	assets asset.Set
	log    *slog.Logger
}

// Handler returns a handler for all routes. It works behind http.StripPrefix: every link is relative.
func Handler(gw Gateway, opts Options) http.Handler {
	mux := http.NewServeMux()
	Register(mux, gw, opts)
	return mux
}

// Register adds the routes to mux. It panics like mux for a route that is already registered.
func Register(mux *http.ServeMux, gw Gateway, opts Options) {
	f := &fields{gw: gw, assets: ourAssets(), log: opts.Log}
	if f.log == nil {
		f.log = slog.New(slog.DiscardHandler)
	}
	for _, r := range f.routes() {
		mux.HandleFunc(r.pattern, hsts.Handler(opts.StrictTransport, r.serve))
	}
}

// Routes returns the patterns that Register claims of a mux.
func Routes() (patterns []string) {
	for _, r := range (&fields{}).routes() {
		patterns = append(patterns, r.pattern)
	}
	return patterns
}

// route is a row of the table of routes.
type route struct {
	pattern string
	serve   http.HandlerFunc
}

func (f *fields) routes() (table []route) {
	for _, field := range frameFields() {
		table = append(table, route{"GET /sdk/frame/" + field.Name + ".html", func(w http.ResponseWriter, r *http.Request) {
			f.frame(w, r, field)
		}})
	}
	return append(table,
		route{"GET /sdk/frame/{file}", f.part}, route{"GET /sdk/{file}", f.library}, route{"POST /sdk/collect", f.collect})
}
