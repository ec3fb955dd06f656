// Package sdk serves the browser side of Hosted Payment Fields: the library that a merchant's page loads,
// the frames that hold the fields of a card, and the address that takes what was typed.
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
// A page needs three elements and one script. Its Content-Security-Policy has to allow the gateway's
// origin in script-src and frame-src, and nothing more: the library sets no inline style and adds no
// stylesheet. The page must be of an origin that Gateway.Origins names.
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
// A frame takes the size of its element, or is 3rem high in an element without height, and is see-through in
// light pages and dark ones. Where the element is written from right to left, the digits stand at the right and
// the picture of the brand at the left, as on the payment page. Label and error of a field are English unless
// the configuration gives others.
//
// Looks are given by selector: input, .valid, .invalid, their states (:hover, :focus, :disabled) and ::placeholder,
// body, and the picture of the brand; values may end in !important. What is not on the lists of style.js is left out
// and told once on the console. It never stops the fields.
//
// # Versions
//
// Merchants pin the library by the hash in its name and the integrity attribute, and do not change their
// pages on the day a gateway is upgraded. So the name of a released library is served for ever: with a release
// that changes hosted-fields.js, the file as it was goes into assets/released, by any name that ends in ".js".
// Versions between releases are not kept, and answer 404 once they are replaced. The frames are always those of
// the running gateway; they understand every library that is kept, which is what the number in its first
// message is for. The plain name, /sdk/hosted-fields.js, is the newest library and is not for pinning.
//
// # Who hears what
//
// When a frame has loaded, the library posts it one message to the gateway's origin, with a port. The
// frame takes the first such message only, and only from the window right above it, of an origin named by
// the gateway, with a token of the session in its own URL. From then on both talk through the port: the
// page says "collect", the frame says "ready", "input" with valid, "focus", "blur" and "result" with
// message. The library listens to no window, so there is nothing to forge.
//
// Values never travel in messages. The card's frame finds the two others among the frames of the page and
// reads them directly, as documents of one origin may; it then posts the card to this package. A page that
// shares the gateway's origin could do the same: keep merchants' pages on origins of their own.
//
// # Autofill
//
// Chromium fills frames of one origin together, so all three fields are filled from one of them. Other
// browsers fill the document they are in: the card's frame has an unseen field for the expiry date and
// hands on what it gets. The security code is then typed, and the cardholder's name, which belongs to the
// merchant's page, is filled by Chromium only where its own rules let it cross origins.
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

// Gateway is what the fields ask of whoever keeps the sessions. Every method answers an error that is
// gateway.ErrNoSession for a session or a token that is none or has expired.
type Gateway interface {
	// Origins are the origins that may embed the fields of a session (decision ag), as "https://shop.example";
	// of a longer URL its origin counts. What cannot stand in a policy is left out. The id of a session
	// is no secret: it stands in the address of a frame.
	Origins(ctx context.Context, session string) ([]string, error)
	// CodeOptional reports a session whose payer may leave the security code out (decision au).
	CodeOptional(ctx context.Context, session string) (bool, error)
	// Collect keeps a card until the payment. What the payer can mend is a *gateway.Error of a status
	// under 500, or store.ErrPAN, store.ErrExpiry or store.ErrSecurityCode; its text reaches the page.
	// Whether the card has expired, and whether it may come without a code, is for Collect to say.
	Collect(ctx context.Context, token string, card Card) error
}

// Card is what the three fields hold.
type Card struct {
	Number store.PAN
	Expiry store.Expiry
	Code   store.SecurityCode
}

// Options are the choices of the host. The zero value is good.
type Options struct {
	// Log gets what a payer saw as an internal error. Default: discarded.
	Log *slog.Logger
	// StrictTransport is for how long browsers remember that this host is reached over https only
	// (Strict-Transport-Security). Default: no such header, since the library does not know where it is reached;
	// hpf.Register passes the choice of its own options.
	StrictTransport time.Duration
}

// fields answers every route.
type fields struct {
	gw     Gateway
	assets asset.Set
	log    *slog.Logger
}

// Handler is a handler for all routes. It may stand behind http.StripPrefix: every link is relative.
func Handler(gw Gateway, opts Options) http.Handler {
	mux := http.NewServeMux()
	Register(mux, gw, opts)
	return mux
}

// Register adds the routes to mux. It panics as mux does when a route is taken.
func Register(mux *http.ServeMux, gw Gateway, opts Options) {
	f := &fields{gw: gw, assets: ourAssets(), log: opts.Log}
	if f.log == nil {
		f.log = slog.New(slog.DiscardHandler)
	}
	handle := func(pattern string, h http.HandlerFunc) {
		mux.HandleFunc(pattern, hsts.Handler(opts.StrictTransport, h))
	}
	for _, field := range frameFields() {
		handle("GET /sdk/frame/"+field.Name+".html", func(w http.ResponseWriter, r *http.Request) { f.frame(w, r, field) })
	}
	handle("GET /sdk/frame/{file}", f.part)
	handle("GET /sdk/{file}", f.library)
	handle("POST /sdk/collect", f.collect)
}
