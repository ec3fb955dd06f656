package browser_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/hpf/sdk"
)

const fieldsSession = "0190b5a2-0000-7000-8000-000000000001"

// fieldsToken is a token of that session, as the kernel makes them.
func fieldsToken(session string) string {
	return base64.RawURLEncoding.EncodeToString(append(bytes.Repeat([]byte{7}, 32), session...))
}

// keeper replaces the kernel: one session, and the cards it got.
type keeper struct {
	mu      sync.Mutex
	origins []string
	fault   error
	cards   []sdk.Card
	moto    bool
}

func (k *keeper) CodeOptional(context.Context, string) (bool, error) { return k.moto, nil }

func (k *keeper) Origins(_ context.Context, session string) ([]string, error) {
	if session != fieldsSession {
		return nil, gateway.ErrNoSession
	}
	return k.origins, nil
}

func (k *keeper) Collect(_ context.Context, token string, card sdk.Card) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.fault != nil {
		return k.fault
	}
	if token != fieldsToken(fieldsSession) {
		return gateway.ErrNoSession
	}
	k.cards = append(k.cards, card)
	return nil
}

func (k *keeper) kept() []sdk.Card {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]sdk.Card(nil), k.cards...)
}

// wire is everything that reached a server, by server.
type wire struct {
	mu   sync.Mutex
	seen map[string][]string
}

func (n *wire) tap(name string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		n.mu.Lock()
		n.seen[name] = append(n.seen[name], fmt.Sprintf("%s %s %v %s", r.Method, r.URL, r.Header, body))
		n.mu.Unlock()
		next.ServeHTTP(w, r)
	})
}

// holding lists the requests to a server that contain a text.
func (n *wire) holding(name, text string) (found []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, request := range n.seen[name] {
		if strings.Contains(request, text) {
			found = append(found, request)
		}
	}
	return found
}

// fieldsSite is the gateway's frames, a shop that may embed them, and a stranger. Lax is the gateway without its
// policy, so that a frame has only its own checks.
type fieldsSite struct {
	*keeper
	wire
	t                         *testing.T
	base, lax, shop, stranger string
	shown                     string // a page of the reference
}

func newFieldsSite(t *testing.T) *fieldsSite {
	t.Helper()
	s := &fieldsSite{keeper: &keeper{}, wire: wire{seen: map[string][]string{}}, t: t}
	fields := sdk.Handler(s.keeper, sdk.Options{Log: slog.New(slog.NewTextHandler(&strict{t: t}, nil))})
	serve := func(name string, h http.Handler) string {
		server := httptest.NewServer(s.tap(name, h))
		t.Cleanup(server.Close)
		return server.URL
	}
	s.base, s.lax = serve("gateway", fields), serve("lax", unguarded(fields))
	s.shop, s.stranger = serve("shop", http.HandlerFunc(s.shopPage)), serve("stranger", http.HandlerFunc(s.shopPage))
	s.origins = []string{s.shop}
	return s
}

// unguarded drops the policy of every answer.
func unguarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&bareWriter{w}, r)
	})
}

type bareWriter struct{ http.ResponseWriter }

func (w *bareWriter) Write(body []byte) (int, error) {
	w.Header().Del("Content-Security-Policy")
	return w.ResponseWriter.Write(body)
}

// shopPage is every page of the shop and of the stranger. The one with fields has a policy that allows only what
// the documentation says.
func (s *fieldsSite) shopPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch r.URL.Path {
	case "/pay":
		w.Header().Set("Content-Security-Policy",
			"default-src 'none'; style-src 'self'; script-src "+s.base+"; frame-src 'self' "+s.base)
		_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Pay</title>
<link rel="stylesheet" href="/shop.css"><h1>Pay</h1>
<div id="card"></div><div class="pair"><div id="expiry"></div><div id="cvv"></div></div>
<script src="%s/%s" integrity="%s" crossorigin="anonymous"></script>`,
			s.base, sdk.Library().Path, sdk.Library().Integrity)
	case "/shown":
		_, _ = io.WriteString(w, s.shown)
	case "/shop.css":
		w.Header().Set("Content-Type", "text/css")
		_, _ = io.WriteString(w, `body { margin: 16px }
.pair { display: flex; gap: 8px }
.pair > div { flex: 1; min-width: 0 }
#card, #expiry, #cvv { box-sizing: border-box; height: 48px; border: 1px solid #777; margin-top: 8px }`)
	case "/raw", "/rawlax":
		from := s.base
		if r.URL.Path == "/rawlax" {
			from = s.lax
		}
		_, _ = fmt.Fprintf(w, `<!doctype html><title>Raw</title><script src="/attack.js?%s"></script>`+
			`<iframe src="%s/sdk/frame/card.html?session=%s"></iframe><iframe src="/nest"></iframe>`, from, from, fieldsSession)
	case "/nest":
		_, _ = io.WriteString(w,
			`<!doctype html><title>Nest</title><script src="/attack.js"></script><iframe src="/leaf"></iframe>`)
	case "/attack.js":
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, attackScript)
	default:
		_, _ = io.WriteString(w,
			`<!doctype html><link rel="icon" href="data:,"><title>Leaf</title><script src="/attack.js"></script>`)
	}
}

// attackScript makes its page try to control a frame.
const attackScript = `window.got = [];
function attack(target, origin, token) {
	const channel = new MessageChannel();
	channel.port1.onmessage = function (event) { got.push(event.data.type); };
	target.postMessage({
		hostedFields: 1, field: "card", instance: "0123456789abcdef0123456789abcdef", token: token, styles: []
	}, origin, [channel.port2]);
	window.port = channel.port1;
}`

// setUp puts the fields on the page, and shows the messages that the page gets.
const setUp = `(function (make, config) {
	window.log = []; window.results = []; window.isUp = false; window.broken = "";
	window.fields = make();
	["card", "expiry", "cvv"].forEach(function (kind) {
		fields[kind + "On"].input = function (data) { log.push(kind + " input " + JSON.stringify(data)); };
		fields[kind + "On"].focus = function () { log.push(kind + " focus"); };
		fields[kind + "On"].blur = function () { log.push(kind + " blur"); };
	});
	fields.onSubmitResult = function (data) { results.push(data); };
	fields.init(config).then(function () { isUp = true; }, function (error) { broken = error.message; });
	return true;
})`

// spy records every message to the page, before the library gets it.
const spy = `if (window === top) { window.heard = [];
	const setter = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage").set;
	Object.defineProperty(MessagePort.prototype, "onmessage", { set: function (f) {
		setter.call(this, function (event) { heard.push(JSON.stringify(event.data)); f(event); });
	} });
	addEventListener("message", function (event) { heard.push(JSON.stringify(event.data)); }); }`

// outcomeOf is what onSubmitResult gets.
type outcomeOf struct{ Result, Message string }

func (s *fieldsSite) config(more string) string {
	return `{ sessionToken: ` + quote(fieldsToken(fieldsSession)) +
		`, fields: { card: { id: "card", placeholder: "1234 1234 1234 1234" }, ` +
		`expiry: { id: "expiry" }, cvv: { id: "cvv" } }` + more + ` }`
}

// pay opens the page of the shop and waits until the fields are ready.
func (s *fieldsSite) pay(b *chromium, d device, make, more string) *tab {
	s.t.Helper()
	p := b.tab(s.t, d)
	do(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: spy})
	p.open(s.shop + "/pay")
	read[bool](p, setUp+`(function () { return `+make+`; }, `+s.config(more)+`)`)
	p.until(`isUp || broken`)
	require.Empty(s.t, read[string](p, `broken`))
	return p
}

// typeInto puts the caret into a field by hand and types.
func (p *tab) typeInto(kind, text string) {
	p.t.Helper()
	p.press("#" + kind + " iframe")
	p.until(`log.includes(` + quote(kind+" focus") + `)`)
	p.typeText(text)
}

// collect submits and waits for the answer.
func (p *tab) collect() outcomeOf {
	p.t.Helper()
	n := read[int](p, `(fields.collectIframesData(), results.length)`)
	p.until(fmt.Sprintf(`results.length > %d`, n))
	return read[outcomeOf](p, `results[results.length - 1]`)
}

// inside is the frame of a field as a tab of its own, because it runs in its own process.
func (s *fieldsSite) inside(p *tab, address string) *tab {
	s.t.Helper()
	infos, err := chromedp.Targets(p.ctx)
	require.NoError(s.t, err)
	for _, info := range infos {
		if info.Type == "iframe" && strings.HasPrefix(info.URL, address) {
			ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(info.TargetID))
			s.t.Cleanup(cancel)
			require.NoError(s.t, chromedp.Do(ctx))
			return &tab{t: s.t, ctx: ctx, device: p.device}
		}
	}
	s.t.Fatalf("no frame of a process of its own at %s", address)
	return nil
}

func (s *fieldsSite) frame(p *tab, kind string) *tab {
	s.t.Helper()
	return s.inside(p, s.base+"/sdk/frame/"+kind+".html")
}
