package shop

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// script is a gateway with scripted answers that records its requests.
type script struct {
	mu      sync.Mutex
	answers map[string]string // by path
	asked   []string
}

func (g *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked,
		r.Method+" "+r.URL.Path+" "+r.Header.Get("Token")+" "+strings.Join(strings.Fields(string(body)), ""))
	_, _ = io.WriteString(w, g.answers[r.URL.Path])
}

// openOwn returns the shop on its own origin, with an order that waits for its card.
func openOwn(t *testing.T, answer string) (*script, http.Handler, string) {
	t.Helper()
	g := &script{answers: map[string]string{
		"/api/v1/session/token": `{"token":"the-token"}`, "/api/v1/session/update": `{"result":"success"}`,
		"/api/v1/processing/purchase/card": answer, "/api/v1/payment/status": `{"payment_id":"p1","status":"settled"}`,
	}}
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	s, err := New(Config{
		API: server.URL, Public: "https://pay.example", Own: "https://shop.example",
		Accounts: []Account{{Name: "One", Key: "k1", Password: store.NewSecret("password of one")}},
		Library:  Library{URL: "https://pay.example/sdk/x.js", Integrity: "sha384-x"},
	})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	own := s.Own()
	w := post(own, "/products/mug/fields", url.Values{"name": {"Ada"}, "quantity": {"2"}})
	require.Equal(t, http.StatusSeeOther, w.Code, w.Body.String())
	path, ours := strings.CutPrefix(w.Header().Get("Location"), "https://shop.example")
	require.True(t, ours)
	return g, own, path
}

func post(h http.Handler, target string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func get(h http.Handler, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
	return w
}

// The policy of the page with the fields allows the gateway's script and frames and nothing else.
func TestPayPage(t *testing.T) {
	t.Parallel()
	g, own, path := openOwn(t, "")
	require.Contains(t, g.asked[0], `"return_url":"https://shop.example/orders/`)
	require.Contains(t, g.asked[0], `"ip":"192.0.2.1"`)
	require.NotContains(t, g.asked[0], "success_url")
	w := get(own, path)
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t,
		"default-src 'none'; script-src 'self' https://pay.example; frame-src https://pay.example; style-src 'self'; "+
			"img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		w.Header().Get("Content-Security-Policy"))
	require.Contains(t, w.Body.String(),
		`<script src="https://pay.example/sdk/x.js" integrity="sha384-x" crossorigin="anonymous" defer>`)
	require.Contains(t, w.Body.String(), `data-token="the-token"`)
	require.NotContains(t, w.Body.String(), "<style")
	require.NotContains(t, w.Body.String(), `style="`)
}

// The backend updates the session and then pays with the expected amount and the token; then the payer is sent on.
func TestPayOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, answer string
		code         int
		location     string // how it begins, after the order's URL
		text         []string
	}{
		{"success", `{"result":"success","return_url_query_params":{"payment_id":"p1","hash":"x"}}`, 303, "/return?hash=x&payment_id=p1", nil},
		{"redirect by POST", `{"result":"redirect","redirect_url":"https://acs.example/a","redirect_params":[{"name":"PaReq","value":"x<y"}]}`, 200, "",
			[]string{`action="https://acs.example/a"`, `name="PaReq" value="x&lt;y"`}},
		{"redirect by GET", `{"result":"redirect","redirect_url":"https://bank.example/?a=1"}`, 200, "", []string{`href="https://bank.example/?a=1" id="forward"`}},
		{"redirect nowhere", `{"result":"redirect","redirect_url":"javascript:alert(1)"}`, 303, "/return?", nil},
		{"no JSON", `<p>Not available</p>`, 502, "", []string{"The payment was not made", "&lt;p&gt;Not available"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g, own, path := openOwn(t, c.answer)
			w := post(own, path, url.Values{"name": {"Ada"}, "wrap": {"Y"}, "color_depth": {"24"}})
			require.Equal(t, c.code, w.Code)
			if c.location != "" {
				require.Equal(t, strings.TrimSuffix(path, "/pay")+c.location, w.Header().Get("Location"))
			}
			for _, text := range c.text {
				require.Contains(t, w.Body.String(), text)
			}
			require.True(t, strings.HasPrefix(g.asked[1], `PUT /api/v1/session/update the-token {"order_amount":"39.50",`),
				g.asked[1])
			require.True(t, strings.HasPrefix(g.asked[2],
				`POST /api/v1/processing/purchase/card the-token {"name":"Ada","with_hosted_fields":true,`+
					`"expected_amount":"39.50","expected_currency":"EUR",`), g.asked[2])
			require.Contains(t, g.asked[2], `"color_depth":"24"`)
		})
	}
}

// A form of another site pays nothing, and orders for the payment page are not paid here.
func TestPayOwnRefuses(t *testing.T) {
	t.Parallel()
	g, own, path := openOwn(t, "")
	r := httptest.NewRequest(http.MethodPost, path, nil)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	w := httptest.NewRecorder()
	own.ServeHTTP(w, r)
	require.Equal(t, http.StatusForbidden, w.Code)
	require.Equal(t, http.StatusNotFound, get(own, "/orders/none/pay").Code)
	require.Equal(t, http.StatusNotFound, post(own, "/orders/none/pay", nil).Code)
	require.Len(t, g.asked, 1)
}

func TestOwnRefuses(t *testing.T) {
	t.Parallel()
	good := Config{Public: "https://pay.example", Own: "https://shop.example",
		Library: Library{"https://pay.example/x.js", "sha384-x"}, Accounts: []Account{{}}}
	for name, change := range map[string]func(*Config){
		"the gateway's own": func(c *Config) { c.Own = c.Public },
		"a path":            func(c *Config) { c.Own += "/x" },
		"no library":        func(c *Config) { c.Library = Library{} },
	} {
		cfg := good
		change(&cfg)
		_, err := New(cfg)
		require.ErrorContains(t, err, "Own", name)
	}
	_, err := New(good)
	require.NoError(t, err)
}
