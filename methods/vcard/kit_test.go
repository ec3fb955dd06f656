package vcard_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

const testPAN = "4111111111111111"

// clock is a clock that only the test moves.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// acquirer is a vcard on a store of its own.
type acquirer struct {
	*vcard.Connector
	tb    testing.TB
	clock *clock
	cfg   vcard.Config
}

func newAcquirer(tb testing.TB, change ...func(*vcard.Config)) *acquirer {
	a := &acquirer{tb: tb, clock: &clock{t: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}}
	a.cfg = vcard.Config{
		Store: memory.New(), Secret: store.NewSecret("a secret of sixteen bytes or more"),
		PublicURL: "https://acquirer.example/vcard", Now: a.clock.Now,
	}
	for _, f := range change {
		f(&a.cfg)
	}
	a.restart()
	return a
}

// restart drops everything but the store, as a crash does.
func (a *acquirer) restart() {
	c, err := vcard.New(a.cfg)
	require.NoError(a.tb, err)
	a.Connector = c
}

func (a *acquirer) entry(key string) vcard.Entry {
	e, err := a.Entry(context.Background(), key)
	require.NoError(a.tb, err)
	return e
}

func card(year, month int) *methods.Card {
	pan, err := store.ParsePAN(testPAN)
	if err != nil {
		panic(err)
	}
	code, err := store.ParseSecurityCode("737")
	if err != nil {
		panic(err)
	}
	return &methods.Card{PAN: pan, Expiry: store.Expiry{Year: year, Month: month}, Holder: "John Doe", Code: code}
}

func charge(kind store.Operation, key string, year, month int) methods.Operation {
	return methods.Operation{
		Kind: kind, Key: key, TransactionID: "t-" + key, PaymentID: "p-" + key, Amount: store.MustAmount("10.00"),
		Currency: "USD", Order: store.Order{Number: "order-" + key}, Card: card(year, month),
		ReturnURL: "https://gateway.example/return/" + key + "?secret=" + key,
	}
}

func follow(parent methods.Operation, kind store.Operation, key, amount string) methods.Operation {
	return methods.Operation{
		Kind: kind, Key: key, Amount: store.MustAmount(amount), Currency: parent.Currency,
		Order: parent.Order, ParentKey: parent.Key,
	}
}

var (
	hidden = regexp.MustCompile(`name="([^"]+)" value="([^"]*)"`)
	action = regexp.MustCompile(`action="([^"]*)"`)
)

// browser talks to the pages as a payer's browser without JavaScript.
type browser struct {
	a *acquirer
}

func (b browser) send(method, target string, form url.Values) *httptest.ResponseRecorder {
	u, err := url.Parse(target)
	require.NoError(b.a.tb, err)
	require.Equal(b.a.tb, "acquirer.example", u.Host)
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r := httptest.NewRequest(method, target, body)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	w := httptest.NewRecorder()
	http.StripPrefix("/vcard", b.a.Pages()).ServeHTTP(w, r)
	return w
}

// open opens the page that an answer sends the payer to.
func (b browser) open(next *store.Redirect) *httptest.ResponseRecorder {
	var form url.Values
	if next.Method == "POST" {
		form = url.Values{}
		for _, p := range next.Params {
			form.Set(p.Name, p.Value)
		}
	}
	return b.send(next.Method, next.URL, form)
}

// read reads the form of a page.
func (b browser) read(w *httptest.ResponseRecorder) (target string, form url.Values) {
	require.Equal(b.a.tb, http.StatusOK, w.Code, w.Body.String())
	form = url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(w.Body.String(), -1) {
		if m[1] != "decision" && m[1] != "viewport" {
			form.Set(m[1], html(m[2]))
		}
	}
	return html(action.FindStringSubmatch(w.Body.String())[1]), form
}

func html(s string) string {
	return strings.NewReplacer("&amp;", "&", "&#43;", "+", "&#34;", `"`, "&#39;", "'").Replace(s)
}

// press opens the page and presses a button. It returns what comes back to the gateway.
func (b browser) press(next *store.Redirect, button string) (target string, back methods.Return) {
	to, form := b.read(b.open(next))
	form.Set("decision", button)
	w := b.send("POST", to, form)
	if next.ThreeDS {
		to, form := b.read(w)
		return to, methods.Return{Method: "POST", Params: form}
	}
	require.Equal(b.a.tb, http.StatusSeeOther, w.Code, w.Body.String())
	u, err := url.Parse(w.Header().Get("Location"))
	require.NoError(b.a.tb, err)
	return w.Header().Get("Location"), methods.Return{Method: "GET", Params: u.Query()}
}
