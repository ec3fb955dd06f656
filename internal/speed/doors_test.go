package speed_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store/memory"
)

// door sends the n-th request of its kind to a gateway.
type door func(t *testing.T, gw *gateway.Gateway) func(n int64)

// form is the content type of S2S and of the page.
const form = "application/x-www-form-urlencoded"

// onItsOwn is a door of a new gateway.
func onItsOwn(request door) func(*testing.T) func(n int64) {
	return func(t *testing.T) func(n int64) { return request(t, opened(t, memory.New())) }
}

func sessionByHTTP(t *testing.T, gw *gateway.Gateway) func(n int64) {
	return posts(t, checkout.Handler(gw), http.StatusOK, func(n int64) *http.Request {
		return request(t, "/api/v1/session", "application/json", speed.SessionJSON(n))
	})
}

func saleByHTTP(t *testing.T, gw *gateway.Gateway) func(n int64) {
	return posts(t, s2s.Handler(gw), http.StatusOK, func(n int64) *http.Request {
		return request(t, "/post", form, speed.SaleForm(n))
	})
}

func request(t *testing.T, path, contentType string, body []byte) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, bytes.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	return r
}

// posts gives requests to a handler, without the server and the client of net/http. All are made before, so that they
// cost nothing; each has to be answered with a status.
func posts(t *testing.T, h http.Handler, want int, each func(n int64) *http.Request) func(n int64) {
	var all []*http.Request
	for n := range int64(1 + rounds) {
		all = append(all, each(n))
	}
	w := &sink{header: http.Header{}}
	return func(n int64) {
		clear(w.header)
		w.status = http.StatusOK
		h.ServeHTTP(w, all[n])
		if w.status != want {
			t.Fatalf("request %d is answered with %d", n, w.status)
		}
	}
}

// sink is an http.ResponseWriter that keeps only the status.
type sink struct {
	header http.Header
	status int
}

// Header implements http.ResponseWriter.
func (s *sink) Header() http.Header { return s.header }

// WriteHeader implements http.ResponseWriter.
func (s *sink) WriteHeader(status int) { s.status = status }

// Write implements http.ResponseWriter.
func (s *sink) Write(text []byte) (int, error) { return len(text), nil }

// people is how many elements the list of the parameters has. Every pass over them allocates for each: when they are
// parsed, checked and completed. So another pass cannot hide in the hundredth that a gate has to spare, as it does in
// a sale without parameters. A host's own code and S2S make one pass of each. The page makes more, because it looks
// for the methods that a session can still be paid with.
const people = 10

// withPeople gives cards a list of parameters whose rule and whose completion allocate.
func withPeople(c *gateway.Config) {
	all := methods.DefaultMethods()
	card := all[slices.IndexFunc(all, func(m methods.Method) bool { return m.Code == "card" })]
	card.Sets = append(card.Sets, methods.Use{Set: "people", IfSent: true})
	email := methods.Rule{Kind: methods.RuleEmail}
	card.Defines = []methods.Set{{Name: "people", Rows: []methods.Row{
		{Path: "people[].email", Requirement: methods.Required, Rule: email}}}}
	c.Methods = []methods.Method{card}
}

// peopleSent are the parameters of a request, as JSON.
func peopleSent() json.RawMessage {
	email := `{"email":"doe@example.com"}`
	return json.RawMessage(`{"people":[` + strings.Repeat(email+",", people-1) + email + `]}`)
}

func saleWithParameters(t *testing.T) func(n int64) {
	gw, sent := opened(t, memory.New(), withPeople), peopleSent()
	return func(n int64) {
		r := kerneltest.SaleRequest(n)
		r.Parameters = sent
		if _, err := gw.Merchant(gatewaytest.MerchantKey).Charge(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
}

func s2sSaleWithParameters(t *testing.T) func(n int64) {
	var sent strings.Builder
	for i := range people {
		fmt.Fprintf(&sent, "&parameters[people][%d][email]=doe@example.com", i)
	}
	return posts(t, s2s.Handler(opened(t, memory.New(), withPeople)), http.StatusOK, func(n int64) *http.Request {
		return request(t, "/post", form, append(speed.SaleForm(n), sent.String()...))
	})
}

// pageSaleWithParameters pays sessions that were made before, by the form of the page.
func pageSaleWithParameters(t *testing.T) func(n int64) {
	gw, mux := opened(t, memory.New(), withPeople), http.NewServeMux()
	page.Register(mux, gw, page.Options{})
	filled := []byte(url.Values{"attempt": {"0"}, "card_number": {"4111 1111 1111 1111"}, "expiry": {"01/2038"},
		"cvv": {"123"}, "name": {"John Doe"}}.Encode())
	return posts(t, mux, http.StatusSeeOther, func(n int64) *http.Request {
		r := gatewaytest.Request(fmt.Sprintf("P-%d", n), "10.00")
		r.Parameters = json.RawMessage(`{"card":` + string(peopleSent()) + `}`)
		s, err := gw.Merchant(gatewaytest.MerchantKey).CreateSession(t.Context(), r)
		require.NoError(t, err)
		return request(t, strings.TrimPrefix(s.RedirectURL, gatewaytest.PublicURL), form, filled)
	})
}
