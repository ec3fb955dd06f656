package gatewaytest

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewayhttp"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
	"github.com/tollgatepay/gateway/wire"
)

// Site is a kit behind a server: every protocol, the payment page, and the pages of the test acquirer, at URL. It is
// for clients that speak over HTTP, in whatever language; the clock moves only when the test says so.
type Site struct {
	*Kit
	URL    string
	Client *http.Client // for requests to the site; with connections of its own

	mu     sync.Mutex
	faults []Fault
}

// Serve starts a site on a free port of this machine. It is closed when the test ends.
func Serve(t testing.TB, options ...Option) *Site {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	site := &Site{URL: "http://" + listener.Addr().String()}
	site.Kit = onAddress(t, memory.New(), site.URL, append([]Option{func(c *gateway.Config) { c.PublicURL = site.URL }},
		options...)...)
	platform, err := gatewayhttp.New(site.Gateway, gatewayhttp.Options{
		Middleware: []func(http.Handler) http.Handler{site.faulty}, Page: page.Options{},
	})
	require.NoError(t, err)
	mux := http.NewServeMux()
	platform.Register(mux)
	mux.Handle("/vcard/", http.StripPrefix("/vcard", site.Vcard.Pages()))
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}}
	server.Start()
	transport := &http.Transport{}
	site.Client = &http.Client{Transport: transport}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
	return site
}

// Wire returns a client of the kit's merchant that speaks the protocols with the site over HTTP.
func (s *Site) Wire(t testing.TB) *wire.Client {
	t.Helper()
	c, err := wire.New(s.URL, wire.Options{Key: cmp.Or(s.key, MerchantKey), Password: store.NewSecret(Password),
		Transport: s.Client.Transport})
	require.NoError(t, err)
	return c
}

// Fault is what happens to one request of a client.
type Fault struct {
	status int
	slow   time.Duration
	cut    bool
	after  bool // the gateway does what was asked before the fault
}

// Status answers with an HTTP status, like 429 or 503, and nothing is done.
func Status(status int) Fault { return Fault{status: status} }

// Slow answers after some time, by the clock of the machine.
func Slow(d time.Duration) Fault { return Fault{slow: d} }

// LoseRequest closes the connection before anything is done.
func LoseRequest() Fault { return Fault{cut: true} }

// LoseAnswer does what is asked and closes the connection without an answer.
func LoseAnswer() Fault { return Fault{cut: true, after: true} }

// Next makes the next requests of clients meet faults, one each. Requests of payers' browsers count too.
func (s *Site) Next(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// take returns the fault of a request.
func (s *Site) take() (f Fault, some bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults) == 0 {
		return f, false
	}
	f, s.faults = s.faults[0], s.faults[1:]
	return f, true
}

// faulty is the middleware that makes faults.
func (s *Site) faulty(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, some := s.take()
		switch {
		case !some:
			next.ServeHTTP(w, r)
		case f.after:
			next.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		case f.cut:
			panic(http.ErrAbortHandler)
		case f.status != 0:
			http.Error(w, http.StatusText(f.status), f.status)
		default:
			time.Sleep(f.slow)
			next.ServeHTTP(w, r)
		}
	})
}
