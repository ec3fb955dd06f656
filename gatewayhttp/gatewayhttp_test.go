package gatewayhttp_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewayhttp"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

func at(public string) gatewaytest.Option {
	return func(c *gateway.Config) { c.PublicURL = public }
}

func mounted(t *testing.T, kit *gatewaytest.Kit, opts gatewayhttp.Options) *gatewayhttp.Handler {
	t.Helper()
	h, err := gatewayhttp.New(kit.Gateway, opts)
	require.NoError(t, err)
	return h
}

func ask(h http.Handler, method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader("")))
	return w
}

// What each protocol answers to an empty request, and the page to an unknown link.
var probes = []struct {
	protocol     gatewayhttp.Protocol // empty for the page
	method, path string
	status       int
}{
	{gatewayhttp.Checkout, "POST", "/api/v1/session", 400},
	{gatewayhttp.Checkout, "POST", "/api/v1/payment/refund", 400},
	{gatewayhttp.HostedFields, "POST", "/api/v1/session/token", 400},
	{gatewayhttp.HostedFields, "GET", "/sdk/hosted-fields.js", 200},
	{gatewayhttp.S2S, "POST", "/post", 400},
	{gatewayhttp.S2S, "POST", "/v2/post", 400},
	{"", "GET", "/auth/unknown", 404},
	{"", "GET", "/page/assets/unknown", 404},
	{"", "POST", "/notify/unknown", 404},
}

// Every protocol and the page answer under the prefix, which is the path of PublicURL if none is chosen, and nothing
// answers elsewhere. The host's own routes stay the host's.
func TestPrefix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, public, prefix string
		want                 string // before each path
		others               string // where nothing of the platform is
	}{
		{"at the root", "https://pay.example", "", "", "/pay"},
		{"by the public URL", "https://pay.example/pay", "", "/pay", ""},
		{"chosen", "https://pay.example", "/gateway/v1", "/gateway/v1", ""},
		{"chosen, with a slash", "https://pay.example", "/gateway/", "/gateway", ""},
		{"behind a proxy that cuts it off", "https://pay.example/pay", "/", "", "/pay"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := mounted(t, gatewaytest.New(t, at(c.public)), gatewayhttp.Options{Prefix: c.prefix})
			mux := http.NewServeMux()
			own := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }
			mux.HandleFunc("/{page}", own)
			mux.HandleFunc("GET /shop/{item...}", own)
			h.Register(mux)
			for _, p := range probes {
				w := ask(mux, p.method, c.want+p.path)
				require.Equal(t, p.status, w.Code, p.path)
				require.NotEqual(t, "404 page not found\n", w.Body.String(), p.path)
				if strings.Count(c.others+p.path, "/") > 1 {
					require.Equal(t, "404 page not found\n", ask(mux, p.method, c.others+p.path).Body.String(), c.others+p.path)
				}
			}
			for _, path := range []string{"/about", "/shop/1/2"} {
				require.Equal(t, http.StatusTeapot, ask(mux, "GET", path).Code, path)
			}
			for _, pattern := range h.Routes() {
				_, path, _ := strings.Cut(pattern, "/")
				require.True(t, strings.HasPrefix("/"+path, c.want+"/"), pattern)
			}
		})
	}
}

// Only the protocols that are chosen are served; the page always is.
func TestProtocols(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	for _, chosen := range [][]gatewayhttp.Protocol{
		nil, {}, {gatewayhttp.Checkout}, {gatewayhttp.S2S}, {gatewayhttp.HostedFields}, gatewayhttp.Protocols(),
	} {
		h := mounted(t, kit, gatewayhttp.Options{Protocols: chosen})
		for _, p := range probes {
			served := p.protocol == "" || chosen == nil || slices.Contains(chosen, p.protocol)
			absent := ask(h, p.method, p.path).Body.String() == "404 page not found\n"
			if p.protocol == gatewayhttp.HostedFields && slices.Contains(chosen, gatewayhttp.Checkout) {
				continue // the envelope of Checkout answers for all of /api/v1/
			}
			require.Equal(t, served, !absent, "%q: %s", chosen, p.path)
		}
	}
}

// Routes lists what a mux gets, and String the same for people.
func TestRoutes(t *testing.T) {
	t.Parallel()
	h := mounted(t, gatewaytest.New(t), gatewayhttp.Options{Prefix: "/pay"})
	routes := h.Routes()
	for _, want := range []string{
		"POST /pay/api/v1/session", "/pay/api/v1/session/token", "POST /pay/post", "GET /pay/auth/{token}",
		"POST /pay/notify/{token}", "GET /pay/sdk/{file}",
	} {
		require.Contains(t, routes, want)
	}
	mux := http.NewServeMux()
	for _, pattern := range routes {
		mux.HandleFunc(pattern, func(http.ResponseWriter, *http.Request) {}) // panics for one that is there twice
	}
	text := h.String()
	require.Equal(t, len(routes), strings.Count(text, "\n"))
	require.Contains(t, text, "POST  /pay/post\n")
	require.Contains(t, text, "any   /pay/post\n")
}

// A route of the host that the platform needs is a panic at start, and no silent loss of either.
func TestCollision(t *testing.T) {
	t.Parallel()
	host := func() *http.ServeMux {
		mux := http.NewServeMux()
		mux.HandleFunc("POST /post", func(http.ResponseWriter, *http.Request) {})
		return mux
	}
	kit := gatewaytest.New(t)
	require.Panics(t, func() { mounted(t, kit, gatewayhttp.Options{}).Register(host()) })
	only := gatewayhttp.Options{Protocols: []gatewayhttp.Protocol{gatewayhttp.Checkout}}
	require.NotPanics(t, func() { mounted(t, kit, only).Register(host()) })
}

// Each mistake is named at start.
func TestFaults(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	_, err := gatewayhttp.New(nil, gatewayhttp.Options{})
	require.EqualError(t, err, "gatewayhttp: the gateway is nil: make one with gateway.New")
	for want, opts := range map[string]gatewayhttp.Options{
		`Protocols: "soap" is none of`:              {Protocols: []gatewayhttp.Protocol{"soap"}},
		`Prefix: "pay" is no path`:                  {Prefix: "pay"},
		`Prefix: "/{any}" is no path`:               {Prefix: "/{any}"},
		"MaxRequests must not be negative":          {MaxRequests: -1},
		"Middleware must not contain nil":           {Middleware: []func(http.Handler) http.Handler{nil}},
		"Page: set TrustedProxies":                  {Page: page.Options{TrustedProxies: []netip.Prefix{}}},
		"Page: set TrustedProxies and StrictTransp": {Page: page.Options{StrictTransport: time.Hour}},
		"TrustedProxies: ::ffff:10.0.0.0/104 matches": {
			TrustedProxies: []netip.Prefix{netip.MustParsePrefix("::ffff:10.0.0.0/104")},
		},
		"page: ": {Page: page.Options{Templates: fstest.MapFS{}}},
	} {
		_, err := gatewayhttp.New(kit.Gateway, opts)
		require.ErrorContains(t, err, want)
	}
}

// Middleware sees every request in its order, with the prefix; the limit answers what is too much at once.
func TestMiddlewareAndLimit(t *testing.T) {
	t.Parallel()
	var order []string
	inside, leave := make(chan struct{}), make(chan struct{})
	slow := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			order = append(order, "outer "+r.URL.Path)
			next.ServeHTTP(w, r)
		})
	}
	inner := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			order = append(order, "inner "+r.URL.Path)
			next.ServeHTTP(w, r)
		})
	}
	kit := gatewaytest.New(t)
	h := mounted(t, kit, gatewayhttp.Options{
		Prefix: "/pay", MaxRequests: 1, Middleware: []func(http.Handler) http.Handler{slow, inner},
	})
	body, w := &held{inside: inside, leave: leave}, httptest.NewRecorder()
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/pay/post", body))
	}()
	<-inside
	busy := ask(h, "POST", "/pay/post")
	require.Equal(t, http.StatusServiceUnavailable, busy.Code)
	require.Equal(t, "1", busy.Header().Get("Retry-After"))
	close(leave)
	<-done
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Equal(t, http.StatusBadRequest, ask(h, "POST", "/pay/post").Code)
	require.Equal(t, []string{"outer /pay/post", "inner /pay/post"}, order[:2])
	require.Len(t, order, 6)
}

// Middleware learns the route of a request that was answered, with the prefix and without the secrets of its path.
func TestMiddlewareLearnsTheRoute(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"/", "/pay", "/a/b"} {
		below := strings.TrimSuffix(prefix, "/")
		var route string
		kit := gatewaytest.New(t)
		h := mounted(t, kit, gatewayhttp.Options{Prefix: prefix, Middleware: []func(http.Handler) http.Handler{
			func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					own := r.WithContext(context.WithValue(r.Context(), held{}, "a span"))
					next.ServeHTTP(w, own)
					route = own.Pattern
				})
			}}})
		for request, want := range map[string]string{
			"POST /post": "POST " + below + "/post", "POST /api/v1/session": "POST " + below + "/api/v1/session",
			"GET /auth/secret-of-a-payer": "GET " + below + "/auth/{token}", "GET /nothing/here": "",
			"PUT /post": below + "/post",
		} {
			method, path, _ := strings.Cut(request, " ")
			ask(h, method, below+path)
			require.Equal(t, want, route, request)
		}
	}
}

// A path that is not clean is no route of a platform below a prefix: its body is not sent on to another one.
func TestUncleanPaths(t *testing.T) {
	t.Parallel()
	h := mounted(t, gatewaytest.New(t), gatewayhttp.Options{Prefix: "/pay"})
	for path, want := range map[string]int{
		"/pay//post": http.StatusNotFound, "/pay/./post": http.StatusNotFound, "/pay/a/../post": http.StatusNotFound,
		"/pay/post": http.StatusBadRequest, "/pay/auth/": http.StatusNotFound,
	} {
		answer := ask(h, "POST", path)
		require.Equal(t, want, answer.Code, path)
		require.Empty(t, answer.Header().Get("Location"))
	}
}

// held is a body that is not read before the test says so.
type held struct{ inside, leave chan struct{} }

func (b *held) Read([]byte) (int, error) {
	close(b.inside)
	<-b.leave
	return 0, io.EOF
}

// The trusted proxies and the age of HSTS of the options reach every part.
func TestSharedOptions(t *testing.T) {
	t.Parallel()
	h := mounted(t, gatewaytest.New(t), gatewayhttp.Options{StrictTransport: 10 * time.Second})
	for _, path := range []string{"/auth/unknown", "/sdk/hosted-fields.js"} {
		require.Equal(t, "max-age=10", ask(h, "GET", path).Header().Get("Strict-Transport-Security"), path)
	}
	h = mounted(t, gatewaytest.New(t), gatewayhttp.Options{StrictTransport: -1})
	require.Empty(t, ask(h, "GET", "/auth/unknown").Header().Get("Strict-Transport-Security"))
}

// The payer's address is what a trusted proxy says, on the page and on hosted fields; without one it is the peer's.
func TestTrustedProxies(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} // httptest's peer
	for _, door := range []struct {
		name string
		pay  func(t *testing.T, kit *gatewaytest.Kit, send func(path, contentType, body string) string)
	}{
		{"page", func(t *testing.T, kit *gatewaytest.Kit, send func(path, contentType, body string) string) {
			t.Helper()
			form := url.Values{"attempt": {"0"}, "method": {"card"}, "card_number": {"4111 1111 1111 1111"},
				"expiry": {"01/38"}, "cvv": {"123"}}
			send("/auth/"+kit.Session(t, "ORD-1", "10.00"), "application/x-www-form-urlencoded", form.Encode())
		}},
		{"hosted fields", func(t *testing.T, kit *gatewaytest.Kit, send func(path, contentType, body string) string) {
			t.Helper()
			hash := signature.Sign(signature.CheckoutSession, signature.MD5, signature.Inputs{
				OrderNumber: "ORD-1", Amount: "10.00", Currency: "USD", Description: "A cup"}, gatewaytest.Password)
			answer := send("/api/v1/session/token", "application/json", `{"merchant_key":"`+gatewaytest.MerchantKey+
				`","operation":"purchase","order":{"number":"ORD-1","amount":"10.00","currency":"USD","description":"A cup"},`+
				`"return_url":"https://shop.example/","hash":"`+hash+`"}`)
			var created struct{ Token string }
			require.NoError(t, json.Unmarshal([]byte(answer), &created), answer)
			require.NotEmpty(t, created.Token, answer)
			require.NoError(t, kit.HostedFields().Collect(t.Context(), created.Token, gatewaytest.Settles))
			_, err := kit.HostedFields().Pay(t.Context(), created.Token, gateway.HostedPayment{
				Kind: store.Purchase, Name: "John Doe"})
			require.NoError(t, err)
		}},
	} {
		for want, proxies := range map[string][]netip.Prefix{"192.0.2.1": nil, "198.51.100.9": trusted} {
			t.Run(door.name+", "+want, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t)
				h := mounted(t, kit, gatewayhttp.Options{TrustedProxies: proxies,
					Page: page.Options{}})
				door.pay(t, kit, func(path, contentType, body string) string {
					r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
					r.Header.Set("Content-Type", contentType)
					r.Header.Set("X-Forwarded-For", "198.51.100.9")
					w := httptest.NewRecorder()
					h.ServeHTTP(w, r)
					return w.Body.String()
				})
				require.Equal(t, want, kit.Payment(t, "ORD-1").Payer.IP)
			})
		}
	}
}
