package badinput_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/internal/doortest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// The second merchant, whose payments and tokens the first one may not use.
const (
	otherKey      = "5b0d8c11-94a1-4b7a-8a55-0c6e1f1e9b22"
	otherPassword = "the-other-password-0002"
)

// world is a gateway with all its endpoints on one server, and the subjects of the requests, each made once when it
// is needed.
type world struct {
	*gatewaytest.Kit
	t      *testing.T
	url    string
	client *http.Client
	calls  *atomic.Int64 // to the acquirer
	opens  *atomic.Int64 // of write transactions
	gets   *atomic.Int64 // of records, outside of write transactions
	links  *atomic.Pointer[[2]string]
	log    *lines // of the gateway, the page and the server
	made   map[string]string
	next   *store.Redirect // the redirect of the payer of away
	at     map[string]*endpoint
	count  int // of the fresh requests
}

// lines is a log that can be written while it is read.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// cut returns what was written and clears it.
func (l *lines) cut() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

// counted is the test acquirer that counts its operations, and keeps the newest links.
type counted struct {
	*vcard.Connector
	calls *atomic.Int64
	links *atomic.Pointer[[2]string]
}

func (c counted) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	c.calls.Add(1)
	c.links.Store(&[2]string{op.ReturnURL, op.NotificationURL})
	return c.Connector.Perform(ctx, op)
}

func (c counted) Find(ctx context.Context, op methods.Operation) methods.Answer {
	c.calls.Add(1)
	return c.Connector.Find(ctx, op)
}

// opened is a store that counts its write transactions.
type opened struct {
	store.Store
	writes *atomic.Int64
}

func (o opened) Update(ctx context.Context, fn func(store.Tx) error) error {
	o.writes.Add(1)
	return o.Store.Update(ctx, fn)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		t: t, calls: &atomic.Int64{}, opens: &atomic.Int64{}, gets: &atomic.Int64{},
		links: &atomic.Pointer[[2]string]{}, log: &lines{}, made: map[string]string{}, at: endpoints(),
	}
	logger := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.Kit = gatewaytest.On(t, watchedReads{opened{memory.New(), w.opens}, w.gets}, func(cfg *gateway.Config) {
		cfg.Log = logger
		cfg.Crypto = []methods.Currency{{Code: "WEI", Exponent: 18}, {Code: "USDT", Exponent: 6}}
		cfg.Connectors = map[string]methods.Connector{"vcard": counted{cfg.Connectors["vcard"].(*vcard.Connector), w.calls,
			w.links}}
	})
	require.NoError(t, w.SaveMerchant(t.Context(), store.Merchant{
		ID: "m-other", Name: "Other Shop", Key: otherKey, Password: store.NewSecret(otherPassword),
		NotificationURL: "https://other.example/callback",
	}))
	require.NoError(t, w.SaveMID(t.Context(),
		store.MID{ID: "other", MerchantID: "m-other", Name: "Other", Connector: "vcard"}))
	require.NoError(t, w.SaveMapping(t.Context(),
		store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, RequireName: true}))
	mux := http.NewServeMux()
	checkout.Register(mux, w.Gateway)
	s2s.Register(mux, w.Gateway)
	hpf.Register(mux, w.Gateway, hpf.Options{})
	page.Register(mux, w.Gateway, page.Options{Log: logger})
	server := httptest.NewUnstartedServer(doortest.Recorded(t, mux))
	server.Config.ErrorLog = log.New(w.log, "server: ", 0)
	server.Start()
	t.Cleanup(server.Close)
	w.url, w.client = server.URL, server.Client()
	w.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return w
}

// once makes something when it is first needed, and delivers its callbacks. Enough time passes that no later
// request counts as repeated.
func (w *world) once(name string, create func() string) string {
	w.t.Helper()
	if _, ok := w.made[name]; !ok {
		w.made[name] = create()
		w.Advance(w.t, 20*time.Second)
	}
	return w.made[name]
}

// paid is the id of a Checkout payment of the order.
func (w *world) paid(order string, change func(*gateway.SessionRequest)) string {
	return w.once("paid "+order, func() string {
		r := gatewaytest.Request(order, "10.00")
		if change != nil {
			change(&r)
		}
		w.Pay(w.t, w.SessionOf(w.t, r), gatewaytest.Settles)
		return w.Payment(w.t, order).ID
	})
}

func (w *world) settled() string { return w.paid("ORD-SETTLED", nil) }

func (w *world) held() string {
	return w.paid("ORD-HELD", func(r *gateway.SessionRequest) { r.Hold = true })
}

func (w *world) declined() string {
	return w.once("declined", func() string {
		w.Pay(w.t, w.Session(w.t, "ORD-DECLINED", "10.00"), gatewaytest.Declines)
		return w.Payment(w.t, "ORD-DECLINED").ID
	})
}

// chain is a payment that began a chain and saved its card.
func (w *world) chain() store.Payment {
	w.paid("ORD-CHAIN", func(r *gateway.SessionRequest) { r.Extra.RecurringInit, r.Extra.ReqToken = true, true })
	return w.Payment(w.t, "ORD-CHAIN")
}

// link is the token of a session that waits for its payer.
func (w *world) link() string {
	return w.once("link", func() string {
		r := gatewaytest.Request("ORD-LINK", "10.00")
		r.Customer.Name = "" // so that the page asks for the name on the card
		return w.SessionOf(w.t, r)
	})
}

// away is the return token of a payer at the issuer's page; notice is the notification token of the same payment.
func (w *world) away() string {
	return w.once("away", func() string {
		w.next = w.Pay(w.t, w.Session(w.t, "ORD-AWAY", "10.00"), gatewaytest.ThreeDSPasses).Redirect
		links := w.links.Load()
		w.made["notice"] = strings.TrimPrefix(links[1], gatewaytest.PublicURL+"/notify/")
		return strings.TrimPrefix(links[0], gatewaytest.PublicURL+"/return/")
	})
}

func (w *world) notice() string {
	w.away()
	return w.made["notice"]
}

// hosted is a token of Hosted Payment Fields with a card that the fields collected.
func (w *world) hosted(operation string) string { return w.collected(operation, "ORD-"+operation) }

func (w *world) collected(operation, order string) string {
	return w.once("hosted "+order, func() string {
		got := w.send(&request{at: w.at["HPF token"], method: "POST", path: "/api/v1/session/token", header: jsonHeader(),
			body: tokenBase(w).with("operation", operation, "order.number", order)})
		var body struct{ Token string }
		require.NoError(w.t, json.Unmarshal([]byte(got.body), &body), got.body)
		require.NoError(w.t, w.HostedFields().Collect(w.t.Context(), body.Token, gatewaytest.Settles))
		return body.Token
	})
}

// transaction sends an S2S request, requires the result, and returns its trans_id, or schedule_id.
func (w *world) transaction(endpoint, result string, pairs ...string) string {
	return w.once(endpoint+strings.Join(pairs, " "), func() string {
		r := w.at[endpoint].request(w)
		r.body = r.body.with(anys(pairs)...)
		got := w.send(r)
		var body map[string]any
		require.NoError(w.t, json.Unmarshal([]byte(got.body), &body), got.body)
		require.Equal(w.t, result, body["result"], got.body)
		if id, ok := body["schedule_id"].(string); ok {
			return id
		}
		return body["trans_id"].(string)
	})
}

func anys(texts []string) (list []any) {
	for _, text := range texts {
		list = append(list, text)
	}
	return list
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// send signs the request unless an edit changed the hash, and sends it over the wire.
func (w *world) send(r *request) answer {
	w.t.Helper()
	got, err := w.attempt(r)
	require.NoError(w.t, err)
	return got
}

func (w *world) attempt(r *request) (answer, error) {
	r.sign()
	var body io.Reader = strings.NewReader(r.text())
	if r.chunked {
		body = io.MultiReader(body) // of unknown length
	}
	if r.method == http.MethodGet {
		body = nil
	}
	call, err := http.NewRequestWithContext(w.t.Context(), r.method, w.url+r.path, body)
	if err != nil {
		return answer{}, err
	}
	call.Header = r.header
	response, err := w.client.Do(call)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return answer{response.StatusCode, response.Header, string(text)}, err
}

// records is everything in the store.
func (w *world) records() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	require.NoError(w.t, w.Store.View(w.t.Context(), func(r store.Reader) error {
		for e := range r.Scan(store.Range{Limit: 1 << 30}) {
			if e.Err != nil {
				return e.Err
			}
			all[string(e.Key)] = string(e.Value)
		}
		return nil
	}))
	return all
}

func jsonHeader() http.Header { return http.Header{"Content-Type": {"application/json"}} }

func formHeader() http.Header {
	return http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
}

// encodeForm writes the pairs, and the additional ones at the end.
func encodeForm(o object, extra []pair) string {
	form := url.Values{}
	for name, value := range o {
		if text, ok := value.(string); ok {
			form.Set(name, text)
		}
	}
	text := form.Encode()
	for _, p := range extra {
		text += "&" + url.QueryEscape(p.name) + "=" + url.QueryEscape(p.value)
	}
	return text
}

// foreign is a payment of the other merchant that also saved the card.
func (w *world) foreign() string {
	return w.once("foreign", func() string {
		r := gatewaytest.Request("ORD-FOREIGN", "10.00")
		r.Extra.ReqToken = true
		w.Pay(w.t, w.As(otherKey).SessionOf(w.t, r), gatewaytest.Settles)
		results, err := w.Merchant(otherKey).Status(w.t.Context(), gateway.Lookup{OrderNumber: "ORD-FOREIGN"})
		require.NoError(w.t, err)
		return results[0].Payment.ID
	})
}

// foreignToken is the card token of that payment.
var foreignToken = edit{"card_token := another merchant's", func(w *world, r *request) {
	w.foreign()
	for _, form := range w.Inbox.Fields(w.t) {
		if form.Get("order_number") == "ORD-FOREIGN" {
			r.body["card_token"] = []string{form.Get("card_token")}
		}
	}
}}

// tomorrow is the next financial day.
func (w *world) tomorrow() {
	w.once("tomorrow", func() string { w.Advance(w.t, 26*time.Hour); return "" })
}

// dollarsOnly leaves the merchant only MIDs for dollars.
func (w *world) dollarsOnly() {
	for id, test := range map[string]bool{"live": false, "test": true} {
		require.NoError(w.t, w.SaveMID(w.t.Context(), store.MID{
			ID: id, MerchantID: gatewaytest.MerchantID, Name: id, Connector: "vcard", Test: test, Currencies: []string{"USD"},
		}))
	}
}

// spent is the token of a hosted session that was paid.
func (w *world) spent() string {
	return w.once("spent", func() string {
		token := w.collected("debit", "ORD-SPENT")
		q := w.at["HPF debit"].request(w)
		q.header.Set("Token", token)
		require.Equal(w.t, 200, w.send(q).status)
		return token
	})
}
