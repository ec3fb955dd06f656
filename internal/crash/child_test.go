package crash

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"testing"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
)

// The environment of a child.
const (
	envFile     = "TOLLGATE_CRASH_FILE" // makes the process a child
	envPublic   = "TOLLGATE_CRASH_PUBLIC"
	envAcquirer = "TOLLGATE_CRASH_ACQUIRER"
	envMerchant = "TOLLGATE_CRASH_MERCHANT"
	envClock    = "TOLLGATE_CRASH_CLOCK"   // file with the nanoseconds that its clock is ahead
	envTimeout  = "TOLLGATE_CRASH_TIMEOUT" // of an acquirer call; empty for the gateway's default
	envStill    = "TOLLGATE_CRASH_STILL"   // due work is done only on demand
	envFault    = "TOLLGATE_CRASH_FAULT"
	envAt       = "TOLLGATE_CRASH_AT"   // name:n of the passage where it kills itself
	envRole     = "TOLLGATE_CRASH_ROLE" // of a process that is no gateway
	envPath     = "TOLLGATE_CRASH_PATH" // secret path where the acquirer and the merchant listen
	envGate     = "TOLLGATE_CRASH_GATE"
	envSeed     = "TOLLGATE_CRASH_SEED"
)

// The other kinds of processes.
const (
	roleAcquirer = "acquirer"
	roleMerchant = "merchant"
)

// The demo merchant.
const (
	merchantID  = "m-crash"
	merchantKey = "2f1a9f0e-7b1c-4f57-9d5e-6a0c3f7e1b11"
	password    = "the password of the crash tests"
)

// TestMain makes the process a child if the environment says so.
func TestMain(m *testing.M) {
	if os.Getenv(envFile) == "" {
		os.Exit(m.Run())
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(3) // the parent has died
	}()
	listener, err := net.FileListener(os.NewFile(3, "listener")) // the parent's: it outlives this process
	if err != nil {
		log.Fatal(err)
	}
	switch os.Getenv(envRole) {
	case roleAcquirer:
		log.Fatal(serveBank(listener))
	case roleMerchant:
		log.Fatal(serveShop(listener))
	default:
		log.Fatal(serve(listener))
	}
}

// linksLast keeps the links of sessions valid longer than any test's clock runs, because the judge opens each of
// them.
const linksLast = 20 * 365 * 24 * time.Hour

// child is a gateway in its own process.
type child struct {
	dial
	gw   *gateway.Gateway
	gone chan struct{} // gets a value for every client that hung up
}

func serve(listener net.Listener) error {
	clock, err := openDial()
	if err != nil {
		return err
	}
	c := &child{dial: clock, gone: make(chan struct{}, 1000)}
	if err := c.open(); err != nil {
		return err
	}
	if os.Getenv(envStill) == "" {
		go func() { log.Print(c.gw.Run(context.Background())) }()
	}
	mux := http.NewServeMux()
	checkout.Register(mux, c.gw)
	s2s.Register(mux, c.gw)
	hpf.Register(mux, c.gw, hpf.Options{})
	page.Register(mux, c.gw, page.Options{Log: logger()})
	mux.HandleFunc("POST /crash/work", c.work)
	mux.HandleFunc("GET /crash/gone", func(http.ResponseWriter, *http.Request) { <-c.gone })
	fmt.Println("ready")
	return http.Serve(listener, c.watch(mux))
}

// watch notices clients that hang up while their request is served.
func (c *child) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stop := context.AfterFunc(r.Context(), func() {
			select {
			case c.gone <- struct{}{}:
			default:
			}
		})
		defer stop()
		next.ServeHTTP(w, r)
	})
}

func logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
}

func (c *child) open() error {
	records, err := openRecords(os.Getenv(envFile))
	if err != nil {
		return err
	}
	loopback := callback.Dial{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	trap := newTrap()
	timeout, _ := time.ParseDuration(os.Getenv(envTimeout)) // none: the default
	acquirer := trappedConnector{connector{os.Getenv(envAcquirer) + os.Getenv(envPath),
		&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}, trap}
	c.gw, err = gateway.New(gateway.Config{
		Store: trapped(records, trap), Keys: newKeys(), PublicURL: os.Getenv(envPublic), Now: c.now, Log: logger(),
		CallTimeout: timeout, Retention: gateway.Retention{Sessions: linksLast},
		Connectors: map[string]methods.Connector{"acquirer": faultyConnector(acquirer)},
		Notifier:   trappedNotifier{faultyNotifier(&callback.HTTPNotifier{Dial: loopback}), trap},
	})
	if err != nil {
		return err
	}
	ctx := context.Background()
	if err := c.gw.SaveMerchant(ctx, store.Merchant{
		ID: merchantID, Name: "Crash Test Shop", Key: merchantKey, Password: store.NewSecret(password),
		NotificationURL: os.Getenv(envMerchant) + "/callback",
	}); err != nil {
		return err
	}
	return c.gw.SaveMID(ctx, store.MID{ID: "live", MerchantID: merchantID, Name: "Live", Connector: "acquirer"})
}
